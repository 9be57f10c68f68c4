//! Reproducible tools for drawings, and a beacon whose signatures anybody can make.

use crate::Store;
use crate::support::{SeededEntropy, code, command, entered_through, new_entrant, noon, phone, staff_actor};
use ::codes::CodeKey;
use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::Tz;
use claims::ClaimKey;
use drawing::beacon::{BeaconSignature, BeaconVerifier, Chain, ChainHash, Round};
use drawing::rules::{OfficialRules, Rules, RulesStamp};
use drawing::steps::{Announced, DrawingState, DrawingStatus, DrawingSteps, Logged, Plan, Sealed};
use drawing::{
    Announcement, CutOffs, DrawingId, DrawingKind, DrawingLog, DrawingPrize, Drawings, Hash, LogAction,
    LogEntry, NewLogEntry, Period, Prize, Replaced, SaltKey, Secrets, Seed, SeedSource, Seeds,
};
use fakes::FakeSeeds;
use kernel::{DatabaseClock, IdempotencyKey, Sealer, StoreError};
use raffle::Versions;
use raffle::fixtures::FRESH_SIPS;
use raffle::{Entrant, Entrants, RaffleKey};
use sms::{DailyBudget, SmsCountries};
use staff::SecondPerson;
use usecases::claims::ClaimNotices;
use usecases::codes::CodeTools;
use usecases::drawings::{
    Advanced, Bringer, BroughtRound, DrawError, DrawingTimes, DrawingTools, PerformDrawing, PerformError,
    Performed, PromisedPrize, Schedule,
};

/// Where `entered` enters.
pub(crate) const RAFFLE: RaffleKey = FRESH_SIPS;

