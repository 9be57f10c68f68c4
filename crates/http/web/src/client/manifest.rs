use crate::http::headers::Sources;
use serde::Deserialize;
use std::collections::HashMap;

/// The content of `pages.json`, which the build writes.
#[derive(Deserialize)]
pub(super) struct Manifest {
    pub(super) pages: Vec<Page>,
    #[serde(rename = "notFound")]
    pub(super) not_found: Page,
    pub(super) csp: Csp,
    /// The built-in pictures by name.
    #[serde(default)]
    pub(super) scenes: HashMap<String, Scene>,
    #[serde(default)]
    pub(super) early: Early,
}

/// What stands in the texts for sharing for what only the browser knows, which puts it there:
/// `frontend/src/site/features/success/early`.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Early {
    pub(super) origin: String,
    pub(super) code: String,
    pub(super) next_drawing: String,
}

#[derive(Deserialize)]
pub(super) struct Scene {
    /// As it stands in a page.
    pub(super) svg: String,
    /// The path of its image for link previews.
    pub(super) image: String,
}

/// Whose words a page has.
#[derive(Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Of {
    /// No raffle's, though it may list all of them.
    #[default]
    Site,
    /// Those of the raffle that the address begins with.
    Raffle,
    /// Those of the raffle of whoever names none.
    Default,
    /// Those of the raffle that a link's id shows.
    Link,
}

#[derive(Deserialize)]
pub(super) struct Page {
    /// A path with placeholders, such as `/{raffle}/ref/{code}`; empty for the page for unknown paths.
    #[serde(default)]
    pub(super) route: String,
    #[serde(default)]
    pub(super) of: Of,
    /// The page's template; so are the texts below.
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
