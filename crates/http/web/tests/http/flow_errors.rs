//! The status, code and sentence of every error that a flow can return.

use actix_web::body::MessageBody;
use chrono::TimeDelta;
use chrono::{DateTime, Utc};
use claims::ClaimRefusal;
use kernel::StoreError;
use usecases::campaigns::CampaignError;
use usecases::claims::review::ReviewError;
use usecases::claims::winner::ClaimError;
use usecases::drawings::FindDrawingError;
use usecases::drawings::{DrawError, PerformError};
use usecases::entering::EnterError;
use usecases::entrants::FindEntrantError;
use usecases::flags::FlagError;
use usecases::packages::PackageError;
use usecases::provider_callbacks::ClickError;
use usecases::purchases::{ConfirmError, PurchaseError};
use usecases::sessions::{AccessError, AttemptError};
use usecases::sms_templates::TemplateError;
use web::ApiError;

/// The response to an error as text: the status, the headers that only errors have, and the body.
fn response_to(error: impl Into<ApiError>) -> String {
    use actix_web::ResponseError;
    let response = error.into().error_response();
    let header = |name: &str| {
        let value = response.headers().get(name)?.to_str().unwrap();
        Some(format!(" {name}: {value}"))
    };
    let headers: String = ["retry-after", "allow", "www-authenticate"]
        .into_iter()
        .filter_map(header)
        .collect();
    let status = response.status().as_u16();
    let body = response.into_body().try_into_bytes().unwrap();
    format!("{status}{headers} {}", String::from_utf8_lossy(&body))
}

