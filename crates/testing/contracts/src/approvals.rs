//! What one member of staff proposes and another one approves: the port, and the flow with calls at the same time.

mod claims;
mod imports;

pub use claims::{
    a_number_is_confirmed_by_two_people, one_person_approves_what_nobody_rejected,
    what_two_people_rejected_takes_two_to_approve,
};
pub use imports::{a_large_file_is_imported_by_two_people, a_small_file_is_imported_by_one};

use crate::Store;
use crate::audit_chain::verified;
use crate::claim_flow::claim_tools;
use crate::drawing_flow::kit::{Kit, NamedSealer, RAFFLE, add_rules, drawn, many_entrants, now};
use crate::drawing_flow::void::stuck;
use crate::support::{Noon, at_once, noon, staff_actor};
use ::claims::{Claim, ClaimStatus, Claims, RejectReason};
use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::Tz;
use drawing::beacon::HostAnswer;
use drawing::steps::{DrawingStatus, DrawingSteps, VoidDetails};
use drawing::{DrawingLog, Hash};
use kernel::{PageRequest, StaffName, StoreError, StoredText};
use pricing::PricingSettings;
use privacy::{Erased, Erasure, Journal, JournalEntry, JournalError, RequestKey, RequestKeys};
use raffle::fixtures::{GARDEN_BAG, KITCHEN_GARDEN};
use raffle::{Content, Draft, RaffleKey, Raffles};
use sms::{Credentials, SmsCountries, SmsSettings};
use staff::{
    APPROVAL_LIFE, APPROVER_AGE, Account, Accounts, Action, Actor, Approval, ApprovalDecision, ApprovalId,
    ApprovalKind, ApprovalRefusal, ApprovalStatus, Approvals, Argument, AuditFilter, AuditLog, ClearingJobs,
    ClearingKind, InvitationToken, MemberChange, MemberId, MemberState, NewApproval, Proposal, Role,
    SecondPerson, SessionId,
};
use std::collections::BTreeSet;
use strum::IntoEnumIterator;
use usecases::accounts::find_invitation;
use usecases::approvals::{
    ApprovalError, ApprovalTools, AskedDrawing, AskedOpening, AskedPublication, Caller, Decider, Made,
    Outcome, ProposalError, Request, Secret, approve, make_or_propose, propose, record_failure, reject,
    show_secret,
};
use usecases::drawings::Performed;
use usecases::packages::SaleNeeds;
use usecases::privacy::requests::{RequestError, RequestTools};
use usecases::raffles::{SaveDraft, When};
use usecases::second_factor::StaffTools;

fn owner<S: Store>(store: &S, name: &str) -> MemberId {
    let long_ago = noon() - APPROVER_AGE;
    let name = StaffName::parse(name).unwrap();
    let mut account = Account::new(name, Role::Owner, MemberState::Active, long_ago);
    account.active_since = Some(long_ago);
    account.password = Some("$argon2id$".to_owned());
    store.transaction(|tx| tx.add_account(&account)).unwrap()
}

fn proposal(kind: ApprovalKind, target: Option<&str>) -> Proposal {
    Proposal {
        kind,
        target: target.map(str::to_owned),
        summary: "Something happens.".to_owned(),
        arguments: vec![
            Argument::new("second letter", "b"),
            Argument::new("a", "first\nletter"),
            Argument::new("a", ""),
        ],
        note: Some("You live\nabroad.".to_owned()),
        sealed: Some(vec![1, 2, 3]),
    }
}

fn add<S: Store>(store: &S, by: MemberId, proposal: Proposal, at: DateTime<Utc>) -> ApprovalId {
    let new = NewApproval {
        proposal,
        proposed_by: by,
        at,
    };
    store.transaction(|tx| tx.add_approval(&new)).unwrap()
}

fn find<S: Store>(store: &S, id: ApprovalId) -> Approval {
    store.read(|tx| tx.find_approval(id)).unwrap().unwrap()
}

fn decision(status: ApprovalStatus, by: Option<MemberId>) -> ApprovalDecision {
    ApprovalDecision {
        status,
        by,
        at: noon(),
    }
}

fn decide<S: Store>(store: &S, id: ApprovalId, decision: ApprovalDecision, error: Option<&str>) -> bool {
    store
        .transaction(|tx| tx.decide_approval(id, decision, error))
        .unwrap()
}

