//! Two people: what becomes a proposal, who approves it, and what is done then.

use crate::drawing::{draw, store_with_entrants};
use crate::sessions::state_after;
use crate::staff_accounts::{NEW_PASSWORD, join};
use crate::support::{
    PASSWORD, Response, app_state, authorized, get, login, post, privacy_services, send, send_all, sign_in,
    staff_settings,
};
use actix_web::test::TestRequest;
use chrono::TimeDelta;
use claims::{Claim, ClaimStatus, Claims};
use drawing::DrawingId;
use fakes::{MemStore, MemTx};
use kernel::{PageRequest, StoreError, UnitOfWork};
use privacy::{Journal, JournalEntry, JournalError};
use serde_json::{Value, json};
use staff::{Action, AuditEntry, AuditFilter, AuditLog, Detail};
use std::sync::Arc;
use web::{AppState, PrivacyServices, StaffSettings};

const APPROVALS: &str = "/api/admin/approvals";
const CLEAR: &str = "/api/admin/clear-sms";

/// A site where two people decide: anna, who is the environment's owner, olga, another owner, and maria, a manager. Their
/// accounts are eight days old.
struct TwoPeople {
    store: MemStore,
    anna: String,
    olga: String,
    maria: String,
}

fn days(days: i64) -> TimeDelta {
    TimeDelta::days(days)
}

fn two_people() -> AppState {
    AppState {
        staff: StaffSettings {
            two_person: true,
            ..staff_settings()
        },
        ..app_state()
    }
}

async fn send_at(store: &MemStore, after: TimeDelta, request: TestRequest) -> Response {
    send_all(store, state_after(two_people(), after), vec![request])
        .await
        .remove(0)
}

async fn session_at(store: &MemStore, after: TimeDelta, name: &str, password: &str) -> String {
    let response = send_at(store, after, login(name, password)).await;
    assert_eq!(response.status, 200, "{:?}", response.bytes);
    response.json()["sessionToken"].as_str().unwrap().to_owned()
}

fn request(method: &str, path: &str, body: &Value) -> TestRequest {
    TestRequest::with_uri(path)
        .method(method.parse().unwrap())
        .insert_header(("Content-Type", "application/json"))
        .set_payload(body.to_string())
}

impl TwoPeople {
    async fn new() -> Self {
        Self::on(MemStore::default()).await
    }

    async fn on(store: MemStore) -> Self {
        join(&store, "olga", "owner").await;
        join(&store, "maria", "manager").await;
        Self {
            anna: session_at(&store, days(8), "anna", PASSWORD).await,
            olga: session_at(&store, days(8), "olga", NEW_PASSWORD).await,
            maria: session_at(&store, days(8), "maria", NEW_PASSWORD).await,
            store,
        }
    }

    async fn send(&self, token: &str, request: TestRequest) -> Response {
        send_at(&self.store, days(8), authorized(request, token)).await
    }

    async fn post(&self, token: &str, path: &str, body: &Value) -> Response {
        self.send(token, request("POST", path, body)).await
    }

    async fn get(&self, token: &str, path: &str) -> Value {
        let response = self.send(token, get(path)).await;
        assert_eq!(response.status, 200, "{:?}", response.bytes);
        response.json()
    }

    /// Proposes something as anna, and returns the id.
    async fn proposed(&self, method: &str, path: &str, body: &Value) -> i64 {
        let response = self.send(&self.anna, request(method, path, body)).await;
        assert_eq!(response.status, 202, "{path}: {:?}", response.bytes);
        assert_eq!(response.json()["expiresAt"], "2025-08-10T12:00:00Z");
        response.json()["approvalId"].as_i64().unwrap()
    }

    async fn invited(&self) -> i64 {
        let body = json!({"name": "ben", "role": "support"});
        self.proposed("POST", "/api/admin/staff", &body).await
    }

    async fn approve(&self, token: &str, id: i64) -> Response {
        self.post(token, &format!("{APPROVALS}/{id}/approve"), &json!({}))
            .await
    }

    async fn reject(&self, token: &str, id: i64) -> Response {
        self.post(token, &format!("{APPROVALS}/{id}/reject"), &json!({}))
            .await
    }

