//! Accounts of staff: invitations, roles, second factors, sessions and passwords.

use crate::drawing::{draw, store_with_entrants};
use crate::sessions::{errors, now, state_after};
use crate::support::{
    PASSWORD, Response, app_state, authorized, get, get_with_session, login, post, post_with_session, send,
    send_all, sign_in, staff_settings,
};
use actix_web::test::TestRequest;
use chrono::TimeDelta;
use fakes::MemStore;
use kernel::{PageRequest, UnitOfWork};
use serde_json::{Value, json};
use staff::{Action, AuditEntry, AuditFilter, AuditLog, TotpSecret, TotpStep};
use web::{AppState, StaffSettings};

pub(crate) const NEW_PASSWORD: &str = "eleven brown mushrooms";

fn patch(path: &str, body: &Value) -> TestRequest {
    TestRequest::patch()
        .uri(path)
        .insert_header(("Content-Type", "application/json"))
        .set_payload(body.to_string())
}

fn delete(path: &str, body: &Value) -> TestRequest {
    TestRequest::delete()
        .uri(path)
        .insert_header(("Content-Type", "application/json"))
        .set_payload(body.to_string())
}

/// Sends a request at this time.
async fn send_after(store: &MemStore, after: TimeDelta, request: TestRequest) -> Response {
    send_all(store, state_after(app_state(), after), vec![request])
        .await
        .remove(0)
}

/// Invites somebody and returns the answer.
async fn invite(store: &MemStore, owner: &str, name: &str, role: &str) -> Value {
    let body = json!({"name": name, "role": role});
    let response = post_with_session(store, owner, "/api/admin/staff", &body).await;
    assert_eq!(response.status, 201, "{}", response.json());
    response.json()
}

fn invitation_path(invited: &Value) -> String {
    let url = invited["invitationUrl"].as_str().unwrap();
    let token = url.strip_prefix("https://example.org/admin#invitation=").unwrap();
    format!("/api/staff/invitations/{token}")
}

fn accept(invited: &Value, password: &str) -> TestRequest {
    post(
        &invitation_path(invited),
        &json!({"password": password}).to_string(),
    )
}

/// Invites somebody who accepts, and returns the id and a session's token.
pub(crate) async fn join(store: &MemStore, name: &str, role: &str) -> (i64, String) {
    let owner = sign_in(store).await;
    let invited = invite(store, &owner, name, role).await;
    let accepted = send(store, accept(&invited, NEW_PASSWORD)).await;
    assert_eq!(accepted.json(), json!({"name": name}));
    (invited["id"].as_i64().unwrap(), token_of(store, name).await)
}

async fn token_of(store: &MemStore, name: &str) -> String {
    let response = send(store, login(name, NEW_PASSWORD)).await;
    response.json()["sessionToken"].as_str().unwrap().to_owned()
}

fn log(store: &MemStore) -> Vec<AuditEntry> {
    let all = AuditFilter::default();
    let mut entries = store
        .read(|tx| tx.list_audit(&all, PageRequest::default()))
        .unwrap();
    entries.reverse();
    entries
}

fn actions(store: &MemStore) -> Vec<Action> {
    log(store).iter().map(|entry| entry.action).collect()
}

/// What members changed of their own sign-in. Each row names its member.
fn own_changes(store: &MemStore) -> Vec<Action> {
    let is_own = |action| {
        matches!(
            action,
            Action::SetUpTotp | Action::MakeRecoveryCodes | Action::RemoveTotp | Action::ChangePassword
        )
    };
    let mut entries = log(store);
    entries.retain(|entry| is_own(entry.action));
    assert!(entries.iter().all(|entry| entry.member.is_some()), "{entries:?}");
    entries.iter().map(|entry| entry.action).collect()
}

