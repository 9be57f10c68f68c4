//! Diesel's table definitions: the columns that Rust code reads or writes by name.

diesel::table! {
    users (id) {
        id -> BigInt,
        phone_number -> Nullable<Text>,
        referral_code -> Text,
        landing_page -> Text,
        base_entries -> BigInt,
        bonus_entries -> BigInt,
        paid_entries -> BigInt,
        held_entries -> BigInt,
        stripe_customer_id -> Nullable<Text>,
        person_salt -> Nullable<Binary>,
        person_tag -> Binary,
        is_flagged -> Bool,
        moves -> BigInt,
        signed_out_at -> Nullable<Timestamptz>,
        kept_token_hash -> Nullable<Binary>,
        created_at -> Timestamptz,
        erased_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    erased_numbers (number_hmac) {
        number_hmac -> Binary,
        opted_out_at -> Nullable<Timestamptz>,
        is_flagged -> Bool,
        was_credited -> Bool,
        expires_at -> Timestamptz,
    }
}

diesel::table! {
    referrals (id) {
        id -> BigInt,
        referrer_id -> BigInt,
        referred_phone_number -> Nullable<Text>,
        created_at -> Timestamptz,
        is_reversed -> Bool,
    }
}

diesel::table! {
    entry_ledger (id) {
        id -> BigInt,
        user_id -> BigInt,
        kind -> Text,
        cause_id -> BigInt,
    }
}

diesel::table! {
    raffle_moves (user_id, number) {
        user_id -> BigInt,
        number -> BigInt,
        from_page -> Text,
        to_page -> Text,
        moved_at -> Timestamptz,
    }
}

diesel::table! {
    user_consent (id) {
        id -> BigInt,
        user_id -> BigInt,
        consent_type -> Text,
        granted -> Bool,
        revoked_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    payment_reversals (id) {
        id -> Text,
        stripe_payment_intent_id -> Text,
        refunded -> Nullable<BigInt>,
        refund -> Nullable<Text>,
        dispute -> Nullable<Text>,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
    }
}

diesel::table! {
    admin_sessions (id) {
        id -> BigInt,
        session_token -> Text,
        ip_address -> Nullable<Inet>,
        user_agent -> Nullable<Text>,
        expires_at -> Timestamptz,
        created_at -> Timestamptz,
        member_id -> BigInt,
        password_tag -> Binary,
        last_used_at -> Timestamptz,
        code_given_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    admin_login_failures (id) {
        id -> BigInt,
        address -> Nullable<Inet>,
        at -> Timestamptz,
        subject -> Nullable<Binary>,
    }
}

diesel::table! {
    staff_members (id) {
        id -> BigInt,
        name -> Text,
        role -> Text,
        state -> Text,
        environment -> Bool,
        password_hash -> Nullable<Text>,
        invitation_token -> Nullable<Binary>,
        invitation_expires_at -> Nullable<Timestamptz>,
        totp_secret -> Nullable<Binary>,
        totp_confirmed -> Bool,
        totp_last_step -> Nullable<BigInt>,
        codes_failed -> Integer,
        codes_failed_since -> Nullable<Timestamptz>,
        codes_locked_until -> Nullable<Timestamptz>,
        active_since -> Nullable<Timestamptz>,
        last_sign_in_at -> Nullable<Timestamptz>,
        created_at -> Timestamptz,
    }
}

diesel::joinable!(admin_sessions -> staff_members (member_id));
diesel::allow_tables_to_appear_in_same_query!(admin_sessions, staff_members);

diesel::table! {
    staff_recovery_codes (member_id, code_hash) {
        member_id -> BigInt,
        code_hash -> Binary,
    }
}

diesel::table! {
    staff_approvals (id) {
        id -> BigInt,
        kind -> Text,
        target -> Nullable<Text>,
        summary -> Text,
        arguments -> Jsonb,
        note -> Nullable<Text>,
        sealed -> Nullable<Binary>,
        proposed_by -> BigInt,
        proposed_at -> Timestamptz,
        expires_at -> Timestamptz,
        status -> Text,
        decided_by -> Nullable<BigInt>,
        decided_at -> Nullable<Timestamptz>,
        error -> Nullable<Text>,
        completed_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    admin_audit_log (id) {
        id -> BigInt,
        member_id -> Nullable<BigInt>,
        session_id -> BigInt,
        action -> Text,
        target -> Nullable<Text>,
        details -> Jsonb,
        ip_address -> Nullable<Inet>,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    page_views (view_key) {
        view_key -> Uuid,
        session_key -> Uuid,
        session_id -> Text,
        page -> Text,
        referral_code -> Nullable<Text>,
        ip_address -> Nullable<Inet>,
        user_agent -> Nullable<Text>,
        fingerprint -> Nullable<Text>,
        country -> Nullable<Text>,
        city -> Nullable<Text>,
        device -> Nullable<Text>,
        browser -> Nullable<Text>,
        entry_source -> Text,
        sms_tracking_id -> Nullable<Text>,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    drawings (id) {
        id -> BigInt,
        landing_page -> Text,
        period -> Text,
        is_additional -> Bool,
        status -> Text,
        commitment -> Text,
        seed_source -> Text,
        sealed_secrets -> Binary,
        cut_off -> Nullable<Timestamptz>,
        chain -> Text,
        reason -> Nullable<Text>,
        prize -> Jsonb,
        replaces -> Nullable<BigInt>,
        idempotency_key -> Nullable<Text>,
        request_hash -> Nullable<Binary>,
        admin_session_id -> Nullable<BigInt>,
        admin_member_id -> Nullable<BigInt>,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    drawing_announcements (drawing_id, number) {
        drawing_id -> BigInt,
        number -> BigInt,
        round -> BigInt,
        round_at -> Nullable<Timestamptz>,
        seal_due_at -> Timestamptz,
        seal_before -> Nullable<Timestamptz>,
        log_id -> BigInt,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    official_rules (version) {
        version -> BigInt,
        from_period -> Text,
        hash -> Binary,
        text -> Text,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    drawing_voids (drawing_id) {
        drawing_id -> BigInt,
        reason -> Text,
        log_id -> BigInt,
        admin_session_id -> Nullable<BigInt>,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    drawing_late_rounds (drawing_id) {
        drawing_id -> BigInt,
        signature -> Binary,
        entry_number -> BigInt,
        log_id -> BigInt,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    drawing_chunks (drawing_id, number) {
        drawing_id -> BigInt,
        number -> BigInt,
        first_entry -> BigInt,
        first_tag -> Bytea,
        root -> Binary,
        packed -> Binary,
    }
}

diesel::table! {
    drawing_list_parts (drawing_id, number) {
        drawing_id -> BigInt,
        number -> BigInt,
        csv_start -> BigInt,
        csv_end -> BigInt,
        deflated_start -> BigInt,
        deflated_end -> BigInt,
        csv_crc -> BigInt,
        deflated_crc -> BigInt,
        bytes -> Binary,
    }
}

diesel::table! {
    drawing_lists (drawing_id) {
        drawing_id -> BigInt,
        last_part -> BigInt,
        root -> Binary,
        csv_end -> BigInt,
        deflated_end -> BigInt,
        csv_crc -> BigInt,
        deflated_crc -> BigInt,
    }
}

diesel::table! {
    sms_campaign_deltas (campaign_id, id) {
        campaign_id -> BigInt,
        id -> BigInt,
        open -> BigInt,
        sent -> BigInt,
        delivered -> BigInt,
        error -> BigInt,
        skipped -> BigInt,
    }
}

diesel::table! {
    sms_campaign_templates (id) {
        id -> BigInt,
        name -> Text,
        landing_page -> Text,
        message_template -> Text,
        link_placeholder -> Text,
        is_active -> Bool,
        created_by -> Nullable<Text>,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
    }
}

diesel::table! {
    welcome_sms_templates (id) {
        id -> BigInt,
        landing_page -> Text,
        message_template -> Text,
        is_active -> Bool,
        created_by -> Nullable<Text>,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
    }
}

diesel::table! {
    sms_scheduled_campaigns (id) {
        id -> BigInt,
        template_id -> BigInt,
        campaign_name -> Text,
        scheduled_date -> Timestamptz,
        target_audience -> Text,
        landing_page_filter -> Nullable<Text>,
        custom_phone_numbers -> Nullable<Jsonb>,
        custom_number_count -> BigInt,
        consent_basis -> Nullable<Text>,
        tracking_url_base -> Text,
        secret -> Binary,
        idempotency_key -> Nullable<Text>,
        idempotency_hash -> Nullable<Binary>,
        status -> Text,
        message_template -> Nullable<Text>,
        link_placeholder -> Nullable<Text>,
        landing_page -> Nullable<Text>,
        recipient_count -> BigInt,
        taken_count -> BigInt,
        open_count -> BigInt,
        error_count -> BigInt,
        skipped_count -> BigInt,
        last_recipient -> Text,
        created_by -> Nullable<Text>,
        created_at -> Timestamptz,
        started_at -> Nullable<Timestamptz>,
        sent_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    sms_recipients (campaign_id, phone_number) {
        campaign_id -> BigInt,
        phone_number -> Text,
    }
}

diesel::table! {
    sms_sent_messages (id) {
        id -> BigInt,
        kind -> Text,
        campaign_id -> Nullable<BigInt>,
        user_id -> Nullable<BigInt>,
        phone_number -> Nullable<Text>,
        message_body -> Nullable<Text>,
        sealed_body -> Nullable<Binary>,
        provider_message_id -> Nullable<Text>,
        status -> Text,
        error_message -> Nullable<Text>,
        attempt -> Integer,
        due_at -> Timestamptz,
        sent_at -> Nullable<Timestamptz>,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    sms_daily_counts (day) {
        day -> Date,
        texts -> BigInt,
    }
}

diesel::table! {
    sms_opt_outs (phone_number) {
        phone_number -> Text,
        opted_out -> Bool,
        changed_at -> Timestamptz,
    }
}

diesel::table! {
    sms_dispatcher (id) {
        id -> Bool,
        owner -> Nullable<Text>,
        fence -> BigInt,
        expires_at -> Nullable<Timestamptz>,
        halt -> Nullable<Text>,
        welcome_minute -> Nullable<Timestamptz>,
        welcome_texts -> BigInt,
    }
}

diesel::table! {
    entry_packages (id) {
        id -> BigInt,
        name -> Text,
        entries -> BigInt,
        price -> BigInt,
        is_popular -> Bool,
        is_active -> Bool,
        description -> Text,
        sort_order -> BigInt,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    purchases (id) {
        id -> BigInt,
        user_id -> BigInt,
        landing_page -> Text,
        package_id -> BigInt,
        stripe_payment_intent_id -> Nullable<Text>,
        amount -> BigInt,
        amount_returned -> BigInt,
        entries_added -> BigInt,
        entries_taken -> BigInt,
        entries_held -> BigInt,
        reversals -> BigInt,
        buyer_moves -> BigInt,
        cap_month -> Nullable<Date>,
        entry_cap -> Nullable<BigInt>,
        next_check_at -> Timestamptz,
        status -> Text,
        event_id -> Text,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        completed_at -> Nullable<Timestamptz>,
        refunded_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    system_settings (id) {
        id -> BigInt,
        key -> Text,
        value -> Text,
        category -> Text,
        updated_at -> Timestamptz,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    provider_events (id) {
        id -> Text,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    clearing_jobs (id) {
        id -> BigInt,
        kind -> Text,
        state -> Text,
        session_id -> BigInt,
        ip_address -> Nullable<Inet>,
        total -> Nullable<Jsonb>,
        deleted -> Jsonb,
        bound_id -> Nullable<BigInt>,
        group_id -> Nullable<BigInt>,
        after_id -> Nullable<BigInt>,
        attempts -> Integer,
        error_code -> Nullable<Text>,
        started_at -> Timestamptz,
        updated_at -> Timestamptz,
        finished_at -> Nullable<Timestamptz>,
        member_id -> Nullable<BigInt>,
    }
}