    async fn listed(&self, id: i64) -> Value {
        let list = self.get(&self.olga, APPROVALS).await;
        let mut rows = list["approvals"].as_array().unwrap().iter();
        rows.find(|row| row["id"] == id).unwrap().clone()
    }

    async fn names(&self) -> Vec<String> {
        let list = self.get(&self.olga, "/api/admin/staff").await;
        let rows = list["staff"].as_array().unwrap().iter();
        rows.map(|row| row["name"].as_str().unwrap().to_owned()).collect()
    }

    async fn id_of(&self, name: &str) -> i64 {
        let list = self.get(&self.olga, "/api/admin/staff").await;
        let mut rows = list["staff"].as_array().unwrap().iter();
        rows.find(|row| row["name"] == name).unwrap()["id"]
            .as_i64()
            .unwrap()
    }

    /// The audit log, newest first, from the first proposal on.
    fn log(&self) -> Vec<AuditEntry> {
        let all = AuditFilter::default();
        let entries = self.store.read(|tx| tx.list_audit(&all, PageRequest::default()));
        let mut entries = entries.unwrap();
        entries.retain(|entry| !matches!(entry.action, Action::Login | Action::AcceptInvitation));
        entries
    }

    /// The claim of the first drawing's first rank.
    fn change_claim(&self, change: impl Fn(&mut Claim)) -> Claim {
        let change = |tx: &mut MemTx| {
            let id = tx.claims_of(&[DrawingId::new(1)])?.remove(0).id;
            let mut claim = tx.lock_claim(id)?.unwrap();
            change(&mut claim);
            tx.save_claim(&claim)?;
            Ok::<_, StoreError>(claim)
        };
        self.store.transaction(change).unwrap()
    }
}

/// A site with a drawing, whose winner has submitted a claim.
async fn with_winner() -> (TwoPeople, Claim) {
    let (store, token, _) = store_with_entrants().await;
    draw(&store, &token).await;
    let site = TwoPeople::on(store).await;
    let claim = site.change_claim(|claim| claim.status = ClaimStatus::Submitted);
    (site, claim)
}

fn credentials() -> Value {
    json!({
        "TWILIO_ACCOUNT_SID": format!("AC{}", "0".repeat(32)), "TWILIO_AUTH_TOKEN": "1".repeat(32),
        "TWILIO_PHONE_NUMBER": "5551234567"
    })
}

#[actix_web::test]
async fn calls_of_two_people_become_proposals_that_say_exactly_what_will_happen() {
    let site = TwoPeople::new().await;
    let maria = format!("/api/admin/staff/{}", site.id_of("maria").await);
    let olga = format!("/api/admin/staff/{}", site.id_of("olga").await);
    let again = format!("{maria}/invitation");
    let none = json!({});
    for (method, path, body, kind, summary) in [
        (
            "POST",
            "/api/admin/staff",
            json!({"name": "ben", "role": "support"}),
            "invite_member",
            "Invite ben as support.",
        ),
        (
            "PATCH",
            maria.as_str(),
            json!({"role": "owner"}),
            "change_member",
            "Change maria from manager to owner.",
        ),
        (
            "PATCH",
            &olga,
            json!({"disabled": true}),
            "change_member",
            "Disable the account of olga, whose sessions end.",
        ),
        (
            "POST",
            &again,
            none.clone(),
            "reinvite_member",
            "Make a new invitation link for maria. The old password does not work any more, and the sessions end.",
        ),
        (
            "POST",
            "/api/admin/clear-analytics",
            none.clone(),
            "clear_analytics",
            "Delete all page views, social shares and funnel steps.",
        ),
        (
            "POST",
            "/api/admin/clear-referrals",
            none.clone(),
            "clear_referrals",
            "Delete all referrals and take back their entries.",
        ),
        (
            "POST",
            "/api/admin/clear-campaigns",
            none.clone(),
            "clear_campaigns",
            "Delete all campaigns and their messages.",
        ),
        (
            "POST",
            CLEAR,
            none.clone(),
            "clear_sms",
            "Delete all campaigns, their messages and the templates.",
        ),
        (
            "POST",
            "/api/admin/save-credentials",
            credentials(),
            "save_credentials",
            "Send texts with the account that ends in 0000, from the number that ends in 4567.",
        ),
        (
            "POST",
            "/api/admin/settings",
            json!({"showPricing": true}),
            "show_packages",
            "Show packages to users and sell them.",
        ),
    ] {
        let id = site.proposed(method, path, &body).await;
        let row = site.listed(id).await;
        assert_eq!(
            (row["kind"].as_str(), row["summary"].as_str()),
            (Some(kind), Some(summary))
        );
        assert_eq!(
            (&row["status"], &row["proposedBy"]),
            (&json!("open"), &json!("anna"))
        );
        // It is olga who reads it.
        let may = json!(!summary.contains("olga"));
        assert_eq!(
            (&row["own"], &row["mayApprove"], &row["mayReject"]),
            (&json!(false), &may, &may)
        );
        assert!(!row.to_string().contains(&"1".repeat(32)), "no secret is shown");
    }
    assert_eq!(site.names().await, ["anna", "olga", "maria"]);
    let settings = site.get(&site.anna, "/api/admin/settings").await;
    assert_eq!(settings["settings"]["showPricing"], false);
    assert_eq!(settings["settings"]["sms"]["configured"], false);
    let log = site.log();
    assert!(log[..10].iter().all(|entry| entry.action == Action::Propose));
    let waiting = site.get(&site.maria, "/api/admin/waiting").await;
    assert_eq!(waiting["approvals"], 10);
    assert_eq!(site.get(&site.maria, "/api/admin/me").await["twoPerson"], true);
}

