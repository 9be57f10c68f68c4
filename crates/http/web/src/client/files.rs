use super::tokens::Tokens;
use super::{BuiltClient, ClientError};
use crate::http::negotiation::Variants;
use std::collections::HashMap;

/// Files by their path on the site.
#[derive(Default)]
pub(super) struct Files(HashMap<String, File>);

pub(super) struct File {
    pub(super) variants: Variants,
    pub(super) mime: &'static str,
    pub(super) cache_control: &'static str,
}

/// The folder of the files whose name contains a hash of their content.
const ASSETS: &str = "assets/";
/// For files whose name contains a hash of their content.
const FOREVER: &str = "public, max-age=31536000, immutable";
const AN_HOUR: &str = "public, max-age=3600";
/// The service worker that shows messages. Browsers keep it and ask for a newer one from time to time.
const WORKER: &str = "push-worker.js";

impl Files {
    /// The files that visitors load: those of the top folder and of `assets`, with the `.br` and `.gz` beside them.
    ///
    /// # Errors
    /// When a file has a token that this server does not know.
    pub(super) fn of(built: &BuiltClient, tokens: &Tokens<'_>) -> Result<Self, ClientError> {
        let served = built.names().filter(|name| is_served(name));
        let files = served.map(|name| Ok((format!("/{name}"), file(built, name, tokens)?)));
        files.collect::<Result<_, _>>().map(Self)
    }

    pub(super) fn get(&self, path: &str) -> Option<&File> {
        self.0.get(path)
    }
}

/// Pages and `pages.json` are for this server, and compressed files are sent in place of the original.
fn is_served(name: &str) -> bool {
    let is_in_place = !name.strip_prefix(ASSETS).unwrap_or(name).contains('/');
    is_in_place && name != "pages.json" && !name.ends_with(".br") && !name.ends_with(".gz")
}

fn file(built: &BuiltClient, name: &str, tokens: &Tokens<'_>) -> Result<File, ClientError> {
    Ok(File {
        variants: variants(built, name, tokens)?,
        mime: mime(name),
        cache_control: match name {
            WORKER => "no-cache",
            _ if name.starts_with(ASSETS) => FOREVER,
            _ => AN_HOUR,
        },
    })
}

/// The file as it was built. Only the manifest, which names the site, is filled in here.
fn variants(built: &BuiltClient, name: &str, tokens: &Tokens<'_>) -> Result<Variants, ClientError> {
    let plain = built.find(name).unwrap_or_default();
    if name.ends_with(".webmanifest") {
        let filled = tokens.fill_json(name, &String::from_utf8_lossy(&plain))?;
        return Ok(Variants::new(filled.into()));
    }
    let compressed = |ending: &str| built.find(&format!("{name}.{ending}"));
    let (brotli, gzip) = (compressed("br"), compressed("gz"));
    Ok(match name.strip_prefix(ASSETS) {
        Some(hashed) => Variants::of_hashed_file(hashed, plain, brotli, gzip),
        None => Variants::of_file(plain, brotli, gzip),
    })
}

fn mime(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "webmanifest" => "application/manifest+json",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "txt" => "text/plain; charset=utf-8",
        _ => mime_guess::from_path(name)
            .first_raw()
            .unwrap_or("application/octet-stream"),
    }
}
