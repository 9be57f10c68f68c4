//! The figures that staff see in the console.

use crate::rollups::catch_up;
use analytics::{Dashboard, DateRange, Figures, Funnel, FunnelFilter, Rollups, Trends};
use chrono_tz::Tz;
use kernel::{StoreError, UnitOfWork};

/// The dashboard: all figures, of one moment.
pub fn dashboard<S>(store: &S, zone: Tz, accounts_per_network: u32) -> Result<Dashboard, StoreError>
where
    S: UnitOfWork<Tx: Figures + Rollups>,
{
    catch_up(store, zone)?;
    store.snapshot(|tx| tx.dashboard(accounts_per_network))
}

/// The funnel: how many sessions reached each step. One moment.
pub fn funnel<S>(store: &S, zone: Tz, filter: &FunnelFilter) -> Result<Funnel, StoreError>
where
    S: UnitOfWork<Tx: Figures + Rollups>,
{
    catch_up(store, zone)?;
    store.snapshot(|tx| tx.funnel(filter))
}

/// Views and sign-ups by the hour, of one moment.
pub fn trends<S>(store: &S, zone: Tz, range: &DateRange) -> Result<Trends, StoreError>
where
    S: UnitOfWork<Tx: Figures + Rollups>,
{
    catch_up(store, zone)?;
    store.snapshot(|tx| tx.trends(range))
}