#[actix_web::test]
async fn what_changes_nothing_or_hides_packages_needs_one_person() {
    let site = TwoPeople::new().await;
    let hidden = site
        .post(&site.maria, "/api/admin/settings", &json!({"showPricing": false}))
        .await;
    assert_eq!(hidden.status, 200);
    let maria = format!("/api/admin/staff/{}", site.id_of("maria").await);
    let same = site
        .send(&site.anna, request("PATCH", &maria, &json!({"role": "manager"})))
        .await;
    assert_eq!(same.status, 200);
    assert_eq!(site.get(&site.anna, APPROVALS).await, json!({"approvals": []}));
}

#[actix_web::test]
async fn what_cannot_be_done_is_not_proposed() {
    let site = TwoPeople::new().await;
    let anna = format!("/api/admin/staff/{}", site.id_of("anna").await);
    for (method, path, body, expected) in [
        (
            "POST",
            "/api/admin/staff",
            json!({"name": "MARIA", "role": "support"}),
            "409 name_taken",
        ),
        (
            "POST",
            "/api/admin/staff",
            json!({"name": "ben", "role": "king"}),
            "400 validation role",
        ),
        (
            "POST",
            "/api/admin/staff",
            json!({"name": "m\u{430}ria", "role": "support"}),
            "400 validation name",
        ),
        (
            "PATCH",
            anna.as_str(),
            json!({"disabled": true}),
            "409 environment_account",
        ),
        (
            "PATCH",
            "/api/admin/staff/999",
            json!({"disabled": true}),
            "404 not_found",
        ),
        (
            "POST",
            "/api/admin/claims/1/reject",
            json!({"reason": "fraud", "note": "No."}),
            "404 not_found",
        ),
        (
            "POST",
            "/api/admin/drawing/perform",
            json!({"landingPage": "fresh-sips"}),
            "409 no_participants",
        ),
    ] {
        let response = site.send(&site.anna, request(method, path, &body)).await;
        assert_eq!(response.error(), expected, "{path}");
    }
    assert_eq!(site.get(&site.anna, APPROVALS).await, json!({"approvals": []}));
}