#[actix_web::test]
async fn an_invited_member_sets_a_password_once_and_signs_in() {
    let store = MemStore::default();
    let owner = sign_in(&store).await;
    let invited = invite(&store, &owner, "ben", "manager").await;
    assert_eq!(invited["expiresAt"], "2025-08-04T12:00:00Z");
    let path = invitation_path(&invited);
    let shown = send(&store, get(&path)).await.json();
    assert_eq!(
        (&shown["name"], &shown["role"]),
        (&json!("ben"), &json!("manager"))
    );
    for (password, sentence) in [
        ("fourteen chars", "Use at least 15 characters."),
        (
            "passwordpassword",
            "This password is too common. Choose another one.",
        ),
    ] {
        let refused = send(&store, accept(&invited, password)).await;
        assert_eq!(refused.error(), "400 validation password");
        assert_eq!(refused.json()["fields"]["password"], json!([sentence]));
    }
    assert_eq!(
        send(&store, accept(&invited, NEW_PASSWORD)).await.json(),
        json!({"name": "ben"})
    );
    assert_eq!(
        send(&store, accept(&invited, NEW_PASSWORD)).await.error(),
        "404 not_found"
    );
    assert_eq!(send(&store, get(&path)).await.error(), "404 not_found");
    let token = token_of(&store, "ben").await;
    let me = get_with_session(&store, &token, "/api/admin/me").await.json();
    assert_eq!(
        (&me["name"], &me["role"], &me["environment"]),
        (&json!("ben"), &json!("manager"), &json!(false))
    );
    let expected = [
        Action::Login,
        Action::InviteMember,
        Action::AcceptInvitation,
        Action::Login,
    ];
    assert_eq!(actions(&store), expected);
}

#[actix_web::test]
async fn an_invitation_lasts_72_hours() {
    let store = MemStore::default();
    let owner = sign_in(&store).await;
    let invited = invite(&store, &owner, "ben", "viewer").await;
    let last = TimeDelta::hours(72) - TimeDelta::seconds(1);
    let path = invitation_path(&invited);
    assert_eq!(send_after(&store, last, get(&path)).await.status, 200);
    let late = send_after(&store, TimeDelta::hours(72), get(&path)).await;
    assert_eq!(late.error(), "410 invitation_expired");
    let late = send_after(&store, TimeDelta::hours(72), accept(&invited, NEW_PASSWORD)).await;
    assert_eq!(late.error(), "410 invitation_expired");
    let again = format!("/api/admin/staff/{}/invitation", invited["id"]);
    let again = post_with_session(&store, &owner, &again, &json!({})).await;
    assert_eq!(again.status, 201);
    assert_eq!(
        send(&store, accept(&again.json(), NEW_PASSWORD)).await.status,
        200
    );
}

#[actix_web::test]
async fn names_are_taken_once_and_roles_are_known() {
    let store = MemStore::default();
    let owner = sign_in(&store).await;
    invite(&store, &owner, "Ben", "viewer").await;
    for (body, error) in [
        (json!({"name": "bEN", "role": "viewer"}), "409 name_taken"),
        (json!({"name": "anna", "role": "viewer"}), "409 name_taken"),
        (json!({"name": " ", "role": "boss"}), "400 validation name,role"),
        (json!({"role": "viewer"}), "400 validation name"),
        (json!({"name": "a\nb", "role": "viewer"}), "400 validation name"),
    ] {
        let response = post_with_session(&store, &owner, "/api/admin/staff", &body).await;
        assert_eq!(response.error(), error, "{body}");
    }
}

#[actix_web::test]
async fn changing_a_role_or_disabling_ends_the_sessions() {
    let store = MemStore::default();
    let (id, mut token) = join(&store, "ben", "manager").await;
    let owner = sign_in(&store).await;
    let path = format!("/api/admin/staff/{id}");
    for (change, role, state) in [
        (json!({"role": "support"}), "support", "active"),
        (json!({"disabled": true}), "support", "disabled"),
    ] {
        assert_eq!(
            get_with_session(&store, &token, "/api/admin/me").await.status,
            200
        );
        let changed = send(&store, authorized(patch(&path, &change), &owner))
            .await
            .json();
        assert_eq!(
            (&changed["role"], &changed["state"]),
            (&json!(role), &json!(state))
        );
        let ended = get_with_session(&store, &token, "/api/admin/me").await;
        assert_eq!(ended.error(), "401 unauthorized");
        let again = send(&store, login("ben", NEW_PASSWORD)).await;
        match again.status.as_u16() {
            200 => token = again.json()["sessionToken"].as_str().unwrap().to_owned(),
            _ => assert_eq!(
                (again.error().as_str(), state),
                ("401 invalid_credentials", "disabled")
            ),
        }
    }
    let enabled = send(
        &store,
        authorized(patch(&path, &json!({"disabled": false})), &owner),
    )
    .await;
    assert_eq!(enabled.json()["state"], "active");
    assert_eq!(send(&store, login("ben", NEW_PASSWORD)).await.status, 200);
}

