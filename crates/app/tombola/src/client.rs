//! The built client: from a folder, or as part of the program.

use anyhow::Context;
use std::path::Path;
use web::{BuiltClient, Client, ClientError, ClientSettings};

/// Where `make client` writes, relative to the checkout.
const BUILD_FOLDER: &str = "frontend/dist";

// The build script writes it: `const EMBEDDED: Option<(&str, &[&[u8]])>`.
include!(concat!(env!("OUT_DIR"), "/embedded_client.rs"));

/// The client in `folder`, else the one in the program, else the one in [`BUILD_FOLDER`].
///
/// Without a built client there, the server still serves the API. A client of another version is an error, because
/// visitors would see no pages, or pages without their settings.
pub(crate) fn load(folder: Option<&Path>, settings: &ClientSettings) -> anyhow::Result<Client> {
    let wrong = "the built client does not fit this server; `make client` builds it";
    match (folder, EMBEDDED) {
        (None, Some((names, contents))) => {
            let built = BuiltClient::embedded(names.lines().zip(contents.iter().copied()));
            Client::load(&built, settings).context("the client in the program")
        }
        (folder, _) => match read(folder.unwrap_or(Path::new(BUILD_FOLDER)), settings) {
            Err(error @ ClientError::Read { .. }) => {
                tracing::warn!(%error, "CLIENT_DIR: no built client found; `make client` builds it");
                Ok(Client::absent())
            }
            loaded => loaded.with_context(|| format!("CLIENT_DIR: {wrong}")),
        },
    }
}

fn read(folder: &Path, settings: &ClientSettings) -> Result<Client, ClientError> {
    Client::load(&BuiltClient::read(folder)?, settings)
}
