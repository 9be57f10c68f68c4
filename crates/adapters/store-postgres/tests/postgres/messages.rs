//! SMS messages on PostgreSQL: constraints, locks and the cost of claiming recipients.

use crate::support::{TestDatabase, connect, error_of, execute, number};
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use kernel::{StoreError, UnitOfWork};
use raffle::fixtures::GARDEN_BAG;
use sms::{
    Audience, CampaignDispatching, CampaignFigures, CampaignId, CampaignRules, CampaignSecret, Campaigns,
    Clicks, Dispatching, Fence, Label, LinkBase, MessageId, MessageTemplate, NewCampaign, NewClick,
    NewTemplate, Outbox, ProviderMessage, ProviderMessageId, ProviderStatus, SmsCountries, Templates,
    TrackedMessage, TrackingId,
};
use std::thread;
use std::time::{Duration, Instant};
use store_postgres::{PgStore, PgTx};

const NOW: DateTime<Utc> = DateTime::UNIX_EPOCH;

fn acquire_lease(store: &PgStore, owner: &str, second: i64) -> Option<Fence> {
    let now = NOW + TimeDelta::seconds(second);
    let acquire = |tx: &mut PgTx| tx.acquire_lease(owner, now, now + TimeDelta::seconds(60), now);
    store.transaction::<_, StoreError>(acquire).unwrap()
}

#[test]
fn invalid_messages_violate_constraints() {
    let mut connection = connect(&TestDatabase::new().admin_url);
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
        let error = error_of(&mut connection, &insert(values));
        assert!(error.contains(constraint), "{error}");
    }
}

#[test]
fn invalid_campaigns_violate_constraints() {
    let mut connection = connect(&TestDatabase::new().admin_url);
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
        let error = error_of(&mut connection, &insert);
        assert!(error.contains(constraint), "{error}");
    }
    let second = error_of(&mut connection, "INSERT INTO sms_dispatcher (id) VALUES (false)");
    assert!(second.contains("sms_dispatcher_one"), "{second}");
}

#[test]
fn a_takeover_waits_for_a_running_claim_and_a_renewal_does_not() {
    let database = TestDatabase::new();
    let store = database.store();
    let fence = acquire_lease(&store, "one", 0).unwrap();
    let mut claiming = connect(&database.admin_url);
    let claim = "BEGIN; SELECT FROM sms_dispatcher WHERE fence = 1 FOR KEY SHARE";
    claiming.batch_execute(claim).unwrap();
    assert_eq!(acquire_lease(&store, "one", 59), Some(fence));
    let takeover = result_after_commit(&database, &mut claiming, || acquire_lease(&store, "two", 119));
    assert!(takeover.unwrap() > fence);
}

/// Waits until `work` is blocked by an open transaction, commits the transaction, and returns the result of `work`.
fn result_after_commit<T: Send>(
    database: &TestDatabase,
    open: &mut PgConnection,
    work: impl FnOnce() -> T + Send,
) -> T {
    let waiting = "SELECT count(*) AS n FROM pg_stat_activity
                   WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let mut watching = connect(&database.admin_url);
    let deadline = Instant::now() + Duration::from_secs(60);
    thread::scope(|scope| {
        let working = scope.spawn(work);
        while number(&mut watching, waiting) == 0 {
            assert!(!working.is_finished(), "the work was not blocked");
            assert!(Instant::now() < deadline);
            thread::yield_now();
        }
        open.batch_execute("COMMIT").unwrap();
        working.join().unwrap()
    })
}

/// A campaign to one recipient, whose message was not sent yet.
const SENDING_CAMPAIGN: &str = "
    INSERT INTO sms_campaign_templates (name, landing_page, message_template, created_at, updated_at)
    VALUES ('Any', 'garden-bag', 'Look: {LINK}', now(), now());
    INSERT INTO sms_scheduled_campaigns
        (template_id, target_audience, campaign_name, scheduled_date, tracking_url_base, secret, status, started_at,
         message_template, link_placeholder, landing_page, recipient_count, taken_count, open_count, created_at)
    VALUES (1, 'all', 'Any', now(), 'https://example.org', decode(repeat('00', 32), 'hex'), 'sending', now(),
            'Look: {LINK}', '{LINK}', 'garden-bag', 1, 1, 1, now());
    INSERT INTO sms_sent_messages (kind, campaign_id, phone_number, tracking_id, due_at, created_at)
    VALUES ('campaign', 1, '+15551234567', 'garden-2345', now(), now())";