/// Flips every bit instead of encrypting, so that no search finds the secret. It cannot open secrets that were sealed under
/// another name.
pub(crate) struct NamedSealer(pub(crate) &'static str);

impl<T> Sealer<T> for NamedSealer {
    fn seal(&self, context: &str, secret: &[u8]) -> Vec<u8> {
        [self.0.as_bytes(), context.as_bytes(), &flipped(secret)].concat()
    }

    fn open(&self, context: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        let sealed = sealed.strip_prefix(self.0.as_bytes())?;
        sealed.strip_prefix(context.as_bytes()).map(flipped)
    }
}

fn flipped(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().map(|byte| !byte).collect()
}

/// Accepts what [`sign`] made for the same chain and round.
pub(crate) struct OpenVerifier;

impl BeaconVerifier for OpenVerifier {
    fn verifies(&self, chain: &Chain, round: Round, signature: &BeaconSignature) -> bool {
        *signature == sign(chain, round)
    }
}

/// A chain that nobody signs.
pub(crate) fn chain() -> Chain {
    Chain {
        chain_hash: ChainHash::new([9; 32]),
        ..Chain::quicknet()
    }
}

/// The signature that [`OpenVerifier`] accepts.
pub(crate) fn sign(chain: &Chain, round: Round) -> BeaconSignature {
    let mut bytes = [7; 48];
    bytes[..32].copy_from_slice(chain.chain_hash.as_bytes());
    bytes[32..40].copy_from_slice(&round.number().to_be_bytes());
    BeaconSignature::new(bytes)
}

pub(crate) struct Kit {
    pub(crate) entropy: SeededEntropy,
    pub(crate) seeds: FakeSeeds,
    pub(crate) sealer: NamedSealer,
    pub(crate) claim_key: ClaimKey,
    pub(crate) code_key: CodeKey,
    pub(crate) chain: Option<Chain>,
    pub(crate) schedule: Schedule,
    pub(crate) production: bool,
    pub(crate) time_zone: Tz,
}

impl Kit {
    /// In development and without a beacon.
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            entropy: SeededEntropy::new(seed),
            seeds: FakeSeeds::new(seed + 1_000),
            sealer: NamedSealer("own"),
            claim_key: ClaimKey::new(&[7; 32]).unwrap(),
            code_key: CodeKey::new(&[7; 32]).unwrap(),
            chain: None,
            schedule: Schedule::Manual,
            production: false,
            time_zone: Tz::UTC,
        }
    }

    /// With a beacon whose round is an hour after the announcement.
    pub(crate) fn with_beacon(seed: u64) -> Self {
        Self {
            chain: Some(chain()),
            ..Self::new(seed)
        }
    }

    pub(crate) fn tools(&self) -> DrawingTools<'_> {
        DrawingTools {
            entropy: &self.entropy,
            seeds: &self.seeds,
            sealer: &self.sealer,
            claims: ClaimNotices {
                key: &self.claim_key,
                earlier: &[],
                sealer: &self.sealer,
                public_origin: "https://example.org",
                site_name: "Tombola",
            },
            time_zone: self.time_zone,
            schedule: self.schedule,
            beacon: self.chain.as_ref(),
            delay: TimeDelta::hours(1),
            production: self.production,
        }
    }

    /// How codes are sent.
    pub(crate) fn codes<'a>(&'a self, countries: &'a SmsCountries) -> CodeTools<'a> {
        CodeTools {
            entropy: &self.entropy,
            key: &self.code_key,
            sealer: &self.sealer,
            site_name: "Tombola",
            host: "example.org",
            countries,
            limits: true,
            daily_budget: DailyBudget::new(10_000),
        }
    }

    pub(crate) fn perform<S: Store>(
        &self,
        store: &S,
        request: &PerformDrawing,
    ) -> Result<Performed, PerformError> {
        add_rules(store);
        usecases::drawings::perform(store, self.tools(), request)
    }

    /// Takes every step that is due.
    pub(crate) fn advance<S: Store>(&self, store: &S) -> Advanced {
        add_rules(store);
        usecases::drawings::advance(store, self.tools()).unwrap()
    }

    /// Draws with the announced round.
    pub(crate) fn draw<S: Store>(&self, store: &S, state: &DrawingState) -> Result<DrawingState, DrawError> {
        let round = state.announcement.step.round.unwrap();
        let signature = sign(self.chain.as_ref().unwrap(), round);
        let brought = BroughtRound { round, signature };
        usecases::drawings::draw(
            store,
            self.tools(),
            &OpenVerifier,
            state.id,
            brought,
            Bringer::Server,
        )
    }

    /// A drawing of this month that is announced and due, after `change`.
    pub(crate) fn announce_by_hand<S: Store>(
        &self,
        store: &S,
        change: impl Fn(&mut Plan, &mut Announced),
    ) -> DrawingState {
        let secrets = Secrets {
            seed: self.seeds.new_seed(),
            salt_key: SaltKey::new([5; 32]),
        };
        let rules = add_rules(store);
        let id = store
            .transaction::<_, StoreError>(|tx| {
                tx.begin_drawing()?;
                let now = tx.database_time()?;
                let (mut plan, mut step) = (self.plan(&secrets, now), self.announced(now));
                let version = tx.version_in_force(RAFFLE, now)?;
                plan.prize = DrawingPrize::of_version(&version.ok_or(StoreError::Conflict)?);
                change(&mut plan, &mut step);
                let id = tx.reserve_drawing_id()?;
                tx.add_plan(id, &plan)?;
                let replaced = plan.replaces.and_then(|void| tx.find_state(void).ok()??.list());
                let entry = log(tx, announced_entry(id, &plan, &step, replaced, rules))?;
                tx.add_announcement(id, &Logged { step, entry })?;
                Ok(id)
            })
            .unwrap();
        find(store, id)
    }

    fn plan(&self, secrets: &Secrets, now: DateTime<Utc>) -> Plan {
        let context = format!("drawing seed of {RAFFLE}");
        Plan {
            raffle: RAFFLE,
            period: month_of(now),
            kind: DrawingKind::Regular,
            reason: Some("a reason".to_owned()),
            prize: DrawingPrize::own(Prize {
                name: "A prize".to_owned(),
                value: "$1".to_owned(),
            }),
            replaces: None,
            cut_off: None,
            beacon: self.tools().beacon_choice(),
            commitment: secrets.seed.commitment(),
            seed_source: SeedSource::Os,
            sealed_secrets: Sealer::<Secrets>::seal(&self.sealer, &context, &secrets.to_bytes()),
            request: None,
            session: Some(7),
            member: Some(8),
            at: now,
        }
    }

    fn announced(&self, now: DateTime<Utc>) -> Announced {
        let round_at = now + TimeDelta::hours(1);
        let chain = self.chain.as_ref();
        Announced {
            number: 1,
            round: chain.map(|chain| chain.first_round_at_or_after(round_at)),
            round_at: chain.map(|_| round_at),
            seal_due_at: now,
            seal_before: chain.map(|_| now + TimeDelta::minutes(45)),
        }
    }
}

/// The official rules, which every announcement names. They are stored now if there are none.
pub(crate) fn add_rules<S: Store>(store: &S) -> RulesStamp {
    let newest = || store.read(|tx| tx.newest_rules()).unwrap();
    if newest().is_none() {
        let long_ago = Period::new(2000, 1).unwrap();
        let rules = Rules::after(None, "Be fair.", long_ago, noon()).unwrap();
        store.transaction(|tx| tx.add_rules(&rules)).unwrap();
    }
    newest().unwrap().head.stamp
}

pub(crate) fn month_of(moment: DateTime<Utc>) -> Period {
    usecases::drawings::calendar::period_at(moment, Tz::UTC).unwrap()
}

fn announced_entry(
    id: DrawingId,
    plan: &Plan,
    step: &Announced,
    replaces: Option<Replaced>,
    rules: RulesStamp,
) -> NewLogEntry {
    let announcement = Announcement {
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
    };
    NewLogEntry {
        action: LogAction::DrawingAnnounced,
        drawing: Some(id),
        details: announcement.details(),
        random_seed: None,
        participant_count: None,
        verification_hash: None,
        session: plan.session,
        at: plan.at,
    }
}