pub fn a_proposal_reads_back<S: Store>(store: &S) {
    let anna = owner(store, "anna");
    for kind in ApprovalKind::iter() {
        let id = add(store, anna, proposal(kind, Some("7")), noon());
        let expected = Approval {
            id,
            proposal: proposal(kind, Some("7")),
            proposed_by: anna,
            proposed_at: noon(),
            expires_at: noon() + APPROVAL_LIFE,
            decision: None,
            error: None,
            completed_at: None,
        };
        assert_eq!(find(store, id), expected);
    }
    let plain = Proposal {
        arguments: Vec::new(),
        note: None,
        sealed: None,
        ..proposal(ApprovalKind::ClearSms, None)
    };
    let id = add(store, anna, plain.clone(), noon());
    assert_eq!(find(store, id).proposal, plain);
    let unknown = ApprovalId::new(id.get() + 1);
    assert_eq!(store.read(|tx| tx.find_approval(unknown)).unwrap(), None);
    assert!(!decide(
        store,
        unknown,
        decision(ApprovalStatus::Approved, None),
        None
    ));
}

pub fn a_proposal_is_decided_once_and_loses_its_secrets<S: Store>(store: &S) {
    let anna = owner(store, "anna");
    let failed = add(store, anna, proposal(ApprovalKind::SaveCredentials, None), noon());
    assert!(decide(
        store,
        failed,
        decision(ApprovalStatus::Failed, Some(anna)),
        Some("It broke.")
    ));
    let found = find(store, failed);
    assert_eq!(found.decision, Some(decision(ApprovalStatus::Failed, Some(anna))));
    assert_eq!(
        (found.error.as_deref(), found.proposal.sealed),
        (Some("It broke."), None)
    );
    assert!(!decide(
        store,
        failed,
        decision(ApprovalStatus::Approved, None),
        None
    ));

    let open = add(store, anna, proposal(ApprovalKind::ClearSms, None), noon());
    let decided = at_once(20, |n| {
        let status = if n % 2 == 0 {
            ApprovalStatus::Approved
        } else {
            ApprovalStatus::Rejected
        };
        decide(store, open, decision(status, None), None)
    });
    assert_eq!(decided.iter().filter(|decided| **decided).count(), 1);
}

pub fn proposals_are_listed_by_their_status_newest_first_in_pages<S: Store>(store: &S) {
    let anna = owner(store, "anna");
    let clear = || proposal(ApprovalKind::ClearSms, None);
    let now = noon() + APPROVAL_LIFE;
    let expired = add(store, anna, clear(), noon());
    let ids: Vec<_> = (1..=4)
        .map(|n| add(store, anna, clear(), noon() + TimeDelta::seconds(n)))
        .collect();
    for (id, status) in ids.iter().zip([
        ApprovalStatus::Approved,
        ApprovalStatus::Rejected,
        ApprovalStatus::Failed,
    ]) {
        assert!(decide(store, *id, decision(status, None), None));
    }
    let whole = PageRequest::default();
    let listed = |status, page| -> Vec<ApprovalId> {
        let list = store.read(|tx| tx.list_approvals(status, now, page)).unwrap();
        list.into_iter().map(|approval| approval.id).collect()
    };
    for (status, id) in [
        (ApprovalStatus::Expired, expired),
        (ApprovalStatus::Approved, ids[0]),
        (ApprovalStatus::Rejected, ids[1]),
        (ApprovalStatus::Failed, ids[2]),
        (ApprovalStatus::Open, ids[3]),
    ] {
        assert_eq!(listed(Some(status), whole), [id], "{status:?}");
        assert_eq!(store.read(|tx| tx.count_approvals(Some(status), now)).unwrap(), 1);
    }
    assert_eq!(listed(None, whole), [ids[3], ids[2], ids[1], ids[0], expired]);
    assert_eq!(
        listed(None, PageRequest { limit: 2, offset: 1 }),
        [ids[2], ids[1]]
    );
    assert_eq!(store.read(|tx| tx.count_approvals(None, now)).unwrap(), 5);
}

