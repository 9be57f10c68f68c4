//! Analytics in memory. Figures are counted on request, so there is nothing to fold.

mod figures;
mod retention;
mod sharing;

use crate::mem_store::{MemTx, PostedRow, State, count, storable};
use analytics::{
    AnalyticsClearing, AnalyticsCounts, Collection, Contribution, Dashboard, Event, Folded, JourneyRow,
    NewShare, NewStep, NewView, PageName, RaffleStats, ReferralClearing, ReferralCounts, ReferralCut,
    ReferralFunnelRow, Rollups, Settled, Settling, ShareProgress, StepName, TopReferrer, contributions,
};
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use kernel::{EntrantId, ReferralCode, StoreError};
use raffle::{Entrant, LedgerRow, Raffle};
use retention::RetentionState;
use std::collections::BTreeMap;
use uuid::Uuid;

#[derive(Clone, Default)]
pub(crate) struct AnalyticsState {
    views: BTreeMap<Uuid, View>,
    times: Vec<Time>,
    shares: Vec<NewShare>,
    share_progress: BTreeMap<EntrantId, ShareProgress>,
    steps: Vec<(Uuid, JourneyRow)>,
    clearings: i64,
    retention: RetentionState,
    /// The time zone of the last fold, which decides where hours begin.
    zone: Tz,
}

#[derive(Clone)]
struct View {
    page: PageName,
    code: Option<ReferralCode>,
    at: DateTime<Utc>,
    /// Whether it has an address, a user agent or a fingerprint.
    identifies: bool,
    is_dropped: bool,
}

#[derive(Clone)]
struct Time {
    page: PageName,
    time_spent: i32,
    at: DateTime<Utc>,
    is_dropped: bool,
}

impl AnalyticsState {
    /// Erases how far an entrant has come with sharing.
    pub(crate) fn erase(&mut self, entrant: EntrantId) {
        self.share_progress.remove(&entrant);
    }

    fn view(&mut self, new: &NewView) {
        let session = &new.visitor.session;
        let (first, last) = new.page.view_keys(session);
        let seen = self.views.range(first..=last).next().is_some();
        if new.time_spent.is_none() || !seen {
            let view = View {
                page: new.page,
                code: new.referral_code.clone(),
                at: new.at,
                identifies: identifies(new),
                is_dropped: false,
            };
            self.views
                .entry(new.page.view_key(session, new.referral_code.as_ref()))
                .or_insert(view);
            self.step(session.key(), new.page.raffle(), StepName::PageView, new.at);
        }
        if let Some(time_spent) = new.time_spent {
            self.times.push(Time {
                page: new.page,
                time_spent,
                at: new.at,
                is_dropped: false,
            });
        }
    }

    fn step(&mut self, session: Uuid, raffle: Option<Raffle>, step: StepName, at: DateTime<Utc>) {
        let is_same =
            |(other, row): &(Uuid, JourneyRow)| *other == session && row.raffle == raffle && row.step == step;
        if !self.steps.iter().any(is_same) {
            let row = JourneyRow { raffle, step, at };
            self.steps.push((session, row));
        }
    }

    fn views_of(&self, page: PageName) -> i64 {
        count(self.views.values().filter(|view| view.page == page))
    }

    fn contributions(&self) -> Vec<Contribution> {
        let mut sessions: BTreeMap<Uuid, Vec<JourneyRow>> = BTreeMap::new();
        for (session, row) in &self.steps {
            sessions.entry(*session).or_default().push(*row);
        }
        sessions
            .values()
            .flat_map(|rows| contributions(rows, self.zone))
            .collect()
    }
}

fn identifies(view: &NewView) -> bool {
    let visitor = &view.visitor;
    visitor.origin.address.is_some() || visitor.origin.user_agent.is_some() || visitor.fingerprint.is_some()
}

impl State {
    fn referrals_of(&self, referrer: EntrantId) -> i64 {
        count(self.referrals.iter().filter(|(by, ..)| *by == referrer))
    }

    fn conversions_of(&self, referrer: EntrantId) -> i64 {
        let friends = self.referrals.iter().filter(|(by, ..)| *by == referrer);
        count(friends.filter(|(_, friend, _)| self.has_bought(*friend)))
    }

    pub(crate) fn referrer_of(&self, friend: EntrantId) -> Option<EntrantId> {
        let referral = self.referrals.iter().find(|(_, referred, _)| *referred == friend);
        referral.map(|(by, ..)| *by)
    }

    pub(crate) fn entrant(&self, id: EntrantId) -> Option<&Entrant> {
        self.entrants.iter().find(|entrant| entrant.id == id)
    }

    /// For each referrer, the milliseconds from entering to the first referral.
    fn first_referrals(&self) -> Vec<i64> {
        let first = |entrant: &Entrant| {
            let (.., referral) = self.referrals.iter().find(|(by, ..)| *by == entrant.id)?;
            Some(
                (referral.created_at - entrant.created_at)
                    .num_milliseconds()
                    .max(0),
            )
        };
        self.entrants.iter().filter_map(first).collect()
    }

    fn landing_page_stats(&self, page: Raffle) -> RaffleStats {
        let own = |entrant: &&Entrant| entrant.raffle == page;
        RaffleStats {
            raffle: page,
            users: count(self.entrants.iter().filter(own)),
            referrals: self
                .entrants
                .iter()
                .filter(own)
                .map(|entrant| self.referrals_of(entrant.id))
                .sum(),
            page_views: self.analytics.views_of(page.into()),
        }
    }

    fn referral_funnel(&self) -> Vec<ReferralFunnelRow> {
        let row = |entrant: &Entrant| {
            let code = &entrant.referral_code;
            let views = self
                .analytics
                .views
                .values()
                .filter(|view| view.code.as_ref() == Some(code));
            let shares = self
                .analytics
                .shares
                .iter()
                .filter(|share| share.referral_code.as_ref() == Some(code));
            ReferralFunnelRow {
                referral_code: code.clone(),
                views: count(views),
                referrals: self.referrals_of(entrant.id),
                shares: count(shares),
                conversions: self.conversions_of(entrant.id),
            }
        };
        let mut rows: Vec<_> = self.entrants.iter().map(row).collect();
        rows.retain(|row| row.views + row.referrals + row.shares > 0);
        rows.sort_by_key(|row| (-row.referrals, -row.views, row.referral_code.clone()));
        rows.truncate(Dashboard::ROWS as usize);
        rows
    }

    fn top_referrers(&self) -> Vec<TopReferrer> {
        let mut best: Vec<_> = self
            .entrants
            .iter()
            .map(|entrant| (self.referrals_of(entrant.id), entrant))
            .collect();
        best.retain(|(count, _)| *count > 0);
        best.sort_by_key(|(count, entrant)| (-count, entrant.id));
        best.truncate(Dashboard::ROWS as usize);
        let top = best.into_iter().map(|(count, entrant)| TopReferrer {
            referral_code: entrant.referral_code.clone(),
            phone: entrant.phone.clone(),
            count,
        });
        top.collect()
    }
}

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
                    self.0.analytics.view(view);
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
            let rows = self.0.ledger.iter().take(before_cut);
            let entries = of_referrals(rows.filter(|posted| posted.of == entrant));
            if let Some(row) = LedgerRow::clearing(cut.clearing, entries) {
                self.0.post(entrant, row);
                taken -= row.delta;
            }
        }
        Ok(Some(taken))
    }
}