/// Somebody opens the link of that recipient by its call to action.
fn record_click(store: &PgStore) -> Option<TrackedMessage> {
    let click = NewClick {
        tracking_id: TrackingId::parse("garden-2345").unwrap(),
        cta: true,
        address: None,
        user_agent: None,
        at: NOW,
    };
    store
        .transaction::<_, StoreError>(|tx| tx.record_click(&click))
        .unwrap()
}

#[test]
fn a_click_does_not_wait_for_its_campaign() {
    let database = TestDatabase::new();
    let mut open = connect(&database.admin_url);
    open.batch_execute(SENDING_CAMPAIGN).unwrap();
    let store = database.store();
    // What folding locks. A click that waits for it is an error after a while.
    open.batch_execute("BEGIN; SELECT FROM sms_scheduled_campaigns FOR NO KEY UPDATE")
        .unwrap();
    assert!(record_click(&store).is_some());
    assert!(record_click(&store).is_some(), "the second time counts nothing");
    open.batch_execute("COMMIT").unwrap();

    let mut clicks = || {
        let campaign = store.read::<_, StoreError>(|tx| tx.find_campaign(CampaignId::new(1)));
        let figures = campaign.unwrap().unwrap().figures;
        let sum = store.read::<_, StoreError>(|tx| tx.sum_campaigns()).unwrap();
        assert_eq!(sum, figures);
        let left = number(&mut open, "SELECT count(*) AS n FROM sms_click_deltas");
        (left, figures.clicked, figures.cta_clicked)
    };
    assert_eq!(clicks(), (1, 1, 1));
    let finish = |tx: &mut PgTx| tx.finish_campaigns(NOW);
    store.transaction::<_, StoreError>(finish).unwrap();
    assert_eq!(clicks(), (0, 1, 1));
}

#[test]
fn a_click_waits_while_its_campaign_is_cleared() {
    let database = TestDatabase::new();
    let mut clearing = connect(&database.admin_url);
    clearing.batch_execute(SENDING_CAMPAIGN).unwrap();
    let store = database.store();
    let record = || record_click(&store);
    assert!(record().is_some());
    let clear = "BEGIN; DELETE FROM sms_sent_messages; DELETE FROM sms_click_tracking";
    clearing.batch_execute(clear).unwrap();
    assert_eq!(result_after_commit(&database, &mut clearing, record), None);
    assert_eq!(
        number(&mut clearing, "SELECT count(*) AS n FROM sms_click_tracking"),
        0
    );
}

#[test]
fn a_report_does_not_wait_for_its_campaign() {
    let database = TestDatabase::new();
    let mut open = connect(&database.admin_url);
    open.batch_execute(SENDING_CAMPAIGN).unwrap();
    // Nothing else is kept waiting for longer than a statement may take, so a report that waits is an error.
    let store = database.store();
    let lock = "BEGIN; SELECT FROM sms_scheduled_campaigns FOR UPDATE";
    open.batch_execute(lock).unwrap();
    let report = ProviderMessage {
        id: ProviderMessageId::parse("SM1").unwrap(),
        status: ProviderStatus::Delivered,
        failure: None,
    };
    let record = |tx: &mut PgTx| tx.record_report(MessageId::new(1), &report, NOW);
    assert!(store.transaction::<_, StoreError>(record).unwrap());
    let figures = || {
        let campaign = store.read::<_, StoreError>(|tx| tx.find_campaign(CampaignId::new(1)));
        campaign.unwrap().unwrap().figures
    };
    let expected = CampaignFigures {
        recipients: 1,
        sent: 1,
        delivered: 1,
        ..CampaignFigures::default()
    };
    assert_eq!(figures(), expected);
    open.batch_execute("COMMIT").unwrap();
    let finish = |tx: &mut PgTx| tx.finish_campaigns(NOW);
    assert_eq!(
        store.transaction::<_, StoreError>(finish).unwrap(),
        [CampaignId::new(1)]
    );
    let left = "SELECT count(*) AS n FROM sms_campaign_deltas";
    assert_eq!(number(&mut open, left), 0);
    assert_eq!(figures(), expected);
}