pub fn what_was_approved_is_found_by_kind_and_target<S: Store>(store: &S) {
    let anna = owner(store, "anna");
    let was = |kind, target: &str, since| store.read(|tx| tx.was_approved(kind, target, since)).unwrap();
    let erase = ApprovalKind::EraseWinner;
    let open = add(store, anna, proposal(erase, Some("7")), noon());
    assert!(!was(erase, "7", noon()));
    assert!(decide(
        store,
        open,
        decision(ApprovalStatus::Approved, None),
        None
    ));
    let rejected = add(store, anna, proposal(erase, Some("8")), noon());
    assert!(decide(
        store,
        rejected,
        decision(ApprovalStatus::Rejected, None),
        None
    ));
    assert!(was(erase, "7", noon()));
    assert!(!was(erase, "7", noon() + TimeDelta::seconds(1)));
    assert!(!was(erase, "8", noon()) && !was(ApprovalKind::RejectClaim, "7", noon()));
}

/// What was to be written to a winner goes with the person.
pub fn the_note_to_an_erased_winner_is_erased<S: Store>(store: &S) {
    let anna = owner(store, "anna");
    many_entrants(store, 3);
    let kit = Kit::new(1);
    let drawing = drawn(store, &kit);
    let ended = |tx: &mut S::Tx| {
        let claim = tx.claims_of(&[drawing.id])?.remove(0);
        let mut claim = tx.lock_claim(claim.id)?.unwrap();
        claim.status = ClaimStatus::Declined;
        claim.ended_at = Some(noon());
        tx.save_claim(&claim)?;
        Ok::<Claim, StoreError>(claim)
    };
    let claim = store.transaction(ended).unwrap();
    let id = claim.id.to_string();
    let own = add(
        store,
        anna,
        proposal(ApprovalKind::RejectClaim, Some(&id)),
        noon(),
    );
    let other = add(
        store,
        anna,
        proposal(ApprovalKind::RejectClaim, Some("0")),
        noon(),
    );
    let decided = add(
        store,
        anna,
        proposal(ApprovalKind::RejectClaim, Some(&id)),
        noon(),
    );
    assert!(decide(
        store,
        decided,
        decision(ApprovalStatus::Rejected, None),
        None
    ));
    let is_winner = |entrant| store.read(|tx| tx.is_winner(entrant)).unwrap();
    assert!(is_winner(claim.entrant));
    let erased = store.transaction(|tx| tx.erase_person(claim.entrant, noon()));
    assert_eq!(erased.unwrap(), Erased::Done);
    for (id, is_kept) in [(own, false), (decided, false), (other, true)] {
        assert_eq!(find(store, id).proposal.note.is_some(), is_kept);
    }
    assert!(is_winner(claim.entrant), "the tombstone was drawn");
}

/// Notes nothing: nobody is erased here.
struct NoJournal;

impl Journal for NoJournal {
    fn append(&self, _: JournalEntry) -> Result<(), JournalError> {
        Ok(())
    }
}

/// Two owners, and what their calls need.
struct Site<'a, S> {
    store: &'a S,
    kit: Kit,
    countries: SmsCountries,
    keys: RequestKeys,
    proposer: MemberId,
    approver: MemberId,
}

impl<'a, S: Store> Site<'a, S> {
    fn new(store: &'a S) -> Self {
        Self {
            store,
            kit: Kit::new(1),
            countries: SmsCountries::default(),
            keys: RequestKeys {
                current: RequestKey::new(b"contract").unwrap(),
                earlier: Vec::new(),
            },
            proposer: owner(store, "anna"),
            approver: owner(store, "ben"),
        }
    }

