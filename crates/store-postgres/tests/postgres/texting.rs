//! What texts promise on PostgreSQL alone: whoever writes, on the way down, and that a part of a campaign costs no more
//! than that part.

use crate::support::{TestDatabase, connect, execute, number};
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_query;
use kernel::{Raffle, StoreError, UnitOfWork};
use sms::{
    Audience, CampaignDispatching, CampaignId, CampaignSecret, Campaigns, Clicks, Dispatching, Fence, Label,
    LinkBase, MessageId, MessageStatus, MessageTemplate, NewCampaign, NewClick, NewTemplate, Outbox,
    Templates, TrackingId,
};
use std::thread;
use std::time::{Duration, Instant};
use store_postgres::{PgStore, PgTx};

const UP: &str = include_str!("../../../../migrations/2026-11-21-000006_texts/up.sql");
const DOWN: &str = include_str!("../../../../migrations/2026-11-21-000006_texts/down.sql");

const NOW: DateTime<Utc> = DateTime::UNIX_EPOCH;

fn refused(connection: &mut PgConnection, statement: &str) -> String {
    sql_query(statement).execute(connection).unwrap_err().to_string()
}

fn lease(store: &PgStore, owner: &str, second: i64) -> Option<Fence> {
    let now = NOW + TimeDelta::seconds(second);
    let take = |tx: &mut PgTx| tx.acquire_lease(owner, now, now + TimeDelta::seconds(60), now);
    store.transaction::<_, StoreError>(take).unwrap()
}

fn text(connection: &mut PgConnection, kind: &str, status: &str, body: &str) {
    let campaign = if kind == "campaign" { "1" } else { "NULL" };
    let insert = format!(
        "INSERT INTO sms_sent_messages (kind, campaign_id, phone_number, message_body, status, due_at, created_at)
         VALUES ('{kind}', {campaign}, '+15551234567', {body}, '{status}', now(), now())"
    );
    execute(connection, &insert);
}

#[test]
fn what_no_text_can_be_is_refused() {
    let mut connection = connect(&TestDatabase::new().url);
    let cases = [
        (
            "'mail', NULL, '+15551234567', 'pending', NULL",
            "sms_sent_messages_kind_known",
        ),
        (
            "'test', NULL, '+15551234567', 'queued', NULL",
            "sms_sent_messages_status_known",
        ),
        (
            "'test', NULL, '5551234567', 'pending', NULL",
            "sms_sent_messages_phone_number_e164",
        ),
        (
            "'test', 1, '+15551234567', 'pending', NULL",
            "sms_sent_messages_campaign_whose",
        ),
        (
            "'campaign', NULL, '+15551234567', 'pending', NULL",
            "sms_sent_messages_campaign_whose",
        ),
        (
            "'campaign', 1, '+15551234567', 'sent', 'taken'",
            "sms_sent_messages_tracking_id_key",
        ),
    ];
    let insert = |values: &str| {
        format!(
            "INSERT INTO sms_sent_messages
                 (kind, campaign_id, phone_number, status, tracking_id, due_at, created_at)
             VALUES ({values}, now(), now())"
        )
    };
    execute(
        &mut connection,
        &insert("'campaign', 1, '+15551234568', 'sent', 'taken'"),
    );
    for (values, constraint) in cases {
        let error = refused(&mut connection, &insert(values));
        assert!(error.contains(constraint), "{error}");
    }
}

