//! Which rows of which tables are about a person.

use privacy::ExportPart;

/// A table that can hold something about a person.
pub(super) struct Source {
    pub(super) part: ExportPart,
    pub(super) table: &'static str,
    /// A sentence for the person.
    pub(super) about: &'static str,
    /// `FROM` and what follows: the rows about the entrant `$1` with the number `$2`, whose keyed hashes are `$3`. The table
    /// is called `own`.
    rows: &'static str,
    /// The columns that are left out: secrets, and what is about somebody else.
    left_out: &'static [&'static str],
    /// Columns that are left out of some rows: a condition on the rows that keep them, and the columns.
    only_if: Option<(&'static str, &'static [&'static str])>,
}

impl Source {
    const fn new(part: ExportPart, table: &'static str, about: &'static str, rows: &'static str) -> Self {
        Self {
            part,
            table,
            about,
            rows,
            left_out: &[],
            only_if: None,
        }
    }

    const fn without(self, left_out: &'static [&'static str]) -> Self {
        Self { left_out, ..self }
    }

    /// The query of its rows as JSON. All parameters occur, so that their types are known.
    pub(super) fn query(&self) -> String {
        let left_out = names(self.left_out);
        let masked = match self.only_if {
            None => String::new(),
            Some((keep, columns)) => {
                format!(" - CASE WHEN {keep} THEN '{{}}' ELSE {} END", names(columns))
            }
        };
        format!(
            "WITH person AS (SELECT $1::bigint AS entrant, $2::text AS number, $3::bytea[] AS hashes)
             SELECT (to_jsonb(own) - {left_out}{masked})::text AS text {}",
            self.rows
        )
    }
}

fn names(columns: &[&str]) -> String {
    let quoted: Vec<_> = columns.iter().map(|name| format!("'{name}'")).collect();
    format!("ARRAY[{}]::text[]", quoted.join(", "))
}

/// The columns of a table that a copy leaves out of every row; `None` if the copy has no rows of the table.
pub fn left_out(table: &str) -> Option<&'static [&'static str]> {
    let source = SOURCES.iter().find(|source| source.table == table)?;
    Some(source.left_out)
}

