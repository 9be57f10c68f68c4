use crate::Store;
use crate::audit_chain::chain;
use crate::support::{Noon, at_once, noon};
use chrono::TimeDelta;
use fakes::{PlainSealer, SeededEntropy};
use kernel::{PageRequest, StaffName, StoreError, UniqueKey};
use staff::audit_chain::AuditHash;
use staff::{
    Account, Accounts, Action, Actor, AdminSession, AdminSessions, AttemptId, AttemptLimit, AttemptSubject,
    AuditEntry, AuditFilter, AuditLog, CodeFailures, Detail, Invitation, InvitationToken, LoginAttempts,
    MemberId, MemberState, NewAdminSession, NewAuditEntry, Reservation, Role, SESSION_IDLE, SESSION_LIFE,
    SecondFactor, SessionId, TotpStep,
};
use std::net::IpAddr;
use strum::IntoEnumIterator;
use usecases::accounts::{AccountError, InvitationLink, first_owner, keep_environment_account};
use usecases::second_factor::StaffTools;

fn member<S: Store>(store: &S, name: &str) -> MemberId {
    store.transaction(|tx| tx.add_account(&account(name))).unwrap()
}

fn session(member: MemberId, n: u8) -> NewAdminSession {
    NewAdminSession {
        member,
        token_hash: [n; 32],
        password_tag: [9; 32],
        address: Some([192, 0, 2, n].into()),
        user_agent: Some("Test".to_owned()),
        code_given_at: None,
        created_at: noon(),
        expires_at: noon() + SESSION_LIFE,
    }
}

fn open<S: Store>(store: &S, member: MemberId, n: u8) -> SessionId {
    store
        .transaction(|tx| tx.open_session(&session(member, n)))
        .unwrap()
}

fn find<S: Store>(store: &S, n: u8, after: TimeDelta) -> Option<AdminSession> {
    let found = store.read(|tx| tx.find_session(&[n; 32], noon() + after));
    found.unwrap().map(|(session, account)| {
        let expected = store.read(|tx| tx.find_account(session.member)).unwrap();
        assert_eq!(Some(account), expected);
        session
    })
}

fn found<S: Store>(store: &S, n: u8, after: TimeDelta) -> Option<SessionId> {
    find(store, n, after).map(|session| session.id)
}

pub fn a_session_is_found_until_it_ends<S: Store>(store: &S) {
    let anna = member(store, "anna");
    let (one, other) = (open(store, anna, 1), open(store, anna, 2));
    assert_ne!(one, other);
    let last = SESSION_IDLE - TimeDelta::seconds(1);
    assert_eq!(found(store, 1, TimeDelta::zero()), Some(one));
    assert_eq!(found(store, 2, last), Some(other));
    assert_eq!(found(store, 2, SESSION_IDLE), None);
    assert_eq!(found(store, 3, TimeDelta::zero()), None);
    for hours in 1..12 {
        let at = noon() + TimeDelta::hours(hours);
        store.transaction(|tx| tx.touch_session(other, at)).unwrap();
    }
    assert_eq!(found(store, 2, SESSION_LIFE - TimeDelta::seconds(1)), Some(other));
    assert_eq!(found(store, 2, SESSION_LIFE), None);
}

pub fn a_session_reads_back<S: Store>(store: &S) {
    let anna = member(store, "anna");
    let id = open(store, anna, 1);
    let minute = TimeDelta::minutes(1);
    store
        .transaction(|tx| {
            tx.touch_session(id, noon() + minute * 2)?;
            tx.note_code(id, noon() + minute)
        })
        .unwrap();
    let expected = AdminSession {
        id,
        member: anna,
        password_tag: [9; 32],
        address: Some([192, 0, 2, 1].into()),
        user_agent: Some("Test".to_owned()),
        code_given_at: Some(noon() + minute),
        created_at: noon(),
        last_used_at: noon() + minute * 2,
        expires_at: noon() + SESSION_LIFE,
    };
    assert_eq!(find(store, 1, minute), Some(expected));
}

pub fn a_closed_session_is_not_found<S: Store>(store: &S) {
    let anna = member(store, "anna");
    let (_, other) = (open(store, anna, 1), open(store, anna, 2));
    let close = || store.transaction(|tx| tx.close_session(&[1; 32])).unwrap();
    assert!(close());
    assert!(!close());
    let now = TimeDelta::zero();
    assert_eq!((found(store, 1, now), found(store, 2, now)), (None, Some(other)));
    assert!(
        open(store, anna, 1) > other,
        "ids are not reused, because the audit log refers to them"
    );
}