#[actix_web::test]
async fn somebody_else_approves_and_the_call_is_made_once() {
    let site = TwoPeople::new().await;
    let id = site.invited().await;
    assert_eq!(site.invited().await, id, "a double click proposes once");
    assert_eq!(site.approve(&site.anna, id).await.error(), "403 own_proposal");
    assert_eq!(site.approve(&site.maria, id).await.error(), "403 forbidden");
    let own = site.get(&site.anna, APPROVALS).await["approvals"][0].clone();
    assert_eq!((&own["own"], &own["mayApprove"]), (&json!(true), &json!(false)));
    assert_eq!(site.approve(&site.olga, 999).await.error(), "404 not_found");

    let approved = site.approve(&site.olga, id).await;
    assert_eq!(approved.status, 200, "{:?}", approved.bytes);
    let answer = approved.json();
    assert_eq!(
        (&answer["result"], &answer["approval"]["hasSecret"]),
        (&Value::Null, &json!(false)),
        "the link is for whoever asked"
    );
    let secret = format!("{APPROVALS}/{id}/secret");
    let foreign = site.post(&site.olga, &secret, &json!({})).await;
    assert_eq!(foreign.error(), "409 nothing_to_show");
    let own = site.get(&site.anna, APPROVALS).await["approvals"][0].clone();
    assert_eq!(own["hasSecret"], true);
    let shown = site.post(&site.anna, &secret, &json!({})).await.json();
    let link = shown["invitation"]["invitationUrl"].as_str().unwrap();
    assert!(link.starts_with("https://example.org/admin#invitation="));
    assert_eq!(
        (&shown["callCode"], &shown["approval"]["hasSecret"]),
        (&Value::Null, &json!(false))
    );
    let again = site.post(&site.anna, &secret, &json!({})).await;
    assert_eq!(again.error(), "409 nothing_to_show");
    assert_eq!(
        (&answer["approval"]["status"], &answer["approval"]["decidedBy"]),
        (&json!("approved"), &json!("olga"))
    );
    assert_eq!(site.names().await, ["anna", "olga", "maria", "ben"]);
    assert_eq!(site.approve(&site.olga, id).await.error(), "409 approval_decided");
    assert_eq!(site.reject(&site.olga, id).await.error(), "409 approval_decided");

    let mut log = site.log();
    assert_eq!(log.remove(0).action, Action::ShowInvitation);
    let olga = site.id_of("olga").await;
    let actions: Vec<_> = log[..3].iter().map(|entry| entry.action).collect();
    assert_eq!(
        actions,
        [Action::ApproveProposal, Action::InviteMember, Action::Propose]
    );
    assert!(log[..2].iter().all(|entry| entry.member.unwrap().get() == olga));
    let anna = site.id_of("anna").await;
    let proposer = ("proposedBy".to_owned(), Detail::Number(anna));
    assert!(log[0].details.contains(&proposer), "{:?}", log[0].details);
    assert_eq!(log[0].target, Some(id.to_string()));
}

#[actix_web::test]
async fn every_approved_call_is_made_as_by_one_person() {
    let site = TwoPeople::new().await;
    let maria = format!("/api/admin/staff/{}", site.id_of("maria").await);
    let result = async |id| {
        let approved = site.approve(&site.olga, id).await;
        assert_eq!(approved.status, 200, "{:?}", approved.bytes);
        approved.json()["result"].clone()
    };
    let id = site.proposed("PATCH", &maria, &json!({"role": "owner"})).await;
    assert_eq!(result(id).await["role"], "owner");
    let id = site
        .proposed("POST", &format!("{maria}/invitation"), &json!({}))
        .await;
    assert_eq!(result(id).await, Value::Null);
    let id = site.proposed("POST", CLEAR, &json!({})).await;
    let job = result(id).await["jobId"].as_i64().unwrap();
    let path = format!("/api/admin/jobs/{job}");
    assert_eq!(site.get(&site.olga, &path).await["what"], "clear_sms");
    let id = site
        .proposed("POST", "/api/admin/save-credentials", &credentials())
        .await;
    assert_eq!(result(id).await, json!({"success": true}));
    let id = site
        .proposed("POST", "/api/admin/settings", &json!({"showPricing": true}))
        .await;
    let settings = result(id).await;
    assert_eq!(settings["settings"]["showPricing"], true);
    assert_eq!(settings["settings"]["sms"]["phoneNumberLast4"], "4567");
}

#[actix_web::test]
async fn an_account_approves_when_it_is_seven_days_old() {
    let store = MemStore::default();
    join(&store, "olga", "owner").await;
    let anna = session_at(&store, days(7), "anna", PASSWORD).await;
    let clear = || authorized(post(CLEAR, "{}"), &anna);
    let id = send_at(&store, days(7), clear()).await.json()["approvalId"].clone();
    let path = format!("{APPROVALS}/{id}/approve");
    let young = days(7) - TimeDelta::seconds(1);
    let olga = session_at(&store, young, "olga", NEW_PASSWORD).await;
    let approve = || authorized(post(&path, "{}"), &olga);
    assert_eq!(
        send_at(&store, young, approve()).await.error(),
        "403 account_too_young"
    );
    let row = send_at(&store, young, authorized(get(APPROVALS), &olga))
        .await
        .json()["approvals"][0]
        .clone();
    assert_eq!(row["mayApprove"], false);
    assert_eq!(send_at(&store, days(7), approve()).await.status, 200);
}

