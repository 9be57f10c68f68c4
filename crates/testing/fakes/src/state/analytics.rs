//! What the store has of `analytics`.

use super::{State, count};
use analytics::{
    Contribution, Dashboard, JourneyRow, NewShare, NewView, PageName, PageNames, RaffleStats,
    ReferralFunnelRow, ShareProgress, StepName, SuspiciousNetwork, TopReferrer, contributions,
};
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use kernel::{EntrantId, ReferralCode};
use privacy::retention::Month;
use raffle::{Entrant, RaffleKey};
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

#[derive(Clone, Default)]
pub(crate) struct AnalyticsState {
    pub(crate) views: BTreeMap<Uuid, View>,
    pub(crate) times: Vec<Time>,
    pub(crate) shares: Vec<NewShare>,
    pub(crate) share_progress: BTreeMap<EntrantId, ShareProgress>,
    pub(crate) steps: Vec<(Uuid, JourneyRow)>,
    pub(crate) clearings: i64,
    pub(crate) retention: RetentionState,
    /// The time zone of the last fold, which decides where hours begin.
    pub(crate) zone: Tz,
}

#[derive(Clone)]
pub(crate) struct View {
    pub(crate) page: PageName,
    pub(crate) code: Option<ReferralCode>,
    pub(crate) at: DateTime<Utc>,
    /// Whether it has an address, a user agent or a fingerprint.
    pub(crate) identifies: bool,
    pub(crate) is_dropped: bool,
}

#[derive(Clone)]
pub(crate) struct Time {
    pub(crate) page: PageName,
    pub(crate) time_spent: i32,
    pub(crate) at: DateTime<Utc>,
    pub(crate) is_dropped: bool,
}

impl AnalyticsState {
    /// Erases how far an entrant has come with sharing.
    pub(crate) fn erase(&mut self, entrant: EntrantId) {
        self.share_progress.remove(&entrant);
    }

    pub(crate) fn view(&mut self, new: &NewView, names: &PageNames) {
        let session = &new.visitor.session;
        let (first, last) = new.page.view_keys(session);
        let seen = self.views.range(first..=last).next().is_some();
        if new.time_spent.is_none() || !seen {
            let view = View {
                page: new.page.clone(),
                code: new.referral_code.clone(),
                at: new.at,
                identifies: identifies(new),
                is_dropped: false,
            };
            self.views
                .entry(new.page.view_key(session, new.referral_code.as_ref()))
                .or_insert(view);
            self.step(
                session.key(),
                names.raffle_of(&new.page),
                StepName::PageView,
                new.at,
            );
        }
        if let Some(time_spent) = new.time_spent {
            self.times.push(Time {
                page: new.page.clone(),
                time_spent,
                at: new.at,
                is_dropped: false,
            });
        }
    }

    pub(crate) fn step(
        &mut self,
        session: Uuid,
        raffle: Option<RaffleKey>,
        step: StepName,
        at: DateTime<Utc>,
    ) {
        let is_same =
            |(other, row): &(Uuid, JourneyRow)| *other == session && row.raffle == raffle && row.step == step;
        if !self.steps.iter().any(is_same) {
            let row = JourneyRow { raffle, step, at };
            self.steps.push((session, row));
        }
    }

    pub(crate) fn views_of(&self, page: PageName) -> i64 {
        count(self.views.values().filter(|view| view.page == page))
    }

    pub(crate) fn contributions(&self) -> Vec<Contribution> {
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

pub(crate) fn identifies(view: &NewView) -> bool {
    let visitor = &view.visitor;
    visitor.origin.address.is_some() || visitor.origin.user_agent.is_some() || visitor.fingerprint.is_some()
}

impl State {
    pub(crate) fn referrals_of(&self, referrer: EntrantId) -> i64 {
        count(self.referrals.iter().filter(|(by, ..)| *by == referrer))
    }

    pub(crate) fn conversions_of(&self, referrer: EntrantId) -> i64 {
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
    pub(crate) fn first_referrals(&self) -> Vec<i64> {
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

    pub(crate) fn landing_page_stats(&self, page: RaffleKey) -> RaffleStats {
        let entered_it = |entrant: &&Entrant| self.raffle_after(entrant, 0) == page;
        let is_of_it = |friend: &EntrantId| {
            let (credit, moves) = self.credits.get(friend)?;
            let referrer = self.entrant(credit.referrer)?;
            Some(self.raffle_after(referrer, *moves) == page)
        };
        let friends = self.referrals.iter().map(|(_, friend, _)| friend);
        RaffleStats {
            raffle: page,
            users: count(self.entrants.iter().filter(entered_it)),
            referrals: count(friends.filter(|friend| is_of_it(friend) == Some(true))),
            page_views: self.analytics.views_of(page.into()),
        }
    }

    pub(crate) fn referral_funnel(&self) -> Vec<ReferralFunnelRow> {
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

    pub(crate) fn top_referrers(&self) -> Vec<TopReferrer> {
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

impl State {
    pub(crate) fn suspicious(&self, accounts_per_network: u32) -> Vec<SuspiciousNetwork> {
        let networks = self.networks().into_iter();
        let rows = networks.map(|(network, accounts)| SuspiciousNetwork {
            network,
            accounts: count(accounts.iter()),
            newest_open: accounts
                .iter()
                .rfind(|account| account.is_open)
                .map(|account| account.id),
        });
        let mut rows: Vec<_> = rows
            .filter(|row| row.accounts >= i64::from(accounts_per_network.max(2)))
            .collect();
        rows.sort_by_key(|row| (-row.accounts, row.network));
        rows.truncate(Dashboard::ROWS as usize);
        rows
    }
}

/// Which months have a place, and when the last run began.
#[derive(Clone, Default)]
pub(crate) struct RetentionState {
    pub(crate) months: BTreeSet<Month>,
    pub(crate) last_run: Option<DateTime<Utc>>,
}

impl AnalyticsState {
    /// The views that are still stored, with their keys.
    pub(crate) fn stored_views(&mut self) -> impl Iterator<Item = (Uuid, &mut View)> {
        let views = self.views.iter_mut().map(|(key, view)| (*key, view));
        views.filter(|(_, view)| !view.is_dropped)
    }
}
