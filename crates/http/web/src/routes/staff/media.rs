//! Uploading and withdrawing pictures of raffles.

use super::Store;
use crate::ApiError;
use crate::callers::admin::{Admin, Call, may};
use crate::http::body::FileBody;
use crate::http::views::SuccessView;
use crate::identity::limits::Limit;
use crate::routes::media::path_hash;
use crate::routes::route_table::{Routes, staff_routes};
use actix_web::web::{Json, Path};
use raffle::pictures::{MOST_PICTURES, PictureSummary, StoredRendition};
use serde::Serialize;
use usecases::pictures::AddPictureError;
use utoipa::ToSchema;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); upload::<S>, withdraw::<S>]
}

impl From<AddPictureError> for ApiError {
    fn from(error: AddPictureError) -> Self {
        match error {
            AddPictureError::TooMany => Self::conflict("too_many_pictures", "").saying(format!(
                "There are {MOST_PICTURES} pictures. One that no raffle shows goes after a week."
            )),
            AddPictureError::Withdrawn => Self::conflict(
                "withdrawn",
                "An owner withdrew this picture, so it cannot be used again.",
            ),
            AddPictureError::Store(error) => error.into(),
        }
    }
}

/// An uploaded picture.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PictureView {
    /// Its name in the content of a raffle, which is also the hash of the first rendition.
    hash: String,
    /// The width of the first rendition, in pixels.
    width: u32,
    /// The height of the first rendition, in pixels.
    height: u32,
    /// For pages, the largest first, and then the one for link previews.
    renditions: Vec<RenditionView>,
}

/// A picture in one size. Its address is `/media/{hash}`.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RenditionView {
    /// The SHA-256 of the file.
    hash: String,
    /// The width in pixels.
    width: u32,
    /// The height in pixels.
    height: u32,
}

impl From<StoredRendition> for RenditionView {
    fn from(StoredRendition { hash, size }: StoredRendition) -> Self {
        Self {
            hash: hash.to_string(),
            width: size.width,
            height: size.height,
        }
    }
}

impl From<PictureSummary> for PictureView {
    fn from(picture: PictureSummary) -> Self {
        let [large, ..] = picture.pages;
        Self {
            hash: picture.hash().to_string(),
            width: large.size.width,
            height: large.size.height,
            renditions: Vec::from(picture.renditions().map(RenditionView::from)),
        }
    }
}

/// Uploads a picture for raffles: a JPEG, PNG or WebP file of at most 8 MB and 25 megapixels, and of at least 1200 × 630 pixels.
///
/// It is turned as EXIF says, converted to sRGB, and encoded again in several sizes, with nothing of the file but its pixels;
/// what is transparent becomes white. Those for pages have the shape 8 to 5, and none is larger than the upload: what is more
/// on two sides is cut off. The same file again gets the same answer. A picture that no draft and no version names for 7 days
/// is deleted.
#[utoipa::path(
    post, path = "/api/admin/media", operation_id = "upload_picture",
    request_body(content = String, content_type = "application/octet-stream", description = "The bytes of the file. Its content type does not matter"),
    responses(
        (status = 200, body = PictureView),
        (status = 400, description = "`unusable_picture`: the sentence says why, and what is allowed"),
        (status = 408, description = "The file took too long to arrive"),
        (status = 409, description = "`too_many_pictures`: there are 300; `withdrawn`: an owner withdrew the same picture"),
        (status = 413, description = "The file is larger than 8 MB")
    )
)]
pub(crate) async fn upload<S: Store>(
    admin: Admin<S, may::ManageRaffles>,
    body: FileBody,
) -> Result<Json<PictureView>, ApiError> {
    let picture = admin.state().pictures.make(body.0).await?;
    let add =
        move |call: Call<'_, S>| usecases::pictures::add(call.store, call.actor, &picture, call.clock.now());
    Ok(Json(admin.run(add).await?.into()))
}

/// Withdraws a picture for good: its addresses answer 410, and pages show the scene of their raffle in its place.
#[utoipa::path(
    delete, path = "/api/admin/media/{hash}", operation_id = "withdraw_picture",
    params(("hash" = String, Path, description = "The name of the picture"))
)]
pub(crate) async fn withdraw<S: Store>(
    admin: Admin<S, may::WithdrawPictures>,
    hash: Path<String>,
) -> Result<Json<SuccessView>, ApiError> {
    let hash = path_hash(&hash)?;
    let withdraw =
        move |call: Call<'_, S>| usecases::pictures::withdraw(call.store, call.actor, hash, call.clock.now());
    match admin.run(withdraw).await? {
        true => Ok(Json(SuccessView::new())),
        false => Err(ApiError::not_found()),
    }
}
