//! Signing in, on the fakes. The rules of the store are tested in `contracts`, those of each role and code in `web`.

use chrono::{DateTime, TimeDelta, Utc};
use fakes::{FixedClock, MemStore, PlainSealer, SeededEntropy};
use kernel::{Clock, Origin, PageRequest, StaffName, StoreError, UnitOfWork};
use staff::{
    Action, AdminSessions, AttemptId, AttemptLimit, AttemptSubject, AuditFilter, AuditLog, LoginAttempts,
    MemberId, Permission, Role, SESSION_LIFE, TotpStep,
};
use std::net::{IpAddr, Ipv4Addr};
use usecases::accounts::{self, AccountError, CodeCommand};
use usecases::second_factor::StaffTools;
use usecases::sessions::{self, AccessError, AccessRequest, AttemptError, Caller, SignInCommand, SignedIn};

const HOME: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7));
const TAG: [u8; 32] = [7; 32];

fn noon() -> DateTime<Utc> {
    FixedClock::default().now()
}

fn clock_after(after: TimeDelta) -> FixedClock {
    FixedClock::at(noon() + after)
}

/// A site whose environment names anna.
struct Site {
    store: MemStore,
    entropy: SeededEntropy,
    sealer: PlainSealer,
    anna: MemberId,
}

impl Site {
    fn new() -> Self {
        let store = MemStore::default();
        let anna = StaffName::parse("anna").unwrap();
        accounts::keep_environment_account(&store, &clock_after(TimeDelta::zero()), Some(&anna)).unwrap();
        let anna = sessions::find_account(&store, &anna).unwrap().unwrap().member.id;
        Self {
            store,
            entropy: SeededEntropy::default(),
            sealer: PlainSealer::default(),
            anna,
        }
    }

