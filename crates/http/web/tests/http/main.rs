//! HTTP tests of the whole application on the fakes.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a panic fails the test"
)]

mod appeals;
mod approvals;
mod audit_log;
mod browsers;
mod campaign_audiences;
mod campaign_list;
mod campaign_reports;
mod campaigns;
mod claims;
mod clearing_jobs;
mod clicks;
mod collection;
mod console;
mod data_requests;
mod drawing;
mod drawing_list;
mod drawing_steps;
mod entrants;
mod errors;
mod evidence;
mod flagged_users;
mod flow_errors;
mod free_entries;
mod load;
mod media;
mod metrics;
mod openapi;
mod opening;
mod packages;
mod pages;
mod people;
mod phone_verification;
mod provider_callbacks_inbound;
mod provider_callbacks_status;
mod provider_signatures;
mod purchases;
mod push;
mod raffle_contents;
mod raffles;
mod replies;
mod request_bodies;
mod rules;
mod sales;
mod security_txt;
mod sessions;
mod shared_networks;
mod sharing;
mod sign_in;
mod sms_account;
mod sms_console;
mod sms_templates;
mod sms_test_texts;
mod staff_accounts;
mod staff_changes;
mod staff_numbers;
mod staff_permissions;
mod stored_text;
mod strangers;
mod support;
mod welcome_sms;
