//! Drawings in responses, for the console and for everybody.

use crate::callers::admin::Sight;
use crate::callers::right::ShownNumber;
use crate::http::names::{Name, Named};
use crate::http::views::{LandingPageView, PrizeView};
use crate::routes::claim_records::{ClaimRecordView, claim_records};
use chrono::{DateTime, Utc};
use drawing::steps::{DrawingState, DrawingStatus};
use drawing::{BeaconChoice, DrawingId, DrawingKind};
use serde::Serialize;
use usecases::claims::PublicRecord;
use utoipa::ToSchema;

/// How winners are selected. There is only this way.
pub(crate) const DRAWING_METHOD: &str = "random";

pub(crate) type DrawingStatusView = Name<DrawingStatus>;

impl Named for DrawingStatus {
    const VIEW: &'static str = "DrawingStatusView";
    const ABOUT: Option<&'static str> = Some("How far a drawing is.");
}

pub(crate) type DrawingKindView = Name<DrawingKind>;

impl Named for DrawingKind {
    const VIEW: &'static str = "DrawingKindView";
    const ABOUT: Option<&'static str> = Some("Whether a drawing is the one of its month.");
}

/// The round of the public randomness beacon that decides a drawing.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BeaconStateView {
    /// The hash of the beacon's chain.
    chain_hash: String,
    round: u64,
    /// The time of the round.
    expected_at: DateTime<Utc>,
    /// Since when a sealed drawing has waited for the round.
    waiting_since: Option<DateTime<Utc>>,
}

impl BeaconStateView {
    /// `None` when the beacon is off.
    pub(crate) fn of(state: &DrawingState, now: DateTime<Utc>) -> Option<Self> {
        let BeaconChoice::Chain(chain) = state.plan.beacon else {
            return None;
        };
        let announced = &state.announcement.step;
        Some(Self {
            chain_hash: chain.to_string(),
            round: announced.round?.number(),
            expected_at: announced.round_at?,
            waiting_since: state.waiting_since(now),
        })
    }
}

/// A drawing as staff see it. What its status does not have yet is null.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DrawingView {
    id: i64,
    status: DrawingStatusView,
    landing_page: LandingPageView,
    /// The calendar month that it belongs to.
    #[schema(example = "2026-11")]
    period: String,
    kind: DrawingKindView,
    /// Why there is an additional drawing.
    reason: Option<String>,
    /// The prize, as it was announced.
    prize: PrizeView,
    /// When the list is to be frozen.
    seal_due_at: DateTime<Utc>,
    sealed_at: Option<DateTime<Utc>>,
    /// The hash of the list.
    root: Option<String>,
    total_participants: Option<u64>,
    total_entries: Option<u64>,
    /// Null when the beacon is off.
    beacon: Option<BeaconStateView>,
    /// Null also for viewers.
    winner_id: Option<i64>,
    /// In full for owners and managers, or else the last four digits.
    #[schema(example = "+15551234567", value_type = Option<String>)]
    winner_phone_number: Option<ShownNumber>,
    winning_entry_number: Option<u64>,
    #[schema(example = "random")]
    drawing_method: &'static str,
    /// A hash of the whole drawing; the proof lists its parts.
    verification_hash: Option<String>,
    drawn_at: Option<DateTime<Utc>>,
    void_reason: Option<String>,
    /// From when on a sealed drawing may be voided. Null unless it is sealed and waits for a beacon.
    voidable_at: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
}

impl DrawingView {
    /// `now` decides whether the drawing waits for its round.
    pub(crate) fn of(state: &DrawingState, sight: Sight, now: DateTime<Utc>) -> Self {
        let (plan, seal, result) = (&state.plan, state.seal.as_ref(), state.result.as_ref());
        Self {
            id: state.id.get(),
            status: state.status.into(),
            landing_page: plan.raffle.into(),
            period: plan.period.to_string(),
            kind: plan.kind.into(),
            reason: plan.reason.clone(),
            prize: (&state.plan.prize.words).into(),
            seal_due_at: state.announcement.step.seal_due_at,
            sealed_at: seal.map(|seal| seal.entry.entry.at),
            root: seal.map(|seal| seal.step.root.to_string()),
            total_participants: state.participants(),
            total_entries: state.entries(),
            beacon: BeaconStateView::of(state, now),
            winner_id: state
                .winner()
                .filter(|_| sight.people.is_some())
                .map(|winner| winner.entrant.get()),
            winner_phone_number: state
                .winner_phone()
                .map(|phone| ShownNumber::to(sight.numbers, phone)),
            winning_entry_number: state.winning_entry_number(),
            drawing_method: DRAWING_METHOD,
            verification_hash: result.map(|result| result.step.verification_hash.to_string()),
            drawn_at: result.map(|result| result.entry.entry.at),
            void_reason: void_reason(state),
            voidable_at: state.voidable_at(),
            created_at: plan.at,
        }
    }
}

