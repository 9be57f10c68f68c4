-- Records the first time a link was opened and the first click on its call to action, and adds what the campaign's counts
-- change by. Returns no row for an unknown link. Locks the message, so that clearing campaigns leaves no click behind.
WITH tracked AS MATERIALIZED (
    SELECT id, campaign_id, user_id, phone_number, tracking_id
    FROM sms_sent_messages
    WHERE tracking_id = $1 AND NOT is_erased
    FOR KEY SHARE
), known AS MATERIALIZED (
    SELECT tracked.*, campaign.campaign_name, coalesce(users.landing_page, campaign.landing_page) AS landing_page
    FROM tracked
    JOIN sms_scheduled_campaigns AS campaign ON campaign.id = campaign_id
    LEFT JOIN users ON users.id = user_id
), click AS (
    INSERT INTO sms_click_tracking
        (tracking_id, user_id, user_phone_number, campaign_id, campaign_name, landing_page, clicked_at, cta_clicked,
         cta_clicked_at, ip_address, user_agent, created_at)
    SELECT tracking_id, user_id, phone_number, campaign_id, campaign_name, landing_page, $2, $3,
           CASE WHEN $3 THEN $2 END, $4::inet, $5, $2
    FROM known
    ON CONFLICT (tracking_id) DO UPDATE SET cta_clicked = true, cta_clicked_at = excluded.cta_clicked_at
    WHERE excluded.cta_clicked AND NOT sms_click_tracking.cta_clicked
    RETURNING campaign_id, (xmax = 0)::int AS opened, cta_clicked::int AS cta_opened -- xmax = 0: inserted
), counted AS (
    INSERT INTO sms_click_deltas (campaign_id, clicked, cta_clicked)
    SELECT campaign_id, opened, cta_opened FROM click
)
SELECT id, user_id, landing_page FROM known
