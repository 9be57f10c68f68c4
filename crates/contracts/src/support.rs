use chrono::{DateTime, Utc};
use kernel::{Clock, Entropy, LandingPage, Origin, Phone, ReferralCode, UnitOfWork};
use raffle::{Entrant, Entrants, EntryLedger, NewEntrant};
use referral::Referrals;
use sms::Consents;
use staff::{AdminSessions, AuditLog, LoginAttempts};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use usecases::{EnterCommand, EnterError, Entered};

/// A store with all ports that the suites touch.
pub trait Store:
    UnitOfWork<Tx: Entrants + EntryLedger + Referrals + Consents + AdminSessions + LoginAttempts + AuditLog>
{
}
impl<S> Store for S where
    S: UnitOfWork<
        Tx: Entrants + EntryLedger + Referrals + Consents + AdminSessions + LoginAttempts + AuditLog,
    >
{
}

pub(crate) struct Noon;

impl Clock for Noon {
    fn now(&self) -> DateTime<Utc> {
        noon()
    }
}

pub(crate) fn noon() -> DateTime<Utc> {
    DateTime::from_timestamp(1_754_049_600, 0).unwrap()
}

/// SplitMix64: plain, well spread, and shared by threads.
pub(crate) struct Spread(AtomicU64);

impl Spread {
    pub(crate) fn new(seed: u64) -> Self {
        Self(AtomicU64::new(seed))
    }
}

impl Entropy for Spread {
    fn fill(&self, bytes: &mut [u8]) {
        for byte in bytes {
            let mut z = self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            *byte = ((z ^ (z >> 31)) & 0xff) as u8;
        }
    }
}

pub(crate) fn phone(n: u32) -> Phone {
    Phone::from_e164(&format!("+1555{n:07}")).unwrap()
}

pub(crate) fn command(phone: Phone, referral_code: Option<&ReferralCode>) -> EnterCommand {
    EnterCommand {
        phone,
        landing_page: LandingPage::FreshSips,
        referral_code: referral_code.cloned(),
        event_id: None,
        consent: None,
        origin: Origin {
            address: Some([192, 0, 2, 7].into()),
            user_agent: Some("Test".to_owned()),
        },
    }
}

pub(crate) fn enter<S: Store>(
    store: &S,
    entropy: &Spread,
    phone: Phone,
    code: Option<&ReferralCode>,
) -> Result<Entered, EnterError> {
    usecases::enter(store, &Noon, entropy, &command(phone, code))
}

pub(crate) fn entered<S: Store>(store: &S, n: u32) -> Entrant {
    enter(store, &Spread::new(n.into()), phone(n), None)
        .unwrap()
        .entrant
}

pub(crate) fn new_entrant(n: u32, code: &str) -> NewEntrant {
    NewEntrant {
        phone: phone(n),
        referral_code: ReferralCode::parse(code).unwrap(),
        landing_page: LandingPage::KitchenGarden,
        event_id: None,
        origin: Origin::default(),
        created_at: noon(),
    }
}

/// Runs `work` for 0..count on as many threads, and gives what each answered.
pub(crate) fn at_once<T: Send>(count: u32, work: impl Fn(u32) -> T + Sync) -> Vec<T> {
    let gate = std::sync::Barrier::new(count as usize);
    thread::scope(|scope| {
        let (gate, work) = (&gate, &work);
        let run = move |n| {
            gate.wait();
            work(n)
        };
        let threads: Vec<_> = (0..count).map(|n| scope.spawn(move || run(n))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

pub(crate) fn assert_balanced<S: Store>(store: &S) {
    assert_eq!(store.read(|tx| tx.unbalanced_entrants()).unwrap(), []);
}