#[actix_web::test]
async fn a_proposal_is_rejected_withdrawn_or_expires() {
    let site = TwoPeople::new().await;
    let id = site.proposed("POST", CLEAR, &json!({})).await;
    assert_eq!(site.reject(&site.maria, id).await.error(), "403 forbidden");
    let rejected = site.reject(&site.olga, id).await.json()["approval"].clone();
    assert_eq!(
        (&rejected["status"], &rejected["decidedBy"]),
        (&json!("rejected"), &json!("olga"))
    );
    assert_eq!(site.approve(&site.olga, id).await.error(), "409 approval_decided");
    let id = site.proposed("POST", CLEAR, &json!({})).await;
    let withdrawn = site.reject(&site.anna, id).await.json()["approval"].clone();
    assert_eq!(withdrawn["decidedBy"], "anna");
    let actions: Vec<_> = site.log()[..2].iter().map(|entry| entry.action).collect();
    assert_eq!(actions, [Action::RejectProposal, Action::Propose]);

    let id = site.proposed("POST", CLEAR, &json!({})).await;
    let olga = session_at(&site.store, days(9), "olga", NEW_PASSWORD).await;
    for action in ["approve", "reject"] {
        let late = authorized(post(&format!("{APPROVALS}/{id}/{action}"), "{}"), &olga);
        assert_eq!(
            send_at(&site.store, days(9), late).await.error(),
            "410 approval_expired"
        );
    }
    let path = format!("{APPROVALS}?status=expired&limit=1");
    let listed = send_at(&site.store, days(9), authorized(get(&path), &olga)).await;
    assert_eq!(listed.header("x-total-count"), "1");
    assert_eq!(listed.json()["approvals"][0]["id"], id);
    let open = send_at(&site.store, days(9), authorized(get("/api/admin/waiting"), &olga)).await;
    assert_eq!(open.json()["approvals"], 0);
    let wrong = authorized(get(&format!("{APPROVALS}?status=old")), &olga);
    assert_eq!(
        send_at(&site.store, days(9), wrong).await.error(),
        "400 validation status"
    );
}

/// What concerns somebody is decided by others, and a manager's proposal is withdrawn by the manager.
#[actix_web::test]
async fn nobody_decides_about_themselves() {
    let site = TwoPeople::new().await;
    let olga = format!("/api/admin/staff/{}", site.id_of("olga").await);
    for (method, path, body) in [
        ("PATCH", olga.clone(), json!({"role": "viewer"})),
        ("PATCH", olga.clone(), json!({"disabled": true})),
        ("POST", format!("{olga}/invitation"), json!({})),
    ] {
        let id = site.proposed(method, &path, &body).await;
        assert_eq!(site.reject(&site.olga, id).await.error(), "403 concerns_you");
        assert_eq!(site.approve(&site.olga, id).await.error(), "403 concerns_you");
        assert_eq!(site.listed(id).await["status"], "open");
    }
    let show = request("POST", "/api/admin/settings", &json!({"showPricing": true}));
    let asked = site.send(&site.maria, show).await.json();
    let id = asked["approvalId"].as_i64().unwrap();
    let withdrawn = site.reject(&site.maria, id).await.json()["approval"].clone();
    assert_eq!(withdrawn["decidedBy"], "maria");
}

