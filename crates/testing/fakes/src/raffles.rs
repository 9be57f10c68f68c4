use crate::mem_store::MemTx;
use chrono::{DateTime, Utc};
use kernel::{StoreError, UniqueKey};
use raffle::{
    Deleted, Draft, Drafts, HeldRaffles, Openings, PageDifferences, Raffle, RaffleKey, RaffleList, Raffles,
    Version, Versions,
};
use std::collections::BTreeMap;

impl Raffles for MemTx {
    fn list_raffles(&self) -> Result<RaffleList, StoreError> {
        Ok(self.0.raffles.list.clone())
    }

    fn page_differences(&self) -> Result<BTreeMap<RaffleKey, PageDifferences>, StoreError> {
        Ok(self.0.raffles.differences.clone())
    }

    /// Nothing to hold: transactions run one at a time.
    fn hold_raffles(&mut self) -> Result<HeldRaffles, StoreError> {
        Ok(HeldRaffles {
            raffles: self.0.raffles.list.clone(),
            since: self.0.clock.now(),
        })
    }

    fn hold_raffles_alone(&mut self) -> Result<HeldRaffles, StoreError> {
        self.hold_raffles()
    }

    fn save_openings(&mut self, raffle: RaffleKey, openings: &Openings) -> Result<(), StoreError> {
        let found = self
            .0
            .raffles
            .list
            .find(raffle)
            .map(|found| found.openings.clone());
        if !found.is_some_and(|before| self.keeps_the_past(&before, openings)) {
            return Err(StoreError::Failed("a raffle was open then".into()));
        }
        let mut raffles = self.0.raffles.list.0.iter_mut();
        if let Some(found) = raffles.find(|found| found.key == raffle) {
            found.openings = openings.clone();
        }
        Ok(())
    }

    fn add_raffle(&mut self, key: RaffleKey) -> Result<(), StoreError> {
        let raffles = &mut self.0.raffles;
        raffles.last_number += 1;
        if raffles.list.find(key).is_some() {
            return Err(StoreError::Duplicate(UniqueKey::RaffleKey));
        }
        raffles.list.0.push(Raffle {
            number: raffles.last_number,
            key,
            openings: Openings::default(),
            is_default: false,
            link_prefix: None,
            link_words: Vec::new(),
            tracking_name: None,
        });
        Ok(())
    }

    fn delete_raffle(&mut self, key: RaffleKey) -> Result<Deleted, StoreError> {
        let sms = &self.0.sms;
        let raffles = &mut self.0.raffles;
        let has_openings = raffles
            .list
            .find(key)
            .is_some_and(|found| !found.openings.as_slice().is_empty());
        let has_texts = sms.welcomes.contains_key(&key)
            || sms
                .templates
                .iter()
                .any(|template| template.content.raffle == key);
        if has_openings || has_texts {
            return Ok(Deleted::InUse);
        }
        raffles.list.0.retain(|raffle| raffle.key != key);
        raffles.versions.retain(|version| version.raffle != key);
        raffles.drafts.remove(&key);
        Ok(Deleted::Yes)
    }

    fn order_raffles(&mut self, keys: &[RaffleKey]) -> Result<(), StoreError> {
        let place = |raffle: &Raffle| keys.iter().position(|key| *key == raffle.key);
        self.0.raffles.list.0.sort_by_key(place);
        Ok(())
    }
}

impl Drafts for MemTx {
    fn find_draft(&self, raffle: RaffleKey) -> Result<Option<Draft>, StoreError> {
        Ok(self.0.raffles.drafts.get(&raffle).cloned())
    }

    fn list_drafts(&self) -> Result<BTreeMap<RaffleKey, Draft>, StoreError> {
        Ok(self.0.raffles.drafts.clone())
    }

    fn lock_draft(&mut self, raffle: RaffleKey) -> Result<Option<Draft>, StoreError> {
        self.find_draft(raffle)
    }

    fn save_draft(&mut self, draft: &Draft) -> Result<(), StoreError> {
        self.0.raffles.drafts.insert(draft.raffle, draft.clone());
        Ok(())
    }
}

impl MemTx {
    /// What has begun stays, as in the database.
    fn keeps_the_past(&self, before: &Openings, after: &Openings) -> bool {
        let now = self.0.clock.now();
        let begun = |openings: &Openings| -> Vec<_> {
            let begun = openings
                .as_slice()
                .iter()
                .filter(|opening| opening.opens_at <= now);
            begun
                .map(|opening| (opening.opens_at, opening.closes_at.filter(|end| *end <= now)))
                .collect()
        };
        let (was, is) = (begun(before), begun(after));
        let kept = |(was, is): (&(_, Option<_>), &(_, Option<_>))| {
            was.0 == is.0 && (was.1.is_none() || was.1 == is.1)
        };
        was.len() <= is.len() && was.iter().zip(&is).all(kept)
    }
}

impl Versions for MemTx {
    fn version_in_force(&self, raffle: RaffleKey, at: DateTime<Utc>) -> Result<Option<Version>, StoreError> {
        let of_raffle = self
            .0
            .raffles
            .versions
            .iter()
            .filter(|version| version.raffle == raffle);
        let by_then = of_raffle.filter(|version| version.takes_effect_at <= at);
        Ok(by_then.max_by_key(|version| version.number).cloned())
    }

    fn versions_in_force(&self, at: DateTime<Utc>) -> Result<BTreeMap<RaffleKey, Version>, StoreError> {
        let by_then = self
            .0
            .raffles
            .versions
            .iter()
            .filter(|version| version.takes_effect_at <= at);
        Ok(last_of_each(by_then))
    }

    fn newest_versions(&self) -> Result<BTreeMap<RaffleKey, Version>, StoreError> {
        Ok(last_of_each(self.0.raffles.versions.iter()))
    }

    fn list_versions(&self, raffle: RaffleKey) -> Result<Vec<Version>, StoreError> {
        let versions = self.0.raffles.versions.iter().rev();
        Ok(versions
            .filter(|version| version.raffle == raffle)
            .cloned()
            .collect())
    }

    fn version_bytes(&self, raffle: RaffleKey, number: i64) -> Result<Option<String>, StoreError> {
        let versions = self.list_versions(raffle)?;
        let found = versions.iter().find(|version| version.number == number);
        Ok(found.map(|version| version.content.bytes()))
    }

    fn add_version(&mut self, version: &Version) -> Result<(), StoreError> {
        self.0.raffles.versions.push(version.clone());
        Ok(())
    }
}

/// The last version of each raffle, of versions in the order in which they were published.
fn last_of_each<'a>(versions: impl Iterator<Item = &'a Version>) -> BTreeMap<RaffleKey, Version> {
    versions
        .map(|version| (version.raffle, version.clone()))
        .collect()
}