#[test]
fn what_no_campaign_can_be_is_refused() {
    let mut connection = connect(&TestDatabase::new().url);
    execute(
        &mut connection,
        "INSERT INTO sms_campaign_templates (name, landing_page, message_template, created_at, updated_at)
         VALUES ('Any', 'garden-bag', 'Look: {LINK}', now(), now())",
    );
    let cases = [
        (
            "9, 'all', NULL, NULL, 'pending', 0, 0",
            "sms_scheduled_campaigns_template_id_fkey",
        ),
        (
            "1, 'some', NULL, NULL, 'pending', 0, 0",
            "sms_scheduled_campaigns_target_audience_known",
        ),
        (
            "1, 'all', 'garden-bag', NULL, 'pending', 0, 0",
            "sms_scheduled_campaigns_audience_whole",
        ),
        (
            "1, 'landing_page', NULL, NULL, 'pending', 0, 0",
            "sms_scheduled_campaigns_audience_whole",
        ),
        (
            "1, 'custom', NULL, NULL, 'pending', 0, 0",
            "sms_scheduled_campaigns_audience_whole",
        ),
        (
            "1, 'all', NULL, NULL, 'sending', 0, 0",
            "sms_scheduled_campaigns_started_when",
        ),
        (
            "1, 'all', NULL, NULL, 'pending', 1, 0",
            "sms_scheduled_campaigns_counts_possible",
        ),
        (
            "1, 'all', NULL, NULL, 'pending', 0, 1",
            "sms_scheduled_campaigns_counts_possible",
        ),
    ];
    for (values, constraint) in cases {
        let insert = format!(
            "INSERT INTO sms_scheduled_campaigns
                 (template_id, target_audience, landing_page_filter, custom_phone_numbers, status, taken_count,
                  delivered_count, campaign_name, scheduled_date, tracking_url_base, secret, created_at)
             VALUES ({values}, 'Any', now(), 'https://example.org', decode(repeat('00', 32), 'hex'), now())"
        );
        let error = refused(&mut connection, &insert);
        assert!(error.contains(constraint), "{error}");
    }
    let second = refused(&mut connection, "INSERT INTO sms_dispatcher (id) VALUES (false)");
    assert!(second.contains("sms_dispatcher_one"), "{second}");
}

#[test]
fn the_way_down_keeps_the_winners_texts() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.url);
    text(&mut connection, "welcome", "pending", "NULL");
    text(&mut connection, "victory", "pending", "'You won!'");
    text(&mut connection, "victory", "unknown", "'You won!'");
    text(&mut connection, "campaign", "sent", "'Look'");
    connection.batch_execute(DOWN).unwrap();
    let kept = "SELECT count(*) AS n FROM sms_sent_messages WHERE kind = 'victory' AND status IN ('pending', 'sending')";
    assert_eq!(number(&mut connection, kept), 2);
    assert_eq!(
        number(&mut connection, "SELECT count(*) AS n FROM sms_sent_messages"),
        2
    );
    connection.batch_execute(UP).unwrap();
    let store = database.store();
    let earlier = lease(&store, "one", 0).unwrap();
    assert_eq!(earlier, Fence::new(1));
    let status = |id| {
        let found = store.read::<_, StoreError>(|tx| tx.find_message(MessageId::new(id)));
        found.unwrap().unwrap().status
    };
    assert_eq!(
        (status(2), status(3)),
        (MessageStatus::Pending, MessageStatus::Unknown),
        "what may have been sent is looked up"
    );
}

#[test]
fn a_renewal_does_not_wait_for_a_long_claim_and_a_takeover_does() {
    let database = TestDatabase::new();
    let store = database.store();
    let fence = lease(&store, "one", 0).unwrap();
    let mut claiming = connect(&database.url);
    let claim = "BEGIN; SELECT FROM sms_dispatcher WHERE fence = 1 FOR KEY SHARE";
    claiming.batch_execute(claim).unwrap();
    assert_eq!(lease(&store, "one", 59), Some(fence));
    let takeover = after_waiting(&database, &mut claiming, || lease(&store, "two", 119));
    assert!(takeover.unwrap() > fence);
}

/// What work answers that has to wait for an open transaction, which is committed then.
fn after_waiting<T: Send>(
    database: &TestDatabase,
    open: &mut PgConnection,
    work: impl FnOnce() -> T + Send,
) -> T {
    let waiting = "SELECT count(*) AS n FROM pg_stat_activity
                   WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let mut watching = connect(&database.url);
    let deadline = Instant::now() + Duration::from_secs(60);
    thread::scope(|scope| {
        let working = scope.spawn(work);
        while number(&mut watching, waiting) == 0 {
            assert!(!working.is_finished(), "it did not wait");
            assert!(Instant::now() < deadline);
            thread::yield_now();
        }
        open.batch_execute("COMMIT").unwrap();
        working.join().unwrap()
    })
}