/// One person takes a role or an account from anybody but an owner.
#[actix_web::test]
async fn taking_needs_one_person_and_giving_needs_two() {
    let site = TwoPeople::new().await;
    let maria = format!("/api/admin/staff/{}", site.id_of("maria").await);
    let olga = format!("/api/admin/staff/{}", site.id_of("olga").await);
    let change =
        async |path: &str, body: Value| site.send(&site.anna, request("PATCH", path, &body)).await.status;
    assert_eq!(change(&maria, json!({"role": "support"})).await, 200);
    assert_eq!(
        change(&maria, json!({"role": "manager"})).await,
        202,
        "given back"
    );
    assert_eq!(
        change(&maria, json!({"role": "viewer", "disabled": true})).await,
        200
    );
    assert_eq!(
        change(&maria, json!({"disabled": false})).await,
        202,
        "let in again"
    );
    assert_eq!(change(&olga, json!({"role": "manager"})).await, 202);
    assert_eq!(change(&olga, json!({"disabled": true})).await, 202);
    let list = site.get(&site.anna, "/api/admin/staff").await;
    assert_eq!(
        (&list["staff"][1]["role"], &list["staff"][2]["role"]),
        (&json!("owner"), &json!("viewer"))
    );
}

#[actix_web::test]
async fn a_proposal_of_somebody_who_was_disabled_is_not_approved() {
    let site = TwoPeople::new().await;
    let show = request("POST", "/api/admin/settings", &json!({"showPricing": true}));
    let id = site.send(&site.maria, show).await.json()["approvalId"]
        .as_i64()
        .unwrap();
    let path = format!("/api/admin/staff/{}", site.id_of("maria").await);
    let disable = authorized(request("PATCH", &path, &json!({"disabled": true})), &site.anna);
    // One person is enough on this server.
    let disabled = send_all(&site.store, state_after(app_state(), days(8)), vec![disable]).await;
    assert_eq!(disabled[0].status, 200);
    assert_eq!(
        site.approve(&site.olga, id).await.error(),
        "409 proposer_disabled"
    );
    assert_eq!(site.listed(id).await["status"], "open");
}

#[actix_web::test]
async fn conditions_are_checked_again_and_a_failure_is_kept() {
    let site = TwoPeople::new().await;
    let alone = async |request: TestRequest| {
        let request = authorized(request, &site.olga);
        let sent = send_all(&site.store, state_after(app_state(), days(8)), vec![request]).await;
        assert!(sent[0].status.is_success(), "{:?}", sent[0].bytes);
    };
    let invited = site.invited().await;
    alone(post(
        "/api/admin/staff",
        &json!({"name": "Ben", "role": "viewer"}).to_string(),
    ))
    .await;
    assert_eq!(site.approve(&site.olga, invited).await.error(), "409 name_taken");
    let failed = site.listed(invited).await;
    assert_eq!(
        (&failed["status"], &failed["decidedBy"], &failed["error"]),
        (
            &json!("failed"),
            &json!("olga"),
            &json!("A member of staff has this name already.")
        )
    );
    assert_eq!(
        site.approve(&site.olga, invited).await.error(),
        "409 approval_decided"
    );

    let maria = format!("/api/admin/staff/{}", site.id_of("maria").await);
    let promoted = site.proposed("PATCH", &maria, &json!({"role": "owner"})).await;
    alone(request("PATCH", &maria, &json!({"role": "viewer"}))).await;
    assert_eq!(site.approve(&site.olga, promoted).await.error(), "409 outdated");
    assert_eq!(site.listed(promoted).await["status"], "failed");
    let list = site.get(&site.olga, "/api/admin/staff").await;
    assert_eq!(list["staff"][2]["role"], "viewer");
}

#[actix_web::test]
async fn a_database_that_fails_leaves_the_proposal_open() {
    let site = TwoPeople::new().await;
    let id = site.proposed("POST", CLEAR, &json!({})).await;
    let tools_fail = async |_| {
        site.store.fail_next(StoreError::Conflict);
        site.approve(&site.olga, id).await
    };
    let refused = tools_fail(()).await;
    assert!(refused.status.is_server_error(), "{:?}", refused.bytes);
    assert_eq!(site.listed(id).await["status"], "open");
    assert_eq!(site.approve(&site.olga, id).await.status, 200);
}

