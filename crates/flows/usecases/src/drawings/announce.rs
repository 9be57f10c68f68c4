//! Announcing a drawing: its seed is chosen and its hash published, and its round of the beacon is fixed.

use super::{DrawingTools, FlowTx, calendar};
use chrono::{DateTime, TimeDelta, Utc};
use drawing::beacon::{Chain, Round};
use drawing::rules::RulesStamp;
use drawing::steps::{Announced, DrawingState, DrawingStatus, KeyedRequest, Logged, OpeningDetails, Plan};
use drawing::{
    Announcement, DrawingId, DrawingKind, DrawingPrize, Hash, LogAction, LogEntry, NewLogEntry, Period,
    Replaced, SaltKey, Secrets, SeedSource,
};
use kernel::{Sealer, StoreError};
use raffle::RaffleKey;
use staff::{Action, Actor, MemberId, NewAuditEntry};

/// How long before the round of a monthly drawing its seal must be committed.
const SEAL_MARGIN: TimeDelta = TimeDelta::hours(1);

/// How long a refused monthly drawing is put off, as often as it takes.
const PUT_OFF: TimeDelta = TimeDelta::hours(24);

/// How long an additional drawing is public before it is sealed, in production.
pub(super) const NOTICE: TimeDelta = TimeDelta::hours(24);

/// A fresh seed and salt key, sealed. They are made before the transaction, which may run more than once.
#[derive(Clone)]
pub(super) struct FreshSecrets {
    commitment: Hash,
    source: SeedSource,
    sealed: Vec<u8>,
}

impl FreshSecrets {
    pub(super) fn new(tools: DrawingTools, raffle: RaffleKey) -> Self {
        let secrets = Secrets {
            seed: tools.seeds.new_seed(),
            salt_key: SaltKey::new(tools.entropy.bytes()),
        };
        Self {
            commitment: secrets.seed.commitment(),
            source: tools.seeds.source(),
            sealed: tools.sealer.seal(&context(raffle), &secrets.to_bytes()),
        }
    }

    /// Those of a drawing that was void because nobody could be drawn. Nobody knows its seed, and nobody gets another try.
    fn kept(tools: DrawingTools, state: DrawingState) -> Option<Self> {
        unseal(tools.sealer, &state.plan)?;
        Some(Self {
            commitment: state.plan.commitment,
            source: state.plan.seed_source,
            sealed: state.plan.sealed_secrets,
        })
    }
}

/// Binds sealed secrets to their raffle, so that those of another raffle cannot take their place.
fn context(raffle: RaffleKey) -> String {
    format!("drawing seed of {raffle}")
}

/// The seed and the salt key of a drawing; `None` when they were sealed with a key that is not configured any more.
pub(super) fn unseal(sealer: &dyn Sealer<Secrets>, plan: &Plan) -> Option<Secrets> {
    let bytes = sealer.open(&context(plan.raffle), &plan.sealed_secrets)?;
    Secrets::from_bytes(&bytes).filter(|secrets| secrets.seed.commitment() == plan.commitment)
}

/// When a drawing is sealed, and which round decides it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Timing {
    round: Option<(Round, DateTime<Utc>)>,
    pub(super) seal_due_at: DateTime<Utc>,
    seal_before: Option<DateTime<Utc>>,
}

impl Timing {
    /// The first round at or after a moment, with a margin before it.
    fn at(
        chain: Option<&Chain>,
        seal_due_at: DateTime<Utc>,
        moment: DateTime<Utc>,
        margin: TimeDelta,
    ) -> Self {
        let round = chain.map(|chain| {
            let round = chain.first_round_at_or_after(moment);
            // Every round of a moment has a time.
            (round, chain.time_of(round).unwrap_or(moment))
        });
        Self {
            round,
            seal_due_at,
            seal_before: round.map(|(_, due)| due - margin),
        }
    }

    /// For a drawing that staff asked for: the round comes a delay after the seal is due.
    pub(super) fn prompt(tools: DrawingTools, seal_due_at: DateTime<Utc>) -> Self {
        Self::delayed(tools, tools.beacon, seal_due_at)
    }