#[actix_web::test]
async fn the_last_owner_stays() {
    let store = MemStore::default();
    let owner = sign_in(&store).await;
    let listed = get_with_session(&store, &owner, "/api/admin/staff").await.json();
    let me = &listed["staff"][0];
    assert_eq!((&me["name"], &me["environment"]), (&json!("anna"), &json!(true)));
    let path = format!("/api/admin/staff/{}", me["id"]);
    let change = |body: Value| send(&store, authorized(patch(&path, &body), &owner));
    assert_eq!(change(json!({"disabled": true})).await.error(), "409 last_owner");
    assert_eq!(change(json!({"role": "viewer"})).await.error(), "409 last_owner");
    join(&store, "ben", "owner").await;
    assert_eq!(
        change(json!({"disabled": true})).await.error(),
        "409 environment_account"
    );
    let missing = send(
        &store,
        authorized(patch("/api/admin/staff/99", &json!({})), &owner),
    )
    .await;
    assert_eq!(missing.error(), "404 not_found");
}

/// The code of a secret some steps from now.
fn code(secret: &Value, steps: i64) -> String {
    let text = secret["secret"].as_str().unwrap();
    let bytes: Vec<u8> = base32(text);
    let secret = TotpSecret::from_bytes(&bytes).unwrap();
    let step = TotpStep::new(TotpStep::at(now()).get() + steps);
    secret.code(step).to_string()
}

fn base32(text: &str) -> Vec<u8> {
    let value = |letter: char| "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".find(letter).unwrap();
    let bits = text
        .chars()
        .flat_map(|letter| (0..5).rev().map(move |bit| value(letter) >> bit & 1));
    let bits: Vec<_> = bits.collect();
    let byte = |eight: &[usize]| eight.iter().fold(0, |byte, bit| byte << 1 | bit);
    bits.chunks_exact(8)
        .map(|eight| u8::try_from(byte(eight)).unwrap())
        .collect()
}

const TOTP: &str = "/api/admin/me/totp";

/// Sets up a second factor with the code of the step before this one, and returns the secret and the recovery codes.
async fn set_up(store: &MemStore, token: &str, password: &str) -> (Value, Value) {
    let secret = post_with_session(store, token, TOTP, &json!({"password": password}))
        .await
        .json();
    let body = json!({"code": code(&secret, -1)});
    let confirmed = post_with_session(store, token, "/api/admin/me/totp/confirm", &body).await;
    assert_eq!(confirmed.status, 200, "{}", confirmed.json());
    (secret, confirmed.json()["recoveryCodes"].clone())
}

fn login_with(code: &str) -> TestRequest {
    let body = json!({"username": "anna", "password": PASSWORD, "code": code});
    post("/api/admin/login", &body.to_string())
}

