use super::ClientError;
use actix_web::web::Bytes;
use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

/// The files that the client's build wrote, by their path in its folder, such as `assets/site.js`.
#[derive(Debug, Clone, Default)]
pub struct BuiltClient(BTreeMap<String, Bytes>);

impl BuiltClient {
    /// The files that are part of the program: paths and contents.
    pub fn embedded<'a>(files: impl IntoIterator<Item = (&'a str, &'static [u8])>) -> Self {
        let file = |(name, content): (&str, _)| (name.to_owned(), Bytes::from_static(content));
        Self(files.into_iter().map(file).collect())
    }

    /// Reads a folder and the folders in it.
    ///
    /// # Errors
    /// When the folder or a file in it cannot be read.
    pub fn read(folder: &Path) -> Result<Self, ClientError> {
        let mut files = BTreeMap::new();
        add(&mut files, folder, "")?;
        Ok(Self(files))
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Cheap: the content is shared.
    pub(super) fn find(&self, name: &str) -> Option<Bytes> {
        self.0.get(name).cloned()
    }

    pub(super) fn file(&self, name: &str) -> Result<Bytes, ClientError> {
        self.find(name).ok_or_else(|| ClientError::Read {
            path: name.into(),
            source: io::ErrorKind::NotFound.into(),
        })
    }
}

fn add(files: &mut BTreeMap<String, Bytes>, folder: &Path, prefix: &str) -> Result<(), ClientError> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        |source| ClientError::Read { path, source }
    };
    for entry in fs::read_dir(folder).map_err(unreadable(folder))? {
        let path = entry.map_err(unreadable(folder))?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        if path.is_dir() {
            add(files, &path, &format!("{prefix}{name}/"))?;
        } else {
            let content = fs::read(&path).map_err(unreadable(&path))?;
            files.insert(format!("{prefix}{name}"), content.into());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_and_the_program_hold_the_same_files() {
        let folder = tempfile::tempdir().unwrap();
        let assets = folder.path().join("assets");
        fs::create_dir_all(&assets).unwrap();
        fs::write(folder.path().join("pages.json"), "{}").unwrap();
        fs::write(assets.join("site.js"), "let a;").unwrap();
        let read = BuiltClient::read(folder.path()).unwrap();
        let files: [(_, &[u8]); 2] = [("assets/site.js", b"let a;"), ("pages.json", b"{}")];
        let embedded = BuiltClient::embedded(files);
        assert_eq!(read.0, embedded.0);
    }

    #[test]
    fn a_missing_folder_and_a_missing_file_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        assert!(BuiltClient::read(&folder.path().join("none")).is_err());
        let empty = BuiltClient::read(folder.path()).unwrap();
        assert!(matches!(empty.file("pages.json"), Err(ClientError::Read { .. })));
    }
}
