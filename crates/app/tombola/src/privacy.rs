//! `tombola privacy`: the journal of erasures, and its replay after a restore.

use crate::SystemClock;
use crate::config::Config;
use crate::rollups;
use anyhow::{Context, bail};
use kernel::{Clock, EntrantId};
use privacy::{Journal, JournalEntry, JournalError};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use usecases::privacy::erasure::{self, EraseError, Replayed};

/// The journal in a file, one line for each erasure.
///
/// A line that was cut off when the machine failed names nobody who was erased: lines are durable before the erasure.
pub struct FileJournal {
    path: Option<PathBuf>,
    /// Whether the folder of the file is made if it is missing.
    makes_folder: bool,
    writing: Mutex<()>,
}

impl FileJournal {
    /// The journal in this file, which is made with the first erasure. Without a path every entry fails, so nobody can be
    /// erased.
    pub fn new(path: Option<PathBuf>) -> Self {
        Self {
            path,
            makes_folder: false,
            writing: Mutex::new(()),
        }
    }

    /// The configured journal. In development its folder is made with the first erasure; in production a folder that is
    /// missing may be a disk that is not mounted, so nobody is erased then.
    pub fn configured(config: &Config) -> Self {
        Self {
            makes_folder: !config.is_production(),
            ..Self::new(config.erasure_journal.clone())
        }
    }

    fn write(&self, entry: JournalEntry) -> io::Result<()> {
        let path = self
            .path
            .as_deref()
            .ok_or_else(|| io::Error::other("ERASURE_JOURNAL is not set"))?;
        let _one_at_a_time = self.writing.lock();
        if let Some(folder) = path.parent().filter(|_| self.makes_folder) {
            fs::create_dir_all(folder)?;
        }
        let is_new = !path.exists();
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .read(true)
            .open(path)?;
        // One write, so that lines of several servers do not mix. A line that was cut off ends here.
        let line = format!("{}{}\n", line_break(&mut file)?, entry.to_line());
        file.write_all(line.as_bytes())?;
        file.sync_all()?;
        match path.parent().filter(|_| is_new) {
            Some(folder) => File::open(folder_or_here(folder))?.sync_all(),
            None => Ok(()),
        }
    }
}

impl Journal for FileJournal {
    fn append(&self, entry: JournalEntry) -> Result<(), JournalError> {
        self.write(entry).map_err(|error| JournalError(error.into()))
    }
}

/// What must come before a new line: a line break after a line that was cut off, else nothing.
fn line_break(file: &mut File) -> io::Result<&'static str> {
    if file.metadata()?.len() == 0 {
        return Ok("");
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(match &last {
        b"\n" => "",
        _ => "\n",
    })
}

fn folder_or_here(folder: &Path) -> &Path {
    match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    }
}

/// Erases a person. Returns a text that says so.
///
/// # Errors
/// When there is no such entrant, a claim or a purchase of theirs is open, or the journal or the store fails.
pub fn erase(config: &Config, entrant: i64) -> anyhow::Result<String> {
    let store = rollups::open(config)?;
    let journal = FileJournal::configured(config);
    match erasure::erase(&store, &journal, EntrantId::new(entrant), SystemClock.now()) {
        Ok(()) => Ok(format!("The person with the id {entrant} is erased.\n")),
        Err(EraseError::UnknownEntrant) => bail!("no entrant has the id {entrant}"),
        Err(EraseError::OpenClaim) => bail!("a claim of this person is open: erase them when it has ended"),
        Err(EraseError::OpenPurchase) => {
            bail!("a purchase of this person may still be paid: try again in an hour")
        }
        Err(error) => Err(error).context("nobody was erased"),
    }
}

/// Erases everybody in the journal again. Returns a text with the numbers.
///
/// # Errors
/// When the journal cannot be read, has a line that is none, or somebody could not be erased.
pub fn replay(config: &Config) -> anyhow::Result<String> {
    let path = config
        .erasure_journal
        .as_deref()
        .context("ERASURE_JOURNAL is not set")?;
    let (entries, damaged) = read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let store = rollups::open(config)?;
    let replayed = erasure::replay(&store, entries).context("cannot erase; run it again")?;
    report(&replayed, damaged)
}

/// The entries of a journal, and how many other lines it has. No file is an empty journal: nobody was erased yet.
fn read(path: &Path) -> io::Result<(Vec<JournalEntry>, usize)> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        text => text?,
    };
    let lines: Vec<_> = text.lines().map(str::parse::<JournalEntry>).collect();
    let damaged = lines.iter().filter(|line| line.is_err()).count();
    Ok((lines.into_iter().flatten().collect(), damaged))
}

fn report(replayed: &Replayed, damaged: usize) -> anyhow::Result<String> {
    let Replayed {
        erased,
        before,
        unknown,
        open,
    } = replayed;
    let text = format!(
        "{erased} people were erased again; {before} were erased already, {unknown} are not in the database."
    );
    if damaged > 0 {
        bail!("{text}\n{damaged} lines of the journal are damaged: read them yourself");
    }
    if !open.is_empty() {
        let ids: Vec<String> = open.iter().map(ToString::to_string).collect();
        bail!(
            "{text}\nA claim or a purchase is open, run it again when it has ended: {}",
            ids.join(", ")
        );
    }
    Ok(format!("{text}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::DateTime;

    fn entry(id: i64) -> JournalEntry {
        JournalEntry {
            entrant: EntrantId::new(id),
            at: DateTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn entries_are_read_back_in_order_and_no_file_is_an_empty_journal() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("erasures");
        assert_eq!(read(&path).unwrap(), (vec![], 0));
        let journal = FileJournal::new(Some(path.clone()));
        journal.append(entry(7)).unwrap();
        journal.append(entry(8)).unwrap();
        assert_eq!(read(&path).unwrap(), (vec![entry(7), entry(8)], 0));
    }

    #[test]
    fn a_line_that_was_cut_off_spoils_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("erasures");
        fs::write(&path, "1970-01-01T00:00:00Z 7\n1970-01-01T00:0").unwrap();
        FileJournal::new(Some(path.clone())).append(entry(8)).unwrap();
        assert_eq!(read(&path).unwrap(), (vec![entry(7), entry(8)], 1));
    }

    #[test]
    fn without_a_file_nothing_is_noted() {
        assert!(FileJournal::new(None).append(entry(7)).is_err());
        let nowhere = FileJournal::new(Some("/nowhere/erasures".into()));
        assert!(nowhere.append(entry(7)).is_err());
    }

    #[test]
    fn a_report_fails_when_somebody_was_not_erased() {
        let replayed = Replayed {
            erased: 2,
            before: 1,
            unknown: 3,
            open: vec![],
        };
        let text = "2 people were erased again; 1 were erased already, 3 are not in the database.";
        assert_eq!(report(&replayed, 0).unwrap(), format!("{text}\n"));
        assert!(report(&replayed, 1).is_err());
        let open = Replayed {
            open: vec![EntrantId::new(7)],
            ..replayed
        };
        assert!(report(&open, 0).unwrap_err().to_string().ends_with(": 7"));
    }
}
