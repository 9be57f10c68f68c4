use crate::Store;
use crate::support::{assert_balanced, at_once, entered, new_entrant, noon, phone};
use fraud::{Flags, NewFlag, PublicReason};
use kernel::StoreError;
use raffle::Entrants;
use referral::{NewReferral, Referrals};
use sms::{MessageKind, NewMessage, OptOuts, Outbox};
use staff::{Action, Actor, AuditLog, NewAuditEntry, SessionId};

pub fn an_error_rolls_the_transaction_back<S: Store>(store: &S) {
    #[derive(Debug)]
    struct TestError;
    impl From<StoreError> for TestError {
        fn from(error: StoreError) -> Self {
            unreachable!("the store works: {error:?}")
        }
    }
    let add_entrant_and_fail = |tx: &mut S::Tx| -> Result<(), TestError> {
        tx.add_entrant(&new_entrant(1, "CDFG3467"))?;
        Err(TestError)
    };
    assert!(store.transaction(add_entrant_and_fail).is_err());
    assert!(store.serializable(add_entrant_and_fail).is_err());
    assert_eq!(
        store.read(|tx| tx.find_entrant_by_phone(&phone(1))).unwrap(),
        None
    );
}

/// With READ COMMITTED, several threads could each see four rows and insert a fifth.
pub fn a_limit_checked_in_a_serializable_transaction_holds<S: Store>(store: &S) {
    const LIMIT: i64 = 5;
    let referrer = entered(store, 1000).id;
    let friends: Vec<_> = (0..20).map(|n| entered(store, n)).collect();
    at_once(20, |n| {
        let friend = &friends[n as usize];
        let referral = NewReferral {
            referrer,
            referred: friend.id,
            referred_phone: friend.phone.clone(),
            address: None,
            created_at: noon(),
        };
        let credit_below_limit = |tx: &mut S::Tx| {
            let credited = tx.count_referrals(referrer)?.all;
            if credited < LIMIT {
                tx.credit_referral(&referral)?;
            }
            Ok(())
        };
        while let Err(error) = store.serializable(credit_below_limit) {
            assert!(matches!(error, StoreError::Conflict), "{error:?}");
        }
    });
    let entries = store
        .read(|tx| tx.find_entrant(referrer))
        .unwrap()
        .unwrap()
        .entries;
    assert_eq!(entries.bonus, LIMIT);
    assert_balanced(store);
}

pub fn a_read_sees_committed_data<S: Store>(store: &S) {
    let id = store
        .transaction(|tx| tx.add_entrant(&new_entrant(1, "CDFG3467")))
        .unwrap()
        .unwrap();
    let found = store.clone().read(|tx| tx.find_entrant(id)).unwrap();
    assert_eq!(found.unwrap().phone, phone(1));
}

/// No route may get this far: `kernel::StoredText` holds such texts off.
pub fn a_text_with_nul_is_refused<S: Store>(store: &S) {
    let nul = || "a\0b".to_owned();
    let entrant = entered(store, 1).id;
    let actor = Actor {
        member: None,
        session: SessionId::new(1),
        address: None,
    };
    let flag = NewFlag {
        entrant,
        reason: nul(),
        public_reason: PublicReason::Rules,
    };
    let message = NewMessage {
        kind: MessageKind::Test,
        entrant: None,
        phone: phone(1),
        body: Some(nul().into()),
        at: noon(),
    };
    let entry = NewAuditEntry::new(actor, Action::FlagUser, noon());
    let results: [Result<(), StoreError>; 5] = [
        store.transaction(|tx| tx.flag(&flag).map(drop)),
        store.transaction(|tx| tx.queue_message(&message).map(drop)),
        store.transaction(|tx| tx.record_inbound(&nul(), noon()).map(drop)),
        store.transaction(|tx| tx.record_audit(&entry.clone().target(nul())).map(drop)),
        store.transaction(|tx| tx.record_audit(&entry.clone().text("reason", nul())).map(drop)),
    ];
    for result in results {
        assert!(matches!(result, Err(StoreError::Failed(_))), "{result:?}");
    }
}