#[actix_web::test]
async fn a_second_factor_asks_for_a_code_that_counts_once() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let wrong = post_with_session(&store, &token, TOTP, &json!({"password": "wrong"})).await;
    assert_eq!(wrong.error(), "400 validation password");
    let (secret, recovery) = set_up(&store, &token, PASSWORD).await;
    assert!(
        secret["otpauthUrl"]
            .as_str()
            .unwrap()
            .starts_with("otpauth://totp/Bees%20%26%20Co.:anna?secret=")
    );
    assert!(secret["qrSvg"].as_str().unwrap().starts_with("<svg "));
    assert_eq!(recovery.as_array().unwrap().len(), 10);

    let now = code(&secret, 0);
    for (request, expected) in [
        (login("anna", PASSWORD), "401 totp_required"),
        (login_with(""), "401 totp_required"),
        (login_with("000000"), "401 totp_invalid"),
        (login_with(&code(&secret, -1)), "401 totp_invalid"),
        (login_with(&format!(" {} {} ", &now[..3], &now[3..])), "200"),
        (login_with(&now), "401 totp_invalid"),
        (login("anna", "wrong"), "401 invalid_credentials"),
    ] {
        let response = send(&store, request).await;
        assert_eq!(errors(&[response]), [expected]);
    }
    let code_of_recovery = recovery[0].as_str().unwrap().to_lowercase();
    for expected in ["200", "401 totp_invalid"] {
        let response = send(&store, login_with(&code_of_recovery)).await;
        assert_eq!(errors(&[response]), [expected]);
    }
    let me = get_with_session(&store, &token, "/api/admin/me").await.json();
    assert_eq!(
        me["totp"],
        json!({"enabled": true, "required": false, "recoveryCodesLeft": 9})
    );
    assert!(actions(&store).contains(&Action::UseRecoveryCode));
}

#[actix_web::test]
async fn five_wrong_codes_lock_for_fifteen_minutes() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let (secret, _) = set_up(&store, &token, PASSWORD).await;
    for _ in 0..5 {
        assert_eq!(
            send(&store, login_with("000000")).await.error(),
            "401 totp_invalid"
        );
    }
    let locked = send(&store, login_with(&code(&secret, 0))).await;
    assert_eq!(
        (locked.error().as_str(), locked.header("retry-after")),
        ("429 rate_limited", "900")
    );
    let later = TimeDelta::minutes(15);
    let opened = send_after(&store, later, login_with(&code(&secret, 30))).await;
    assert_eq!(opened.status, 200);
}

#[actix_web::test]
async fn what_is_dangerous_needs_a_code_of_the_last_ten_minutes() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let staff = |token: &str| authorized(get("/api/admin/staff"), token);
    assert_eq!(
        send(&store, staff(&token)).await.status,
        200,
        "without a second factor"
    );
    let (secret, _) = set_up(&store, &token, PASSWORD).await;
    assert_eq!(
        send(&store, staff(&token)).await.status,
        200,
        "the code of the set-up counts"
    );
    let after = TimeDelta::minutes(10);
    assert_eq!(
        send_after(&store, after, staff(&token)).await.error(),
        "403 step_up_required"
    );
    let with = |code: &str| staff(&token).insert_header(("X-Totp-Code", code.to_owned()));
    let wrong = send_after(&store, after, with("000000")).await;
    assert_eq!(wrong.error(), "403 step_up_required");
    assert!(wrong.json()["error"].as_str().unwrap().contains("wrong"));
    assert_eq!(
        send_after(&store, after, with(&code(&secret, 20))).await.status,
        200
    );
    assert_eq!(
        send_after(&store, after + TimeDelta::minutes(9), staff(&token))
            .await
            .status,
        200
    );
    let credentials = authorized(post("/api/admin/clear-sms", "{}"), &token);
    let late = send_after(&store, TimeDelta::minutes(25), credentials).await;
    assert_eq!(late.error(), "403 step_up_required");
}

#[actix_web::test]
async fn erasing_a_winner_needs_a_code_and_erasing_others_does_not() {
    let (store, token, _) = store_with_entrants().await;
    let winner = draw(&store, &token).await["winnerId"].as_i64().unwrap();
    let (secret, _) = set_up(&store, &token, PASSWORD).await;
    let later = TimeDelta::minutes(10);
    let people = send_after(&store, later, authorized(get("/api/admin/people"), &token)).await;
    let people = people.json()["people"].as_array().unwrap().clone();
    let ids = people.iter().map(|person| person["id"].as_i64().unwrap());
    let other = ids.clone().find(|id| *id != winner).unwrap();
    let erase = |id: i64| {
        let body = json!({"requestType": "erasure"}).to_string();
        authorized(
            post(&format!("/api/admin/people/{id}/data-requests"), &body),
            &token,
        )
    };
    assert_eq!(send_after(&store, later, erase(other)).await.status, 201);
    let refused = send_after(&store, later, erase(winner)).await;
    assert_eq!(refused.error(), "403 step_up_required");
    let confirm = format!("/api/admin/people/{winner}/data-requests/1/confirm");
    let confirm = authorized(post(&confirm, &json!({"code": "123456"}).to_string()), &token);
    assert_eq!(
        send_after(&store, later, confirm).await.error(),
        "403 step_up_required"
    );
    let with_code = erase(winner).insert_header(("X-Totp-Code", code(&secret, 20)));
    let open = send_after(&store, later, with_code).await;
    assert_eq!(open.error(), "409 open_claim", "the code counts");
}

