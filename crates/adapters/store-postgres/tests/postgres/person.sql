-- Writes canaries about the winner of the only drawing into every column about people (docs/privacy.md).
DO $$
DECLARE
    person bigint := (SELECT winner_id FROM drawing_results);
    number text := (SELECT phone_number FROM users WHERE id = person);
    address inet := '198.51.100.77';
    member bigint;
    claim bigint := (SELECT id FROM winner_verification WHERE winner_id = person);
    session uuid := (SELECT session_key FROM conversion_funnel WHERE user_id = person LIMIT 1);
    campaign bigint;
    appeal bigint;
BEGIN
    UPDATE users
    SET ip_address = address, user_agent = 'Canary/1.0', fingerprint = 'canary', sign_up_event_id = 'canary',
        stripe_customer_id = 'canary', is_flagged = true, flagged_at = now(), flag_reason = 'canary',
        flag_evidence = '["canary"]', signed_out_at = now(), kept_token_hash = 'canary-token-hash-of-32-bytes-yy'
    WHERE id = person;
    INSERT INTO analytics_networks (network, accounts) VALUES (network_of(address), 1);

    DELETE FROM referrals WHERE referred_user_id = person;
    INSERT INTO referrals (referrer_id, referred_user_id, referred_phone_number, ip_address)
    SELECT id, person, number, address FROM users WHERE id <> person LIMIT 1;
    UPDATE user_consent SET ip_address = address, user_agent = 'Canary/1.0' WHERE user_id = person;

    UPDATE conversion_funnel SET session_id = 'canary', step_data = '{"trackingId": "canary"}' WHERE user_id = person;
    INSERT INTO page_views (view_key, session_key, session_id, page, ip_address, user_agent, fingerprint, country, city,
                            device, browser, entry_source, sms_tracking_id)
    VALUES ((left(session::text, 13) || '-4000-8000-000000000000')::uuid, session, 'canary', 'garden-bag', address,
            'Canary/1.0', 'canary', 'Canaryland', 'Canaryland', 'canary', 'canary', 'direct', 'canary');
    INSERT INTO social_shares (user_id, platform, ip_address) VALUES (person, 'sms', address);

    INSERT INTO sms_campaign_templates (name, landing_page, message_template, created_at, updated_at)
    VALUES ('June', 'garden-bag', 'Hello {LINK}', now(), now());
    INSERT INTO sms_scheduled_campaigns
        (template_id, campaign_name, scheduled_date, target_audience, custom_phone_numbers, custom_number_count,
         consent_basis, tracking_url_base, secret, status, message_template, link_placeholder, landing_page,
         recipient_count, taken_count, open_count, last_recipient, created_at, started_at)
    SELECT id, 'Erasure', now(), 'custom', jsonb_build_array(number, '+19999999999'), 2, 'a list',
           'https://example.org', sha256('secret'), 'sending', 'Hello {LINK}', '{LINK}', 'garden-bag', 3, 2, 2, number,
           now(), now()
    FROM sms_campaign_templates LIMIT 1
    RETURNING id INTO campaign;
    INSERT INTO sms_recipients (campaign_id, phone_number)
    VALUES (campaign, '+10000000001'), (campaign, number), (campaign, '+19999999999');
    INSERT INTO sms_sent_messages (kind, campaign_id, user_id, phone_number, message_body, tracking_id, tracking_url,
                                   status, error_message, due_at, created_at)
    VALUES ('campaign', campaign, person, number, 'Hello canary', 'canary-link', 'https://example.org/canary', 'failed',
            'The number ' || number || ' is not valid', now(), now()),
           ('test', NULL, NULL, number, 'Hello canary', NULL, NULL, 'sent', NULL, now(), now());
    INSERT INTO sms_sent_messages (kind, user_id, phone_number, sealed_body, due_at, created_at)
    VALUES ('victory', person, number, 'canary', now(), now());
    INSERT INTO sms_click_tracking (tracking_id, user_id, user_phone_number, campaign_id, campaign_name, landing_page,
                                    clicked_at, ip_address, user_agent, created_at)
    VALUES ('canary-link', person, number, campaign, 'Erasure', 'garden-bag', now(), address, 'Canary/1.0', now());
    INSERT INTO sms_replies (provider_message_id, user_id, phone_number, body, created_at)
    VALUES ('SM1', person, number, 'canary', now());
    INSERT INTO sms_opt_outs VALUES (number, true, now());
    INSERT INTO sms_monthly_counts VALUES (number, '2025-08-01', 3);

    INSERT INTO waiting_sign_ups (id, browser_hash, sign_up, user_id, is_new, created_at, expires_at)
    VALUES (substr(sha256('1'), 1, 16), sha256('1'), NULL, person, true, now(), now()),
           (substr(sha256('2'), 1, 16), sha256('2'), jsonb_build_object('phoneNumber', number), NULL, NULL, now(), now());
    INSERT INTO codes (purpose, subject, browser_hash, number_tag, network, is_own, code_hash, message_id, user_id, sent_at)
    SELECT 'sign_up', 'sign_up:' || encode(id, 'hex'), browser_hash, sha256('1'), address, false, sha256('1'), 1, user_id, now()
    FROM waiting_sign_ups;

    UPDATE winner_verification
    SET status = 'rejected', ended_at = now(), verification_data = 'canary', browser_hash = 'canary-browser-hash-of-32-bytes!',
        call_code = 'canary-code-of-a-call-32-bytes-l', call_code_at = now(), public_name = 'Canary canary',
        public_state = 'canary', reject_reason = 'fraud', reject_note = 'canary', rejected_at = now(), objection = 'canary',
        objected_at = now(), carrier = 'canary', tracking_number = 'canary', shipped_at = now()
    WHERE id = claim;
    INSERT INTO winner_verification_events (claim_id, kind, note, created_at) VALUES (claim, 'called', 'canary', now());

    INSERT INTO flag_appeals (user_id, message, status, note, flag_reason, flag_evidence, flagged_at, created_at, decided_at)
    VALUES (person, 'I am no canary', 'rejected', 'canary', 'canary', '["canary"]', now(), now(), now())
    RETURNING id INTO appeal;
    INSERT INTO user_data_management
        (user_id, is_duplicate, duplicate_of, merged_at, reason, data_source, import_batch_id, consent_basis, tags, notes,
         created_at, updated_at)
    SELECT person, true, id, now(), 'canary', 'import', 'batch', 'canary', '["canary"]', 'canary', now(), now()
    FROM users WHERE id <> person LIMIT 1;
    INSERT INTO data_export_requests
        (user_id, request_type, asked_by, status, token_hash, completed_at, expires_at, created_at)
    VALUES (person, 'export', 'visitor', 'completed', 'canary-token-hash-of-32-bytes-xx', now(), now(), now()),
           (person, 'erasure', 'visitor', 'pending', NULL, NULL, now(), now());
    INSERT INTO push_subscriptions (user_id, endpoint, p256dh, auth, user_agent, created_at)
    VALUES (person, 'https://fcm.googleapis.com/canary', convert_to(rpad('canary', 65, 'x'), 'UTF8'), 'canary-16-bytes!',
            'Canary/1.0', now());
    INSERT INTO share_progress (user_id, sms_shared_on, total_shares, share_streak, longest_streak, xp, last_event_id,
                                created_at, updated_at)
    VALUES (person, '2026-11-01', 1, 1, 1, 10, 'canary', now(), now());
    INSERT INTO staff_members (name, role, state, created_at) VALUES ('anna', 'owner', 'active', now())
    RETURNING id INTO member;
    INSERT INTO staff_approvals (kind, target, summary, arguments, note, proposed_by, proposed_at, expires_at, status, decided_at)
    VALUES ('reject_claim', claim::text, 'Reject it.', '[]', 'canary', member, now(), now(), 'approved', now());
    INSERT INTO admin_audit_log (session_id, action, target, details, created_at)
    VALUES (1, 'flag_user', person::text, '{"reason": "canary"}', now()),
           (1, 'decide_appeal', appeal::text, '{"note": "canary"}', now()),
           (1, 'note_call', claim::text, '{"note": "canary"}', now());
END
$$;
