use crate::mem_store::MemTx;
use crate::state::count;
use analytics::{
    Contribution, Dashboard, DateRange, Figures, Funnel, FunnelFilter, PageName, REFERRAL_DELAYS,
    ReferralVelocity, Trends, TrendsRow, Velocity, delay_bucket, hour_of,
};
use chrono::{DateTime, Utc};
use kernel::StoreError;
use raffle::RaffleKey;
use std::collections::BTreeMap;

impl Figures for MemTx {
    fn dashboard(&self, accounts_per_address: u32) -> Result<Dashboard, StoreError> {
        let state = &self.0;
        let first = state.first_referrals();
        Ok(Dashboard {
            total_page_views: count(state.analytics.views.iter()),
            raffles: state
                .public_raffles()
                .into_iter()
                .map(|page| state.landing_page_stats(page))
                .collect(),
            referral_funnel: state.referral_funnel(),
            referral_velocity: ReferralVelocity {
                referrers: count(first.iter()),
                first_referral: first.iter().sum(),
            },
            top_referrers: state.top_referrers(),
            suspicious: state.suspicious(accounts_per_address),
        })
    }

    fn funnel(&self, filter: &FunnelFilter) -> Result<Funnel, StoreError> {
        let names = self.0.page_names();
        let state = &self.0.analytics;
        let within = |at: DateTime<Utc>| {
            filter
                .range
                .is_none_or(|range| range.from <= at && at < range.until)
        };
        let own = |page: &PageName| filter.scope.is_none() || names.raffle_of(page) == filter.scope;
        let times = state
            .times
            .iter()
            .filter(|time| own(&time.page) && within(hour_of(time.at, state.zone)));
        let mut funnel = Funnel {
            time_spent: times.map(|time| i64::from(time.time_spent)).sum(),
            ..Funnel::default()
        };
        for contribution in state.contributions() {
            match contribution {
                Contribution::Session(hour, scope) if scope == filter.scope && within(hour) => {
                    funnel.sessions += 1
                }
                Contribution::Took(hour, scope, step) if scope == filter.scope && within(hour) => {
                    funnel.steps.entry(step).or_default().count += 1;
                }
                Contribution::Left(hour, scope, step) if scope == filter.scope && within(hour) => {
                    funnel.steps.entry(step).or_default().exits += 1;
                }
                _ => {}
            }
        }
        Ok(funnel)
    }

    fn trends(&self, range: &DateRange) -> Result<Trends, StoreError> {
        let state = &self.0;
        let raffles = state.public_raffles();
        let mut hours: BTreeMap<(DateTime<Utc>, RaffleKey), (i64, i64)> = BTreeMap::new();
        for view in state.analytics.views.values() {
            let raffle = raffles
                .iter()
                .find(|raffle| PageName::from(**raffle) == view.page);
            if let Some(raffle) = raffle.copied() {
                hours
                    .entry((hour_of(view.at, state.analytics.zone), raffle))
                    .or_default()
                    .0 += 1;
            }
        }
        for entrant in &state.entrants {
            let hour = hour_of(entrant.created_at, state.analytics.zone);
            let entered = state.raffle_after(entrant, 0);
            hours.entry((hour, entered)).or_default().1 += 1;
        }
        let rows = hours
            .into_iter()
            .map(|((hour, raffle), (views, sign_ups))| TrendsRow {
                hour,
                raffle,
                views,
                sign_ups,
            });
        let first = state.first_referrals();
        let velocity = (0..=REFERRAL_DELAYS.len()).map(|bucket| Velocity {
            under: REFERRAL_DELAYS.get(bucket).copied(),
            referrers: count(first.iter().filter(|delay| delay_bucket(**delay) == bucket)),
        });
        Ok(Trends {
            rows: rows
                .filter(|row| range.from <= row.hour && row.hour < range.until)
                .collect(),
            velocity: velocity.collect(),
            raffles,
        })
    }
}