#[actix_web::test]
async fn where_it_is_required_only_the_set_up_is_open() {
    let store = MemStore::default();
    let state = || AppState {
        staff: StaffSettings {
            totp_required: true,
            ..staff_settings()
        },
        ..app_state()
    };
    let token = sign_in(&store).await;
    let ask = async |request| {
        send_all(&store, state(), vec![authorized(request, &token)])
            .await
            .remove(0)
    };
    let me = ask(get("/api/admin/me")).await.json();
    assert_eq!(
        me["totp"],
        json!({"enabled": false, "required": true, "recoveryCodesLeft": 0})
    );
    for path in [
        "/api/admin/analytics/dashboard",
        "/api/admin/staff",
        "/api/admin/people/nonsense",
    ] {
        assert_eq!(ask(get(path)).await.error(), "403 totp_required", "{path}");
    }
    let (secret, _) = set_up(&store, &token, PASSWORD).await;
    assert_eq!(ask(get("/api/admin/staff")).await.status, 200);
    let removed = ask(delete(TOTP, &json!({"code": code(&secret, 0)}))).await;
    assert_eq!(removed.error(), "403 totp_required");
    let (_, viewer) = join_with_code(&store, &secret).await;
    let shown = send_all(
        &store,
        state(),
        vec![authorized(get("/api/admin/settings"), &viewer)],
    )
    .await;
    assert_eq!(errors(&shown), ["200"], "viewers need none");
}

/// A viewer whom the administrator invites with a code.
async fn join_with_code(store: &MemStore, secret: &Value) -> (i64, String) {
    let signed_in = send(store, login_with(&code(secret, 1))).await.json();
    let owner = signed_in["sessionToken"].as_str().unwrap().to_owned();
    let invited = invite(store, &owner, "vera", "viewer").await;
    send(store, accept(&invited, NEW_PASSWORD)).await;
    (invited["id"].as_i64().unwrap(), token_of(store, "vera").await)
}

#[actix_web::test]
async fn the_second_factor_is_removed_with_a_code_and_recovery_codes_are_renewed() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let none = send(
        &store,
        authorized(delete(TOTP, &json!({"code": "123456"})), &token),
    )
    .await;
    assert_eq!(none.error(), "409 totp_not_enabled");
    let not_begun = post_with_session(
        &store,
        &token,
        "/api/admin/me/totp/confirm",
        &json!({"code": "123456"}),
    )
    .await;
    assert_eq!(not_begun.error(), "409 totp_not_started");
    let (secret, old) = set_up(&store, &token, PASSWORD).await;
    let twice = post_with_session(&store, &token, TOTP, &json!({"password": PASSWORD})).await;
    assert_eq!(twice.error(), "409 totp_enabled");
    let renew = json!({"code": code(&secret, 0)});
    let renewed = post_with_session(&store, &token, "/api/admin/me/totp/recovery-codes", &renew)
        .await
        .json();
    let login_old = send(&store, login_with(old[0].as_str().unwrap())).await;
    assert_eq!(login_old.error(), "401 totp_invalid");
    let new = renewed["recoveryCodes"][0].as_str().unwrap();
    assert_eq!(send(&store, login_with(new)).await.status, 200);
    let wrong = send(
        &store,
        authorized(delete(TOTP, &json!({"code": "000000"})), &token),
    )
    .await;
    assert_eq!(wrong.error(), "400 totp_invalid");
    let removed = send(
        &store,
        authorized(delete(TOTP, &json!({"code": code(&secret, 1)})), &token),
    )
    .await;
    assert_eq!(removed.json(), json!({"success": true}));
    assert_eq!(
        own_changes(&store),
        [Action::SetUpTotp, Action::MakeRecoveryCodes, Action::RemoveTotp]
    );
    assert_eq!(send(&store, login("anna", PASSWORD)).await.status, 200);
}

