//! The chain of the audit log: each entry holds the hash of the one before it, so that nobody changes, deletes or
//! inserts one unseen. The database chains the entries; here the same hashes are computed again to verify them.
//!
//! What staff wrote about a person is erased with the person. So an entry's hash covers a salted hash of it, which stays.

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;

/// The first field of what is hashed of an entry.
const ENTRY_LABEL: &str = "tombola audit log 1";
/// The first field of what is hashed of a note.
const NOTE_LABEL: &str = "tombola audit note 1";

/// The hash of an entry of the audit log, written as 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AuditHash([u8; 32]);

/// The text is not 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a hash is 64 lower-case hexadecimal digits")]
pub struct InvalidAuditHash;

impl AuditHash {
    /// What stands for the entry before the first one.
    pub const ZERO: Self = Self([0; 32]);

    /// The hash with these bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for AuditHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl FromStr for AuditHash {
    type Err = InvalidAuditHash;

    fn from_str(text: &str) -> Result<Self, InvalidAuditHash> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).map_err(|_| InvalidAuditHash)?;
        let hash = Self(bytes);
        // Each hash has one spelling.
        match hash.to_string() == text {
            true => Ok(hash),
            false => Err(InvalidAuditHash),
        }
    }
}

/// An entry as it is stored, with all that its hash covers. Texts are those of the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainEntry {
    /// The entry's id. A later entry has a higher one.
    pub id: i64,
    /// Its place in the chain, from 1, without gaps. `None` in a row that nobody chained.
    pub position: Option<i64>,
    /// The staff session.
    pub session: i64,
    /// The member of staff.
    pub member: Option<i64>,
    /// The action's name.
    pub action: String,
    /// The target.
    pub target: Option<String>,
    /// The details as JSON, without what staff wrote.
    pub details: String,
    /// The details that staff wrote (`reason`, `note`, `notes`, `tags`), as JSON. They are erased with the person.
    pub note: Option<String>,
    /// The random bytes that are hashed with the note. `None` when it was erased.
    pub note_salt: Option<Vec<u8>>,
    /// The hash of the note, also after it was erased.
    pub note_hash: Option<AuditHash>,
    /// The address of the request, with the length of its network.
    pub address: Option<String>,
    /// The time of the action.
    pub at: DateTime<Utc>,
    /// The hash of the entry before.
    pub previous: Option<AuditHash>,
    /// The hash of this entry.
    pub hash: Option<AuditHash>,
}

/// The end of the chain, as it is stored beside the entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainHead {
    /// The id of the last entry; 0 when there is none.
    pub last_id: i64,
    /// The number of entries.
    pub position: i64,
    /// The hash of the last entry.
    pub hash: AuditHash,
}

impl ChainHead {
    /// The end of a chain without entries.
    pub const EMPTY: Self = Self {
        last_id: 0,
        position: 0,
        hash: AuditHash::ZERO,
    };
}

/// Hashes texts with their lengths, so that no two sequences of texts have the same bytes.
struct Fields(Sha256);

impl Fields {
    fn new(label: &str) -> Self {
        Self(Sha256::new()).text(Some(label))
    }

    fn text(mut self, value: Option<&str>) -> Self {
        match value {
            None => self.0.update([0]),
            Some(text) => {
                self.0.update([1]);
                self.0.update((text.len() as u64).to_be_bytes());
                self.0.update(text);
            }
        }
        self
    }

    fn number(self, value: Option<i64>) -> Self {
        self.text(value.map(|number| number.to_string()).as_deref())
    }

    fn hash(self, value: Option<AuditHash>) -> Self {
        self.text(value.map(|hash| hash.to_string()).as_deref())
    }

    fn end(self) -> AuditHash {
        AuditHash(self.0.finalize().into())
    }
}

/// The hash of what staff wrote, with random bytes, so that nobody who knows the hash finds the text by trying.
pub fn note_hash(salt: &[u8], note: &str) -> AuditHash {
    Fields::new(NOTE_LABEL)
        .text(Some(&hex::encode(salt)))
        .text(Some(note))
        .end()
}

impl ChainEntry {
    /// The hash that the entry should have.
    pub fn computed_hash(&self) -> AuditHash {
        Fields::new(ENTRY_LABEL)
            .hash(self.previous)
            .number(self.position)
            .number(Some(self.id))
            .number(Some(self.session))
            .number(self.member)
            .text(Some(&self.action))
            .text(self.target.as_deref())
            .text(Some(&self.details))
            .hash(self.note_hash)
            .text(self.address.as_deref())
            .number(Some(self.at.timestamp_micros()))
            .end()
    }

    /// Whether its hashes are those of its content.
    fn has_its_hashes(&self) -> bool {
        self.hash == Some(self.computed_hash()) && self.note_is_known()
    }