    fn tools(&self) -> ApprovalTools<'_> {
        ApprovalTools {
            staff: StaffTools {
                clock: &Noon,
                entropy: &self.kit.entropy,
                sealer: &NamedSealer("own"),
                totp_required: false,
                environment_password: None,
            },
            claims: claim_tools(&self.kit, &self.countries),
            drawings: self.kit.tools(),
            requests: RequestTools {
                clock: &Noon,
                keys: &self.keys,
                journal: &NoJournal,
                codes: None,
                has_account: false,
            },
            credentials: &NamedSealer("own"),
            sale_needs: SaleNeeds::Nothing,
            alone: SecondPerson::Missing,
        }
    }

    fn propose(&self, request: &Request) -> ApprovalId {
        let by = (self.proposer, actor(self.proposer));
        propose(self.store, &self.tools(), by, request).unwrap().id
    }

    /// What the proposer makes alone.
    fn make(&self, request: &Request) -> Result<Made, ProposalError> {
        let caller = Caller {
            member: self.proposer,
            actor: actor(self.proposer),
            sees_details: false,
        };
        make_or_propose(self.store, &self.tools(), caller, request)
    }

    fn approve(&self, id: ApprovalId) -> Result<(Approval, Outcome), ApprovalError> {
        let decider = Decider::Member(self.approver, actor(self.approver));
        approve(self.store, &self.tools(), decider, id)
    }

    fn show_secret(&self, member: MemberId, id: ApprovalId) -> Result<(Approval, Secret), ApprovalError> {
        show_secret(self.store, &self.tools(), (member, actor(member)), id)
    }

    fn reject(&self, id: ApprovalId) -> Result<Approval, ApprovalError> {
        reject(self.store, &Noon, (self.proposer, actor(self.proposer)), id)
    }

    fn count(&self, action: Action) -> i64 {
        let filter = AuditFilter {
            action: Some(action),
            ..AuditFilter::default()
        };
        self.store.read(|tx| tx.count_audit(&filter)).unwrap()
    }

    fn members(&self) -> usize {
        self.store.read(|tx| tx.list_accounts()).unwrap().len()
    }
}

fn actor(member: MemberId) -> Actor {
    Actor {
        member: Some(member),
        session: SessionId::new(1),
        address: None,
    }
}

fn invite(name: &str) -> Request {
    Request::InviteMember {
        name: StaffName::parse(name).unwrap(),
        role: Role::Manager,
    }
}

const fn refusal<T>(result: &Result<T, ApprovalError>) -> Option<ApprovalRefusal> {
    match result {
        Err(ApprovalError::Refused(refusal)) => Some(*refusal),
        _ => None,
    }
}

pub fn a_proposal_changes_nothing_and_its_approval_changes_it_once<S: Store>(store: &S) {
    let site = Site::new(store);
    let id = site.propose(&invite("cleo"));
    assert_eq!((site.members(), site.count(Action::InviteMember)), (2, 0));
    assert_eq!(site.propose(&invite("cleo")), id, "a double click proposes once");
    assert_ne!(site.propose(&invite("dora")), id);
    let approved = at_once(8, |_| site.approve(id));
    let (done, refused): (Vec<_>, Vec<_>) = approved.into_iter().partition(Result::is_ok);
    assert_eq!(done.len(), 1);
    for refused in &refused {
        assert_eq!(refusal(refused), Some(ApprovalRefusal::Decided), "{refused:?}");
    }
    assert_eq!((site.members(), site.count(Action::InviteMember)), (3, 1));
    assert_eq!(
        (site.count(Action::Propose), site.count(Action::ApproveProposal)),
        (2, 1)
    );
    let decision = find(store, id).decision.unwrap();
    assert_eq!(
        (decision.status, decision.by),
        (ApprovalStatus::Approved, Some(site.approver))
    );
    verified(store);
}

/// The link is made when it is shown, so that nobody else can have seen it.
pub fn the_link_of_an_invitation_is_shown_once_to_whoever_proposed_it<S: Store>(store: &S) {
    let site = Site::new(store);
    let id = site.propose(&invite("cleo"));
    let nothing = |shown: &Result<_, ApprovalError>| {
        matches!(shown, Err(ApprovalError::Refused(ApprovalRefusal::NothingToShow)))
    };
    assert!(
        nothing(&site.show_secret(site.proposer, id)),
        "it is not approved"
    );
    let Ok((_, Outcome::Invited(unseen))) = site.approve(id) else {
        panic!("it can be approved");
    };
    assert!(nothing(&site.show_secret(site.approver, id)));
    let shown = at_once(6, |_| site.show_secret(site.proposer, id));
    let (done, refused): (Vec<_>, Vec<_>) = shown.into_iter().partition(Result::is_ok);
    assert!(refused.iter().all(nothing), "{refused:?}");
    let Some(Ok((approval, Secret::Invitation(link)))) = done.first() else {
        panic!("{done:?}");
    };
    assert_eq!((done.len(), approval.completed_at), (1, Some(noon())));
    let find =
        |token: &InvitationToken| find_invitation(store, &Noon, &InvitationToken::hash_of(token.as_str()));
    assert_eq!(find(&link.token).unwrap().member.name.as_str(), "cleo");
    assert!(find(&unseen.token).is_err());
    assert_eq!(site.count(Action::ShowInvitation), 1);

    let again = site.propose(&Request::ReinviteMember(link.member));
    site.approve(again).unwrap();
    assert!(site.show_secret(site.proposer, again).is_ok());
    assert!(find(&link.token).is_err());
    verified(store);
}

