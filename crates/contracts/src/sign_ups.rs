//! A sign-up in one statement and step by step.

use crate::Store;
use crate::support::{
    Noon, SeededEntropy, assert_balanced, at_once, command, enter, entered, ledger_of, messages_to,
    new_entrant, noon, phone,
};
use analytics::Session;
use kernel::{EntrantId, Origin, PageRequest, ReferralCode, StoreError, UniqueKey, UnitOfWork};
use raffle::{Entrant, Entrants, NewEntrant};
use referral::Referrals;
use sign_up::{Outcome, SignUp, SignUps, add};
use sms::{Consent, ConsentAct, Consents};

fn sign_up(n: u32) -> SignUp {
    let code = referral::new_code(&SeededEntropy::new(u64::from(n) + 80_000));
    SignUp {
        entrant: NewEntrant {
            origin: Origin {
                address: Some([192, 0, 2, 7].into()),
                user_agent: Some("Test".to_owned()),
            },
            ..new_entrant(n, code.as_str())
        },
        friend_code: None,
        consent: None,
        session: None,
    }
}

/// The ids that the statement returns, sorted.
fn in_one_statement<S: Store>(store: &S, sign_ups: &[SignUp]) -> Result<Vec<EntrantId>, StoreError> {
    let mut stored = store.statement(|tx| tx.sign_up(sign_ups))?;
    stored.sort_unstable();
    Ok(stored)
}

fn ids(sign_ups: &[SignUp]) -> Vec<EntrantId> {
    sign_ups.iter().map(|sign_up| sign_up.entrant.id).collect()
}

fn in_steps<S: Store>(store: &S, sign_up: &SignUp) -> Result<Outcome, StoreError> {
    store.transaction(|tx| add(tx, sign_up))
}

/// What the ports tell of a sign-up, without what has to differ.
fn stored<S: Store>(store: &S, sign_up: &SignUp) -> String {
    let id = sign_up.entrant.id;
    let read = |tx: &S::Tx| {
        assert_eq!(tx.find_entrant(id)?, Some(sign_up.added()));
        let (salt, tag) = tx.find_person(id)?.unwrap();
        assert_eq!(
            (salt, tag),
            (Some(sign_up.entrant.person_salt), sign_up.entrant.person_tag())
        );
        let rows = ledger_of(tx, id)?;
        let ledger: Vec<_> = rows.into_iter().map(|row| (row.kind, row.delta)).collect();
        let texts = messages_to(tx, id)?.into_iter().map(|text| {
            let content = text.content;
            (
                content.kind,
                content.body.is_some(),
                content.at,
                text.due_at,
                text.status,
            )
        });
        let texts: Vec<_> = texts.collect();
        Ok::<_, StoreError>(format!("{ledger:?} {texts:?} {}", tx.has_campaign_consent(id)?))
    };
    store.read(read).unwrap()
}

/// A sign-up of every kind, through this friend or through nobody.
fn kinds(first: u32, friend: &ReferralCode) -> Vec<SignUp> {
    let consent = |granted| {
        Some(Consent {
            granted,
            act: ConsentAct::Form,
        })
    };
    let mut kinds = Vec::new();
    for friend_code in [None, Some(friend.clone())] {
        for consent in [None, consent(true), consent(false)] {
            for session in [None, Some("one"), Some("two")] {
                let n = first + kinds.len() as u32;
                kinds.push(SignUp {
                    friend_code: friend_code.clone(),
                    consent,
                    session: session.map(|name| Session::parse(name).unwrap()),
                    ..sign_up(n)
                });
            }
        }
    }
    kinds
}

pub fn one_statement_stores_what_the_steps_store<S: Store>(store: &S) {
    let referrer = entered(store, 1);
    let together = kinds(100, &referrer.referral_code);
    assert_eq!(in_one_statement(store, &together).unwrap(), ids(&together));
    let apart = kinds(200, &referrer.referral_code);
    for (one, other) in together.iter().zip(&apart) {
        assert_eq!(in_steps(store, other).unwrap(), Outcome::Added);
        assert_eq!(stored(store, one), stored(store, other));
    }
    let found = store.read(|tx| tx.find_entrant(referrer.id)).unwrap().unwrap();
    assert_eq!(found.entries.bonus, 18);
    let friends = store.read(|tx| tx.list_referrals(referrer.id, PageRequest::default()));
    assert!(friends.unwrap().iter().all(|friend| friend.created_at == noon()));
    assert_balanced(store);
}

pub fn one_statement_leaves_out_whom_it_cannot_add<S: Store>(store: &S) {
    let first = sign_up(1);
    let stranger = sign_up(9);
    let again = SignUp {
        friend_code: Some(first.entrant.referral_code.clone()),
        entrant: NewEntrant {
            phone: phone(1),
            ..sign_up(2).entrant
        },
        ..sign_up(2)
    };
    let unknown = SignUp {
        friend_code: Some(stranger.entrant.referral_code),
        ..sign_up(3)
    };
    let last = sign_up(4);
    let together = [first.clone(), again.clone(), unknown.clone(), last.clone()];
    assert_eq!(
        in_one_statement(store, &together).unwrap(),
        ids(&[first.clone(), last])
    );
    assert_eq!(in_steps(store, &again).unwrap(), Outcome::NumberTaken);
    assert_eq!(in_steps(store, &unknown).unwrap(), Outcome::UnknownReferralCode);
    assert_eq!(
        store.read(|tx| tx.find_entrant_by_phone(&phone(3))).unwrap(),
        None
    );
    let texts = store.read(|tx| messages_to(tx, first.entrant.id));
    assert_eq!(texts.unwrap().len(), 1);
    assert_balanced(store);
}