    fn note_is_known(&self) -> bool {
        match (&self.note, &self.note_salt, self.note_hash) {
            (Some(note), Some(salt), Some(hash)) => note_hash(salt, note) == hash,
            (None, None, _) => true,
            _ => false,
        }
    }

    /// Whether staff wrote something that was erased.
    const fn is_erased(&self) -> bool {
        self.note_hash.is_some() && self.note_salt.is_none()
    }
}

/// The first place where the audit log was tampered with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ChainBreak {
    /// The content of the entry is not what was recorded.
    #[error("entry {0} was changed")]
    Changed(i64),
    /// The entry was changed together with its hash, or replaced: the next one holds another hash.
    #[error("entry {id} was changed together with its hash: entry {next} holds another one")]
    Replaced {
        /// The entry.
        id: i64,
        /// The next one.
        next: i64,
    },
    /// Entries are missing before this one.
    #[error("{count} entries are missing before entry {before}")]
    Missing {
        /// The first entry behind the gap.
        before: i64,
        /// How many are missing.
        count: i64,
    },
    /// The entry is not in the chain.
    #[error("entry {0} was inserted: the entries around it are chained without it")]
    Inserted(i64),
    /// The newest entries are gone.
    #[error("{count} entries are missing at the end: entry {last_id} was the last one")]
    MissingAtEnd {
        /// The entry that was the last one.
        last_id: i64,
        /// How many are missing.
        count: i64,
    },
    /// Entries were added without the stored end of the chain.
    #[error("the entries after entry {0} were inserted: the stored end of the log does not have them")]
    InsertedAtEnd(i64),
    /// The stored end of the chain is another one than the last entry.
    #[error("entry {0}, the last one, or the stored end of the log was changed: they do not agree")]
    WrongHead(i64),
    /// There is no stored end of the chain.
    #[error("the stored end of the log is missing")]
    NoHead,
}

/// Verifies a chain entry by entry.
#[derive(Debug, Clone)]
pub struct ChainCheck {
    end: ChainHead,
    erased: i64,
}

impl Default for ChainCheck {
    fn default() -> Self {
        Self {
            end: ChainHead::EMPTY,
            erased: 0,
        }
    }
}

impl ChainCheck {
    /// The end of what was verified.
    pub const fn end(&self) -> ChainHead {
        self.end
    }

    /// How many entries lost what staff wrote, because the person was erased.
    pub const fn erased(&self) -> i64 {
        self.erased
    }

    /// Verifies the next entry, in the order of ids.
    ///
    /// # Errors
    /// What is wrong with it, or with the entry before it.
    pub fn push(&mut self, entry: &ChainEntry) -> Result<(), ChainBreak> {
        let (Some(position), Some(previous), Some(hash)) = (entry.position, entry.previous, entry.hash)
        else {
            return Err(ChainBreak::Inserted(entry.id));
        };
        let expected = self.end.position + 1;
        let follows = previous == self.end.hash;
        if !follows && position < expected {
            return Err(ChainBreak::Inserted(entry.id));
        }
        if !follows && position > expected {
            return Err(ChainBreak::Missing {
                before: entry.id,
                count: position.saturating_sub(expected),
            });
        }
        if !entry.has_its_hashes() || position != expected {
            return Err(ChainBreak::Changed(entry.id));
        }
        if !follows {
            return Err(self.broken_before(entry.id));
        }
        self.erased += i64::from(entry.is_erased());
        self.end = ChainHead {
            last_id: entry.id,
            position,
            hash,
        };
        Ok(())
    }

    /// An entry is as it was hashed, but holds another hash of the entry before it.
    const fn broken_before(&self, id: i64) -> ChainBreak {
        match self.end.position {
            0 => ChainBreak::Changed(id),
            _ => ChainBreak::Replaced {
                id: self.end.last_id,
                next: id,
            },
        }
    }