pub fn of_approving_and_rejecting_at_once_one_counts<S: Store>(store: &S) {
    let site = Site::new(store);
    for n in 0..5 {
        let id = site.propose(&invite(&format!("member-{n}")));
        let before = site.members();
        let taken = at_once(2, |each| match each {
            0 => site.approve(id).map(drop),
            _ => site.reject(id).map(drop),
        });
        assert_eq!(taken.iter().filter(|taken| taken.is_ok()).count(), 1, "{taken:?}");
        let approved = find(store, id).decision.unwrap().status == ApprovalStatus::Approved;
        assert_eq!(approved, taken[0].is_ok());
        assert_eq!(site.members() > before, approved);
    }
    assert_eq!(
        site.count(Action::ApproveProposal) + site.count(Action::RejectProposal),
        5
    );
    verified(store);
}

fn asked_opening(raffle: RaffleKey, when: When) -> AskedOpening {
    AskedOpening {
        raffle,
        when,
        reason: (when == When::Now).then(|| "The prize is gone".to_owned()),
    }
}

fn additional(reason: &str) -> Request {
    Request::PerformDrawing(AskedDrawing {
        raffle: RAFFLE,
        reason: Some(reason.to_owned()),
        prize: None,
        idempotency_key: None,
    })
}

fn announced<S: Store>(store: &S) -> usize {
    let log = store.read(|tx| tx.list_log(0, 100)).unwrap();
    let announced = |entry: &&drawing::LogEntry| entry.entry.action == drawing::LogAction::DrawingAnnounced;
    log.iter().filter(announced).count()
}

/// The first of them is the month's regular drawing, which one person may ask for.
pub fn of_drawings_asked_for_at_once_one_person_gets_the_regular_one<S: Store>(store: &S) {
    let site = Site::new(store);
    many_entrants(store, 5);
    add_rules(store);
    let made = at_once(6, |n| site.make(&additional(&format!("race number {n}"))));
    let (drawn, proposed): (Vec<_>, Vec<_>) = made
        .into_iter()
        .map(Result::unwrap)
        .partition(|made| matches!(made, Made::Done(_)));
    assert_eq!((drawn.len(), announced(store)), (1, 1));
    assert_eq!((proposed.len(), site.count(Action::Propose)), (5, 5));
    verified(store);
}

/// Whether a change changes anything is decided when the account is locked.
pub fn nobody_takes_a_change_back_alone_by_asking_at_the_same_time<S: Store>(store: &S) {
    let site = Site::new(store);
    let cleo = owner(store, "cleo");
    let to = |role| Request::ChangeMember {
        member: cleo,
        change: MemberChange {
            role: Some(role),
            disabled: None,
        },
    };
    let role_of_cleo = || {
        store
            .read(|tx| tx.find_account(cleo))
            .unwrap()
            .unwrap()
            .member
            .role
    };
    for (before, after) in [(Role::Owner, Role::Manager), (Role::Manager, Role::Support)] {
        let id = site.propose(&to(after));
        let both = at_once(4, |n| match n {
            0 => site.approve(id).map(drop).map_err(|error| error.to_string()),
            _ => site
                .make(&to(before))
                .map(drop)
                .map_err(|error| error.to_string()),
        });
        assert!(both.iter().all(Result::is_ok), "{both:?}");
        assert_eq!(role_of_cleo(), after);
    }
    assert_eq!(site.count(Action::ChangeMember), 2);
    assert!(
        matches!(site.make(&to(Role::Support)), Ok(Made::Done(_))),
        "as it is"
    );
}

