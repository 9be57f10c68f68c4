use crate::Store;
use crate::support::{at_once, noon};
use chrono::TimeDelta;
use kernel::{PageRequest, StoreError, UniqueKey};
use staff::{
    Action, Actor, AdminSessions, AttemptId, AttemptLimit, AuditEntry, AuditFilter, AuditLog, Detail,
    LoginAttempts, NewAdminSession, NewAuditEntry, Reservation, SESSION_LIFE, SessionId,
};
use std::net::IpAddr;
use strum::IntoEnumIterator;

fn session(n: u8) -> NewAdminSession {
    NewAdminSession {
        token_hash: [n; 32],
        address: Some([192, 0, 2, n].into()),
        user_agent: Some("Test".to_owned()),
        created_at: noon(),
        expires_at: noon() + SESSION_LIFE,
    }
}

fn open<S: Store>(store: &S, n: u8) -> SessionId {
    store.transaction(|tx| tx.open_session(&session(n))).unwrap()
}

pub fn a_session_is_found_until_it_expires<S: Store>(store: &S) {
    let (one, other) = (open(store, 1), open(store, 2));
    assert_ne!(one, other);
    let find = |n: u8, after| {
        store
            .read(|tx| tx.find_session(&[n; 32], noon() + after))
            .unwrap()
    };
    assert_eq!(find(1, TimeDelta::zero()), Some(one));
    assert_eq!(find(2, SESSION_LIFE - TimeDelta::seconds(1)), Some(other));
    assert_eq!(find(2, SESSION_LIFE), None);
    assert_eq!(find(3, TimeDelta::zero()), None);
}

pub fn a_closed_session_is_not_found<S: Store>(store: &S) {
    let (_, other) = (open(store, 1), open(store, 2));
    let close = || store.transaction(|tx| tx.close_session(&[1; 32])).unwrap();
    assert!(close());
    assert!(!close());
    let find = |n: u8| store.read(|tx| tx.find_session(&[n; 32], noon())).unwrap();
    assert_eq!((find(1), find(2)), (None, Some(other)));
    assert!(
        open(store, 1) > other,
        "ids are not reused, because the audit log refers to them"
    );
}

pub fn session_tokens_are_unique<S: Store>(store: &S) {
    open(store, 1);
    let error = store.transaction(|tx| tx.open_session(&session(1))).unwrap_err();
    assert!(
        matches!(error, StoreError::Duplicate(UniqueKey::SessionToken)),
        "{error:?}"
    );
}

pub fn expired_sessions_are_deleted<S: Store>(store: &S) {
    open(store, 1);
    let long = NewAdminSession {
        expires_at: noon() + SESSION_LIFE * 2,
        ..session(2)
    };
    let kept = store.transaction(|tx| tx.open_session(&long)).unwrap();
    let forget = || {
        store
            .transaction(|tx| tx.forget_expired_sessions(noon() + SESSION_LIFE))
            .unwrap()
    };
    assert_eq!((forget(), forget()), (1, 0));
    assert_eq!(store.read(|tx| tx.find_session(&[1; 32], noon())).unwrap(), None);
    assert_eq!(
        store.read(|tx| tx.find_session(&[2; 32], noon())).unwrap(),
        Some(kept)
    );
}

fn reserve<S: Store>(store: &S, subscriber: impl Into<IpAddr>, after: TimeDelta) -> Reservation {
    let (subscriber, now) = (subscriber.into(), noon() + after);
    store
        .transaction(|tx| tx.reserve_attempt(subscriber, AttemptLimit::SIGN_IN, now))
        .unwrap()
}

fn granted(reservation: Reservation) -> Option<AttemptId> {
    match reservation {
        Reservation::Granted(id) => Some(id),
        Reservation::Refused { .. } => None,
    }
}

pub fn the_sixth_attempt_is_refused_until_the_oldest_expires<S: Store>(store: &S) {
    let minutes = TimeDelta::minutes;
    for n in 0..5 {
        assert!(granted(reserve(store, [192, 0, 2, 1], minutes(n))).is_some());
    }
    let refused = Reservation::Refused { oldest: noon() };
    assert_eq!(reserve(store, [192, 0, 2, 1], minutes(5)), refused);
    let almost = minutes(15) - TimeDelta::seconds(1);
    assert_eq!(reserve(store, [192, 0, 2, 1], almost), refused);
    assert!(granted(reserve(store, [192, 0, 2, 2], minutes(5))).is_some());
    assert!(granted(reserve(store, [192, 0, 2, 1], minutes(15))).is_some());
    let next = Reservation::Refused {
        oldest: noon() + minutes(1),
    };
    assert_eq!(reserve(store, [192, 0, 2, 1], minutes(15)), next);
}

pub fn a_forgotten_attempt_does_not_count<S: Store>(store: &S) {
    let first = granted(reserve(store, [192, 0, 2, 1], TimeDelta::zero())).unwrap();
    for _ in 0..4 {
        reserve(store, [192, 0, 2, 1], TimeDelta::minutes(1));
    }
    store.transaction(|tx| tx.forget_attempt(first)).unwrap();
    assert!(granted(reserve(store, [192, 0, 2, 1], TimeDelta::minutes(2))).is_some());
    assert!(granted(reserve(store, [192, 0, 2, 1], TimeDelta::minutes(2))).is_none());
}

pub fn five_of_twenty_concurrent_attempts_are_granted<S: Store>(store: &S) {
    let subscriber: IpAddr = [0x2001, 0xdb8, 0, 0, 0, 0, 0, 0].into();
    let reservations = at_once(20, |_| reserve(store, subscriber, TimeDelta::zero()));
    let ids: std::collections::HashSet<_> = reservations.into_iter().filter_map(granted).collect();
    assert_eq!(ids.len(), 5);
}

