//! Makes the built client a part of the program if `TOMBOLA_EMBED_CLIENT` names its folder (`make release` does).
#![allow(
    clippy::print_stdout,
    reason = "a build script talks to cargo through its output"
)]

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=TOMBOLA_EMBED_CLIENT");
    let source = match env::var_os("TOMBOLA_EMBED_CLIENT") {
        Some(folder) => embedded(&PathBuf::from(folder))?,
        None => "None".to_owned(),
    };
    let target = Path::new(&env::var("OUT_DIR")?).join("embedded_client.rs");
    fs::write(
        target,
        format!("const EMBEDDED: Option<(&str, &[&[u8]])> = {source};\n"),
    )?;
    Ok(())
}

/// A Rust expression with the paths of all files, one on each line, and the content of each.
///
/// The paths are one text. As texts of their own, they would lie between the contents in the program, and a server that
/// lists its files at the start would read all of the client from the disk.
fn embedded(folder: &Path) -> Result<String, Box<dyn Error>> {
    let root = fs::canonicalize(folder).map_err(|error| {
        format!(
            "TOMBOLA_EMBED_CLIENT: cannot read {} ({error}); give an absolute path",
            folder.display()
        )
    })?;
    if !root.join("pages.json").is_file() {
        return Err(format!("TOMBOLA_EMBED_CLIENT: no built client in {}", root.display()).into());
    }
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    collect(&root, &mut files)?;
    files.sort();
    let (mut names, mut contents) = (Vec::new(), String::new());
    for file in files {
        names.push(file.strip_prefix(&root)?.to_string_lossy().into_owned());
        let path = file.to_string_lossy().into_owned();
        write!(contents, "include_bytes!({path:?}),")?;
    }
    Ok(format!("Some(({:?}, &[{contents}]))", names.join("\n")))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