pub(crate) fn void_reason(state: &DrawingState) -> Option<String> {
    state.void.as_ref().map(|void| void.step.reason.clone())
}

/// Why a drawing is void, or was before its round came and it was drawn.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VoidView {
    reason: String,
    at: DateTime<Utc>,
    /// What the hosts of the beacon answered then.
    hosts: Vec<HostAnswerView>,
    /// The entry that would have won, when the round came after the seal of the drawing with the same list.
    would_have_won: Option<u64>,
}

/// What a host of the beacon answered.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HostAnswerView {
    #[schema(example = "api.drand.sh")]
    host: String,
    #[schema(example = "the round is not published")]
    answer: String,
}

impl VoidView {
    fn of(state: &DrawingState) -> Option<Self> {
        let void = state.void.as_ref()?;
        let hosts = state.host_answers().into_iter().map(|one| HostAnswerView {
            host: one.host,
            answer: one.answer,
        });
        Some(Self {
            reason: void.step.reason.clone(),
            at: void.entry.entry.at,
            hosts: hosts.collect(),
            would_have_won: state.late.as_ref().map(|late| late.step.entry_number),
        })
    }
}

/// A drawing as everybody sees it. What its status does not have yet is null.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PublicDrawingView {
    id: i64,
    status: DrawingStatusView,
    landing_page: LandingPageView,
    /// The calendar month that it belongs to.
    #[schema(example = "2026-11")]
    period: String,
    kind: DrawingKindView,
    /// What is drawn, as it was announced.
    prize: PrizeView,
    /// Why there is an additional drawing.
    reason: Option<String>,
    /// Why it is void, or was.
    void: Option<VoidView>,
    /// The void drawing whose list this one takes.
    replaces: Option<i64>,
    /// How many drawings of this raffle are void.
    voids: i64,
    sealed_at: Option<DateTime<Utc>>,
    /// Null when the beacon is off.
    beacon: Option<BeaconStateView>,
    created_at: DateTime<Utc>,
    drawn_at: Option<DateTime<Utc>>,
    total_participants: Option<u64>,
    total_entries: Option<u64>,
    winning_entry_number: Option<u64>,
    /// The last four digits of the winner's phone number.
    #[schema(example = "4567")]
    winner_last4: Option<String>,
    /// The claims so far, by rank.
    claims: Vec<ClaimRecordView>,
    /// Whether nobody of all ranks claimed the prize.
    is_unclaimed: bool,
}

impl PublicDrawingView {
    /// `now` decides whether the drawing waits for its round.
    pub(crate) fn of(
        drawing: &DrawingState,
        voids: i64,
        record: Option<&PublicRecord>,
        now: DateTime<Utc>,
    ) -> Self {
        let view = DrawingView::of(drawing, Sight::NOTHING, now);
        Self {
            id: view.id,
            status: view.status,
            landing_page: view.landing_page,
            period: view.period,
            kind: view.kind,
            prize: view.prize,
            reason: view.reason,
            void: VoidView::of(drawing),
            replaces: drawing.plan.replaces.map(DrawingId::get),
            voids,
            sealed_at: view.sealed_at,
            beacon: view.beacon,
            created_at: view.created_at,
            drawn_at: view.drawn_at,
            total_participants: view.total_participants,
            total_entries: view.total_entries,
            winning_entry_number: view.winning_entry_number,
            winner_last4: drawing.winner_phone().map(|phone| phone.last_four().to_owned()),
            claims: record.map_or_else(Vec::new, claim_records),
            is_unclaimed: record.is_some_and(|record| record.is_unclaimed),
        }
    }
}
