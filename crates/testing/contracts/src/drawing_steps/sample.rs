//! Values of steps, and functions that store them.

use crate::Store;
use crate::support::noon;
use chrono::{DateTime, TimeDelta, Utc};
use drawing::beacon::{BeaconSignature, ChainHash, Round};
use drawing::steps::{
    Announced, DrawingState, DrawingStatus, DrawingSteps, Drawn, DrawnRank, Logged, Plan, Sealed, Voided,
};
use drawing::{
    BeaconChoice, DrawingId, DrawingKind, DrawingPrize, Drawings, Hash, LogAction, LogEntry, NewLogEntry,
    Period, Prize, SaltKey, Seed, SeedSource,
};
use kernel::{IdempotencyKey, StoreError};
use raffle::fixtures::FRESH_SIPS;
use raffle::{Entrant, RaffleKey};
use usecases::Ports;

pub(crate) const RAFFLE: RaffleKey = FRESH_SIPS;

/// A time that never comes.
pub(crate) fn never() -> DateTime<Utc> {
    noon() + TimeDelta::days(36_500)
}

pub(crate) fn moment(n: u8) -> DateTime<Utc> {
    noon() + TimeDelta::microseconds(i64::from(n))
}

pub(crate) fn period(month: u32) -> Period {
    Period::new(2026, month).unwrap()
}

pub(crate) fn prize(name: &str) -> Prize {
    Prize {
        name: name.to_owned(),
        value: "$49".to_owned(),
    }
}

pub(crate) fn key(text: &str) -> IdempotencyKey {
    IdempotencyKey::parse(text).unwrap()
}

/// A regular drawing of a month with values derived from `n`.
pub(crate) fn plan(n: u8, month: u32) -> Plan {
    Plan {
        raffle: RAFFLE,
        period: period(month),
        kind: DrawingKind::Regular,
        reason: None,
        prize: DrawingPrize::own(prize("Kit")),
        replaces: None,
        cut_off: None,
        beacon: BeaconChoice::Chain(ChainHash::new([9; 32])),
        commitment: Hash::new([n; 32]),
        seed_source: SeedSource::Os,
        sealed_secrets: vec![n, 0, 255],
        request: None,
        session: None,
        member: Some(9),
        at: moment(n),
    }
}

/// Due now, and never too late.
pub(crate) fn announcement(number: u32) -> Announced {
    Announced {
        number,
        round: Round::new(1_000),
        round_at: Some(never()),
        seal_due_at: noon(),
        seal_before: Some(never()),
    }
}

pub(crate) fn seal(n: u8) -> Sealed {
    Sealed {
        salt_key: SaltKey::new([n; 32]),
        seed: Seed::new([n; 32]),
        root: Hash::new([!n; 32]),
        weights_hash: Hash::new([0xaa; 32]),
        participants: 3 + u64::from(n),
        entries: (1 << 53) - 1 - u64::from(n),
        cut_off: moment(n),
    }
}

pub(crate) fn result(winners: &[Entrant]) -> Drawn {
    let ranks = winners.iter().zip(0..);
    Drawn {
        signature: Some(BeaconSignature::new([7; 48])),
        ranks: ranks
            .map(|(winner, rank)| DrawnRank {
                rank,
                entry_number: 10 - u64::from(rank),
                index: u64::from(rank),
                entrant: winner.id,
            })
            .collect(),
        winner_phone: Some(winners[0].phone.clone()),
        verification_hash: Hash::new([0xbb; 32]),
    }
}

pub(crate) fn log<T: Ports>(
    tx: &mut T,
    id: Option<DrawingId>,
    action: LogAction,
) -> Result<LogEntry, StoreError> {
    let last = tx.last_log_entry()?;
    let entry = NewLogEntry {
        action,
        drawing: id,
        details: r#"{"b": 1,  "a":"ü"}"#.to_owned(),
        random_seed: None,
        participant_count: Some(1),
        verification_hash: None,
        session: Some(7),
        at: moment(last.map_or(0, |(id, _)| id as u8)),
    };
    let entry = LogEntry::after(last, entry);
    tx.add_log_entry(&entry)?;
    Ok(entry)
}

/// A step with its entry in the log, which is written.
pub(crate) fn logged<T: Ports, P>(
    tx: &mut T,
    id: DrawingId,
    action: LogAction,
    step: P,
) -> Result<Logged<P>, StoreError> {
    let entry = log(tx, Some(id), action)?;
    Ok(Logged { step, entry })
}

/// One step in a unit of work of its own.
pub(crate) fn step<S: Store, P>(
    store: &S,
    id: DrawingId,
    action: LogAction,
    step: impl Fn() -> P,
    add: impl Fn(&mut S::Tx, DrawingId, &Logged<P>) -> Result<(), StoreError>,
) -> Result<Logged<P>, StoreError> {
    store.transaction(|tx| {
        tx.begin_drawing()?;
        let logged = logged(tx, id, action, step())?;
        add(tx, id, &logged)?;
        Ok(logged)
    })
}

pub(crate) fn announce<S: Store>(
    store: &S,
    plan: &Plan,
    announced: Announced,
) -> Result<DrawingState, StoreError> {
    store.transaction(|tx| {
        tx.begin_drawing()?;
        let id = tx.reserve_drawing_id()?;
        tx.add_plan(id, plan)?;
        let announcement = logged(tx, id, LogAction::DrawingAnnounced, announced)?;
        tx.add_announcement(id, &announcement)?;
        Ok(DrawingState {
            id,
            plan: plan.clone(),
            status: DrawingStatus::Announced,
            announcement,
            seal: None,
            result: None,
            void: None,
            late: None,
        })
    })
}

pub(crate) fn announce_again<S: Store>(
    store: &S,
    state: &mut DrawingState,
    announced: Announced,
) -> Result<(), StoreError> {
    let action = LogAction::DrawingAnnounced;
    state.announcement = step(store, state.id, action, || announced, S::Tx::add_announcement)?;
    Ok(())
}

pub(crate) fn seal_it<S: Store>(
    store: &S,
    state: &mut DrawingState,
    sealed: &Sealed,
) -> Result<(), StoreError> {
    let sealed = step(
        store,
        state.id,
        LogAction::DrawingSealed,
        || sealed.clone(),
        S::Tx::add_seal,
    )?;
    (state.seal, state.status) = (Some(sealed), DrawingStatus::Sealed);
    Ok(())
}

pub(crate) fn draw_it<S: Store>(
    store: &S,
    state: &mut DrawingState,
    drawn: &Drawn,
) -> Result<(), StoreError> {
    let drawn = step(
        store,
        state.id,
        LogAction::DrawingPerformed,
        || drawn.clone(),
        S::Tx::add_result,
    )?;
    (state.result, state.status) = (Some(drawn), DrawingStatus::Drawn);
    Ok(())
}

pub(crate) fn void_it<S: Store>(store: &S, state: &mut DrawingState) -> Result<(), StoreError> {
    let voided = || Voided {
        reason: "the beacon is away".to_owned(),
    };
    let voided = step(store, state.id, LogAction::DrawingVoid, voided, S::Tx::add_void)?;
    (state.void, state.status) = (Some(voided), DrawingStatus::Void);
    Ok(())
}

pub(crate) fn find<S: Store>(store: &S, id: DrawingId) -> Option<DrawingState> {
    store.read(|tx| tx.find_state(id)).unwrap()
}

pub(crate) fn assert_refused<T: std::fmt::Debug>(outcome: Result<T, StoreError>) {
    assert!(matches!(outcome, Err(StoreError::Failed(_))), "{outcome:?}");
}
