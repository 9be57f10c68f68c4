//! What a raffle says, as it is sent.

use crate::http::names::{Name, Named};
use crate::http::views::LandingPageView;
use chrono::{DateTime, Utc};
use raffle::{Content, KitItem, Palette, Picture, RaffleStatus, Scene, ShareTexts, TotalValue, Version};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub(crate) type RaffleStatusView = Name<RaffleStatus>;

impl Named for RaffleStatus {
    const VIEW: &'static str = "RaffleStatusView";
    const ABOUT: Option<&'static str> = Some("Whether a raffle can be entered; a draft was never open.");
}

type PaletteView = Name<Palette>;

impl Named for Palette {
    const VIEW: &'static str = "PaletteView";
    const ABOUT: Option<&'static str> = Some("The colors of a raffle's pages.");
}

type SceneView = Name<Scene>;

impl Named for Scene {
    const VIEW: &'static str = "SceneView";
    const ABOUT: Option<&'static str> = Some("A built-in picture.");
}

/// What the pages of a raffle say and show. Lengths are in characters.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ContentView {
    /// The prize's name, as shown in drawings, texts and the rules.
    #[schema(max_length = 60)]
    name: String,
    /// The page's heading.
    #[schema(max_length = 80)]
    title: String,
    /// The line below the heading.
    #[schema(max_length = 120)]
    tagline: String,
    /// What the prize is. It may have line breaks.
    #[schema(max_length = 600)]
    description: String,
    /// The parts of the prize.
    #[schema(max_items = 20)]
    kit: Vec<KitItemView>,
    total_value: TotalValueView,
    /// The page's title in browsers and search results, without the name of the site.
    #[schema(max_length = 70)]
    meta_title: String,
    /// The page's description in search results.
    #[schema(max_length = 170)]
    meta_description: String,
    /// The heading for who has entered.
    #[schema(max_length = 60)]
    success_title: String,
    /// Whether the sign-up page says when the next drawing is.
    shows_next_drawing: bool,
    share: ShareTextsView,
    #[schema(value_type = PaletteView)]
    palette: Palette,
    picture: PictureView,
}

/// A part of the prize.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = KitPartView)]
pub(crate) struct KitItemView {
    #[schema(max_length = 60)]
    item: String,
    /// A line about it.
    #[schema(max_length = 120)]
    detail: String,
    /// What it is worth at retail; 0 while a draft does not say it.
    #[schema(minimum = 0)]
    value_in_cents: i64,
}

/// What the prize is worth. Its parts add up to at least that.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct TotalValueView {
    /// Whole dollars; 0 while a draft does not say it.
    #[schema(minimum = 0, maximum = 5000)]
    dollars: i64,
    /// Whether a plus sign follows them.
    or_more: bool,
}

/// What a share button puts into the mail or the messages of who has entered. `{LINK}` is required in both bodies;
/// `{NEXT_DRAWING}`, `{PRIZE}` and `{VALUE}` are allowed.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ShareTextsView {
    #[schema(max_length = 120)]
    email_subject: String,
    #[schema(max_length = 1500)]
    email_body: String,
    #[schema(max_length = 320)]
    text_body: String,
}

/// The picture of a raffle.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = RafflePictureView)]
pub(crate) struct PictureView {
    /// What is shown without an upload.
    #[schema(value_type = SceneView)]
    scene: Scene,
    /// The SHA-256 of the uploaded picture.
    #[schema(required, pattern = "^[0-9a-f]{64}$")]
    upload: Option<String>,
    /// What the upload shows, for who cannot see it.
    #[schema(max_length = 160)]
    alt: String,
}

impl From<KitItem> for KitItemView {
    fn from(part: KitItem) -> Self {
        let KitItem {
            item,
            detail,
            value_in_cents,
        } = part;
        Self {
            item,
            detail,
            value_in_cents,
        }
    }
}

impl From<Picture> for PictureView {
    fn from(picture: Picture) -> Self {
        Self {
            scene: picture.scene,
            upload: picture.upload.map(|hash| hash.to_string()),
            alt: picture.alt,
        }
    }
}

impl From<Content> for ContentView {
    fn from(content: Content) -> Self {
        let TotalValue { dollars, or_more } = content.total_value;
        let ShareTexts {
            email_subject,
            email_body,
            text_body,
        } = content.share;
        Self {
            name: content.name,
            title: content.title,
            tagline: content.tagline,
            description: content.description,
            kit: content.kit.into_iter().map(Into::into).collect(),
            total_value: TotalValueView { dollars, or_more },
            meta_title: content.meta_title,
            meta_description: content.meta_description,
            success_title: content.success_title,
            shows_next_drawing: content.shows_next_drawing,
            share: ShareTextsView {
                email_subject,
                email_body,
                text_body,
            },
            palette: content.palette,
            picture: content.picture.into(),
        }
    }
}

impl ContentView {
    /// The content; `None` when the name of its picture is not spelled as one.
    pub(crate) fn content(self) -> Option<Content> {
        let part = |part: KitItemView| KitItem {
            item: part.item,
            detail: part.detail,
            value_in_cents: part.value_in_cents,
        };
        let upload = self.picture.upload.map(|hash| hash.parse()).transpose().ok()?;
        Some(Content {
            name: self.name,
            title: self.title,
            tagline: self.tagline,
            description: self.description,
            kit: self.kit.into_iter().map(part).collect(),
            total_value: TotalValue {
                dollars: self.total_value.dollars,
                or_more: self.total_value.or_more,
            },
            meta_title: self.meta_title,
            meta_description: self.meta_description,
            success_title: self.success_title,
            shows_next_drawing: self.shows_next_drawing,
            share: ShareTexts {
                email_subject: self.share.email_subject,
                email_body: self.share.email_body,
                text_body: self.share.text_body,
            },
            palette: self.palette,
            picture: Picture {
                scene: self.picture.scene,
                upload,
                alt: self.picture.alt,
            },
        })
    }
}

/// What a raffle will say.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WaitingVersionView {
    /// The number of the version.
    number: i64,
    /// From when on it counts.
    takes_effect_at: DateTime<Utc>,
}

impl From<&Version> for WaitingVersionView {
    fn from(version: &Version) -> Self {
        Self {
            number: version.number,
            takes_effect_at: version.takes_effect_at,
        }
    }
}

/// What a card of a raffle shows.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RaffleCardView {
    landing_page: LandingPageView,
    /// Its number, which is used once.
    number: i64,
    status: RaffleStatusView,
    /// What can be won, as its pages say it.
    name: String,
    /// The heading of its page.
    title: String,
    #[schema(value_type = PaletteView)]
    palette: Palette,
    picture: PictureView,
    /// The number of the version in force.
    #[schema(required)]
    version: Option<i64>,
    /// The version that takes effect later, if there is one.
    #[schema(required)]
    waiting_version: Option<WaitingVersionView>,
}

impl RaffleCardView {
    /// `version`: the number of the version in force. `waiting`: the one that takes effect later.
    pub(crate) fn new(
        raffle: &raffle::Raffle,
        status: RaffleStatus,
        content: &Content,
        version: Option<i64>,
        waiting: Option<&Version>,
    ) -> Self {
        Self {
            landing_page: raffle.key.into(),
            number: raffle.number,
            status: status.into(),
            name: content.name.clone(),
            title: content.title.clone(),
            palette: content.palette,
            picture: content.picture.clone().into(),
            version,
            waiting_version: waiting.map(Into::into),
        }
    }
}
