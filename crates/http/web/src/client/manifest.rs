use crate::http::headers::Sources;
use serde::Deserialize;

/// The content of `pages.json`, which the build writes.
#[derive(Deserialize)]
pub(super) struct Manifest {
    pub(super) pages: Vec<Page>,
    #[serde(rename = "notFound")]
    pub(super) not_found: Page,
    pub(super) csp: Csp,
}

#[derive(Deserialize)]
pub(super) struct Page {
    /// A path with placeholders, such as `/garden-bag/ref/{code}`; empty for the page for unknown paths.
    #[serde(default)]
    pub(super) route: String,
    /// With several pages for `{trackingId}`, this page is for ids that contain one of these words, or for all ids if there
    /// are no words. The first page that matches is served.
    #[serde(default, rename = "trackingIdWords")]
    pub(super) tracking_id_words: Vec<String>,
    pub(super) file: String,
    pub(super) title: String,
    pub(super) description: String,
    /// The canonical path for search engines.
    #[serde(default)]
    pub(super) canonical: Option<String>,
    /// The path of the image for link previews.
    #[serde(default)]
    pub(super) image: Option<String>,
    /// Whether search engines may index the page.
    pub(super) index: bool,
    /// What the page may load from other sites.
    pub(super) sources: Sources,
}

#[derive(Deserialize)]
pub(super) struct Csp {
    pub(super) script: Vec<String>,
    pub(super) style: Vec<String>,
}