pub fn sessions_are_listed_and_closed_by_member<S: Store>(store: &S) {
    let (anna, ben) = (member(store, "anna"), member(store, "ben"));
    let (one, two, other) = (open(store, anna, 1), open(store, anna, 2), open(store, ben, 3));
    let list = |member, after| {
        let listed = store.read(|tx| tx.list_sessions(member, noon() + after));
        listed
            .unwrap()
            .iter()
            .map(|session| session.id)
            .collect::<Vec<_>>()
    };
    let now = TimeDelta::zero();
    assert_eq!(list(anna, now), [two, one]);
    assert_eq!(list(anna, SESSION_IDLE), []);
    let close = |member, session| {
        store
            .transaction(|tx| tx.close_session_of(member, session))
            .unwrap()
    };
    assert!(!close(anna, other), "somebody else's");
    assert!(close(anna, one));
    assert!(!close(anna, one));
    assert_eq!((list(anna, now), list(ben, now)), (vec![two], vec![other]));
    open(store, anna, 4);
    let closed = store.transaction(|tx| tx.close_sessions_of(anna)).unwrap();
    assert_eq!(
        (closed, list(anna, now), list(ben, now)),
        (2, vec![], vec![other])
    );
}

pub fn session_tokens_are_unique<S: Store>(store: &S) {
    let anna = member(store, "anna");
    open(store, anna, 1);
    let error = store
        .transaction(|tx| tx.open_session(&session(anna, 1)))
        .unwrap_err();
    assert!(
        matches!(error, StoreError::Duplicate(UniqueKey::SessionToken)),
        "{error:?}"
    );
}

pub fn ended_sessions_are_deleted<S: Store>(store: &S) {
    let anna = member(store, "anna");
    open(store, anna, 1);
    let kept = open(store, anna, 2);
    store
        .transaction(|tx| tx.touch_session(kept, noon() + TimeDelta::hours(1)))
        .unwrap();
    let forget = |after| {
        store
            .transaction(|tx| tx.forget_ended_sessions(noon() + after))
            .unwrap()
    };
    assert_eq!((forget(SESSION_IDLE), forget(SESSION_IDLE)), (1, 0));
    let now = TimeDelta::zero();
    assert_eq!((found(store, 1, now), found(store, 2, now)), (None, Some(kept)));
    assert_eq!(forget(SESSION_LIFE), 1);
}

fn account(name: &str) -> Account {
    let name = StaffName::parse(name).unwrap();
    Account::new(name, Role::Owner, MemberState::Active, noon())
}

pub fn an_account_reads_back<S: Store>(store: &S) {
    let mut written = account("Anna");
    written.password = Some("$argon2id$v=19$".to_owned());
    written.invitation = Some(Invitation {
        token_hash: [3; 32],
        expires_at: noon() + TimeDelta::hours(72),
    });
    written.set_second_factor(Some(SecondFactor {
        sealed_secret: vec![1, 2, 3],
        confirmed: true,
        last_step: Some(TotpStep::new(58_000_000)),
    }));
    written.code_failures = CodeFailures {
        count: 3,
        since: Some(noon()),
        locked_until: Some(noon() + TimeDelta::minutes(15)),
    };
    written.active_since = Some(noon());
    written.last_sign_in_at = Some(noon() + TimeDelta::minutes(1));
    written.member.id = store.transaction(|tx| tx.add_account(&written)).unwrap();
    let id = written.member.id;
    let read = |tx: &S::Tx| {
        Ok::<_, StoreError>([
            tx.find_account(id)?,
            tx.find_account_by_name(&StaffName::parse("ANNA").unwrap())?,
            tx.find_account_by_invitation(&[3; 32])?,
        ])
    };
    let found = store.read(read).unwrap();
    assert_eq!(
        found,
        [const { None::<Account> }; 3].map(|_| Some(written.clone()))
    );

    let mut changed = account("Anna");
    changed.member.id = id;
    changed.member.role = Role::Viewer;
    changed.member.state = MemberState::Disabled;
    store
        .transaction(|tx| {
            let locked = tx.lock_account(id)?;
            assert_eq!(locked.as_ref(), Some(&written));
            tx.save_account(&changed)
        })
        .unwrap();
    assert_eq!(
        store.read(|tx| tx.list_accounts()).unwrap(),
        std::slice::from_ref(&changed)
    );
    let by_invitation = store.read(|tx| tx.find_account_by_invitation(&[3; 32]));
    assert_eq!(by_invitation.unwrap(), None);
}

