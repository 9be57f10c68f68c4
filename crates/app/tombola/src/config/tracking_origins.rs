//! `TRACKING_ORIGINS`: what the links of campaign messages may begin with.

use super::read::{self, Reader};
use sms::LinkBase;
use web::TrackingOrigins;

/// In production, the site's origin and the listed ones. In development any address, but the list must be valid there too.
pub(super) fn read(
    reader: &mut Reader,
    production: bool,
    public_origin: Option<&str>,
) -> Option<TrackingOrigins> {
    let list = reader.text("TRACKING_ORIGINS").unwrap_or_default();
    let parts = list.split(',').map(str::trim).filter(|part| !part.is_empty());
    let mut origins: Vec<LinkBase> = public_origin.and_then(LinkBase::parse).into_iter().collect();
    for part in parts {
        let origin = read::origin(part).filter(|origin| !production || origin.starts_with("https://"));
        match origin.as_deref().and_then(LinkBase::parse) {
            Some(origin) => origins.push(origin),
            None => {
                let scheme = if production { "https" } else { "http or https" };
                let expected =
                    format!("{scheme} origins of at most 60 characters, such as https://go.example.org");
                reader.wrong("TRACKING_ORIGINS", part, &expected);
                return None;
            }
        }
    }
    Some(match production {
        true => TrackingOrigins::Only(origins),
        false => TrackingOrigins::Any,
    })
}
