use serde::Deserialize;

/// What the build says of its pages, in `pages.json`.
#[derive(Deserialize)]
pub(super) struct Manifest {
    pub(super) pages: Vec<Page>,
    #[serde(rename = "notFound")]
    pub(super) not_found: Page,
    pub(super) csp: Csp,
}

#[derive(Deserialize)]
pub(super) struct Page {
    /// Such as `/garden-bag/ref/{code}`; the page for unknown paths has none.
    #[serde(default)]
    pub(super) route: String,
    /// Of several pages for `{trackingId}`, this one is for ids with one of these words in them; for all ids without
    /// any. The first page that fits is meant.
    #[serde(default, rename = "trackingIdWords")]
    pub(super) tracking_id_words: Vec<String>,
    pub(super) file: String,
    pub(super) title: String,
    pub(super) description: String,
    /// The path under which search engines should know it.
    #[serde(default)]
    pub(super) canonical: Option<String>,
    /// The path of the picture for link previews.
    #[serde(default)]
    pub(super) image: Option<String>,
    /// Whether search engines may list it.
    pub(super) index: bool,
}

#[derive(Deserialize)]
pub(super) struct Csp {
    pub(super) script: Vec<String>,
    pub(super) style: Vec<String>,
}