pub fn names_of_accounts_are_unique_in_any_case<S: Store>(store: &S) {
    member(store, "Anna");
    let ben = member(store, "ben");
    let is_taken = |result: Result<MemberId, StoreError>| {
        matches!(result, Err(StoreError::Duplicate(UniqueKey::StaffName)))
    };
    assert!(is_taken(store.transaction(|tx| tx.add_account(&account("aNNA")))));
    assert!(is_taken(store.transaction(|tx| {
        let mut renamed = account("anna");
        renamed.member.id = ben;
        tx.save_account(&renamed).map(|()| ben)
    })));
    let all = store.transaction(|tx| tx.lock_accounts()).unwrap();
    let names: Vec<_> = all.iter().map(|account| account.member.name.as_str()).collect();
    assert_eq!(names, ["anna", "ben"]);
}

pub fn servers_that_start_at_once_keep_one_environment_account<S: Store>(store: &S) {
    let admin = StaffName::parse("admin").unwrap();
    let started = at_once(8, |_| keep_environment_account(store, &Noon, Some(&admin)));
    assert!(started.iter().all(Result::is_ok), "{started:?}");
    let accounts = store.read(|tx| tx.list_accounts()).unwrap();
    assert_eq!(accounts.len(), 1);
    assert!(accounts[0].member.environment);
    let anna = StaffName::parse("anna").unwrap();
    member(store, "anna");
    let taken = keep_environment_account(store, &Noon, Some(&anna));
    assert!(matches!(taken, Err(AccountError::NameTaken)), "{taken:?}");
}

pub fn servers_that_start_at_once_invite_one_first_owner<S: Store>(store: &S) {
    let links = at_once(8, |n| first_owner_link(store, n));
    let accounts = store.read(|tx| tx.list_accounts()).unwrap();
    assert_eq!(accounts.len(), 1);
    let stored = accounts[0].invitation.as_ref().unwrap();
    let works = |link: &&InvitationLink| InvitationToken::hash_of(link.token.as_str()) == stored.token_hash;
    assert_eq!(links.iter().flatten().filter(works).count(), 1);
    assert_eq!(stored.expires_at, noon() + TimeDelta::hours(24));
}

pub fn nobody_is_a_first_owner_beside_another_account<S: Store>(store: &S) {
    let admin = StaffName::parse("admin").unwrap();
    assert!(first_owner_link(store, 1).is_some());
    // The administrator of the environment takes the place of an owner who has not come yet.
    keep_environment_account(store, &Noon, Some(&admin)).unwrap();
    let accounts = store.read(|tx| tx.list_accounts()).unwrap();
    assert_eq!(accounts.len(), 1);
    assert!(accounts[0].member.environment && accounts[0].is_active_owner());
    assert_eq!(accounts[0].invitation, None);
    assert!(first_owner_link(store, 2).is_none());
    keep_environment_account(store, &Noon, None).unwrap();
    assert!(
        first_owner_link(store, 3).is_none(),
        "there is an account, though it is disabled"
    );
}

/// What a start of a server makes, with random bytes of its own.
fn first_owner_link<S: Store>(store: &S, n: u32) -> Option<InvitationLink> {
    let tools = StaffTools {
        clock: &Noon,
        entropy: &SeededEntropy::new(n.into()),
        sealer: &PlainSealer::default(),
        totp_required: false,
        environment_password: None,
    };
    first_owner(store, &tools).unwrap()
}

pub fn a_recovery_code_is_taken_once<S: Store>(store: &S) {
    let (anna, ben) = (member(store, "anna"), member(store, "ben"));
    let replace = |member, codes: &[[u8; 32]]| {
        store
            .transaction(|tx| tx.replace_recovery_codes(member, codes))
            .unwrap();
    };
    let take = |member, n| {
        store
            .transaction(|tx| tx.take_recovery_code(member, &[n; 32]))
            .unwrap()
    };
    let count = |member| store.read(|tx| tx.count_recovery_codes(member)).unwrap();
    replace(anna, &[[1; 32], [2; 32]]);
    replace(ben, &[[1; 32]]);
    assert_eq!(
        (take(anna, 1), take(anna, 1), take(anna, 3)),
        (true, false, false)
    );
    assert_eq!((count(anna), count(ben)), (1, 1));
    replace(anna, &[[4; 32]]);
    assert_eq!(
        (take(anna, 2), take(anna, 4), count(anna), count(ben)),
        (false, true, 0, 1)
    );
}

