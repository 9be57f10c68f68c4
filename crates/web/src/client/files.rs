use super::{ClientError, read};
use crate::negotiation::Variants;
use actix_web::web::Bytes;
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// Files by their path on the site.
#[derive(Default)]
pub(super) struct Files(HashMap<String, File>);

pub(super) struct File {
    pub(super) variants: Variants,
    pub(super) mime: &'static str,
    pub(super) cache_control: &'static str,
}

/// For files whose name contains a hash of their content.
const FOREVER: &str = "public, max-age=31536000, immutable";
const AN_HOUR: &str = "public, max-age=3600";

impl Files {
    /// Reads `folder/assets/*` and the files directly in `folder`, with the `.br` and `.gz` beside them.
    pub(super) fn load(folder: &Path) -> Result<Self, ClientError> {
        let mut files = HashMap::new();
        add(&mut files, folder, "/", AN_HOUR)?;
        let assets = folder.join("assets");
        if assets.is_dir() {
            add(&mut files, &assets, "/assets/", FOREVER)?;
        }
        Ok(Self(files))
    }

    pub(super) fn get(&self, path: &str) -> Option<&File> {
        self.0.get(path)
    }
}

fn add(
    files: &mut HashMap<String, File>,
    folder: &Path,
    prefix: &str,
    cache_control: &'static str,
) -> Result<(), ClientError> {
    let unreadable = |source| ClientError::Read {
        path: folder.to_owned(),
        source,
    };
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        // pages.json is for this server, and compressed files are sent in place of the original.
        let served =
            path.is_file() && name != "pages.json" && !name.ends_with(".br") && !name.ends_with(".gz");
        if !served {
            continue;
        }
        let compressed = |ending: &str| {
            let path = folder.join(format!("{name}.{ending}"));
            path.is_file().then(|| read(&path).map(Bytes::from)).transpose()
        };
        let variants = Variants::of_file(read(&path)?.into(), compressed("br")?, compressed("gz")?);
        let mime = mime(name);
        files.insert(
            format!("{prefix}{name}"),
            File {
                variants,
                mime,
                cache_control,
            },
        );
    }
    Ok(())
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