/// Adds an entry to the log.
pub(crate) fn log<T: DrawingLog>(tx: &mut T, entry: NewLogEntry) -> Result<LogEntry, StoreError> {
    let entry = LogEntry::after(tx.last_log_entry()?, entry);
    tx.add_log_entry(&entry)?;
    Ok(entry)
}

/// Adds a seal with made-up values to an announced drawing.
pub(crate) fn seal_by_hand<T>(tx: &mut T, state: &DrawingState) -> Result<(), StoreError>
where
    T: DrawingSteps + DrawingLog + CutOffs,
{
    let at = tx.database_time()?;
    let seed = Seed::new([3; 32]);
    let step = Sealed {
        salt_key: SaltKey::new([5; 32]),
        seed,
        root: Hash::ZERO,
        weights_hash: Hash::ZERO,
        participants: 1,
        entries: 1,
        cut_off: at,
    };
    let entry = log(
        tx,
        NewLogEntry {
            action: LogAction::DrawingSealed,
            drawing: Some(state.id),
            details: "{}".to_owned(),
            random_seed: Some(seed),
            participant_count: Some(1),
            verification_hash: None,
            session: None,
            at,
        },
    )?;
    tx.add_seal(state.id, &Logged { step, entry })
}

/// A request for a drawing without a reason.
pub(crate) fn request(key: Option<&str>) -> PerformDrawing {
    PerformDrawing {
        actor: staff_actor(),
        second: SecondPerson::NotNeeded,
        raffle: RAFFLE,
        reason: None,
        prize: None,
        idempotency_key: key.map(|key| IdempotencyKey::parse(key).unwrap()),
    }
}

/// A request for an additional drawing.
pub(crate) fn additional(reason: &str) -> PerformDrawing {
    PerformDrawing {
        reason: Some(reason.to_owned()),
        ..request(None)
    }
}

pub(crate) fn performed<S: Store>(store: &S, kit: &Kit, request: &PerformDrawing) -> DrawingState {
    match kit.perform(store, request).unwrap() {
        Performed::Drawn(state) | Performed::Waiting(state) => state,
    }
}

/// A drawing that is drawn at once.
pub(crate) fn drawn<S: Store>(store: &S, kit: &Kit) -> DrawingState {
    let state = performed(store, kit, &request(None));
    assert_eq!(state.status, DrawingStatus::Drawn);
    state
}

/// A drawing that is sealed and waits for its round.
pub(crate) fn waiting<S: Store>(store: &S, kit: &Kit) -> DrawingState {
    let state = performed(store, kit, &request(None));
    assert_eq!(state.status, DrawingStatus::Sealed);
    state
}

pub(crate) fn find<S: Store>(store: &S, id: DrawingId) -> DrawingState {
    usecases::drawings::find_state(store, id).unwrap().unwrap()
}

pub(crate) fn whole_log<S: Store>(store: &S) -> Vec<LogEntry> {
    store.read(|tx| tx.list_log(0, 1_000)).unwrap()
}

pub(crate) fn log_actions<S: Store>(store: &S) -> Vec<&'static str> {
    whole_log(store)
        .iter()
        .map(|entry| entry.entry.action.as_str())
        .collect()
}

pub(crate) fn now<S: Store>(store: &S) -> DateTime<Utc> {
    store.read::<_, StoreError>(|tx| tx.database_time()).unwrap()
}

/// An entrant and so many friends, who all entered the raffle.
pub(crate) fn entered_with_friends<S: Store>(store: &S, n: u32, friends: u32) -> Entrant {
    let entropy = SeededEntropy::new(n.into());
    let entered = usecases::entering::enter(
        store,
        &crate::support::Noon,
        &entropy,
        &command(phone(n), None),
        None,
    );
    let entrant = entered.unwrap().entrant;
    for friend in 1..=friends {
        entered_through(store, n + friend, &entrant.referral_code);
    }
    entrant
}

/// Adds so many entrants to the raffle in one transaction.
pub(crate) fn many_entrants<S: Store>(store: &S, count: u32) {
    let add_entrants = |tx: &mut S::Tx| {
        (0..count).try_for_each(|n| {
            let mut new = new_entrant(n, &distinct_code(n));
            new.raffle = RAFFLE;
            tx.add_entrant(&new).map(drop)
        })
    };
    store.transaction::<_, StoreError>(add_entrants).unwrap();
}

fn distinct_code(mut n: u32) -> String {
    const LETTERS: &[u8] = b"CDFGHJKMNP";
    let mut text = String::new();
    for _ in 0..8 {
        text.push(char::from(LETTERS[(n % 10) as usize]));
        n /= 10;
    }
    code(&text).to_string()
}

/// What the rules say can be won in the raffle in which the tests enter; nothing once that is over.
pub(crate) fn promised<S: Store>(store: &S, kit: &Kit) -> Option<PromisedPrize> {
    let times = DrawingTimes {
        schedule: kit.schedule,
        zone: kit.time_zone,
    };
    let rules = usecases::rules::current(store, times).unwrap();
    let mut prizes = rules.prizes.into_iter();
    prizes.find(|promised| promised.raffle.key == RAFFLE)
}