#[actix_web::test]
async fn every_error_of_a_flow_has_its_status_code_and_sentence() {
    let table = [
        (
            response_to(EnterError::UnknownReferralCode),
            r#"404 {"error":"Referral code not found","code":"referral_code_not_found"}"#,
        ),
        (
            response_to(FindEntrantError::UnknownEntrant),
            r#"404 {"error":"There is nothing at this address.","code":"not_found"}"#,
        ),
        (
            response_to(FlagError::UnknownEntrant),
            r#"404 {"error":"There is nothing at this address.","code":"not_found"}"#,
        ),
        (
            response_to(PerformError::NoParticipants),
            r#"409 {"error":"Nobody can be drawn: this raffle has no participants.","code":"no_participants"}"#,
        ),
        (
            response_to(PerformError::AlreadyDrawn),
            r#"409 {"error":"This raffle has its drawing of this month. An additional drawing needs a reason.","code":"already_drawn"}"#,
        ),
        (
            response_to(PerformError::NothingToDraw {
                next: DateTime::<Utc>::UNIX_EPOCH,
            }),
            r#"409 {"error":"The server draws this raffle by itself. An additional drawing needs a reason.","code":"nothing_to_draw"}"#,
        ),
        (
            response_to(ClaimError::Refused(ClaimRefusal::Paused)),
            r#"409 {"error":"A payment is disputed, so your claim is paused. Your time does not run.","code":"claim_paused"}"#,
        ),
        (
            response_to(ClaimError::Refused(ClaimRefusal::ObjectionWindowOver)),
            r#"409 {"error":"This is not possible any more. Please reload the page.","code":"claim_ended"}"#,
        ),
        (
            response_to(ReviewError::Refused(ClaimRefusal::Paused)),
            r#"409 {"error":"A payment is disputed, so the claim is paused until the dispute is decided.","code":"claim_paused"}"#,
        ),
        (
            response_to(ReviewError::NumberChanged),
            r#"409 {"error":"The entrant's number is not the one that was drawn, so the claim cannot be approved.","code":"number_changed"}"#,
        ),
        (
            response_to(DrawError::NotSealed),
            r#"409 {"error":"This drawing does not wait for a beacon.","code":"not_sealed"}"#,
        ),
        (
            response_to(DrawError::AnotherRound),
            r#"409 {"error":"This drawing was announced with another round of the beacon.","code":"another_round"}"#,
        ),
        (
            response_to(DrawError::InvalidSignature),
            r#"400 {"error":"This signature is not valid for the round.","code":"beacon_invalid"}"#,
        ),
        (
            response_to(DrawError::UnknownChain),
            r#"500 {"error":"Something went wrong on our side. Please try again.","code":"internal"}"#,
        ),
        (
            response_to(PerformError::KeyReused),
            r#"409 {"error":"This key was used for another request. Please reload the page and try again.","code":"idempotency_mismatch"}"#,
        ),
        (
            response_to(PerformError::ClearingUnfinished),
            r#"409 {"error":"Referral data is being cleared, so some entrants still have entries that others have lost. Draw when that is done.","code":"clearing_unfinished"}"#,
        ),
        (
            response_to(PerformError::Secrets),
            r#"500 {"error":"Something went wrong on our side. Please try again.","code":"internal"}"#,
        ),
        (
            response_to(FindDrawingError::UnknownDrawing),
            r#"404 {"error":"There is nothing at this address.","code":"not_found"}"#,
        ),
        (
            response_to(FindDrawingError::NotInIt),
            r#"404 {"error":"There is nothing at this address.","code":"not_found"}"#,
        ),
        (
            response_to(PurchaseError::NotForSale),
            r#"403 {"error":"Purchases are not available right now","code":"purchases_unavailable"}"#,
        ),
        (
            response_to(PurchaseError::UnknownEntrant),
            r#"404 {"error":"There is nothing at this address.","code":"not_found"}"#,
        ),
        (
            response_to(PurchaseError::OfferMismatch {
                amount: true,
                entries: false,
            }),
            r#"400 {"error":"Please check the marked fields.","code":"validation","fields":{"amount":["This is not what the package has; please reload the page"]}}"#,
        ),
        (
            response_to(PurchaseError::TooManyOpen {
                wait: TimeDelta::seconds(61),
            }),
            r#"429 retry-after: 61 {"error":"You have begun too many purchases. Please finish one, or try again later.","code":"too_many_open_purchases"}"#,
        ),
        (
            response_to(ConfirmError::UnknownIntent),
            r#"404 {"error":"There is nothing at this address.","code":"not_found"}"#,
        ),
        (
            response_to(ConfirmError::NotYours),
            r#"403 {"error":"This payment belongs to somebody else.","code":"not_your_payment"}"#,
        ),
        (
            response_to(ConfirmError::NotPaid),
            r#"409 {"error":"Payment confirmation failed","code":"payment_not_confirmed"}"#,
        ),
        (
            response_to(PackageError::UnknownPackage),
            r#"404 {"error":"There is nothing at this address.","code":"not_found"}"#,
        ),
        (
            response_to(TemplateError::UnknownTemplate),
            r#"404 {"error":"There is nothing at this address.","code":"not_found"}"#,
        ),
        (
            response_to(TemplateError::AlreadyThere),
            r#"409 {"error":"This page already has a welcome message.","code":"template_exists"}"#,
        ),
        (
            response_to(CampaignError::UnknownTemplate),
            r#"404 {"error":"This template does not exist or is not active.","code":"unknown_template"}"#,
        ),
        (
            response_to(CampaignError::UnknownCampaign),
            r#"404 {"error":"There is nothing at this address.","code":"not_found"}"#,
        ),
        (
            response_to(CampaignError::NotPending),
            r#"409 {"error":"Only a pending campaign can be cancelled","code":"not_pending"}"#,
        ),
        (
            response_to(ClickError::UnknownTrackingId),
            r#"404 {"error":"We do not recognize this link.","code":"unknown_tracking_id"}"#,
        ),
        (
            response_to(AttemptError::TooMany {
                wait: TimeDelta::milliseconds(61_001),
            }),
            r#"429 retry-after: 62 {"error":"Too many tries. Please wait a moment and try again.","code":"rate_limited"}"#,
        ),
        (
            response_to(AccessError::NoSession),
            r#"401 www-authenticate: Bearer {"error":"Please log in again.","code":"unauthorized"}"#,
        ),
        (
            response_to(StoreError::Conflict),
            r#"503 retry-after: 5 {"error":"We cannot reach our records right now. Please try again in a moment.","code":"unavailable"}"#,
        ),
        (
            response_to(StoreError::Failed("why".into())),
            r#"500 {"error":"Something went wrong on our side. Please try again.","code":"internal"}"#,
        ),
    ];
    for (response, expected) in table {
        assert_eq!(response, expected);
    }
}