/// All tables that can hold something about a person, in the order in which they are shown.
pub(super) const SOURCES: &[Source] = &[
    Source::new(
        ExportPart::Entry,
        "users",
        "Your sign-up and your entries.",
        "FROM users AS own, person WHERE own.id = person.entrant",
    )
    .without(&["kept_token_hash"]),
    Source::new(
        ExportPart::Entry,
        "entry_ledger",
        "Every change of your entries.",
        "FROM entry_ledger AS own, person WHERE user_id = person.entrant ORDER BY own.id",
    ),
    Source::new(
        ExportPart::Entry,
        "raffle_moves",
        "When you moved from one raffle to another.",
        "FROM raffle_moves AS own, person WHERE user_id = person.entrant ORDER BY own.number",
    ),
    Source::new(
        ExportPart::Entry,
        "inherited_entries",
        "Bought and free entries that count toward your monthly cap from before an earlier deletion.",
        "FROM inherited_entries AS own, person WHERE user_id = person.entrant ORDER BY month",
    ),
    Source::new(
        ExportPart::Entry,
        "erased_numbers",
        "What we keep of your number from before an earlier deletion.",
        "FROM erased_numbers AS own, person WHERE number_hmac = ANY (person.hashes)",
    )
    .without(&["number_hmac"]),
    Source {
        only_if: Some((
            "own.referred_user_id = person.entrant",
            &["referred_phone_number", "ip_address"],
        )),
        ..Source::new(
            ExportPart::Entry,
            "referrals",
            "Friends who entered through you, without their numbers, and the friend through whom you entered.",
            "FROM referrals AS own, person WHERE referrer_id = person.entrant OR referred_user_id = person.entrant ORDER BY own.id",
        )
    },
    Source::new(
        ExportPart::Entry,
        "analytics_referrers",
        "How many friends entered through you, counted for statistics.",
        "FROM analytics_referrers AS own, person WHERE user_id = person.entrant",
    ),
    Source::new(
        ExportPart::Purchases,
        "purchases",
        "Your purchases.",
        "FROM purchases AS own, person WHERE user_id = person.entrant ORDER BY own.id",
    ),
    Source::new(
        ExportPart::Purchases,
        "payment_reversals",
        "Refunds and disputes of your payments.",
        "FROM payment_reversals AS own, person
         WHERE stripe_payment_intent_id IN (SELECT stripe_payment_intent_id FROM purchases WHERE user_id = person.entrant)
         ORDER BY own.created_at, own.id",
    ),
    Source::new(
        ExportPart::Entry,
        "user_consent",
        "What you agreed to, and what you did not.",
        "FROM user_consent AS own, person WHERE user_id = person.entrant ORDER BY own.id",
    ),
    Source::new(
        ExportPart::Texts,
        "sms_sent_messages",
        "Texts to you. The words of a text with a code or a secret link are left out.",
        "FROM sms_sent_messages AS own, person
         WHERE user_id = person.entrant OR user_id IS NULL AND phone_number = person.number ORDER BY own.id",
    )
    .without(&["sealed_body"]),
    Source::new(
        ExportPart::Texts,
        "sms_click_tracking",
        "Links in our texts that you opened.",
        "FROM sms_click_tracking AS own, person
         WHERE user_id = person.entrant OR user_phone_number = person.number ORDER BY own.id",
    ),
    Source::new(
        ExportPart::Texts,
        "sms_replies",
        "Texts from you.",
        "FROM sms_replies AS own, person WHERE user_id = person.entrant OR phone_number = person.number ORDER BY own.id",
    ),
    Source::new(
        ExportPart::Texts,
        "sms_opt_outs",
        "Whether you texted STOP or START.",
        "FROM sms_opt_outs AS own, person WHERE phone_number = person.number",
    ),
    Source::new(
        ExportPart::Texts,
        "sms_monthly_counts",
        "How many campaign texts you got in each month.",
        "FROM sms_monthly_counts AS own, person WHERE phone_number = person.number ORDER BY month",
    ),
    Source::new(
        ExportPart::Texts,
        "sms_recipients",
        "Campaigns that are being sent to you.",
        "FROM sms_recipients AS own, person WHERE phone_number = person.number ORDER BY campaign_id",
    ),
    Source::new(
        ExportPart::Texts,
        "sms_scheduled_campaigns",
        "Campaigns for which staff listed your number. Other numbers of these lists are left out.",
        "FROM (
             SELECT id, campaign_name, consent_basis, created_at,
                    CASE WHEN custom_phone_numbers ? number THEN jsonb_build_array(number) END AS custom_phone_numbers,
                    CASE WHEN last_recipient = number THEN number END AS last_recipient
             FROM sms_scheduled_campaigns, person WHERE custom_phone_numbers ? number OR last_recipient = number
         ) AS own ORDER BY id",
    )
    .without(&[
        "template_id", "scheduled_date", "target_audience", "landing_page_filter", "custom_number_count",
        "tracking_url_base", "secret", "idempotency_key", "status", "message_template", "link_placeholder", "landing_page",
        "recipient_count", "taken_count", "open_count", "sent_count", "delivered_count", "error_count", "skipped_count",
        "clicked_count", "cta_clicked_count", "started_at", "sent_at", "idempotency_hash", "created_by",
    ]),
    Source::new(
        ExportPart::Visits,
        "page_views",
        "Pages that you looked at in the sessions in which you entered.",
        "FROM page_views AS own, person WHERE session_key IN (
             SELECT session_key FROM conversion_funnel WHERE user_id = person.entrant
         ) ORDER BY view_key",
    ),
    Source::new(
        ExportPart::Visits,
        "page_view_times",
        "How long you looked at these pages, where it is not added up yet.",
        "FROM page_view_times AS own, person WHERE view_key IN (
             SELECT view_key FROM page_views WHERE session_key IN (
                 SELECT session_key FROM conversion_funnel WHERE user_id = person.entrant
             )
         ) ORDER BY own.id",
    ),
    Source::new(
        ExportPart::Visits,
        "conversion_funnel",
        "The steps that you took on our pages.",
        "FROM conversion_funnel AS own, person WHERE user_id = person.entrant ORDER BY own.id",
    ),
    Source::new(
        ExportPart::Entry,
        "social_shares",
        "When you shared your link.",
        "FROM social_shares AS own, person WHERE user_id = person.entrant ORDER BY own.id",
    ),
    Source::new(
        ExportPart::Visits,
        "analytics_networks",
        "How many people entered from the network that you entered from.",
        "FROM analytics_networks AS own, person
         WHERE network = (SELECT network_of(ip_address) FROM users WHERE users.id = person.entrant)",
    ),
    Source::new(
        ExportPart::Entry,
        "waiting_sign_ups",
        "Sign-ups of your number that were confirmed with a code, or wait for one.",
        "FROM waiting_sign_ups AS own, person
         WHERE user_id = person.entrant OR sign_up ->> 'phoneNumber' = person.number ORDER BY created_at",
    )
    .without(&["browser_hash"]),
    Source::new(
        ExportPart::Entry,
        "codes",
        "When codes were sent to you.",
        "FROM codes AS own, person
         WHERE user_id = person.entrant OR subject IN (
             SELECT 'sign_up:' || encode(id, 'hex') FROM waiting_sign_ups WHERE sign_up ->> 'phoneNumber' = person.number
         ) ORDER BY own.id",
    )
    .without(&["code_hash", "browser_hash"]),
    Source::new(
        ExportPart::Entry,
        "flag_appeals",
        "What you wrote when your entries were on hold, and what we answered.",
        "FROM flag_appeals AS own, person WHERE user_id = person.entrant ORDER BY own.id",
    ),
    Source::new(
        ExportPart::Staff,
        "user_data_management",
        "What our staff noted.",
        "FROM user_data_management AS own, person WHERE user_id = person.entrant",
    ),
    Source::new(
        ExportPart::Staff,
        "admin_audit_log",
        "What our staff did that was about you.",
        "FROM admin_audit_log AS own, person
         WHERE target = person.entrant::text AND action IN (
                   'flag_user', 'unflag_user', 'edit_person', 'mark_duplicate', 'unmark_duplicate', 'export_person',
                   'download_copy', 'erase_person'
               )
             OR action = 'decide_appeal'
                 AND target IN (SELECT id::text FROM flag_appeals WHERE user_id = person.entrant)
             OR action IN ('approve_claim', 'reject_claim', 'deliver_prize', 'resend_claim', 'note_call',
                           'confirm_number', 'mark_unreachable', 'view_claim_details')
                 AND target IN (SELECT id::text FROM winner_verification WHERE winner_id = person.entrant)
         ORDER BY own.id",
    )
    .without(&[
        "session_id",
        "ip_address",
        "member_id",
        "position",
        "note_salt",
        "note_hash",
        "previous_hash",
        "hash",
    ]),
    Source::new(
        ExportPart::Staff,
        "staff_approvals",
        "What our staff proposed about you.",
        "FROM staff_approvals AS own, person
         WHERE kind = 'erase_winner' AND target = person.entrant::text
             OR kind IN ('approve_claim', 'reject_claim', 'confirm_number')
                 AND target IN (SELECT id::text FROM winner_verification WHERE winner_id = person.entrant)
         ORDER BY own.id",
    )
    .without(&["sealed", "proposed_by", "decided_by"]),
    Source::new(
        ExportPart::Drawings,
        "drawing_results",
        "Drawings that you won.",
        "FROM (
             SELECT id, landing_page, winner_id, winner_phone_number, winning_entry_number, drawing_method,
                    created_at
             FROM drawing_results, person WHERE winner_id = person.entrant
         ) AS own ORDER BY id",
    )
    .without(&["verification_hash", "beacon_signature"]),
    Source::new(
        ExportPart::Drawings,
        "drawing_ranks",
        "Drawings in which you were drawn, as the winner (rank 0) or as an alternate.",
        "FROM drawing_ranks AS own, person WHERE user_id = person.entrant ORDER BY drawing_id, rank",
    ),
    Source::new(
        ExportPart::Drawings,
        "winner_verification",
        "Your claims to prizes.",
        "FROM winner_verification AS own, person WHERE winner_id = person.entrant ORDER BY own.id",
    )
    .without(&["token_hash", "call_code", "browser_hash"]),
    Source::new(
        ExportPart::Drawings,
        "winner_verification_events",
        "What happened to your claims.",
        "FROM winner_verification_events AS own, person WHERE claim_id IN (
             SELECT id FROM winner_verification WHERE winner_id = person.entrant
         ) ORDER BY own.id",
    )
    .without(&["session_id"]),
    Source::new(
        ExportPart::Drawings,
        "winner_verification_texts",
        "Which texts were about your claims.",
        "FROM winner_verification_texts AS own, person WHERE claim_id IN (
             SELECT id FROM winner_verification WHERE winner_id = person.entrant
         ) ORDER BY claim_id, message_id",
    ),
    Source::new(
        ExportPart::Staff,
        "data_export_requests",
        "Your requests for your data.",
        "FROM data_export_requests AS own, person WHERE user_id = person.entrant ORDER BY own.id",
    )
    .without(&["token_hash"]),
    Source::new(
        ExportPart::Entry,
        "share_progress",
        "How far you have come with sharing your link.",
        "FROM share_progress AS own, person WHERE user_id = person.entrant",
    ),
    Source::new(
        ExportPart::Texts,
        "push_subscriptions",
        "Browsers that we tell when it is drawn.",
        "FROM push_subscriptions AS own, person WHERE user_id = person.entrant ORDER BY own.id",
    )
    .without(&["p256dh", "auth"]),
];
