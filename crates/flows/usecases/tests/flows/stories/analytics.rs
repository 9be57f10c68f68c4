//! Visits become a funnel and figures. Start here to learn what `crates/domain/analytics` is for.
//!
//! Browsers report what visitors do (`usecases::collection`), entering reports the sign-up, and staff read the figures
//! (`usecases::analytics`). The store is in memory. `crates/testing/contracts` holds PostgreSQL to the same rules.

use analytics::{
    Event, Funnel, FunnelFilter, NewStep, NewView, PageName, Place, StepData, StepFigures, StepName,
    ViewOrigin, recognize,
};
use chrono::TimeDelta;
use chrono_tz::Tz;
use fakes::{FixedClock, MemStore, SeededEntropy};
use kernel::{Clock, Origin, Phone, ReferralCode, Session};
use raffle::fixtures::GARDEN_BAG;
use raffle::{RaffleKey, SignUp};
use std::collections::BTreeMap;

const RAFFLE: RaffleKey = GARDEN_BAG;
const CHROME: &str = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) \
                      Chrome/126.0.0.0 Safari/537.36";
/// From how many accounts on an address is suspicious.
const SUSPICIOUS: u32 = 5;

/// A site that nobody has visited yet.
#[derive(Default)]
struct Site {
    store: MemStore,
    clock: FixedClock,
    entropy: SeededEntropy,
}

fn session(id: &str) -> Session {
    Session::parse(id).unwrap()
}

/// A view of the raffle's page. `time_spent` is in milliseconds.
fn view(id: &str, code: Option<&ReferralCode>, time_spent: Option<i32>) -> Event {
    Event::View(NewView {
        visitor: ViewOrigin {
            session: session(id),
            origin: Origin::default(),
            fingerprint: None,
            browser: recognize(Some(CHROME)),
            place: Place::default(),
        },
        page: PageName::from(RAFFLE),
        referral_code: code.cloned(),
        sms_tracking_id: None,
        time_spent,
        at: FixedClock::default().now(),
    })
}

/// A step that only the browser sees, a second after the view.
fn step(id: &str, step: StepName) -> Event {
    Event::Step(NewStep {
        session: session(id),
        raffle: Some(RAFFLE),
        step,
        entrant: None,
        data: StepData::default(),
        time_spent: None,
        at: FixedClock::default().now() + TimeDelta::seconds(1),
    })
}

impl Site {
    fn collect(&self, events: &[Event]) {
        usecases::collection::collect(&self.store, events).unwrap();
    }

    /// The visitor of this session enters, two seconds after the view.
    fn enter(&self, id: &str, phone: &str, code: Option<&ReferralCode>) -> ReferralCode {
        let command = SignUp {
            phone: Phone::parse(phone).unwrap(),
            raffle: Some(RAFFLE),
            referral_code: code.cloned(),
            event_id: None,
            consent: None,
            origin: Origin::default(),
            fingerprint: None,
            session: Some(session(id)),
        };
        let clock = FixedClock::at(self.clock.now() + TimeDelta::seconds(2));
        let entered = usecases::entering::enter(&self.store, &clock, &self.entropy, &command, None).unwrap();
        entered.entrant.referral_code
    }

    fn funnel(&self) -> Funnel {
        usecases::analytics::funnel(&self.store, Tz::UTC, &FunnelFilter::default()).unwrap()
    }

    /// Three visitors: one looks, one starts the form, and one enters and shares the code.
    fn three_visits(&self) -> ReferralCode {
        self.collect(&[
            view("looks", None, None),
            view("starts", None, None),
            step("starts", StepName::FormStart),
            view("enters", None, None),
            step("enters", StepName::FormStart),
        ]);
        self.enter("enters", "555-123-4567", None)
    }
}

/// Pairs of a step and its figures: how many sessions took it, and for how many it was the last.
fn steps<const N: usize>(figures: [(StepName, i64, i64); N]) -> BTreeMap<StepName, StepFigures> {
    let with_figures = |(step, count, exits)| (step, StepFigures { count, exits });
    figures.into_iter().map(with_figures).collect()
}

#[test]
fn visits_become_a_funnel() {
    let site = Site::default();
    site.three_visits();
    let funnel = site.funnel();
    assert_eq!(funnel.sessions, 3);
    assert_eq!(
        funnel.steps,
        steps([
            (StepName::PageView, 3, 1),
            (StepName::FormStart, 2, 1),
            (StepName::SignUp, 1, 1)
        ])
    );
}

#[test]
fn what_is_reported_twice_counts_once() {
    let site = Site::default();
    site.three_visits();
    let before = site.funnel();
    site.collect(&[view("looks", None, None), step("starts", StepName::FormStart)]);
    assert_eq!(site.funnel(), before);

    // Time is added to the view that is there.
    site.collect(&[view("looks", None, Some(1_500)), view("looks", None, Some(4_500))]);
    let after = site.funnel();
    assert_eq!((after.sessions, after.time_spent), (3, 6_000));
    assert_eq!(after.average_seconds(), 2.0);
}

#[test]
fn the_dashboard_adds_up() {
    let site = Site::default();
    let code = site.three_visits();

    // A friend opens the shared link and enters.
    site.collect(&[view("friend", Some(&code), None)]);
    site.enter("friend", "555-765-4321", Some(&code));

    let dashboard = usecases::analytics::dashboard(&site.store, Tz::UTC, SUSPICIOUS).unwrap();
    assert_eq!((dashboard.total_page_views, dashboard.total_users()), (4, 2));
    assert_eq!(dashboard.conversion_rate(), 50.0);
    assert_eq!(
        (dashboard.total_referrals(), dashboard.average_referrals()),
        (1, 0.5)
    );
    let brought = dashboard
        .referral_funnel
        .iter()
        .find(|row| row.referral_code == code)
        .unwrap();
    assert_eq!((brought.views, brought.referrals), (1, 1));
}

#[test]
fn the_figures_equal_a_recount() {
    let site = Site::default();
    site.three_visits();
    usecases::rollups::fold(&site.store, Tz::UTC).unwrap();
    let folded = site.funnel();
    assert_eq!(
        usecases::rollups::verify(&site.store, Tz::UTC).unwrap(),
        Vec::<String>::new(),
        "no roll-up differs from a recount"
    );
    usecases::rollups::rebuild(&site.store, Tz::UTC).unwrap();
    assert_eq!(site.funnel(), folded, "counting everything again changes nothing");
}