#[actix_web::test]
async fn an_additional_drawing_needs_two_people_and_the_regular_one_does_not() {
    let (store, ..) = store_with_entrants().await;
    let site = TwoPeople::on(store).await;
    let perform = |body: Value| request("POST", "/api/admin/drawing/perform", &body);
    let regular = site
        .send(&site.maria, perform(json!({"landingPage": "fresh-sips"})))
        .await;
    assert_eq!(regular.status, 201, "{:?}", regular.bytes);
    let asked = json!({
        "landingPage": "fresh-sips", "reason": "Our birthday", "prize": {"name": "A second kit", "value": "$49"}
    });
    let id = site.proposed("POST", "/api/admin/drawing/perform", &asked).await;
    let row = site.listed(id).await;
    assert_eq!(row["summary"], "Perform an additional drawing of fresh-sips.");
    assert_eq!(
        row["arguments"],
        json!([
            {"name": "landingPage", "value": "fresh-sips"}, {"name": "reason", "value": "Our birthday"},
            {"name": "prizeName", "value": "A second kit"}, {"name": "prizeValue", "value": "$49"}
        ])
    );
    let drawn = site.approve(&site.olga, id).await.json()["result"].clone();
    assert_eq!(
        (&drawn["id"], &drawn["reason"]),
        (&json!(2), &json!("Our birthday"))
    );
    assert_eq!(drawn["prize"], json!({"name": "A second kit", "value": "$49"}));
}

#[actix_web::test]
async fn what_two_people_decide_about_a_claim_is_public_as_such() {
    let (site, claim) = with_winner().await;
    let path = format!("/api/admin/claims/{}/reject", claim.id);
    let body = json!({"reason": "residence", "note": "You live\nabroad."});
    let by_manager = site.send(&site.maria, request("POST", &path, &body)).await;
    let id = by_manager.json()["approvalId"].as_i64().unwrap();
    let row = site.listed(id).await;
    assert_eq!(
        row["summary"],
        format!("Reject claim {}. The reason: residence.", claim.id)
    );
    assert_eq!(
        row["arguments"][2],
        json!({"name": "note", "value": "You live\nabroad."})
    );
    let rejected = site.approve(&site.olga, id).await.json()["result"].clone();
    assert_eq!(rejected["status"], "rejected");
    assert_eq!(rejected["details"], Value::Null);
    let public = send(&site.store, get("/api/drawings/1")).await.json()["claims"][0].clone();
    assert_eq!(
        (&public["status"], &public["decidedBy"]),
        (&json!("rejected"), &json!(2))
    );

    let path = format!("/api/admin/claims/{}/approve", claim.id);
    let by_one = site.send(&site.maria, request("POST", &path, &json!({}))).await;
    assert_eq!(by_one.status, 202);
    let id = by_one.json()["approvalId"].as_i64().unwrap();
    assert_eq!(site.listed(id).await["kind"], "approve_claim");
    let approved = site.approve(&site.olga, id).await.json()["result"].clone();
    assert_eq!(approved["status"], "verified");
    let public = send(&site.store, get("/api/drawings/1")).await.json()["claims"][0].clone();
    assert_eq!(
        (&public["status"], &public["decidedBy"]),
        (&json!("claimed"), &json!(2))
    );
}

#[actix_web::test]
async fn a_winner_is_erased_by_two_people_and_everybody_else_by_one() {
    let (site, claim) = with_winner().await;
    let path = |id| format!("/api/admin/people/{id}/data-requests");
    let erasure = json!({"requestType": "erasure"});
    let open = site.post(&site.maria, &path(claim.entrant.get()), &erasure).await;
    assert_eq!(open.error(), "409 open_claim");
    site.change_claim(|claim| {
        claim.status = ClaimStatus::Declined;
        claim.ended_at = Some(claim.created_at);
    });
    let id = site.proposed("POST", &path(claim.entrant.get()), &erasure).await;
    let people = site.get(&site.olga, "/api/admin/people").await;
    let others: Vec<_> = people["people"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|person| person["id"].as_i64())
        .filter(|id| *id != claim.entrant.get())
        .collect();
    assert_eq!(others.len(), 2);
    let other = site.post(&site.maria, &path(others[0]), &erasure).await;
    assert_eq!(
        (other.status.as_u16(), &other.json()["status"]),
        (201, &json!("completed"))
    );
    let copy = site
        .post(
            &site.maria,
            &path(claim.entrant.get()),
            &json!({"requestType": "export"}),
        )
        .await;
    assert_eq!(copy.status, 201);
    let erased = site.approve(&site.olga, id).await.json()["result"].clone();
    assert_eq!(erased["status"], "completed");
    let gone = site
        .post(
            &site.maria,
            &path(claim.entrant.get()),
            &json!({"requestType": "export"}),
        )
        .await;
    assert_eq!(gone.error(), "404 not_found");
}

