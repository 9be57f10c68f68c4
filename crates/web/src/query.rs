//! `?limit=&offset=` of lists that can grow (D14).

use crate::ApiError;
use crate::body::Reading;
use kernel::Page;
use serde::Deserialize;
use utoipa::IntoParams;

/// Which part of the list. Without both, the whole up to 500 rows.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PageQuery {
    /// Rows at most, 1 to 500.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 500)]
    limit: Option<String>,
    /// Rows to pass over.
    #[param(value_type = Option<u32>, minimum = 0, maximum = 2147483647)]
    offset: Option<String>,
}

impl PageQuery {
    pub(crate) fn page(&self) -> Result<Page, ApiError> {
        let whole = Page::default();
        let mut reading = Reading::default();
        let limit = reading.field(
            "limit",
            number(self.limit.as_deref(), 1, Page::MAX_LIMIT, whole.limit),
        );
        let offset = reading.field(
            "offset",
            number(self.offset.as_deref(), 0, i32::MAX as u32, whole.offset),
        );
        reading.finish()?;
        Ok(Page {
            limit: limit.unwrap_or(whole.limit),
            offset: offset.unwrap_or(whole.offset),
        })
    }
}

fn number(text: Option<&str>, least: u32, most: u32, absent: u32) -> Result<u32, Vec<String>> {
    let Some(text) = text else { return Ok(absent) };
    let number = text.parse().ok().filter(|n| (least..=most).contains(n));
    number.ok_or_else(|| vec![format!("Must be a whole number from {least} to {most}")])
}
