//! Retention in memory. Figures are counted from the views, so a dropped view is only marked. Addresses of referrals and
//! clicks are not stored at all.

use crate::mem_store::MemTx;
use chrono::{DateTime, Utc};
use kernel::StoreError;
use privacy::retention::{Dropped, Month, Part, Retention, Source};
use std::collections::BTreeSet;
use uuid::Uuid;

/// The month of a key, or `None` if its session has no time.
fn month_of(key: Uuid) -> Option<Month> {
    let millis = key.as_u128() >> 80;
    let time = DateTime::from_timestamp_millis(i64::try_from(millis).ok()?)?;
    (millis < 0xffff_ffff_ffff).then(|| Month::of(time))
}

/// Changes at most `limit` of the rows, and says whether there were no more.
fn change<T>(rows: impl Iterator<Item = T>, limit: u32, mut change: impl FnMut(T)) -> Part {
    let mut rows = rows.peekable();
    let mut changed = 0;
    while changed < limit {
        let Some(row) = rows.next() else { break };
        change(row);
        changed += 1;
    }
    Part {
        rows: changed.into(),
        is_last: rows.peek().is_none(),
    }
}

impl Retention for MemTx {
    fn begin_run(&mut self, now: DateTime<Utc>, last: DateTime<Utc>) -> Result<bool, StoreError> {
        let last_run = &mut self.0.analytics.retention.last_run;
        let begins = last_run.is_none_or(|run| run <= last);
        if begins {
            *last_run = Some(now);
        }
        Ok(begins)
    }

    fn add_month(&mut self, month: Month) -> Result<bool, StoreError> {
        Ok(self.0.analytics.retention.months.insert(month))
    }

    fn drop_month(&mut self, kept: Month) -> Result<Dropped, StoreError> {
        let analytics = &mut self.0.analytics;
        let Some(oldest) = analytics
            .retention
            .months
            .first()
            .copied()
            .filter(|month| *month < kept)
        else {
            return Ok(Dropped::None);
        };
        analytics.retention.months.remove(&oldest);
        let of_month = analytics
            .stored_views()
            .filter(|(key, _)| month_of(*key) == Some(oldest));
        let part = change(of_month, u32::MAX, |(_, view)| view.is_dropped = true);
        Ok(Dropped::Views(part.rows))
    }

    fn clean(&mut self, source: Source, before: DateTime<Utc>, limit: u32) -> Result<Part, StoreError> {
        Ok(match source {
            Source::Views => self.erase_views(before, limit),
            Source::SignUps => self.erase_sign_ups(before, limit),
            Source::Consents => {
                let consents = self.0.consents.iter_mut();
                let old = consents.filter(|consent| consent.at < before && consent.address.is_some());
                change(old, limit, |consent| consent.address = None)
            }
            Source::Shares => {
                let shares = self.0.analytics.shares.iter_mut();
                let old = shares.filter(|share| share.at < before && share.origin.address.is_some());
                change(old, limit, |share| share.origin.address = None)
            }
            Source::PushSubscriptions => {
                let stored = self.0.push.subscriptions.iter_mut().map(|stored| &mut stored.new);
                let old = stored.filter(|new| new.at < before && new.user_agent.is_some());
                change(old, limit, |new| new.user_agent = None)
            }
            Source::ProviderEvents => self.delete_events(before, limit),
            Source::ViewTimes => {
                let times = self.0.analytics.times.iter_mut();
                let old = times.filter(|time| time.at < before && !time.is_dropped);
                change(old, limit, |time| time.is_dropped = true)
            }
            Source::StrayViews => {
                let views = self.0.analytics.stored_views();
                let old = views.filter(|(key, view)| month_of(*key).is_none() && view.at < before);
                change(old, limit, |(_, view)| view.is_dropped = true)
            }
            Source::Referrals | Source::Clicks => change(std::iter::empty::<()>(), limit, drop),
        })
    }
}

impl MemTx {
    fn erase_views(&mut self, before: DateTime<Utc>, limit: u32) -> Part {
        let views = self.0.analytics.stored_views();
        let old = views.filter(|(_, view)| view.at < before && view.identifies);
        change(old, limit, |(_, view)| view.identifies = false)
    }

    fn erase_sign_ups(&mut self, before: DateTime<Utc>, limit: u32) -> Part {
        let state = &mut self.0;
        let old: BTreeSet<_> = state
            .entrants
            .iter()
            .filter(|entrant| entrant.created_at < before)
            .map(|entrant| entrant.id)
            .collect();
        let fingerprints = &mut state.fingerprints;
        let known = state.addresses.iter_mut().filter(|(id, _)| old.contains(id));
        let identifying: Vec<_> = known
            .filter(|(id, address)| address.is_some() || fingerprints.contains_key(id))
            .collect();
        let fraud = &mut state.fraud;
        change(identifying.into_iter(), limit, |(id, address)| {
            fraud.forget_address(*id, address.take());
            fingerprints.remove(id);
        })
    }

    fn delete_events(&mut self, before: DateTime<Utc>, limit: u32) -> Part {
        let events = &mut self.0.pricing.events;
        let old: Vec<_> = events
            .iter()
            .filter(|(_, at)| **at < before)
            .map(|(id, _)| id.clone())
            .collect();
        change(old.into_iter(), limit, |id| {
            events.remove(&id);
        })
    }
}
