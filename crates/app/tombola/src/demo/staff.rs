//! Members of staff of every role and state, and proposals of every status.

use super::demo_actor;
use crate::OsEntropy;
use anyhow::{Context, bail};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{StaffName, StoreError, UnitOfWork};
use secrecy::SecretString;
use staff::{
    Account, Accounts, Actor, ApprovalDecision, ApprovalKind, ApprovalStatus, Approvals, Argument,
    INVITATION_LIFE, InvitationToken, MemberId, MemberState, NewApproval, Proposal, Role,
};
use store_postgres::PgStore;
use web::Argon2Hash;

/// The password of every member who can sign in.
pub(super) const PASSWORD: &str = "tombola demo staff";

/// Two owners, a manager, somebody who supports people, and viewers who were invited and disabled.
const MEMBERS: [(&str, Role, MemberState); 6] = [
    ("nora", Role::Owner, MemberState::Active),
    ("otto", Role::Owner, MemberState::Active),
    ("maria", Role::Manager, MemberState::Active),
    ("sam", Role::Support, MemberState::Active),
    ("vera", Role::Viewer, MemberState::Invited),
    ("dora", Role::Viewer, MemberState::Disabled),
];

/// Returns the manager.
pub(super) fn invite(store: &PgStore, now: DateTime<Utc>) -> anyhow::Result<Actor> {
    let hash = Argon2Hash::of(&SecretString::from(PASSWORD), &OsEntropy).context("cannot hash a password")?;
    let mut members = Vec::new();
    for (name, role, state) in MEMBERS {
        let account = account(name, role, state, hash.as_phc(), now)?;
        members.push(store.transaction::<_, StoreError>(|tx| tx.add_account(&account))?);
    }
    let (nora, otto, maria) = match members.as_slice() {
        [nora, otto, maria, ..] => (nora, otto, maria),
        _ => bail!("the demo lacks members of staff"),
    };
    let decided = |status, days| {
        Some(ApprovalDecision {
            status,
            by: Some(*nora),
            at: now - TimeDelta::days(days) + TimeDelta::hours(2),
        })
    };
    let approved = decided(ApprovalStatus::Approved, 6);
    propose(
        store,
        *otto,
        proposed_invitation("vera", "viewer"),
        now - TimeDelta::days(6),
        approved,
    )?;
    let clearing = proposal(
        ApprovalKind::ClearSms,
        "Delete all campaigns, their messages and the templates.",
    );
    let rejected = decided(ApprovalStatus::Rejected, 4);
    propose(store, *otto, clearing, now - TimeDelta::days(4), rejected)?;
    let failed = decided(ApprovalStatus::Failed, 3);
    propose(
        store,
        *otto,
        proposed_invitation("sam", "manager"),
        now - TimeDelta::days(3),
        failed,
    )?;
    let referrals = proposal(
        ApprovalKind::ClearReferrals,
        "Delete all referrals and take back their entries.",
    );
    propose(store, *nora, referrals, now - TimeDelta::days(2), None)?;
    let campaigns = proposal(
        ApprovalKind::ClearCampaigns,
        "Delete all campaigns and their messages.",
    );
    propose(store, *otto, campaigns, now - TimeDelta::days(16), None)?; // nobody decided it in time
    let packages = proposal(
        ApprovalKind::ShowPackages,
        "Show packages to users and sell them.",
    );
    propose(store, *maria, packages, now - TimeDelta::hours(1), None)?;
    Ok(Actor {
        member: Some(*maria),
        ..demo_actor()
    })
}

fn account(
    name: &str,
    role: Role,
    state: MemberState,
    hash: &str,
    now: DateTime<Utc>,
) -> anyhow::Result<Account> {
    let joined = now - TimeDelta::days(30);
    let name = StaffName::parse(name).context("a name of the demo")?;
    let mut account = Account::new(name, role, state, joined);
    match state {
        MemberState::Active => {
            account.password = Some(hash.to_owned());
            account.active_since = Some(joined);
            account.last_sign_in_at = Some(now - TimeDelta::hours(20));
        }
        MemberState::Invited => {
            account.invitation = Some(InvitationToken::random(&OsEntropy).invitation(now + INVITATION_LIFE));
        }
        MemberState::Disabled => account.password = Some(hash.to_owned()),
    }
    Ok(account)
}

fn proposal(kind: ApprovalKind, summary: &str) -> Proposal {
    Proposal {
        kind,
        target: None,
        summary: summary.to_owned(),
        arguments: Vec::new(),
        note: None,
        sealed: None,
    }
}

fn proposed_invitation(name: &str, role: &str) -> Proposal {
    Proposal {
        arguments: vec![Argument::new("name", name), Argument::new("role", role)],
        ..proposal(ApprovalKind::InviteMember, &format!("Invite {name} as {role}."))
    }
}

fn propose(
    store: &PgStore,
    by: MemberId,
    proposal: Proposal,
    at: DateTime<Utc>,
    decision: Option<ApprovalDecision>,
) -> anyhow::Result<()> {
    let new = NewApproval {
        proposal,
        proposed_by: by,
        at,
    };
    let add = |tx: &mut store_postgres::PgTx| {
        let id = tx.add_approval(&new)?;
        let Some(decision) = decision else { return Ok(()) };
        let failed = decision.status == ApprovalStatus::Failed;
        let error = failed.then_some("A member of staff has this name already.");
        tx.decide_approval(id, decision, error).map(drop)
    };
    Ok(store.transaction::<_, StoreError>(add)?)
}