    fn delayed(tools: DrawingTools, chain: Option<&Chain>, seal_due_at: DateTime<Utc>) -> Self {
        Self::at(chain, seal_due_at, seal_due_at + tools.delay, tools.delay / 4)
    }

    /// For the drawing of a month: sealed when the month ends, and drawn at noon of the day after.
    pub(super) fn monthly(tools: DrawingTools, period: Period) -> Option<Self> {
        let cut_off = calendar::end_of(period, tools.time_zone)?;
        let noon = calendar::noon_after(period, tools.time_zone)?;
        Some(Self::at(tools.beacon, cut_off, noon, SEAL_MARGIN))
    }

    /// For a drawing whose seal came too late.
    fn after_refusal(tools: DrawingTools, state: &DrawingState, now: DateTime<Utc>) -> Self {
        let chain = tools.chain_of(state.plan.beacon);
        let announced = state.announcement.step;
        if state.plan.replaces.is_some() {
            return Self::delayed(tools, chain.as_ref(), now + Replaced::NOTICE);
        }
        match announced.round_at.filter(|_| state.is_scheduled()) {
            None => Self::delayed(tools, chain.as_ref(), now),
            Some(round_at) => {
                let moment = put_off(round_at, now);
                Self::at(chain.as_ref(), announced.seal_due_at, moment, SEAL_MARGIN)
            }
        }
    }
}

/// The time of a round, put off by whole days until there is an hour for the seal.
fn put_off(round_at: DateTime<Utc>, now: DateTime<Utc>) -> DateTime<Utc> {
    let mut moment = round_at + PUT_OFF;
    while moment - SEAL_MARGIN < now + SEAL_MARGIN {
        moment += PUT_OFF;
    }
    moment
}

/// A drawing to be announced.
pub(super) struct Intent {
    pub(super) raffle: RaffleKey,
    pub(super) period: Period,
    pub(super) kind: DrawingKind,
    pub(super) reason: Option<String>,
    pub(super) prize: DrawingPrize,
    pub(super) cut_off: Option<DateTime<Utc>>,
    pub(super) timing: Timing,
    pub(super) request: Option<KeyedRequest>,
    /// The void drawing whose list it takes.
    pub(super) replaces: Option<Replaced>,
    /// The member of staff who asks; `None` when the schedule does.
    pub(super) actor: Option<Actor>,
}

/// Announces a drawing. The caller holds the lock of drawings.
pub(super) fn announce<T: FlowTx>(
    tx: &mut T,
    tools: DrawingTools,
    intent: Intent,
    fresh: FreshSecrets,
) -> Result<DrawingState, StoreError> {
    let kept = tx.unused_commitment(intent.raffle)?;
    let secrets = kept
        .and_then(|state| FreshSecrets::kept(tools, state))
        .unwrap_or(fresh);
    let plan = Plan {
        raffle: intent.raffle,
        period: intent.period,
        kind: intent.kind,
        reason: intent.reason,
        prize: intent.prize,
        replaces: intent.replaces.map(|replaced| replaced.drawing),
        cut_off: intent.cut_off,
        beacon: tools.beacon_choice(),
        commitment: secrets.commitment,
        seed_source: secrets.source,
        sealed_secrets: secrets.sealed,
        request: intent.request,
        session: intent.actor.map(|actor| actor.session.get()),
        member: intent.actor.and_then(|actor| actor.member).map(MemberId::get),
        at: tx.database_time()?,
    };
    let id = tx.reserve_drawing_id()?;
    tx.add_plan(id, &plan)?;
    let announced = NewAnnouncement {
        number: 1,
        timing: intent.timing,
        replaces: intent.replaces,
        session: plan.session,
        at: plan.at,
    };
    let announcement = add_announcement(tx, id, &plan, announced)?;
    if let Some(actor) = intent.actor {
        tx.record_audit(&audit_entry(actor, id, &plan))?;
    }
    Ok(DrawingState {
        id,
        plan,
        status: DrawingStatus::Announced,
        announcement,
        seal: None,
        result: None,
        void: None,
        late: None,
    })
}

fn audit_entry(actor: Actor, id: DrawingId, plan: &Plan) -> NewAuditEntry {
    let entry = NewAuditEntry::new(actor, Action::AnnounceDrawing, plan.at)
        .target(id)
        .text("landingPage", plan.raffle.as_str())
        .text("period", plan.period.to_string());
    match &plan.reason {
        Some(reason) => entry.text("reason", reason),
        None => entry,
    }
}

