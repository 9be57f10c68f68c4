//! What an erasure changes. `docs/privacy.md` says it of every column.

pub(super) const LOCK: &str = "SELECT phone_number FROM users WHERE id = $1 FOR UPDATE";

/// What stands against an erasure. A claim is open until it has ended for good, and a purchase with one of the statuses `$3` if it
/// began after `$2`.
pub(super) const CHECK: &str = "
SELECT erased_at IS NOT NULL AS is_erased,
       EXISTS (SELECT FROM winner_verification WHERE winner_id = $1 AND ended_at IS NULL) AS has_claim,
       EXISTS (
           SELECT FROM purchases WHERE user_id = $1 AND status = ANY ($3) AND created_at > $2
       ) AS has_purchase
FROM users
WHERE id = $1";

pub(super) const IS_WINNER: &str = "
SELECT EXISTS (SELECT FROM winner_verification WHERE winner_id = $1) AS found";

/// A campaign that begins reads its audience after it has locked its row, and one that is being sent takes its recipients so.
pub(super) const LOCK_CAMPAIGNS: &str = "
SELECT id FROM sms_scheduled_campaigns WHERE status IN ('pending', 'sending') ORDER BY id FOR NO KEY UPDATE";

/// Takes a number out of the recipients of campaigns that are being sent. A recipient without a text is not counted any more.
pub(super) const LEAVE_CAMPAIGNS: &str = "
WITH gone AS (
    DELETE FROM sms_recipients AS recipient
    USING sms_scheduled_campaigns AS campaign
    WHERE recipient.campaign_id = campaign.id AND status = 'sending' AND recipient.phone_number = $1
    RETURNING campaign_id, recipient.phone_number > last_recipient AS is_waiting
)
UPDATE sms_scheduled_campaigns AS campaign
SET recipient_count = recipient_count - 1, open_count = open_count - 1
FROM gone
WHERE campaign.id = gone.campaign_id AND is_waiting";

pub(super) const LEAVE_LISTS: &str = "
UPDATE sms_scheduled_campaigns
SET custom_phone_numbers = custom_phone_numbers - $1,
    custom_number_count = jsonb_array_length(custom_phone_numbers - $1)
WHERE custom_phone_numbers ? $1";

/// A campaign goes on after its last recipient, so the one before takes its place.
pub(super) const MOVE_LAST_RECIPIENT: &str = "
UPDATE sms_scheduled_campaigns AS campaign
SET last_recipient = coalesce(
    (SELECT max(phone_number) FROM sms_recipients WHERE campaign_id = campaign.id AND phone_number < $1), ''
)
WHERE last_recipient = $1";

pub(super) const LOCK_TEXTS: &str = "
SELECT id, status = 'pending' AS is_pending
FROM sms_sent_messages
WHERE id IN (
    SELECT id FROM sms_sent_messages WHERE user_id = $1
    UNION
    SELECT id FROM sms_sent_messages WHERE user_id IS NULL AND phone_number = $2
)
ORDER BY id
FOR NO KEY UPDATE";

pub(super) const ERASE_CLICKS: &str = "
UPDATE sms_click_tracking
SET user_phone_number = NULL, ip_address = NULL, user_agent = NULL, tracking_id = 'erased ' || id
WHERE tracking_id IN (SELECT tracking_id FROM sms_sent_messages WHERE id = ANY ($1))";

/// A trigger erases those that have ended.
pub(super) const ERASE_TEXTS: &str = "UPDATE sms_sent_messages SET is_erased = true WHERE id = ANY ($1)";

/// Statements about the number `$1`.
pub(super) const OF_NUMBER: [&str; 3] = [
    "DELETE FROM sms_replies WHERE phone_number = $1",
    "UPDATE codes SET network = NULL
     WHERE subject IN (
         SELECT 'sign_up:' || encode(id, 'hex') FROM waiting_sign_ups
         WHERE sign_up IS NOT NULL AND sign_up ->> 'phoneNumber' = $1
     )",
    "UPDATE waiting_sign_ups SET sign_up = NULL WHERE sign_up IS NOT NULL AND sign_up ->> 'phoneNumber' = $1",
];