/// A claim that ends just then does not let one person erase its winner.
pub fn nobody_erases_a_winner_alone_while_the_claim_ends<S: Store>(store: &S) {
    let site = Site::new(store);
    many_entrants(store, 1);
    let drawing = drawn(store, &site.kit);
    let claim = store.read(|tx| tx.claims_of(&[drawing.id])).unwrap().remove(0);
    let decline = |tx: &mut S::Tx| {
        let mut claim = tx.lock_claim(claim.id)?.unwrap();
        claim.status = ClaimStatus::Declined;
        claim.ended_at = Some(noon());
        tx.save_claim(&claim)
    };
    let erase = Request::Erase(claim.entrant);
    let results = at_once(4, |n| match n {
        0 => {
            store.transaction(decline).unwrap();
            None
        }
        _ => Some(site.make(&erase)),
    });
    for result in results.into_iter().flatten().chain([site.make(&erase)]) {
        assert!(
            matches!(
                result,
                Ok(Made::Proposed(_)) | Err(ProposalError::Erasure(RequestError::OpenClaim))
            ),
            "{result:?}"
        );
    }
    assert_eq!(site.count(Action::ErasePerson), 0);
    let id = site.propose(&erase);
    assert!(matches!(site.approve(id), Ok((_, Outcome::Erasure(_)))));
}

/// Of all these calls, whoever asks alone has only made a proposal.
pub fn what_two_people_make_is_proposed_by_one<S: Store>(store: &S) {
    let site = Site::new(store);
    many_entrants(store, 3);
    let drawing = drawn(store, &site.kit);
    let claim = store.read(|tx| tx.claims_of(&[drawing.id])).unwrap().remove(0);
    let submitted = |tx: &mut S::Tx| {
        let mut claim = tx.lock_claim(claim.id)?.unwrap();
        claim.status = ClaimStatus::Submitted;
        claim.submitted_at = Some(noon());
        tx.save_claim(&claim)
    };
    store.transaction(submitted).unwrap();
    let sid = format!("AC{}", "0".repeat(32));
    let closed = KITCHEN_GARDEN;
    let close = asked_opening(closed, When::Now).command(actor(site.approver), SecondPerson::Agreed);
    usecases::raffles::close(store, Tz::UTC, &close).unwrap();
    let draft = changed_draft(store);
    let requests = [
        invite("cleo"),
        Request::ChangeMember {
            member: site.approver,
            change: MemberChange {
                role: Some(Role::Viewer),
                disabled: None,
            },
        },
        Request::ReinviteMember(site.approver),
        Request::Clear(ClearingKind::ClearAnalytics),
        Request::Clear(ClearingKind::ClearReferrals),
        Request::Clear(ClearingKind::ClearCampaigns),
        Request::Clear(ClearingKind::ClearSms),
        Request::SaveCredentials(Credentials::parse(&sid, &"1".repeat(32), "+15551234567").unwrap()),
        Request::ShowPackages,
        Request::RejectClaim {
            claim: claim.id,
            reason: RejectReason::Fraud,
            note: StoredText::line("Ten accounts", 500).unwrap(),
        },
        additional("Our birthday"),
        Request::PublishRaffle(AskedPublication {
            raffle: draft.raffle,
            revision: draft.revision,
            hash: Hash::new(draft.content.hash()),
        }),
        Request::OpenRaffle(asked_opening(closed, When::Month)),
        Request::CloseRaffle(asked_opening(GARDEN_BAG, When::Month)),
        Request::ImportPeople {
            sha256: "0".repeat(64),
            people: 1_001,
            raffles: "garden-bag 1001".to_owned(),
        },
    ];
    // These have tests of their own.
    let others = [
        ApprovalKind::EraseWinner,
        ApprovalKind::ApproveClaim,
        ApprovalKind::ConfirmNumber,
        ApprovalKind::VoidDrawing,
    ];
    let mut kinds: BTreeSet<_> = others.map(ApprovalKind::as_str).into();
    let before = store.read(|tx| tx.list_accounts()).unwrap();
    for request in &requests {
        let made = site.make(request);
        let Ok(Made::Proposed(approval)) = made else {
            panic!("{request:?}: {made:?}");
        };
        kinds.insert(approval.proposal.kind.as_str());
    }
    assert_eq!(kinds, ApprovalKind::iter().map(ApprovalKind::as_str).collect());
    assert_eq!(store.read(|tx| tx.list_accounts()).unwrap(), before);
    assert_eq!(store.read(|tx| tx.list_running_jobs()).unwrap(), []);
    assert_eq!(store.read(|tx| tx.sealed_credentials()).unwrap(), None);
    assert!(!store.read(|tx| tx.show_pricing()).unwrap());
    assert_eq!(announced(store), 1);
    assert_eq!(
        site.count(Action::Propose),
        i64::try_from(requests.len()).unwrap()
    );
}