/// Announces a drawing again whose seal came too late, with a later round.
pub(super) fn announce_again<T: FlowTx>(
    tx: &mut T,
    tools: DrawingTools,
    mut state: DrawingState,
    now: DateTime<Utc>,
) -> Result<DrawingState, StoreError> {
    let announced = NewAnnouncement {
        number: state.announcement.step.number + 1,
        timing: Timing::after_refusal(tools, &state, now),
        replaces: replaced_by(tx, &state)?,
        session: None,
        at: now,
    };
    state.announcement = add_announcement(tx, state.id, &state.plan, announced)?;
    Ok(state)
}

/// The list that a drawing takes from a void one.
fn replaced_by<T: FlowTx>(tx: &T, state: &DrawingState) -> Result<Option<Replaced>, StoreError> {
    let Some(id) = state.plan.replaces else {
        return Ok(None);
    };
    let list = tx.find_state(id)?.and_then(|void| void.list());
    list.map(Some)
        .ok_or(StoreError::corrupt("drawings", "replaces", state.id.get()))
}

struct NewAnnouncement {
    number: u32,
    timing: Timing,
    replaces: Option<Replaced>,
    session: Option<i64>,
    at: DateTime<Utc>,
}

fn add_announcement<T: FlowTx>(
    tx: &mut T,
    id: DrawingId,
    plan: &Plan,
    new: NewAnnouncement,
) -> Result<Logged<Announced>, StoreError> {
    let timing = new.timing;
    let step = Announced {
        number: new.number,
        round: timing.round.map(|(round, _)| round),
        round_at: timing.round.map(|(_, due)| due),
        seal_due_at: timing.seal_due_at,
        seal_before: timing.seal_before,
    };
    let rules = tx.rules_stamp_of(plan.period)?.ok_or_else(without_rules)?;
    let entry = append_to_log(
        tx,
        NewLogEntry {
            action: LogAction::DrawingAnnounced,
            drawing: Some(id),
            details: announcement_of(plan, &step, new.replaces, rules).details(),
            random_seed: None,
            participant_count: None,
            verification_hash: None,
            session: new.session,
            at: new.at,
        },
    )?;
    let announced = Logged { step, entry };
    tx.add_announcement(id, &announced)?;
    Ok(announced)
}

/// A server stores the rules before it announces anything.
fn without_rules() -> StoreError {
    StoreError::Failed("no official rules count in the month of the drawing".into())
}

/// What the entry of an announcement says.
fn announcement_of(
    plan: &Plan,
    step: &Announced,
    replaces: Option<Replaced>,
    rules: RulesStamp,
) -> Announcement {
    Announcement {
        raffle: plan.raffle,
        period: plan.period,
        kind: plan.kind,
        cut_off: plan.cut_off,
        beacon: plan.beacon,
        round: step.round,
        seal_before: step.seal_before,
        commitment: plan.commitment,
        seed_source: plan.seed_source,
        reason: plan.reason.clone(),
        prize: plan.prize.announced(),
        version: plan.prize.version,
        replaces,
        rules,
    }
}

/// Adds an entry to the log of drawings, after the last one.
pub(super) fn append_to_log(
    tx: &mut impl drawing::DrawingLog,
    entry: NewLogEntry,
) -> Result<LogEntry, StoreError> {
    let entry = LogEntry::after(tx.last_log_entry()?, entry);
    tx.add_log_entry(&entry)?;
    Ok(entry)
}

/// Says in the log of drawings when a raffle opens or closes. The caller holds the lock of drawings.
pub(crate) fn log_opening(
    tx: &mut impl drawing::DrawingLog,
    action: LogAction,
    details: &OpeningDetails,
    session: i64,
    at: DateTime<Utc>,
) -> Result<LogEntry, StoreError> {
    append_to_log(
        tx,
        NewLogEntry {
            action,
            drawing: None,
            details: details.details(),
            random_seed: None,
            participant_count: None,
            verification_hash: None,
            session: Some(session),
            at,
        },
    )
}
