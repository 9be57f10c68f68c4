//! An import that is too large for one member of staff.

use super::{Site, actor, find};
use crate::Store;
use crate::audit_chain::verified;
use crate::people::import_line;
use crate::support::{SeededEntropy, at_once, noon};
use chrono::{DateTime, Utc};
use kernel::Clock;
use people::{ImportFile, MOST_IMPORTED_ALONE, People};
use staff::{APPROVAL_LIFE, Action, MemberId, SecondPerson};
use usecases::approvals::{Outcome, Request};
use usecases::people::{ImportError, ImportTools, Imported, import};

struct At(DateTime<Utc>);

impl Clock for At {
    fn now(&self) -> DateTime<Utc> {
        self.0
    }
}

fn file(bytes: &[u8], people: usize) -> ImportFile {
    let numbers = (1_u32..).take(people);
    ImportFile::new(bytes, numbers.map(import_line).collect())
}

fn send<S: Store>(
    store: &S,
    member: MemberId,
    at: DateTime<Utc>,
    file: &ImportFile,
) -> Result<Imported, ImportError> {
    let entropy = SeededEntropy::new(file.lines.len() as u64);
    let tools = ImportTools {
        clock: &At(at),
        entropy: &entropy,
        alone: SecondPerson::Missing,
    };
    import(store, tools, (member, actor(member)), file)
}

/// The second person agrees to this file, for a day, and once.
pub fn a_large_file_is_imported_by_two_people<S: Store>(store: &S) {
    let site = Site::new(store);
    let large = file(b"large", MOST_IMPORTED_ALONE + 1);
    let is_refused = |result: &Result<_, _>| matches!(result, Err(ImportError::NeedsApproval(_)));
    let nobody = || {
        let phones: Vec<_> = large.lines.iter().map(|line| line.phone.clone()).collect();
        store.read(|tx| tx.known_numbers(&phones)).unwrap().is_empty()
    };
    let refused = |member, at, file: &ImportFile| is_refused(&send(store, member, at, file)) && nobody();
    let request = Request::ImportPeople {
        sha256: large.sha256.clone(),
        people: large.lines.len(),
        raffles: large.raffles(),
    };
    assert!(refused(site.proposer, noon(), &large), "nobody has proposed it");
    let id = site.propose(&request);
    assert_eq!(site.propose(&request), id, "a double click");
    let proposal = find(store, id).proposal;
    assert_eq!(proposal.summary, "Import 1001 people from a file.");
    assert_eq!(
        (proposal.argument("landingPages"), proposal.argument("sha256")),
        (Some("garden-bag 1001"), Some(&*large.sha256))
    );
    assert!(refused(site.proposer, noon(), &large), "nobody has approved it");
    assert!(matches!(site.approve(id), Ok((_, Outcome::ImportAgreed))));
    assert!(nobody());

    let another = file(b"another", MOST_IMPORTED_ALONE + 1);
    assert!(refused(site.proposer, noon(), &another), "another file");
    assert!(refused(site.approver, noon(), &large), "another member");
    let last = noon() + APPROVAL_LIFE;
    assert!(refused(site.proposer, last, &large), "too late");
    assert_eq!(find(store, id).completed_at, None);

    let sent = at_once(4, |_| send(store, site.proposer, noon(), &large));
    let imported: Vec<_> = sent
        .iter()
        .filter_map(|sent| sent.as_ref().ok())
        .filter(|done| done.imported > 0)
        .collect();
    assert_eq!((imported.len(), imported[0].imported), (1, 1_001), "{sent:?}");
    assert_eq!(find(store, id).completed_at, Some(noon()));
    assert_eq!(site.count(Action::ImportPeople), 1);
    let again = send(store, site.proposer, noon(), &large).unwrap();
    assert_eq!((again.imported, again.known), (0, 1_001), "the answer was lost");
    let renamed = ImportFile::new(b"large", file(b"", 2_002).lines);
    assert!(
        is_refused(&send(store, site.proposer, noon(), &renamed)),
        "it was used"
    );
    verified(store);
}

pub fn a_small_file_is_imported_by_one<S: Store>(store: &S) {
    let site = Site::new(store);
    let small = file(b"small", MOST_IMPORTED_ALONE);
    let done = send(store, site.proposer, noon(), &small).unwrap();
    assert_eq!(done.imported, MOST_IMPORTED_ALONE);
}
