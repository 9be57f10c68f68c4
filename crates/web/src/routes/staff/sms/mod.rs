//! Texts in the console: spec section 2 (SMS Campaigns, Settings), D18 to D25.

pub(crate) mod account;
pub(crate) mod campaigns;
pub(crate) mod export;
pub(crate) mod templates;
pub(crate) mod welcome;

use super::{Store, get, post, these};
use crate::AppState;
use actix_web::{Resource, web};
use std::sync::Arc;
use usecases::campaigns::SmsRules;

/// The routes, not yet limited.
pub(super) fn resources<S: Store>() -> Vec<Resource> {
    vec![
        these(
            "/api/admin/sms/templates",
            [
                web::get().to(templates::list::<S>),
                web::post().to(templates::create::<S>),
            ],
            "GET, POST",
        ),
        put(
            "/api/admin/sms/templates/{id}",
            web::put().to(templates::update::<S>),
        ),
        get("/api/admin/sms/campaigns", web::get().to(campaigns::list::<S>)),
        post(
            "/api/admin/sms/campaigns/schedule",
            web::post().to(campaigns::schedule::<S>),
        ),
        post(
            "/api/admin/sms/campaigns/estimate",
            web::post().to(campaigns::estimate::<S>),
        ),
        get(
            "/api/admin/sms/campaigns/{id}",
            web::get().to(campaigns::find::<S>),
        ),
        put(
            "/api/admin/sms/campaigns/{id}/cancel",
            web::put().to(campaigns::cancel::<S>),
        ),
        get(
            "/api/admin/sms/campaigns/{id}/export",
            web::get().to(export::export::<S>),
        ),
        get(
            "/api/admin/sms/analytics",
            web::get().to(campaigns::analytics::<S>),
        ),
        get("/api/admin/sms/status", web::get().to(account::status::<S>)),
        post(
            "/api/admin/sms/test-text",
            web::post().to(account::send_test_text::<S>),
        ),
        get(
            "/api/admin/sms/texts/{id}",
            web::get().to(account::find_message::<S>),
        ),
        post(
            "/api/admin/save-credentials",
            web::post().to(account::save_credentials::<S>),
        ),
        these(
            "/api/admin/welcome-sms",
            [
                web::get().to(welcome::list::<S>),
                web::post().to(welcome::create::<S>),
            ],
            "GET, POST",
        ),
        these(
            "/api/admin/welcome-sms/{landingPage}",
            [
                web::put().to(welcome::update::<S>),
                web::delete().to(welcome::delete::<S>),
            ],
            "PUT, DELETE",
        ),
    ]
}

fn put(path: &str, route: actix_web::Route) -> Resource {
    these(path, [route], "PUT")
}

fn rules(state: &AppState) -> Arc<SmsRules> {
    state.sms.rules.clone()
}