/// As when its disk is full.
struct FullJournal;

impl Journal for FullJournal {
    fn append(&self, _: JournalEntry) -> Result<(), JournalError> {
        Err(JournalError("the disk is full".into()))
    }
}

/// An erasure is approved before the journal is written. It can then be asked for again by one person.
#[actix_web::test]
async fn an_approved_erasure_that_fails_can_be_asked_for_again() {
    let (site, claim) = with_winner().await;
    site.change_claim(|claim| {
        claim.status = ClaimStatus::Declined;
        claim.ended_at = Some(claim.created_at);
    });
    let path = format!("/api/admin/people/{}/data-requests", claim.entrant);
    let erasure = json!({"requestType": "erasure"});
    let id = site.proposed("POST", &path, &erasure).await;
    let broken = AppState {
        privacy: PrivacyServices {
            journal: Arc::new(FullJournal),
            ..privacy_services()
        },
        ..state_after(two_people(), days(8))
    };
    let approve = authorized(post(&format!("{APPROVALS}/{id}/approve"), "{}"), &site.olga);
    let failed = send_all(&site.store, broken, vec![approve]).await.remove(0);
    assert_eq!(failed.error(), "500 internal");
    assert_eq!(site.listed(id).await["status"], "approved");
    let again = site.post(&site.maria, &path, &erasure).await;
    assert_eq!(
        (again.status.as_u16(), &again.json()["status"]),
        (201, &json!("completed"))
    );
}

#[actix_web::test]
async fn one_person_is_enough_where_it_is_not_configured() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let me = send(&store, authorized(get("/api/admin/me"), &token))
        .await
        .json();
    assert_eq!(me["twoPerson"], false);
    let cleared = send(&store, authorized(post(CLEAR, "{}"), &token)).await;
    assert!(cleared.json()["approvalId"].is_null());
    let list = send(&store, authorized(get(APPROVALS), &token)).await;
    assert_eq!(list.json(), json!({"approvals": []}));
}

fn import(file: &str) -> TestRequest {
    TestRequest::post()
        .uri("/api/admin/people/import")
        .insert_header(("Content-Type", "text/csv"))
        .set_payload(file.to_owned())
}

fn file(people: u32) -> String {
    let header = "phoneNumber,landingPage,consentBasis\r\n".to_owned();
    (0..people).fold(header, |file, n| {
        file + &format!("555321{n:04},garden-bag,Booth\r\n")
    })
}

#[actix_web::test]
async fn a_large_file_is_imported_after_somebody_else_approved_it() {
    let site = TwoPeople::new().await;
    let small = site.send(&site.maria, import(&file(1_000))).await;
    assert_eq!(
        (small.status.as_u16(), &small.json()["imported"]),
        (200, &json!(1_000))
    );

    let large = file(1_001);
    let proposed = site.send(&site.maria, import(&large)).await;
    assert_eq!(proposed.status, 202, "{:?}", proposed.bytes);
    let id = proposed.json()["approvalId"].as_i64().unwrap();
    let listed = site.listed(id).await;
    assert_eq!(
        (&listed["kind"], &listed["proposedBy"]),
        (&json!("import_people"), &json!("maria"))
    );
    let approved = site.approve(&site.olga, id).await.json();
    assert_eq!(
        (&approved["result"], &approved["approval"]["awaitsFileUntil"]),
        (&Value::Null, &Value::Null),
        "maria has the file"
    );
    let own = site.get(&site.maria, APPROVALS).await["approvals"][0].clone();
    assert_eq!(own["awaitsFileUntil"], "2025-08-10T12:00:00Z");

    let done = site.send(&site.maria, import(&large)).await.json();
    assert_eq!((&done["imported"], &done["known"]), (&json!(1), &json!(1_000)));
    let own = site.get(&site.maria, APPROVALS).await["approvals"][0].clone();
    assert_eq!(own["awaitsFileUntil"], Value::Null);
    let again = site.send(&site.maria, import(&large)).await;
    assert_eq!(
        (again.status.as_u16(), &again.json()["imported"]),
        (200, &json!(0))
    );
}
