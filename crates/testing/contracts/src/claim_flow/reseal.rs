//! Secrets that are encrypted again after the keys have changed.

use super::{Site, details};
use crate::Store;
use crate::support::{Noon, noon, staff_actor};
use ::claims::ClaimDetails;
use fakes::{PlainSealer, SeededEntropy};
use kernel::{Sealer, StaffName, StoreError};
use sms::{Credentials, SmsSettings};
use staff::{
    Account, Accounts, CodeFailures, MemberId, MemberState, Role, SecondFactor, TotpSecret, TotpStep,
};
use usecases::claims::{ClaimTools, winner};
use usecases::credentials;
use usecases::reseal;
use usecases::second_factor::StaffTools;

fn add_member<S: Store>(store: &S, name: &str) -> Account {
    let name = StaffName::parse(name).unwrap();
    let account = Account::new(name, Role::Owner, MemberState::Active, noon());
    let id = store.transaction(|tx| tx.add_account(&account)).unwrap();
    find(store, id)
}

fn find<S: Store>(store: &S, id: MemberId) -> Account {
    store.read(|tx| tx.find_account(id)).unwrap().unwrap()
}

fn give_factor<S: Store>(store: &S, mut account: Account, sealed_secret: Vec<u8>) -> Account {
    account.set_second_factor(Some(SecondFactor {
        sealed_secret,
        confirmed: true,
        last_step: Some(TotpStep::new(7)),
    }));
    account.code_failures = CodeFailures::default().after_wrong(noon());
    let save = |tx: &mut S::Tx| {
        tx.lock_account(account.member.id)?;
        tx.save_account(&account)
    };
    store.transaction::<_, StoreError>(save).unwrap();
    account
}

fn secret_of(account: &Account) -> Vec<u8> {
    account.second_factor.as_ref().unwrap().sealed_secret.clone()
}

/// The second factors, the details and the account of texts read as before, under other bytes. Nothing else has changed.
pub fn secrets_are_encrypted_again_and_read_as_before<S: Store>(store: &S) {
    let sealer = PlainSealer::default();
    let site = Site::new(store, 2);
    let claim = site.verified(1);
    let claims = ClaimTools {
        details: &sealer,
        ..site.tools()
    };
    assert!(winner::submit(store, claims, &site.visitor(0), &details()).is_ok());
    let account =
        Credentials::parse(&format!("AC{}", "1".repeat(32)), &"1".repeat(32), "+15551234567").unwrap();
    credentials::save(store, &Noon, &sealer, staff_actor(), &account).unwrap();
    let anna = add_member(store, "anna");
    let secret = TotpSecret::random(&SeededEntropy::new(5));
    let context = format!("{} {}", TotpSecret::CONTEXT, anna.member.id);
    let sealed = Sealer::<TotpSecret>::seal(&sealer, &context, secret.as_bytes());
    let anna = give_factor(store, anna, sealed);
    let ben = add_member(store, "ben");
    let ben = give_factor(store, ben, b"sealed with a key that was removed".to_vec());
    add_member(store, "carl");
    let before = site.newest();
    let saved = || store.read(|tx| tx.sealed_credentials()).unwrap();
    let saved_before = saved();

    let staff = StaffTools {
        clock: &Noon,
        entropy: &SeededEntropy::new(6),
        sealer: &sealer,
        totp_required: false,
        environment_password: None,
    };
    reseal::all(store, &staff, claims, &sealer).unwrap();

    let after = site.newest();
    assert_ne!(after.sealed_details, before.sealed_details);
    let sealed = after.sealed_details.clone().unwrap();
    assert_eq!(ClaimDetails::open(&sealer, claim, &sealed), Ok(details()));
    let expected = ::claims::Claim {
        sealed_details: after.sealed_details.clone(),
        ..before
    };
    assert_eq!(after, expected);

    assert_ne!(saved(), saved_before);
    let current = credentials::current(store, &sealer, None).unwrap();
    assert_eq!(current.credentials(), Some(account));

    let resealed = find(store, anna.member.id);
    assert_ne!(secret_of(&resealed), secret_of(&anna));
    let opened = Sealer::<TotpSecret>::open(&sealer, &context, &secret_of(&resealed));
    assert_eq!(opened.as_deref(), Some(&secret.as_bytes()[..]));
    let mut expected = anna;
    expected.second_factor.as_mut().unwrap().sealed_secret = secret_of(&resealed);
    assert_eq!(resealed, expected);
    assert_eq!(find(store, ben.member.id), ben, "what nobody can open stays");
}