pub fn old_attempts_are_deleted<S: Store>(store: &S) {
    reserve(store, [192, 0, 2, 1], TimeDelta::zero());
    reserve(store, [192, 0, 2, 1], TimeDelta::minutes(1));
    let forget = |after| {
        store
            .transaction(|tx| tx.forget_attempts_before(noon() + after))
            .unwrap()
    };
    assert_eq!(forget(TimeDelta::zero()), 0);
    assert_eq!(forget(TimeDelta::minutes(1)), 1);
    assert_eq!(forget(TimeDelta::days(1)), 1);
}

fn entry(action: Action, minutes: i64) -> NewAuditEntry {
    NewAuditEntry {
        actor: Actor {
            session: SessionId::new(7),
            address: Some("2001:db8::1".parse().unwrap()),
        },
        action,
        target: None,
        details: Vec::new(),
        at: noon() + TimeDelta::minutes(minutes),
    }
}

fn record<S: Store>(store: &S, entry: &NewAuditEntry) -> i64 {
    store.transaction(|tx| tx.record_audit(entry)).unwrap()
}

pub fn an_audit_entry_reads_back<S: Store>(store: &S) {
    let new = NewAuditEntry {
        target: Some("4711".to_owned()),
        details: vec![
            (
                "reason",
                Detail::Text("three accounts, \"one\" kitchen".to_owned()),
            ),
            ("flagged", Detail::Number(i64::MAX)),
        ],
        ..entry(Action::FlagUser, 1)
    };
    let id = record(store, &new);
    let bare = record(
        store,
        &NewAuditEntry {
            actor: Actor {
                session: SessionId::new(8),
                address: None,
            },
            ..entry(Action::Logout, 2)
        },
    );
    let entries = store
        .read(|tx| tx.list_audit(&AuditFilter::default(), PageRequest::default()))
        .unwrap();
    let flag = AuditEntry {
        id,
        session: SessionId::new(7),
        action: Action::FlagUser,
        target: new.target.clone(),
        details: new
            .details
            .iter()
            .rev()
            .map(|(name, detail)| ((*name).to_owned(), detail.clone()))
            .collect(),
        address: new.actor.address,
        created_at: new.at,
    };
    let logout = AuditEntry {
        id: bare,
        session: SessionId::new(8),
        action: Action::Logout,
        target: None,
        details: Vec::new(),
        address: None,
        created_at: noon() + TimeDelta::minutes(2),
    };
    assert_eq!(entries, [logout, flag]);
}

pub fn every_action_can_be_recorded<S: Store>(store: &S) {
    for (n, action) in Action::iter().enumerate() {
        record(store, &entry(action, n as i64));
    }
    let entries = store
        .read(|tx| tx.list_audit(&AuditFilter::default(), PageRequest::default()))
        .unwrap();
    let actions: Vec<_> = entries.iter().rev().map(|entry| entry.action).collect();
    assert_eq!(actions, Action::iter().collect::<Vec<_>>());
}

pub fn the_audit_log_is_listed_newest_first_with_filters_in_pages<S: Store>(store: &S) {
    let ids: Vec<_> = (0..10)
        .map(|n| {
            let action = if n % 2 == 0 {
                Action::FlagUser
            } else {
                Action::UnflagUser
            };
            record(store, &entry(action, n))
        })
        .collect();
    let ask = |filter: AuditFilter, limit, offset| {
        let page = PageRequest { limit, offset };
        store
            .read(|tx| {
                let listed = tx.list_audit(&filter, page)?;
                Ok::<_, StoreError>((listed, tx.count_audit(&filter)?))
            })
            .map(|(listed, count)| (listed.iter().map(|entry| entry.id).collect::<Vec<_>>(), count))
            .unwrap()
    };
    let all = AuditFilter::default();
    assert_eq!(ask(all, 2, 0), (vec![ids[9], ids[8]], 10));
    assert_eq!(ask(all, 2, 9), (vec![ids[0]], 10));
    assert_eq!(ask(all, 2, 10), (vec![], 10));
    let flags = AuditFilter {
        action: Some(Action::FlagUser),
        ..all
    };
    assert_eq!(
        ask(flags, 500, 0),
        (vec![ids[8], ids[6], ids[4], ids[2], ids[0]], 5)
    );
    let middle = AuditFilter {
        from: Some(noon() + TimeDelta::minutes(3)),
        until: Some(noon() + TimeDelta::minutes(6)),
        ..all
    };
    assert_eq!(ask(middle, 500, 0), (vec![ids[5], ids[4], ids[3]], 3));
    let older = AuditFilter {
        before: Some(ids[5]),
        ..middle
    };
    assert_eq!(ask(older, 500, 0), (vec![ids[4], ids[3]], 2));
    let both = AuditFilter {
        action: Some(Action::FlagUser),
        ..middle
    };
    assert_eq!(ask(both, 500, 0), (vec![ids[4]], 1));
}

pub fn a_rolled_back_entry_is_not_in_the_audit_log<S: Store>(store: &S) {
    let refused: Result<(), StoreError> = store.transaction(|tx| {
        tx.record_audit(&entry(Action::ClearAnalytics, 0))?;
        Err(StoreError::Conflict)
    });
    assert!(refused.is_err());
    assert_eq!(
        store.read(|tx| tx.count_audit(&AuditFilter::default())).unwrap(),
        0
    );
}
