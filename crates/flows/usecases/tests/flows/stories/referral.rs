//! A friend enters through a shared link, and the referrer earns an entry. Start here to learn what `crates/domain/referral` is
//! for.
//!
//! The flow is `usecases::entering::enter`; the store is in memory. `crates/testing/contracts` holds PostgreSQL to the same rules.

use fakes::{FixedClock, MemStore, SeededEntropy};
use kernel::{EntrantId, Origin, PageRequest, Phone, ReferralCode, UnitOfWork};
use raffle::fixtures::FRESH_SIPS;
use raffle::{Entrant, SignUp};
use referral::{NewReferral, REWARD, Referrals, referral_link};
use usecases::entering::{EnterError, Entered, enter};

/// A site that nobody has visited yet.
#[derive(Default)]
struct Site {
    store: MemStore,
    clock: FixedClock,
    entropy: SeededEntropy,
}

impl Site {
    fn try_to_enter(&self, phone: &str, code: Option<&ReferralCode>) -> Result<Entered, EnterError> {
        let command = SignUp {
            phone: Phone::parse(phone).unwrap(),
            raffle: Some(FRESH_SIPS),
            referral_code: code.cloned(),
            event_id: None,
            consent: None,
            origin: Origin::default(),
            fingerprint: None,
            session: None,
        };
        enter(&self.store, &self.clock, &self.entropy, &command, None)
    }

    fn enter(&self, phone: &str, code: Option<&ReferralCode>) -> Entrant {
        self.try_to_enter(phone, code).unwrap().entrant
    }

    /// The entries that an entrant earned by referrals.
    fn earned(&self, id: EntrantId) -> i64 {
        usecases::entrants::stats(&self.store, id).unwrap().entries.bonus
    }

    /// The phone numbers of the friends who entered through an entrant's link, newest first.
    fn friends_of(&self, id: EntrantId) -> Vec<Phone> {
        let list = usecases::entrants::list_referrals(&self.store, id, PageRequest::default()).unwrap();
        list.referrals
            .into_iter()
            .filter_map(|referral| referral.referred_phone)
            .collect()
    }
}

const ANN: &str = "555-000-0001";
const BOB: &str = "555-000-0002";
const CLEO: &str = "555-000-0003";

#[test]
fn a_friend_who_enters_through_the_link_earns_the_referrer_one_entry() {
    let site = Site::default();
    let ann = site.enter(ANN, None);

    // Ann shares her link. It ends in her code, in either case.
    let link = referral_link("https://example.org", ann.raffle, &ann.referral_code);
    let end = link.rsplit('/').next().unwrap().to_lowercase();
    let code = ReferralCode::parse(&end).unwrap();
    assert_eq!(code, ann.referral_code);

    let bob = site.enter(BOB, Some(&code));
    assert_eq!((site.earned(ann.id), site.earned(bob.id)), (REWARD, 0));
    assert_eq!(site.friends_of(ann.id), [bob.phone]);
}

#[test]
fn a_friend_is_credited_once_and_to_one_referrer() {
    let site = Site::default();
    let ann = site.enter(ANN, None);
    let bob = site.enter(BOB, None);
    site.enter(CLEO, Some(&ann.referral_code));

    // Cleo enters again, through Ann's link and through Bob's: nothing changes.
    for code in [&ann.referral_code, &bob.referral_code] {
        assert!(!site.try_to_enter(CLEO, Some(code)).unwrap().is_new);
    }
    assert_eq!((site.earned(ann.id), site.earned(bob.id)), (REWARD, 0));
}

#[test]
fn friends_who_refer_each_other_earn_one_entry_for_the_one_who_came_second() {
    let site = Site::default();
    let ann = site.enter(ANN, None);
    let bob = site.enter(BOB, Some(&ann.referral_code));

    // Ann was in before she opened Bob's link, so Bob brought nobody. The same holds for her own link.
    for code in [&bob.referral_code, &ann.referral_code] {
        assert!(!site.try_to_enter(ANN, Some(code)).unwrap().is_new);
    }
    assert_eq!((site.earned(ann.id), site.earned(bob.id)), (REWARD, 0));
}

#[test]
fn an_unknown_code_lets_nobody_in() {
    let site = Site::default();
    let unknown = ReferralCode::parse("CDFG3467").unwrap();
    let refused = site.try_to_enter(ANN, Some(&unknown));
    assert!(matches!(refused, Err(EnterError::UnknownReferralCode)));
    assert_eq!(site.store.count_entrants(), 0);
}

#[test]
fn the_store_itself_credits_a_friend_once() {
    let site = Site::default();
    let (ann, bob) = (site.enter(ANN, None), site.enter(BOB, None));
    let referral = NewReferral {
        referrer: ann.id,
        referred: bob.id,
        referred_phone: bob.phone.clone(),
        address: None,
        created_at: bob.created_at,
    };
    let credit = || site.store.transaction(|tx| tx.credit_referral(&referral));
    assert!(credit().unwrap(), "credited");
    assert!(!credit().unwrap(), "credited before, so nothing changes");
    assert_eq!(site.earned(ann.id), REWARD);
    assert_eq!(site.friends_of(ann.id), [bob.phone]);
}