    fn with_tools<T>(&self, after: TimeDelta, work: impl FnOnce(&StaffTools<'_>) -> T) -> T {
        let clock = clock_after(after);
        work(&StaffTools {
            clock: &clock,
            entropy: &self.entropy,
            sealer: &self.sealer,
            totp_required: false,
            environment_password: Some(TAG),
        })
    }

    fn command(&self, token: u8, attempts: Vec<AttemptId>, after: TimeDelta) -> SignInCommand {
        SignInCommand {
            account: self.anna,
            password_tag: TAG,
            attempts,
            code: None,
            token: [token; 32],
            expires_at: noon() + after + SESSION_LIFE,
            origin: Origin {
                address: Some(HOME),
                user_agent: Some("Test".to_owned()),
            },
            at: noon() + after,
        }
    }

    fn sign_in(&self, command: &SignInCommand) -> Result<SignedIn, StoreError> {
        self.with_tools(TimeDelta::zero(), |tools| {
            sessions::sign_in(&self.store, tools, command)
        })
    }

    fn authorize(&self, token: u8, permission: Permission, after: TimeDelta) -> Result<Caller, AccessError> {
        let request = AccessRequest {
            token: [token; 32],
            address: Some(HOME),
            permission,
            code: None,
        };
        self.with_tools(after, |tools| sessions::authorize(&self.store, tools, &request))
    }

    fn reserve(&self, after: TimeDelta) -> Result<Vec<AttemptId>, AttemptError> {
        let subject = (AttemptSubject::Address(HOME), AttemptLimit::SIGN_IN);
        sessions::reserve_attempts(&self.store, &clock_after(after), &[subject])
    }

    fn actions(&self) -> Vec<Action> {
        let all = AuditFilter::default();
        let listed = self.store.read(|tx| tx.list_audit(&all, PageRequest::default()));
        listed.unwrap().iter().rev().map(|entry| entry.action).collect()
    }
}

#[test]
fn signing_in_opens_a_session_and_is_recorded() {
    let site = Site::new();
    let command = site.command(1, Vec::new(), TimeDelta::zero());
    let SignedIn::Open(session) = site.sign_in(&command).unwrap() else {
        panic!("not open");
    };
    let caller = site
        .authorize(1, Permission::ManageStaff, TimeDelta::zero())
        .unwrap();
    assert_eq!(
        (caller.actor.session, caller.actor.member),
        (session, Some(site.anna))
    );
    assert_eq!((caller.member.role, caller.stepped_up), (Role::Owner, true));
    let entries = site
        .store
        .read(|tx| tx.list_audit(&AuditFilter::default(), PageRequest::default()))
        .unwrap();
    assert_eq!((entries.len(), entries[0].action), (1, Action::Login));
    assert_eq!((entries[0].session, entries[0].address), (session, Some(HOME)));
}

#[test]
fn a_session_is_not_opened_if_something_fails() {
    let site = Site::new();
    let command = site.command(1, Vec::new(), TimeDelta::zero());
    site.sign_in(&command).unwrap();
    let again = site.sign_in(&command);
    assert!(matches!(again, Err(StoreError::Duplicate(_))), "{again:?}");
    assert_eq!(site.actions(), [Action::Login]);
}

#[test]
fn a_password_that_was_changed_while_it_was_checked_opens_nothing() {
    let site = Site::new();
    let command = SignInCommand {
        password_tag: [8; 32],
        ..site.command(1, Vec::new(), TimeDelta::zero())
    };
    assert_eq!(site.sign_in(&command).unwrap(), SignedIn::Refused);
    assert_eq!(site.actions(), [Action::LoginFailed]);
}

#[test]
fn signing_out_ends_the_session_and_is_recorded_once() {
    let site = Site::new();
    site.sign_in(&site.command(1, Vec::new(), TimeDelta::zero()))
        .unwrap();
    let actor = site
        .authorize(1, Permission::OwnAccount, TimeDelta::zero())
        .unwrap()
        .actor;
    for _ in 0..2 {
        sessions::sign_out(&site.store, &clock_after(TimeDelta::hours(1)), actor, &[1; 32]).unwrap();
    }
    let found = site.authorize(1, Permission::OwnAccount, TimeDelta::hours(1));
    assert!(matches!(found, Err(AccessError::NoSession)), "{found:?}");
    assert_eq!(site.actions(), [Action::Login, Action::Logout]);
}

#[test]
fn another_password_of_the_environment_ends_sessions() {
    let site = Site::new();
    site.sign_in(&site.command(1, Vec::new(), TimeDelta::zero()))
        .unwrap();
    let request = AccessRequest {
        token: [1; 32],
        address: None,
        permission: Permission::OwnAccount,
        code: None,
    };
    let found = site.with_tools(TimeDelta::zero(), |tools| {
        let changed = StaffTools {
            environment_password: Some([8; 32]),
            ..*tools
        };
        sessions::authorize(&site.store, &changed, &request)
    });
    assert!(matches!(found, Err(AccessError::NoSession)), "{found:?}");
}

#[test]
fn a_failure_counts_and_a_success_does_not() {
    let site = Site::new();
    for _ in 0..4 {
        site.reserve(TimeDelta::zero()).unwrap();
    }
    for token in 0..3 {
        let attempts = site.reserve(TimeDelta::zero()).unwrap();
        site.sign_in(&site.command(token, attempts, TimeDelta::zero()))
            .unwrap();
    }
    let fifth = site.reserve(TimeDelta::minutes(5)).unwrap();
    let sixth = site.reserve(TimeDelta::minutes(6));
    assert!(
        matches!(sixth, Err(AttemptError::TooMany { wait }) if wait == TimeDelta::minutes(9)),
        "{sixth:?}"
    );
    sessions::take_back_attempts(&site.store, &fifth).unwrap();
    assert!(site.reserve(TimeDelta::minutes(6)).is_ok());
}

#[test]
fn an_attempt_that_one_subject_refuses_counts_for_none() {
    let site = Site::new();
    let of = |subject| (subject, AttemptLimit::SIGN_IN);
    let (address, browser) = (AttemptSubject::Address(HOME), AttemptSubject::browser("1"));
    let reserve =
        |subjects: &[_]| sessions::reserve_attempts(&site.store, &clock_after(TimeDelta::zero()), subjects);
    for _ in 0..5 {
        reserve(&[of(browser)]).unwrap();
    }
    for _ in 0..9 {
        assert!(reserve(&[of(address), of(browser)]).is_err());
    }
    assert!((0..5).all(|_| reserve(&[of(address)]).is_ok()));
    assert!(reserve(&[of(address)]).is_err());
}

#[test]
fn signing_in_deletes_ended_sessions() {
    let site = Site::new();
    for (token, hours) in [(1, 0), (2, 1), (3, 3)] {
        site.sign_in(&site.command(token, Vec::new(), TimeDelta::hours(hours)))
            .unwrap();
    }
    let left = site
        .store
        .transaction(|tx| tx.forget_ended_sessions(noon() + TimeDelta::days(9)));
    assert_eq!(left.unwrap(), 1);
    assert_eq!(
        site.actions().len(),
        3,
        "the log keeps what was done in sessions that are gone"
    );
}

#[test]
fn attempts_are_kept_for_a_day_after_failures_too() {
    let site = Site::new();
    let day = TimeDelta::days(1);
    for after in [TimeDelta::zero(), TimeDelta::hours(3), day + TimeDelta::hours(1)] {
        site.reserve(after).unwrap();
    }
    let left = site
        .store
        .transaction(|tx| tx.forget_attempts_before(noon() + day * 9));
    assert_eq!(left.unwrap(), 2);
}

#[test]
fn the_environments_account_follows_the_environment() {
    let site = Site::new();
    let keep = |name: Option<&str>| {
        let name = name.map(|name| StaffName::parse(name).unwrap());
        accounts::keep_environment_account(&site.store, &clock_after(TimeDelta::zero()), name.as_ref())
    };
    let shown = || {
        let account = accounts::find(&site.store, site.anna).unwrap().0;
        (
            account.member.name.as_str().to_owned(),
            account.member.state.as_str(),
        )
    };
    site.sign_in(&site.command(1, Vec::new(), TimeDelta::zero()))
        .unwrap();
    keep(None).unwrap();
    assert_eq!(shown(), ("anna".to_owned(), "disabled"));
    assert!(
        site.authorize(1, Permission::OwnAccount, TimeDelta::zero())
            .is_err()
    );
    keep(Some("berta")).unwrap();
    assert_eq!(shown(), ("berta".to_owned(), "active"));
    let actor = site_actor();
    site.with_tools(TimeDelta::zero(), |tools| {
        let ben = StaffName::parse("ben").unwrap();
        accounts::invite(&site.store, tools, actor, &ben, Role::Viewer).unwrap();
    });
    assert!(matches!(keep(Some("ben")), Err(AccountError::NameTaken)));
}

fn site_actor() -> staff::Actor {
    staff::Actor {
        member: None,
        session: staff::SessionId::new(1),
        address: None,
    }
}

#[test]
fn the_operator_resets_a_second_factor_and_sessions_end() {
    let site = Site::new();
    site.sign_in(&site.command(1, Vec::new(), TimeDelta::zero()))
        .unwrap();
    let actor = site
        .authorize(1, Permission::OwnAccount, TimeDelta::zero())
        .unwrap()
        .actor;
    let code = |steps: i64| {
        let secret = site.with_tools(TimeDelta::zero(), |tools| {
            accounts::begin_totp(&site.store, tools, site.anna).unwrap()
        });
        secret
            .code(TotpStep::new(TotpStep::at(noon()).get() + steps))
            .to_string()
    };
    let code = code(0);
    let codes = site.with_tools(TimeDelta::zero(), |tools| {
        let command = CodeCommand {
            actor,
            member: site.anna,
            code: &code,
        };
        accounts::confirm_totp(&site.store, tools, command).unwrap()
    });
    assert_eq!(codes.len(), 10);
    assert_eq!(
        site.sign_in(&site.command(2, Vec::new(), TimeDelta::zero()))
            .unwrap(),
        SignedIn::CodeNeeded
    );
    let anna = StaffName::parse("Anna").unwrap();
    let clock = clock_after(TimeDelta::zero());
    accounts::reset_totp(&site.store, &clock, &anna).unwrap();
    assert!(
        site.authorize(1, Permission::OwnAccount, TimeDelta::zero())
            .is_err()
    );
    assert_eq!(
        accounts::find(&site.store, site.anna).unwrap().1,
        0,
        "recovery codes"
    );
    let twice = accounts::reset_totp(&site.store, &clock, &anna);
    assert!(matches!(twice, Err(AccountError::NoSecondFactor)), "{twice:?}");
    assert!(matches!(
        site.sign_in(&site.command(3, Vec::new(), TimeDelta::zero())),
        Ok(SignedIn::Open(_))
    ));
}