/// Statements about the entrant `$1`, in this order: the sessions are found by steps that name the entrant.
pub(super) const OF_ENTRANT: [&str; 16] = [
    "DELETE FROM data_export_requests WHERE user_id = $1 AND request_type = 'export'",
    "DELETE FROM user_data_management WHERE user_id = $1",
    "DELETE FROM push_subscriptions WHERE user_id = $1",
    "DELETE FROM share_progress WHERE user_id = $1",
    "DELETE FROM sms_replies WHERE user_id = $1",
    "DELETE FROM flag_appeals WHERE user_id = $1",
    "UPDATE user_consent SET ip_address = NULL, user_agent = NULL WHERE user_id = $1",
    "UPDATE social_shares SET ip_address = NULL WHERE user_id = $1",
    "UPDATE codes SET network = NULL, user_id = NULL WHERE user_id = $1",
    "UPDATE waiting_sign_ups SET sign_up = NULL, user_id = NULL, is_new = NULL WHERE user_id = $1",
    ERASE_VIEWS,
    ERASE_STEPS,
    "UPDATE referrals SET referred_phone_number = NULL, ip_address = NULL WHERE referred_user_id = $1",
    ERASE_CLAIMS,
    ERASE_PROPOSALS,
    ERASE_NETWORKS,
];

/// Statements about the entrant `$1` on tables that the server's role can only append to.
pub(super) const APPEND_ONLY: [&str; 3] = [
    "SELECT erase_winner_number($1)",
    "SELECT erase_audit_notes($1)",
    "SELECT erase_claim_notes($1)",
];

/// Views of the sessions in which the entrant took a step. Keys of views begin with the 48 bits of their session's time, so
/// each session is a range of the primary key. What is counted stays.
pub(super) const ERASE_VIEWS: &str = "
WITH session AS MATERIALIZED (
    SELECT DISTINCT session_key, left(replace(session_key::text, '-', ''), 12) AS began
    FROM conversion_funnel WHERE user_id = $1
)
UPDATE page_views
SET session_id = '', ip_address = NULL, user_agent = NULL, fingerprint = NULL, country = NULL, city = NULL,
    device = NULL, browser = NULL, sms_tracking_id = NULL
FROM session
WHERE view_key BETWEEN (began || repeat('0', 20))::uuid AND (began || repeat('f', 20))::uuid
    AND page_views.session_key = session.session_key";

pub(super) const ERASE_STEPS: &str = "
UPDATE conversion_funnel SET session_id = '', user_id = NULL, step_data = NULL
WHERE session_key IN (SELECT session_key FROM conversion_funnel WHERE user_id = $1)";

pub(super) const ERASE_CLAIMS: &str = "
UPDATE winner_verification
SET verification_data = NULL, browser_hash = NULL, call_code = NULL, call_code_at = NULL,
    carrier = NULL, tracking_number = NULL, shipped_at = NULL,
    public_name = NULL, public_state = NULL, reject_note = CASE WHEN reject_note IS NOT NULL THEN 'erased' END,
    objection = CASE WHEN objection IS NOT NULL THEN 'erased' END,
    details_erased_at = coalesce(details_erased_at, clock_timestamp())
WHERE winner_id = $1";

/// What was to be written to or about the winner.
pub(super) const ERASE_PROPOSALS: &str = "
UPDATE staff_approvals SET note = NULL
WHERE kind IN ('reject_claim', 'confirm_number') AND note IS NOT NULL
    AND target IN (SELECT id::text FROM winner_verification WHERE winner_id = $1)";

/// The number of accounts of a network counts those that have an address. Nobody folds meanwhile.
pub(super) const ERASE_NETWORKS: &str = "
UPDATE analytics_networks AS counted SET accounts = accounts - 1, checked = least(checked, accounts - 1)
FROM users
WHERE users.id = $1 AND counted.network = network_of(users.ip_address)
    AND sequence_number <= (SELECT last_id FROM analytics_watermarks WHERE source = 'entrants')";

/// The network if nobody has it any more.
pub(super) const FORGET_NETWORK: &str =
    "DELETE FROM analytics_networks WHERE accounts = 0 AND network = network_of($1::inet)";

pub(super) const ERASE_ENTRANT: &str = "
UPDATE users
SET phone_number = NULL, erased_at = $2, ip_address = NULL, user_agent = NULL, fingerprint = NULL, sign_up_event_id = NULL,
    stripe_customer_id = NULL, person_salt = NULL, flag_reason = NULL,
    flag_public_reason = NULL, flag_evidence = NULL,
    signed_out_at = NULL, kept_token_hash = NULL
WHERE id = $1";
