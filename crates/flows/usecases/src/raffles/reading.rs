//! What pages and staff see of raffles.

use crate::drawings::calendar;
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use kernel::{DatabaseClock, StoreError, UnitOfWork};
use raffle::pictures::{PictureSummary, Pictures};
use raffle::{
    Content, Draft, Drafts, PageDifferences, Raffle, RaffleKey, RaffleList, RaffleStatus, Raffles, Version,
    Versions,
};

/// What pages say of raffles at a moment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ShownRaffles {
    /// All raffles, drafts too, in the order in which they are shown.
    pub list: RaffleList,
    /// The raffle of whoever names none; `None` when all are closed.
    pub default: Option<RaffleKey>,
    /// Those that were ever open, in the same order.
    pub raffles: Vec<ShownRaffle>,
}

/// What the pages of a raffle say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownRaffle {
    /// Its key.
    pub key: RaffleKey,
    /// Whether it can be entered.
    pub is_open: bool,
    /// The name under which views of the page behind its links are counted.
    pub tracking_name: String,
    /// What its version in force says.
    pub content: Content,
    /// The picture that its content names, unless it was withdrawn.
    pub picture: Option<PictureSummary>,
    /// How its pages differ from those of others.
    pub differences: PageDifferences,
}

/// What pages say of raffles at a moment, which is now.
pub fn shown<S>(store: &S, at: DateTime<Utc>) -> Result<ShownRaffles, StoreError>
where
    S: UnitOfWork<Tx: Raffles + Versions + Pictures>,
{
    store.snapshot(|tx| {
        let list = tx.list_raffles()?;
        let mut differences = tx.page_differences()?;
        let mut versions = tx.versions_in_force(at)?;
        let mut raffles = Vec::new();
        for raffle in list.public_at(at) {
            // Nothing opens without a version.
            let Some(version) = versions.remove(&raffle.key) else {
                continue;
            };
            let upload = version.content.picture.upload;
            let picture = upload.map(|hash| tx.find_picture(hash)).transpose()?;
            raffles.push(ShownRaffle {
                key: raffle.key,
                is_open: raffle.is_open_at(at),
                tracking_name: raffle.tracking_name(),
                picture: picture.flatten(),
                content: version.content,
                differences: differences.remove(&raffle.key).unwrap_or_default(),
            });
        }
        Ok(ShownRaffles {
            default: list.default_at(at).map(|raffle| raffle.key),
            raffles,
            list,
        })
    })
}

/// A raffle that was ever open.
#[derive(Debug, Clone, PartialEq)]
pub struct PublicRaffle {
    /// The raffle.
    pub raffle: Raffle,
    /// Whether it can be entered now.
    pub status: RaffleStatus,
    /// What counts now.
    pub in_force: Version,
    /// What counts later.
    pub waiting: Option<Version>,
}

/// All raffles that were ever open, in the order in which they are shown.
pub fn public<S>(store: &S) -> Result<Vec<PublicRaffle>, StoreError>
where
    S: UnitOfWork<Tx: Raffles + Versions + DatabaseClock>,
{
    store.snapshot(|tx| {
        let now = tx.database_time()?;
        let (mut in_force, mut newest) = (tx.versions_in_force(now)?, tx.newest_versions()?);
        let list = tx.list_raffles()?;
        let raffles = list.public_at(now).filter_map(|raffle| {
            let newest = newest.remove(&raffle.key);
            Some(PublicRaffle {
                raffle: raffle.clone(),
                status: raffle.status_at(now),
                in_force: in_force.remove(&raffle.key)?,
                waiting: newest.filter(|version| now < version.takes_effect_at),
            })
        });
        Ok(raffles.collect())
    })
}

/// A version of a raffle that was ever open, byte for byte as it was published.
pub fn public_version<S>(store: &S, raffle: RaffleKey, number: i64) -> Result<Option<String>, StoreError>
where
    S: UnitOfWork<Tx: Raffles + Versions + DatabaseClock>,
{
    store.snapshot(|tx| {
        let now = tx.database_time()?;
        let is_public = tx
            .list_raffles()?
            .public_at(now)
            .any(|public| public.key == raffle);
        match is_public {
            true => tx.version_bytes(raffle, number),
            false => Ok(None),
        }
    })
}

/// Everything that staff see of a raffle.
#[derive(Debug, Clone, PartialEq)]
pub struct RaffleFile {
    /// The raffle.
    pub raffle: Raffle,
    /// Its draft.
    pub draft: Draft,
    /// Its versions, the newest first.
    pub versions: Vec<Version>,
    /// The number of the version in force.
    pub in_force: Option<i64>,
    /// The moment, by the store's clock.
    pub at: DateTime<Utc>,
}

impl RaffleFile {
    /// What a card of the raffle shows: what counts now, or without that the draft.
    pub fn shown(&self) -> &Content {
        let in_force = self
            .versions
            .iter()
            .find(|version| Some(version.number) == self.in_force);
        self.draft.shown(in_force)
    }

    /// From when on another prize would count if it were published at this moment; `None` where the calendar ends.
    pub fn another_prize_takes_effect_at(&self, zone: Tz) -> Option<DateTime<Utc>> {
        let months = calendar::months_from(self.at, zone);
        Version::another_prize_takes_effect_at(&self.raffle.openings, &months, self.at)
    }
}

/// The file of a raffle, if there is one.
pub fn file<S>(store: &S, raffle: RaffleKey) -> Result<Option<RaffleFile>, StoreError>
where
    S: UnitOfWork<Tx: Raffles + Versions + Drafts + DatabaseClock>,
{
    store.snapshot(|tx| file_in(tx, raffle))
}

pub(super) fn file_in<T>(tx: &T, raffle: RaffleKey) -> Result<Option<RaffleFile>, StoreError>
where
    T: Raffles + Versions + Drafts + DatabaseClock,
{
    let at = tx.database_time()?;
    let found = tx.list_raffles()?.find(raffle).cloned();
    let Some((raffle, draft)) = found.zip(tx.find_draft(raffle)?) else {
        return Ok(None);
    };
    Ok(Some(RaffleFile {
        in_force: tx.version_in_force(raffle.key, at)?.map(|version| version.number),
        versions: tx.list_versions(raffle.key)?,
        raffle,
        draft,
        at,
    }))
}