pub fn one_of_twenty_takes_a_recovery_code<S: Store>(store: &S) {
    let anna = member(store, "anna");
    store
        .transaction(|tx| tx.replace_recovery_codes(anna, &[[1; 32]]))
        .unwrap();
    let taken = at_once(20, |_| {
        store
            .transaction(|tx| tx.take_recovery_code(anna, &[1; 32]))
            .unwrap()
    });
    assert_eq!(taken.into_iter().filter(|taken| *taken).count(), 1);
}

fn address(last: u8) -> AttemptSubject {
    AttemptSubject::Address([192, 0, 2, last].into())
}

fn reserve<S: Store>(store: &S, subject: AttemptSubject, after: TimeDelta) -> Reservation {
    let now = noon() + after;
    store
        .transaction(|tx| tx.reserve_attempt(subject, AttemptLimit::SIGN_IN, now))
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
        assert!(granted(reserve(store, address(1), minutes(n))).is_some());
    }
    let refused = |after| Reservation::Refused {
        until: noon() + after,
    };
    assert_eq!(reserve(store, address(1), minutes(5)), refused(minutes(15)));
    let almost = minutes(15) - TimeDelta::seconds(1);
    assert_eq!(reserve(store, address(1), almost), refused(minutes(15)));
    assert!(granted(reserve(store, address(2), minutes(5))).is_some());
    assert!(granted(reserve(store, address(1), minutes(15))).is_some());
    assert_eq!(reserve(store, address(1), minutes(15)), refused(minutes(16)));
}

pub fn an_account_that_failed_often_takes_one_attempt_a_minute<S: Store>(store: &S) {
    let reserve = |subject, after| {
        let limit = AttemptLimit::ACCOUNT;
        let reserved = store.transaction(|tx| tx.reserve_attempt(subject, limit, noon() + after));
        granted(reserved.unwrap()).is_some()
    };
    let (anna, seconds) = (AttemptSubject::account("anna"), TimeDelta::seconds);
    assert!((0..10).all(|_| reserve(anna, seconds(0))));
    assert!(!reserve(anna, seconds(59)));
    assert!(reserve(anna, seconds(60)));
    assert!(!reserve(anna, seconds(61)));
    assert!(reserve(AttemptSubject::account("ben"), seconds(61)));
    assert!(reserve(AttemptSubject::browser("anna"), seconds(61)));
}

pub fn a_forgotten_attempt_does_not_count<S: Store>(store: &S) {
    let first = granted(reserve(store, address(1), TimeDelta::zero())).unwrap();
    for _ in 0..4 {
        reserve(store, address(1), TimeDelta::minutes(1));
    }
    store.transaction(|tx| tx.forget_attempt(first)).unwrap();
    assert!(granted(reserve(store, address(1), TimeDelta::minutes(2))).is_some());
    assert!(granted(reserve(store, address(1), TimeDelta::minutes(2))).is_none());
}

pub fn five_of_twenty_concurrent_attempts_are_granted<S: Store>(store: &S) {
    let network: IpAddr = [0x2001, 0xdb8, 0, 0, 0, 0, 0, 0].into();
    for subject in [AttemptSubject::Address(network), AttemptSubject::browser("1")] {
        let reservations = at_once(20, |_| reserve(store, subject, TimeDelta::zero()));
        let ids: std::collections::HashSet<_> = reservations.into_iter().filter_map(granted).collect();
        assert_eq!(ids.len(), 5);
    }
}