/// Whoever voids a drawing alone has only proposed it, and of many approvals one voids it.
pub fn a_drawing_is_voided_by_two_people<S: Store>(store: &S) {
    let site = Site::new(store);
    many_entrants(store, 5);
    let kit = Kit::with_beacon(91);
    let sealed = stuck(store, &kit, 7 * 24);
    let void = VoidDetails {
        reason: "The beacon has ended".to_owned(),
        hosts: vec![HostAnswer {
            host: "api.drand.sh".to_owned(),
            answer: "there is no connection".to_owned(),
        }],
    };
    let request = Request::VoidDrawing {
        drawing: sealed.id,
        void: void.clone(),
    };
    let made = at_once(4, |_| site.make(&request).unwrap());
    let proposed: Vec<_> = made
        .into_iter()
        .map(|made| match made {
            Made::Proposed(approval) => approval,
            Made::Done(outcome) => panic!("one person: {outcome:?}"),
        })
        .collect();
    let first = &proposed[0].proposal;
    let summary = format!(
        "Void drawing {}, whose beacon has not come. The hosts answered: api.drand.sh: there is no connection.",
        sealed.id
    );
    assert_eq!(
        (&first.summary, first.note.as_deref()),
        (&summary, Some("The beacon has ended"))
    );
    let state = || store.read(|tx| tx.find_state(sealed.id)).unwrap().unwrap();
    assert_eq!(state(), sealed);
    let approved = at_once(4, |n| site.approve(proposed[n as usize].id).is_ok());
    assert_eq!(approved.iter().filter(|approved| **approved).count(), 1);
    assert_eq!(
        (state().status, state().host_answers()),
        (DrawingStatus::Void, void.hosts)
    );
    assert_eq!(site.count(Action::VoidDrawing), 1);
    verified(store);
}

/// The draft of an open raffle, which says something else than what is published.
fn changed_draft<S: Store>(store: &S) -> Draft {
    let file = usecases::raffles::file(store, GARDEN_BAG).unwrap().unwrap();
    let command = SaveDraft {
        actor: staff_actor(),
        raffle: GARDEN_BAG,
        revision: file.draft.revision,
        content: Content {
            title: "Another title".to_owned(),
            ..file.draft.content
        },
    };
    usecases::raffles::save_draft(store, &command).unwrap()
}

/// What was proposed is published, and nothing that was changed since.
pub fn a_draft_is_published_by_two_people<S: Store>(store: &S) {
    let site = Site::new(store);
    let propose = |draft: &Draft| {
        let asked = AskedPublication {
            raffle: draft.raffle,
            revision: draft.revision,
            hash: Hash::new(draft.content.hash()),
        };
        match site.make(&Request::PublishRaffle(asked)).unwrap() {
            Made::Proposed(approval) => approval,
            Made::Done(outcome) => panic!("one person: {outcome:?}"),
        }
    };
    let draft = changed_draft(store);
    let outdated = propose(&draft);
    let command = SaveDraft {
        actor: staff_actor(),
        raffle: draft.raffle,
        revision: draft.revision,
        content: Content {
            tagline: "Another tagline".to_owned(),
            ..draft.content
        },
    };
    let draft = usecases::raffles::save_draft(store, &command).unwrap();
    assert!(site.approve(outdated.id).is_err());
    let versions = || {
        usecases::raffles::file(store, GARDEN_BAG)
            .unwrap()
            .unwrap()
            .versions
    };
    assert_eq!(versions().len(), 1);
    let proposed = [propose(&draft), propose(&draft)];
    at_once(2, |n| site.approve(proposed[n as usize].id));
    assert_eq!(versions().len(), 2);
    assert_eq!(versions()[0].content, draft.content);
    assert_eq!(site.count(Action::PublishRaffle), 1);
}