#[actix_web::test]
async fn members_see_and_end_their_own_sessions() {
    let store = MemStore::default();
    let (_, ben) = join(&store, "ben", "viewer").await;
    let other = token_of(&store, "ben").await;
    let listed = get_with_session(&store, &ben, "/api/admin/me/sessions")
        .await
        .json();
    let sessions = listed["sessions"].as_array().unwrap();
    let current: Vec<_> = sessions
        .iter()
        .map(|session| session["current"].as_bool().unwrap())
        .collect();
    assert_eq!(current, [false, true], "newest first");
    assert_eq!(sessions[0]["address"], "192.0.2.7");
    let end = |id: &Value| authorized(delete(&format!("/api/admin/me/sessions/{id}"), &json!({})), &ben);
    let foreign = get_with_session(&store, &sign_in(&store).await, "/api/admin/me/sessions")
        .await
        .json();
    assert_eq!(
        send(&store, end(&foreign["sessions"][0]["id"])).await.error(),
        "404 not_found"
    );
    assert_eq!(send(&store, end(&sessions[0]["id"])).await.status, 200);
    assert_eq!(
        get_with_session(&store, &other, "/api/admin/me").await.error(),
        "401 unauthorized"
    );
    let all = authorized(delete("/api/admin/me/sessions", &json!({})), &ben);
    assert_eq!(send(&store, all).await.status, 200);
    assert_eq!(
        get_with_session(&store, &ben, "/api/admin/me").await.error(),
        "401 unauthorized"
    );
}

#[actix_web::test]
async fn a_new_password_ends_every_session() {
    let store = MemStore::default();
    let (_, ben) = join(&store, "ben", "viewer").await;
    let next = "twelve green mushrooms";
    let change = async |token: &str, current: &str, next: &str| {
        let body = json!({"current": current, "next": next});
        post_with_session(&store, token, "/api/admin/me/password", &body).await
    };
    assert_eq!(
        change(&ben, "wrong", next).await.error(),
        "400 validation current"
    );
    assert_eq!(
        change(&ben, NEW_PASSWORD, "short").await.error(),
        "400 validation next"
    );
    assert_eq!(
        change(&ben, NEW_PASSWORD, next).await.json(),
        json!({"success": true})
    );
    assert_eq!(
        get_with_session(&store, &ben, "/api/admin/me").await.error(),
        "401 unauthorized"
    );
    assert_eq!(
        send(&store, login("ben", NEW_PASSWORD)).await.error(),
        "401 invalid_credentials"
    );
    assert_eq!(own_changes(&store), [Action::ChangePassword]);
    assert_eq!(send(&store, login("ben", next)).await.status, 200);
    let owner = sign_in(&store).await;
    assert_eq!(
        change(&owner, PASSWORD, next).await.error(),
        "409 environment_account"
    );
}

#[actix_web::test]
async fn failed_sign_ins_are_recorded_with_their_address_and_without_what_was_typed() {
    let store = MemStore::default();
    send(&store, login("anna", "secret-of-anna")).await;
    send(&store, login("typed-password", "x")).await;
    let all = AuditFilter::default();
    let entries = store
        .read(|tx| tx.list_audit(&all, PageRequest::default()))
        .unwrap();
    let targets: Vec<_> = entries.iter().map(|entry| entry.target.as_deref()).collect();
    assert_eq!(targets, [None, Some("1")]);
    for entry in &entries {
        assert_eq!(
            (entry.action, entry.address),
            (Action::LoginFailed, Some([192, 0, 2, 7].into()))
        );
        assert!(!format!("{entry:?}").contains("typed") && !format!("{entry:?}").contains("secret-of"));
    }
}