#[test]
fn a_click_waits_for_whoever_clears_its_campaign() {
    let database = TestDatabase::new();
    let mut clearing = connect(&database.url);
    let seed = "
        INSERT INTO sms_campaign_templates (name, landing_page, message_template, created_at, updated_at)
        VALUES ('Any', 'garden-bag', 'Look: {LINK}', now(), now());
        INSERT INTO sms_scheduled_campaigns
            (template_id, target_audience, campaign_name, scheduled_date, tracking_url_base, secret, status, started_at,
             message_template, link_placeholder, landing_page, created_at)
        VALUES (1, 'all', 'Any', now(), 'https://example.org', decode(repeat('00', 32), 'hex'), 'sending', now(),
                'Look: {LINK}', '{LINK}', 'garden-bag', now());
        INSERT INTO sms_sent_messages (kind, campaign_id, phone_number, tracking_id, due_at, created_at)
        VALUES ('campaign', 1, '+15551234567', 'garden-2345', now(), now())";
    clearing.batch_execute(seed).unwrap();
    let store = database.store();
    let click = NewClick {
        tracking_id: TrackingId::parse("garden-2345").unwrap(),
        cta: true,
        address: None,
        user_agent: None,
        at: NOW,
    };
    let record = || {
        store
            .transaction::<_, StoreError>(|tx| tx.record_click(&click))
            .unwrap()
    };
    assert!(record().is_some());
    let clear = "BEGIN; DELETE FROM sms_sent_messages; DELETE FROM sms_click_tracking";
    clearing.batch_execute(clear).unwrap();
    assert_eq!(after_waiting(&database, &mut clearing, record), None);
    assert_eq!(
        number(&mut clearing, "SELECT count(*) AS n FROM sms_click_tracking"),
        0
    );
}

/// A campaign to everybody in `users`, begun.
fn begun(store: &PgStore, fence: Fence) -> CampaignId {
    let template = NewTemplate {
        name: Label::parse("Any").unwrap(),
        raffle: Raffle::GardenBag,
        message: MessageTemplate::parse("Look: {LINK}", "{LINK}").unwrap(),
        is_active: true,
    };
    let begin = |tx: &mut PgTx| -> Result<_, StoreError> {
        let campaign = NewCampaign {
            name: Label::parse("Any").unwrap(),
            template: tx.add_template(&template, NOW)?,
            scheduled_at: NOW,
            audience: Audience::All,
            link_base: LinkBase::parse("https://example.org").unwrap(),
            secret: CampaignSecret::new([1; 32]),
            idempotency_key: None,
            at: NOW,
        };
        let id = tx.add_campaign(&campaign)?;
        assert_eq!(tx.start_due_campaigns(fence, NOW)?, Ok(vec![id]));
        Ok(id)
    };
    store.transaction(begin).unwrap()
}

/// Without statistics, as after a large import, and with a large campaign: whatever reads all that is left for each part
/// would take hours.
#[test]
fn taking_recipients_reads_only_those() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.url);
    let people = "
        INSERT INTO users (phone_number, referral_code)
        SELECT '+1555' || lpad(n::text, 7, '0'), upper(lpad(to_hex(n), 8, '0')) FROM generate_series(1, 20000) AS n;
        INSERT INTO user_consent (user_id, consent_type, version, act, granted, granted_at)
        SELECT id, 'sms_campaigns', 'test', 'form', true, now() FROM users";
    connection.batch_execute(people).unwrap();
    let store = database.store();
    let fence = lease(&store, "one", 0).unwrap();
    let id = begun(&store, fence);
    let month = NaiveDate::from_ymd_opt(1970, 1, 1).unwrap();
    for _ in 0..4 {
        let take = |tx: &mut PgTx| tx.take_recipients(fence, id, 500, month, 1);
        let taken = store.transaction::<_, StoreError>(take).unwrap().unwrap();
        assert!(taken.len() == 500 && taken.iter().all(|recipient| recipient.skip.is_none()));
    }
    // The server tells its statistics a little later, and at the latest when a connection ends.
    drop(store);
    let read =
        "SELECT idx_tup_read AS n FROM pg_stat_user_indexes WHERE indexrelname = 'sms_recipients_pkey'";
    let deadline = Instant::now() + Duration::from_secs(60);
    let read = loop {
        let read = number(&mut connection, read);
        if read >= 2_000 {
            break read;
        }
        assert!(Instant::now() < deadline, "{read}");
        thread::yield_now();
    };
    assert!(read < 4_000, "{read} rows were read for 2,000 recipients");
}