#[test]
fn deltas_count_before_and_after_they_are_folded() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.admin_url);
    connection.batch_execute(SENDING_CAMPAIGN).unwrap();
    let deltas = "
        INSERT INTO sms_campaign_deltas (campaign_id, open, sent, delivered, error, skipped)
        SELECT 1, 0, 1, 0, 0, 0 FROM generate_series(1, 20001)";
    connection.batch_execute(deltas).unwrap();
    let of_a_cleared_campaign = "
        INSERT INTO sms_campaign_deltas (campaign_id, open, sent, delivered, error, skipped) VALUES (9, 0, 1, 0, 0, 0)";
    connection.batch_execute(of_a_cleared_campaign).unwrap();
    let store = database.store();
    let mut left_and_sent = || {
        let campaign = store.read::<_, StoreError>(|tx| tx.find_campaign(CampaignId::new(1)));
        let sum = store.read::<_, StoreError>(|tx| tx.sum_campaigns()).unwrap();
        let left = number(&mut connection, "SELECT count(*) AS n FROM sms_campaign_deltas");
        let figures = campaign.unwrap().unwrap().figures;
        assert_eq!(sum, figures);
        (left, figures.sent)
    };
    let finish = || {
        let ended = store.transaction::<_, StoreError>(|tx| tx.finish_campaigns(NOW));
        assert_eq!(ended.unwrap(), [], "a message is waiting");
    };
    assert_eq!(left_and_sent(), (20_002, 20_001));
    finish();
    assert_eq!(
        left_and_sent(),
        (1, 20_001),
        "the sender folds a bounded number at once"
    );
    finish();
    assert_eq!(left_and_sent(), (0, 20_001));
}

/// A started campaign to all entrants.
fn started_campaign(store: &PgStore, fence: Fence) -> CampaignId {
    let template = NewTemplate {
        name: Label::parse("Any").unwrap(),
        raffle: GARDEN_BAG,
        message: MessageTemplate::parse("Look: {LINK}", "{LINK}").unwrap(),
        is_active: true,
    };
    let start = |tx: &mut PgTx| -> Result<_, StoreError> {
        let campaign = NewCampaign {
            name: Label::parse("Any").unwrap(),
            template: tx.add_template(&template, None, NOW)?,
            scheduled_at: NOW,
            audience: Audience::All,
            consent_basis: None,
            link_base: LinkBase::parse("https://example.org").unwrap(),
            secret: CampaignSecret::new([1; 32]),
            idempotency_key: None,
            created_by: None,
            at: NOW,
        };
        let id = tx.add_campaign(&campaign)?;
        assert_eq!(tx.start_due_campaigns(fence, NOW)?, Ok(vec![id]));
        Ok(id)
    };
    store.transaction(start).unwrap()
}

/// Even without table statistics, as after a large import. If each claim read all remaining recipients, a large campaign
/// would take hours.
#[test]
fn claiming_recipients_reads_only_those() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.admin_url);
    let entrants = "
        INSERT INTO users (phone_number, referral_code)
        SELECT '+1555' || lpad(n::text, 7, '0'), upper(lpad(to_hex(n), 8, '0')) FROM generate_series(1, 20000) AS n;
        INSERT INTO user_consent (user_id, consent_type, version, act, granted, granted_at)
        SELECT id, 'sms_campaigns', 'test', 'form', true, now() FROM users";
    connection.batch_execute(entrants).unwrap();
    let store = database.store();
    let fence = acquire_lease(&store, "one", 0).unwrap();
    let id = started_campaign(&store, fence);
    let countries = SmsCountries::default();
    let rules = CampaignRules {
        month: NaiveDate::from_ymd_opt(1970, 1, 1).unwrap(),
        monthly_cap: 1,
        countries: &countries,
    };
    for _ in 0..4 {
        let take = |tx: &mut PgTx| tx.take_recipients(fence, id, 500, &rules);
        let taken = store.transaction::<_, StoreError>(take).unwrap().unwrap();
        assert!(taken.len() == 500 && taken.iter().all(|recipient| recipient.skip.is_none()));
    }
    // The server reports statistics with a delay, at the latest when a connection ends.
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