    /// Verifies that the chain ends where it is said to end.
    ///
    /// # Errors
    /// What is wrong with the end.
    pub fn finish(&self, head: Option<&ChainHead>) -> Result<(), ChainBreak> {
        let head = head.ok_or(ChainBreak::NoHead)?;
        if head.position > self.end.position {
            return Err(ChainBreak::MissingAtEnd {
                last_id: head.last_id,
                count: head.position.saturating_sub(self.end.position),
            });
        }
        if head.position < self.end.position {
            return Err(ChainBreak::InsertedAtEnd(head.last_id));
        }
        match *head == self.end {
            true => Ok(()),
            false => Err(ChainBreak::WrongHead(self.end.last_id)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entry(n: usize) -> ChainEntry {
        let has_note = n.is_multiple_of(3);
        ChainEntry {
            id: 0,
            position: None,
            session: 7,
            member: (n.is_multiple_of(2)).then_some(4),
            action: "flag_user".to_owned(),
            target: Some(format!("{n}")),
            details: "{\"flagged\": 1}".to_owned(),
            note: has_note.then(|| "{\"reason\": \"one kitchen\"}".to_owned()),
            note_salt: has_note.then(|| vec![u8::try_from(n % 256).unwrap(); 32]),
            note_hash: None,
            address: Some("192.0.2.7/32".to_owned()),
            at: DateTime::from_timestamp_micros(1_780_000_000_000_001 + n as i64).unwrap(),
            previous: None,
            hash: None,
        }
    }

    /// The entry behind the end of a chain, as the database links it.
    fn linked(mut entry: ChainEntry, head: &ChainHead) -> ChainEntry {
        entry.id = head.last_id + 1;
        entry.position = Some(head.position + 1);
        let note = entry.note.as_deref().zip(entry.note_salt.as_deref());
        entry.note_hash = note.map(|(note, salt)| note_hash(salt, note));
        entry.previous = Some(head.hash);
        entry.hash = Some(entry.computed_hash());
        entry
    }

    fn chain(length: usize) -> (Vec<ChainEntry>, ChainHead) {
        let mut head = ChainHead::EMPTY;
        let entries = (0..length).map(|n| {
            // Ids from before the chain have gaps.
            head.last_id += i64::from(n < 3);
            let entry = linked(entry(n), &head);
            head = ChainHead {
                last_id: entry.id,
                position: entry.position.unwrap(),
                hash: entry.hash.unwrap(),
            };
            entry
        });
        (entries.collect(), head)
    }

    fn verify(entries: &[ChainEntry], head: ChainHead) -> Result<ChainCheck, ChainBreak> {
        let mut check = ChainCheck::default();
        for entry in entries {
            check.push(entry)?;
        }
        check.finish(Some(&head)).map(|()| check)
    }

    #[test]
    fn an_unchanged_chain_is_valid() {
        assert!(verify(&[], ChainHead::EMPTY).is_ok());
        let (entries, head) = chain(7);
        let check = verify(&entries, head).unwrap();
        assert_eq!((check.end(), check.erased()), (head, 0));
    }

    #[test]
    fn a_known_entry_has_a_known_hash() {
        // Computed with a script of its own from the description in docs/security.md.
        let entry = linked(entry(0), &ChainHead::EMPTY);
        assert_eq!(entry.note_hash.unwrap().to_string(), NOTE_VECTOR);
        assert_eq!(entry.hash.unwrap().to_string(), ENTRY_VECTOR);
    }

    const NOTE_VECTOR: &str = "311fbbbfe88fe78b5ac9bd7fd6d629c127d9f9f253b1b127dc25fe9e9fee756a";
    const ENTRY_VECTOR: &str = "65a8eda182a5fe3102cb5957fa185a53507c736240bd78e9605ece6c1814f1e3";

    #[test]
    fn what_staff_wrote_can_be_erased_but_not_changed() {
        let (mut entries, head) = chain(4);
        entries[3].note = None;
        assert_eq!(verify(&entries, head).unwrap_err(), ChainBreak::Changed(7));
        entries[3].note_salt = None;
        assert_eq!(verify(&entries, head).unwrap().erased(), 1);
        entries[3].note = Some("{\"reason\": \"another one\"}".to_owned());
        assert_eq!(verify(&entries, head).unwrap_err(), ChainBreak::Changed(7));
        entries[3].note_hash = None;
        assert_eq!(verify(&entries, head).unwrap_err(), ChainBreak::Changed(7));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let (whole, head) = chain(6);
        let ids: Vec<_> = whole.iter().map(|entry| entry.id).collect();
        assert_eq!(ids, [2, 4, 6, 7, 8, 9]);
        let broken = |change: fn(&mut Vec<ChainEntry>)| {
            let mut entries = whole.clone();
            change(&mut entries);
            verify(&entries, head).unwrap_err()
        };
        assert_eq!(broken(|all| all[2].target = None), ChainBreak::Changed(6));
        let rehashed = broken(|all| {
            all[2].target = None;
            all[2].hash = Some(all[2].computed_hash());
        });
        assert_eq!(rehashed, ChainBreak::Replaced { id: 6, next: 7 });
        let deleted = broken(|all| {
            all.drain(1..3);
        });
        assert_eq!(deleted, ChainBreak::Missing { before: 7, count: 2 });
        let first = broken(|all| {
            all.remove(0);
        });
        assert_eq!(first, ChainBreak::Missing { before: 4, count: 1 });
        let inserted = broken(|all| {
            let copy = ChainEntry {
                id: 3,
                ..all[0].clone()
            };
            all.insert(1, copy);
        });
        assert_eq!(inserted, ChainBreak::Inserted(3));
        let unchained = broken(|all| {
            all.push(ChainEntry { id: 10, ..entry(1) });
        });
        assert_eq!(unchained, ChainBreak::Inserted(10));
    }

    #[test]
    fn the_end_is_verified() {
        let (whole, head) = chain(6);
        let short = verify(&whole[..4], head).unwrap_err();
        assert_eq!(short, ChainBreak::MissingAtEnd { last_id: 9, count: 2 });
        let (_, early) = chain(4);
        assert_eq!(verify(&whole, early).unwrap_err(), ChainBreak::InsertedAtEnd(7));
        let other = ChainHead {
            hash: AuditHash::ZERO,
            ..head
        };
        assert_eq!(verify(&whole, other).unwrap_err(), ChainBreak::WrongHead(9));
        assert_eq!(ChainCheck::default().finish(None), Err(ChainBreak::NoHead));
        let mut last = whole.clone();
        last[5].member = Some(99);
        last[5].hash = Some(last[5].computed_hash());
        assert_eq!(verify(&last, head).unwrap_err(), ChainBreak::WrongHead(9));
    }

    #[test]
    fn nothing_and_an_empty_text_differ() {
        let nothing = ChainEntry {
            target: None,
            ..entry(1)
        };
        let empty = ChainEntry {
            target: Some(String::new()),
            ..entry(1)
        };
        assert_ne!(nothing.computed_hash(), empty.computed_hash());
        let moved = ChainEntry {
            action: "flag_user1".to_owned(),
            target: Some(String::new()),
            ..entry(1)
        };
        assert_ne!(
            moved.computed_hash(),
            entry(1).computed_hash(),
            "a text has its length"
        );
    }

    #[test]
    fn a_hash_has_one_spelling() {
        let text = "ab".repeat(32);
        assert_eq!(text.parse::<AuditHash>().unwrap().to_string(), text);
        for wrong in [&text[1..], &text.to_uppercase(), "", &format!("{text}00")] {
            assert_eq!(wrong.parse::<AuditHash>(), Err(InvalidAuditHash), "{wrong}");
        }
    }

    /// Changes one thing of an entry.
    fn change(entry: &mut ChainEntry, what: u8) {
        let other = AuditHash::new([9; 32]);
        match what {
            0 => entry.session += 1,
            1 => entry.member = Some(entry.member.map_or(1, |id| id + 1)),
            2 => entry.member = entry.member.xor(Some(1)),
            3 => entry.action.push('s'),
            4 => entry.target = entry.target.take().map(|text| text + "0"),
            5 => entry.target = None,
            6 => entry.details = "{}".to_owned(),
            7 => entry.note = entry.note.take().xor(Some("{\"note\": \"\"}".to_owned())),
            8 => entry.note_salt = Some(vec![255; 32]),
            9 => entry.note_hash = Some(other),
            10 => entry.address = None,
            11 => entry.address = Some("192.0.2.7/24".to_owned()),
            12 => entry.at += chrono::TimeDelta::microseconds(1),
            13 => entry.position = entry.position.map(|position| position + 1),
            14 => entry.position = None,
            15 => entry.previous = Some(other),
            16 => entry.hash = Some(other),
            _ => entry.hash = None,
        }
    }

    proptest! {
        #[test]
        fn any_change_is_found(length in 1usize..20, at: proptest::sample::Index, what in 0u8..18) {
            let (mut entries, head) = chain(length);
            change(&mut entries[at.index(length)], what);
            prop_assert!(verify(&entries, head).is_err());
        }

        #[test]
        fn a_change_is_found_even_with_a_new_hash(length in 1usize..20, at: proptest::sample::Index, what in 0u8..16) {
            let (mut entries, head) = chain(length);
            let changed = &mut entries[at.index(length)];
            change(changed, what);
            changed.hash = Some(changed.computed_hash());
            prop_assert!(verify(&entries, head).is_err());
        }

        #[test]
        fn any_deletion_is_found(length in 1usize..20, at: proptest::sample::Index, count in 1usize..4) {
            let (mut entries, head) = chain(length);
            let from = at.index(length);
            entries.drain(from..(from + count).min(length));
            prop_assert!(verify(&entries, head).is_err());
        }

        #[test]
        fn any_insertion_is_found(
            length in 1usize..20, at: proptest::sample::Index, of: proptest::sample::Index, is_rehashed: bool,
        ) {
            let (mut entries, head) = chain(length);
            let place = at.index(length + 1);
            let mut copy = entries[of.index(length)].clone();
            if is_rehashed {
                copy.previous = place.checked_sub(1).map_or(Some(AuditHash::ZERO), |before| entries[before].hash);
                copy.position = Some(place as i64 + 1);
                copy.hash = Some(copy.computed_hash());
            }
            entries.insert(place, copy);
            prop_assert!(verify(&entries, head).is_err());
        }
    }
}