pub fn one_statement_that_is_repeated_changes_nothing<S: Store>(store: &S) {
    let referrer = entered(store, 1);
    let together = kinds(100, &referrer.referral_code);
    for _ in 0..2 {
        assert_eq!(in_one_statement(store, &together).unwrap(), ids(&together));
    }
    let found = store.read(|tx| tx.find_entrant(referrer.id)).unwrap().unwrap();
    assert_eq!(found.entries.bonus, 9);
    for sign_up in &together {
        let texts = store.read(|tx| messages_to(tx, sign_up.entrant.id));
        assert_eq!(texts.unwrap().len(), 1);
    }
    assert_balanced(store);
}

pub fn one_statement_reports_what_is_taken<S: Store>(store: &S) {
    let first = sign_up(1);
    in_one_statement(store, std::slice::from_ref(&first)).unwrap();
    let mut same_code = sign_up(2);
    same_code.entrant.referral_code = first.entrant.referral_code.clone();
    let error = in_one_statement(store, &[sign_up(3), same_code]).unwrap_err();
    assert!(
        matches!(error, StoreError::Duplicate(UniqueKey::ReferralCode)),
        "{error:?}"
    );
    let mut same_id = sign_up(2);
    same_id.entrant.id = first.entrant.id;
    let error = in_one_statement(store, &[same_id, sign_up(3)]).unwrap_err();
    assert!(
        matches!(error, StoreError::Duplicate(UniqueKey::EntrantId)),
        "{error:?}"
    );
    for n in [2, 3] {
        assert_eq!(
            store.read(|tx| tx.find_entrant_by_phone(&phone(n))).unwrap(),
            None
        );
    }
}

/// Statements with the same numbers and the same friends in different orders, all at once.
pub fn statements_that_cross_add_each_number_once<S: Store>(store: &S) {
    let friends = [entered(store, 1), entered(store, 2), entered(store, 3)];
    let batches = at_once(8, |thread| {
        let entropy = SeededEntropy::new(u64::from(thread) + 90_000);
        let mut batch: Vec<_> = (100..120)
            .map(|n| SignUp {
                friend_code: Some(friends[(n + thread) as usize % 3].referral_code.clone()),
                entrant: NewEntrant {
                    id: EntrantId::random(&entropy),
                    referral_code: referral::new_code(&entropy),
                    ..new_entrant(n, "CDFG3467")
                },
                ..sign_up(n)
            })
            .collect();
        batch.rotate_left(thread as usize);
        in_one_statement(store, &batch).unwrap().len()
    });
    assert_eq!(batches.iter().sum::<usize>(), 20);
    let bonus = |entrant: &Entrant| {
        let found = store.read(|tx| tx.find_entrant(entrant.id)).unwrap();
        found.unwrap().entries.bonus
    };
    assert_eq!(friends.iter().map(bonus).sum::<i64>(), 20);
    assert_balanced(store);
}

/// Runs each statement twice: as if the connection had been lost after the first one was committed.
#[derive(Clone)]
struct Repeating<S>(S);

impl<S: UnitOfWork> UnitOfWork for Repeating<S> {
    type Tx = S::Tx;

    fn transaction<T, E: From<StoreError>>(
        &self,
        work: impl FnMut(&mut S::Tx) -> Result<T, E>,
    ) -> Result<T, E> {
        self.0.transaction(work)
    }

    fn statement<T, E: From<StoreError>>(
        &self,
        mut work: impl FnMut(&mut S::Tx) -> Result<T, E>,
    ) -> Result<T, E> {
        self.0.statement(&mut work)?;
        self.0.statement(work)
    }

    fn serializable<T, E: From<StoreError>>(
        &self,
        work: impl FnMut(&mut S::Tx) -> Result<T, E>,
    ) -> Result<T, E> {
        self.0.serializable(work)
    }

    fn snapshot<T, E: From<StoreError>>(&self, work: impl FnMut(&S::Tx) -> Result<T, E>) -> Result<T, E> {
        self.0.snapshot(work)
    }

    fn read<T, E: From<StoreError>>(&self, work: impl FnMut(&S::Tx) -> Result<T, E>) -> Result<T, E> {
        self.0.read(work)
    }
}

pub fn a_sign_up_whose_answer_got_lost_is_new<S: Store>(store: &S) {
    let store = Repeating(store.clone());
    let referrer = enter(&store, &SeededEntropy::new(1), phone(1), None).unwrap();
    assert!(referrer.is_new);
    let code = referrer.entrant.referral_code;
    let friend = enter(&store, &SeededEntropy::new(2), phone(2), Some(&code)).unwrap();
    assert!(friend.is_new);
    let texts = store.read(|tx| messages_to(tx, friend.entrant.id));
    assert_eq!(texts.unwrap().len(), 1);
    let again = usecases::entering::enter(&store, &Noon, &SeededEntropy::new(3), &command(phone(2), None));
    assert!(!again.unwrap().is_new);
    let found = store
        .read(|tx| tx.find_entrant(referrer.entrant.id))
        .unwrap()
        .unwrap();
    assert_eq!(found.entries.bonus, 1);
}