/// Whoever closes a raffle alone has only proposed it, and of many approvals one closes it.
pub fn a_raffle_is_closed_by_two_people<S: Store>(store: &S) {
    let site = Site::new(store);
    let request = Request::CloseRaffle(asked_opening(GARDEN_BAG, When::Now));
    let made = at_once(4, |_| site.make(&request).unwrap());
    let proposed: Vec<_> = made
        .into_iter()
        .map(|made| match made {
            Made::Proposed(approval) => approval,
            Made::Done(outcome) => panic!("one person: {outcome:?}"),
        })
        .collect();
    let first = &proposed[0].proposal;
    assert_eq!(
        (first.summary.as_str(), first.note.as_deref()),
        ("Close the raffle garden-bag at once.", Some("The prize is gone"))
    );
    let is_open = || {
        let raffles = store.read(|tx| tx.list_raffles()).unwrap();
        raffles.find(GARDEN_BAG).unwrap().is_open_at(now(store))
    };
    assert!(is_open());
    at_once(4, |n| site.approve(proposed[n as usize].id));
    assert!(!is_open());
    assert_eq!(site.count(Action::CloseRaffle), 1);
    verified(store);
}

/// The announcement runs at a stricter level than other transactions that record something at the same time.
pub fn an_additional_drawing_is_announced_with_its_approval<S: Store>(store: &S) {
    let site = Site::new(store);
    many_entrants(store, 5);
    drawn(store, &site.kit);
    assert_eq!(announced(store), 1);
    let id = site.propose(&additional("Our birthday"));
    assert_eq!(announced(store), 1);
    let results = at_once(6, |n| match n {
        0..3 => site.approve(id).map(|(_, outcome)| Some(outcome)),
        n => {
            site.propose(&invite(&format!("member-{n}")));
            Ok(None)
        }
    });
    let mut outcomes = results.into_iter().filter_map(Result::ok).flatten();
    let Some(Outcome::Drawing(performed)) = outcomes.next() else {
        panic!("nobody approved it");
    };
    assert!(matches!(*performed, Performed::Drawn(_)), "{performed:?}");
    assert!(outcomes.next().is_none());
    assert_eq!(announced(store), 2);
    assert_eq!(find(store, id).status_at(noon()), ApprovalStatus::Approved);
    verified(store);
}

/// A call whose conditions do not hold any more leaves its proposal open until the failure is recorded.
pub fn a_call_that_fails_is_not_approved<S: Store>(store: &S) {
    let site = Site::new(store);
    let id = site.propose(&invite("cleo"));
    owner(store, "Cleo");
    let failed = site.approve(id);
    assert!(
        matches!(&failed, Err(ApprovalError::Failed(error)) if error.is_final()),
        "{failed:?}"
    );
    assert_eq!(find(store, id).decision, None);
    assert_eq!(site.count(Action::ApproveProposal), 0);
    let decider = Decider::Member(site.approver, actor(site.approver));
    for _ in 0..2 {
        record_failure(store, &Noon, decider, id, "The name is taken.").unwrap();
    }
    let found = find(store, id);
    assert_eq!(found.status_at(noon()), ApprovalStatus::Failed);
    assert_eq!(found.error.as_deref(), Some("The name is taken."));
    assert_eq!(site.count(Action::ApproveProposal), 1);
    assert_eq!(refusal(&site.approve(id)), Some(ApprovalRefusal::Decided));
}

pub fn every_call_is_proposed_with_its_arguments<S: Store>(store: &S) {
    let site = Site::new(store);
    let sid = format!("AC{}", "0".repeat(32));
    let credentials = Credentials::parse(&sid, &"1".repeat(32), "+15551234567").unwrap();
    let id = site.propose(&Request::SaveCredentials(credentials));
    let found = find(store, id).proposal;
    assert!(found.sealed.is_some());
    let shown = format!("{} {:?}", found.summary, found.arguments);
    assert!(shown.contains("4567") && !shown.contains("1111"), "{shown}");
    assert!(matches!(site.approve(id), Ok((_, Outcome::CredentialsSaved))));
    assert_eq!(find(store, id).proposal.sealed, None);

    let id = site.propose(&Request::Clear(ClearingKind::ClearSms));
    assert!(matches!(site.approve(id), Ok((_, Outcome::Clearing(_)))));
    let id = site.propose(&Request::ShowPackages);
    assert!(matches!(site.approve(id), Ok((_, Outcome::PackagesShown))));
    let missing = Request::RejectClaim {
        claim: ::claims::ClaimId::new(7),
        reason: RejectReason::Fraud,
        note: StoredText::line("Ten accounts", 500).unwrap(),
    };
    let by = (site.proposer, actor(site.proposer));
    assert!(propose(store, &site.tools(), by, &missing).is_err());
}