pub fn old_attempts_are_deleted<S: Store>(store: &S) {
    reserve(store, address(1), TimeDelta::zero());
    reserve(store, AttemptSubject::account("anna"), TimeDelta::minutes(1));
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
            member: None,
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
        actor: Actor {
            member: Some(MemberId::new(4)),
            ..entry(Action::FlagUser, 1).actor
        },
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
                member: None,
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
        member: Some(MemberId::new(4)),
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
        member: None,
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

pub fn the_audit_log_is_a_chain<S: Store>(store: &S) {
    let (none, verified) = chain(store);
    assert_eq!(
        (none, verified.unwrap().end().hash),
        (Vec::new(), AuditHash::ZERO)
    );
    let noted = entry(Action::FlagUser, 1)
        .target(4711)
        .text("reason", "three accounts, \"one\" kitchen")
        .text("notes", "a\tb\u{e9}\u{1f600}\\")
        .number("flagged", -3)
        .text("a", "");
    let mut counted = entry(Action::FraudDetection, 2).number("flagged", i64::MAX);
    counted.at += TimeDelta::microseconds(7);
    counted.actor.member = Some(MemberId::new(4));
    counted.actor.address = Some([192, 0, 2, 7].into());
    let mut bare = entry(Action::Logout, 3);
    bare.actor.address = None;
    let ids: Vec<_> = [noted, counted, bare, entry(Action::Login, 4)]
        .iter()
        .map(|new| record(store, new))
        .collect();
    let (entries, verified) = chain(store);
    let read: Vec<_> = entries.iter().map(|entry| entry.id).collect();
    assert_eq!(read, ids);
    let check = verified.unwrap();
    assert_eq!((check.end().position, check.erased()), (4, 0));
    assert_eq!(Some(check.end().hash), entries[3].hash);
    let members: Vec<_> = entries.iter().map(|entry| entry.member).collect();
    assert_eq!(members, [None, Some(4), None, None]);
    assert!(entries[0].note.is_some() && !entries[0].details.contains("kitchen"));
    assert!(entries[1].note.is_none() && entries[1].note_salt.is_none());
}

pub fn ids_of_the_chain_have_no_gaps<S: Store>(store: &S) {
    let first = record(store, &entry(Action::Login, 0));
    let refused: Result<(), StoreError> = store.transaction(|tx| {
        tx.record_audit(&entry(Action::ClearAnalytics, 1))?;
        Err(StoreError::Conflict)
    });
    assert!(refused.is_err());
    assert_eq!(record(store, &entry(Action::Logout, 2)), first + 1);
    assert!(chain(store).1.is_ok());
}

pub fn concurrent_entries_make_one_chain<S: Store>(store: &S) {
    at_once(40, |n| {
        let entry = entry(Action::FlagUser, n as i64).target(n);
        let added = match n % 4 {
            // Such transactions conflict and run again.
            0 => store.serializable(|tx| tx.record_audit(&entry).map(drop)),
            1 => store.transaction(|tx| {
                tx.record_audit(&entry)?;
                tx.record_audit(&entry).map(drop)
            }),
            _ => store.transaction(|tx| tx.record_audit(&entry).map(drop)),
        };
        match added {
            Ok(()) => {}
            // It gave up: then nothing of it is in the chain.
            Err(error) => assert!(matches!(error, StoreError::Conflict), "{error}"),
        }
    });
    let (entries, verified) = chain(store);
    assert!(verified.is_ok(), "{verified:?}");
    assert!(entries.len() >= 40, "{}", entries.len());
}

pub fn a_changed_setting_of_a_start_is_recorded_once<S: Store>(store: &S) {
    let start = |two: &str| {
        let settings = [
            ("STAFF_TOTP", "required".to_owned()),
            ("TWO_PERSON", two.to_owned()),
        ];
        usecases::start_settings::record(store, &Noon, &settings).unwrap();
    };
    let recorded = || {
        let filter = AuditFilter {
            action: Some(Action::ChangeStartSetting),
            ..AuditFilter::default()
        };
        let page = PageRequest::default();
        store.read(|tx| tx.list_audit(&filter, page)).unwrap()
    };
    at_once(6, |_| start("on"));
    assert_eq!(recorded().len(), 0, "the first start finds nothing changed");
    at_once(6, |_| start("off"));
    let entries = recorded();
    assert_eq!(entries.len(), 1, "{entries:?}");
    assert_eq!(entries[0].target.as_deref(), Some("TWO_PERSON"));
    let text = |name: &str, value: &str| (name.to_owned(), Detail::Text(value.to_owned()));
    let details = &entries[0].details;
    assert!(
        details.contains(&text("before", "on")) && details.contains(&text("after", "off")),
        "{details:?}"
    );
    start("on");
    assert_eq!(recorded().len(), 2);
}
