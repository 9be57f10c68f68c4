//! Analytics in memory. Figures are counted on request, so there is nothing to fold.

mod figures;
mod retention;
mod sharing;

use crate::mem_store::MemTx;
use crate::state::{PostedRow, count, storable};
use analytics::{
    AnalyticsClearing, AnalyticsCounts, Collection, Event, Folded, NewShare, NewStep, ReferralClearing,
    ReferralCounts, ReferralCut, Rollups, Settled, Settling, StepName,
};
use chrono_tz::Tz;
use kernel::{EntrantId, StoreError};
use raffle::{EntryKind, LedgerRow};

impl Collection for MemTx {
    fn collect(&mut self, events: &[Event]) -> Result<(), StoreError> {
        let events = || events.iter();
        let timed = |event: &&Event| matches!(event, Event::View(view) if view.time_spent.is_some());
        for event in events()
            .filter(|event| !timed(event))
            .chain(events().filter(timed))
        {
            match event {
                Event::View(view) => {
                    let visitor = &view.visitor;
                    storable([visitor.session.as_str()])?;
                    storable(visitor.fingerprint.as_deref())?;
                    storable(visitor.origin.user_agent.as_deref())?;
                    let names = self.0.page_names();
                    self.0.analytics.view(view, &names);
                }
                Event::Share(share) => self.share(share),
                Event::Step(step) => self.record_step(step)?,
            }
        }
        Ok(())
    }

    fn record_step(&mut self, step: &NewStep) -> Result<(), StoreError> {
        let session = step.session.key();
        self.0.analytics.step(session, step.raffle, step.step, step.at);
        Ok(())
    }
}

impl MemTx {
    fn share(&mut self, share: &NewShare) {
        let is_same = |other: &NewShare| share.event_id.is_some() && other.event_id == share.event_id;
        if !self.0.analytics.shares.iter().any(is_same) {
            self.0.analytics.shares.push(share.clone());
        }
        if let Some(session) = &share.session {
            let sharer = share.entrant.and_then(|id| self.0.entrant(id));
            let raffle = sharer.map(|entrant| entrant.raffle);
            self.0
                .analytics
                .step(session.key(), raffle, StepName::SocialShare, share.at);
        }
    }
}

impl Rollups for MemTx {
    fn settle(&mut self) -> Result<Option<Settled>, StoreError> {
        Ok(Some(Settled::default()))
    }

    fn settle_new(&mut self) -> Result<Settling, StoreError> {
        Ok(Settling::Settled(Settled::default()))
    }

    fn wait_for_turn(&mut self) -> Result<(), StoreError> {
        Ok(())
    }

    fn fold(&mut self, _: &Settled, zone: Tz) -> Result<Folded, StoreError> {
        self.0.analytics.zone = zone;
        Ok(Folded::All)
    }

    fn differences(&mut self, _: Tz) -> Result<Vec<String>, StoreError> {
        Ok(Vec::new())
    }

    fn rebuild(&mut self, settled: &Settled, zone: Tz) -> Result<(), StoreError> {
        self.fold(settled, zone).map(drop)
    }
}

impl AnalyticsClearing for MemTx {
    fn count_analytics(&self) -> Result<AnalyticsCounts, StoreError> {
        let analytics = &self.0.analytics;
        Ok(AnalyticsCounts {
            page_views: count(analytics.views.iter()),
            social_shares: count(analytics.shares.iter()),
            funnel_steps: count(analytics.steps.iter()),
        })
    }

    fn clear_analytics(&mut self) -> Result<Option<AnalyticsCounts>, StoreError> {
        let counts = self.count_analytics()?;
        let analytics = &mut self.0.analytics;
        analytics.views.clear();
        analytics.times.clear();
        analytics.shares.clear();
        analytics.steps.clear();
        Ok(Some(counts))
    }
}

/// What the rows that a clearing of referrals takes back have given.
fn of_referrals<'a>(rows: impl Iterator<Item = &'a PostedRow>) -> i64 {
    let of_referrals = rows.filter(|posted| posted.row.kind.is_of_referrals());
    of_referrals.map(|posted| posted.row.delta).sum()
}

impl ReferralClearing for MemTx {
    fn count_referral_data(&self) -> Result<ReferralCounts, StoreError> {
        Ok(ReferralCounts {
            referrals: count(self.0.referrals.iter()),
            bonus_entries: of_referrals(self.0.ledger.iter()),
        })
    }

    fn cut_referrals(&mut self) -> Result<Option<(i64, ReferralCut)>, StoreError> {
        let deleted = count(self.0.referrals.drain(..));
        self.0.credits.clear();
        self.0.analytics.clearings += 1;
        let cut = ReferralCut {
            last_row: count(self.0.ledger.iter()),
            clearing: self.0.analytics.clearings,
            after: EntrantId::new(0),
        };
        Ok(Some((deleted, cut)))
    }

    fn take_referral_entries(
        &mut self,
        cut: &mut ReferralCut,
        limit: u32,
    ) -> Result<Option<i64>, StoreError> {
        let entrants = self.0.entrants.iter().map(|entrant| entrant.id);
        let mut next: Vec<_> = entrants.filter(|id| *id > cut.after).collect();
        next.sort();
        next.truncate(limit as usize);
        let Some(last) = next.last() else {
            return Ok(None);
        };
        cut.after = *last;
        let mut taken = 0;
        let before_cut = usize::try_from(cut.last_row).unwrap_or(usize::MAX);
        for entrant in next {
            let (before, after) = self.0.ledger.split_at(before_cut.min(self.0.ledger.len()));
            let moved_out = after
                .iter()
                .filter(|posted| posted.row.kind == EntryKind::MovedReferrals);
            let rows = before.iter().chain(moved_out);
            let entries = of_referrals(rows.filter(|posted| posted.of == entrant));
            if let Some(row) = LedgerRow::clearing(cut.clearing, entries) {
                self.0.post(entrant, row);
                taken -= row.delta;
            }
        }
        Ok(Some(taken))
    }
}
