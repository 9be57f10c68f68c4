//! Behaviour suites for stores, generic over the ports.
//!
//! Each behaviour is a function of a store, named by a sentence. [`store_contract!`] makes a test of each; the fakes and
//! PostgreSQL run the same ones, which is what makes a test on the fakes mean something.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    missing_docs,
    reason = "these functions are tests, and their names say it all"
)]

pub mod campaigns;
pub mod clearing;
pub mod collection;
pub mod drawing;
pub mod entrants;
pub mod flags;
pub mod messages;
pub mod payments;
pub mod perform_drawing;
pub mod purchase_flow;
pub mod purchase_history;
pub mod purchases;
pub mod random_histories;
pub mod sms_sender;
pub mod staff_ports;
mod support;
pub mod unit_of_work;

pub use usecases::Store;

/// Makes a test of every behavior, or of one suite: `store_contract!(entrants: MemStore::default())`. The expression makes
/// an empty store; each test evaluates it.
#[macro_export]
macro_rules! store_contract {
    ($store:expr) => {
        $crate::store_contract!(unit_of_work: $store);
        $crate::store_contract!(entrants: $store);
        $crate::store_contract!(staff_ports: $store);
        $crate::store_contract!(random_histories: $store);
        $crate::store_contract!(collection: $store);
        $crate::store_contract!(flags: $store);
        $crate::store_contract!(drawing: $store);
        $crate::store_contract!(clearing: $store);
        $crate::store_contract!(purchase_flow: $store);
        $crate::store_contract!(purchase_history: $store);
        $crate::store_contract!(perform_drawing: $store);
        $crate::store_contract!(purchases: $store);
        $crate::store_contract!(messages: $store);
        $crate::store_contract!(campaigns: $store);
    };
    (unit_of_work: $store:expr) => {
        $crate::store_contract!(@ $store, unit_of_work:
            an_error_leaves_nothing_behind
            a_limit_that_is_read_and_then_written_holds
            a_read_sees_what_was_committed
        );
    };
    (entrants: $store:expr) => {
        $crate::store_contract!(@ $store, entrants:
            an_entrant_reads_back
            nobody_is_found_where_nobody_is
            a_phone_is_admitted_once
            a_taken_referral_code_is_named
            a_colliding_referral_code_is_drawn_again
            one_phone_a_hundred_times_at_once_in_five_spellings_is_one_entrant
            two_hundred_friends_through_one_code_at_once_are_two_hundred_entries
            friends_who_refer_each_other_count_each_edge_once
            a_friend_is_credited_once
            an_unknown_code_lets_nobody_in
            referrals_come_newest_first_and_in_parts
            the_newest_consent_holds
        );
    };
    (staff_ports: $store:expr) => {
        $crate::store_contract!(@ $store, staff_ports:
            a_session_is_found_until_it_expires
            a_closed_session_is_gone
            no_two_sessions_have_one_token
            expired_sessions_are_forgotten
            the_sixth_attempt_waits_for_the_oldest_to_count_no_more
            an_attempt_that_is_forgotten_counts_no_more
            of_twenty_attempts_at_once_five_are_granted
            old_attempts_are_forgotten
            an_audit_entry_reads_back
            every_action_can_be_written_down
            the_audit_log_comes_newest_first_filtered_and_in_parts
            what_is_rolled_back_is_not_in_the_audit_log
        );
    };
    (random_histories: $store:expr) => {
        $crate::store_contract!(@ $store, random_histories:
            entries_are_the_ledgers_sums_after_any_history
            roll_ups_are_a_recount_after_any_history
        );
    };
    (collection: $store:expr) => {
        $crate::store_contract!(@ $store, collection:
            a_session_page_and_code_are_one_view
            a_view_sent_by_twenty_at_once_is_one
            folding_while_others_write_counts_everything_once
            time_adds_to_the_view_of_its_session_and_page
            time_without_a_view_makes_one
            only_codes_that_somebody_has_are_counted
            strange_pages_count_together
            a_share_with_the_same_event_id_is_one
            the_funnel_counts_sessions_and_where_they_left
            a_session_in_two_raffles_is_one_session_in_all
            ranges_hold_sessions_that_began_in_them
            the_dashboard_adds_up
            trends_have_an_hour_for_what_happened_in_it
            a_rebuild_changes_nothing
        );
    };
    (flags: $store:expr) => {
        $crate::store_contract!(@ $store, flags:
            a_flag_is_set_once_and_taken_once
            flags_come_newest_first_and_in_parts
            detection_flags_every_account_of_a_suspicious_address
            detection_leaves_alone_whom_staff_unflagged
            an_address_is_as_flagged_as_its_newest_account
            two_detections_at_once_flag_everybody_once
        );
    };
    (drawing: $store:expr) => {
        $crate::store_contract!(@ $store, drawing:
            a_commitment_is_open_until_a_drawing_names_it
            of_openings_at_once_one_holds
            a_drawing_reads_back
            a_drawing_is_found_by_its_key
            drawings_are_listed_by_each_column_and_in_parts
            a_drawing_that_is_rolled_back_never_was
            chunks_are_found_by_number_entry_and_entrant
            participants_come_by_id_and_in_parts
            no_participant_is_read_after_the_last_or_with_a_limit_of_zero
            statistics_count_who_can_win
            the_log_appends_and_comes_in_parts
            drawings_at_once_come_one_after_the_other
        );
    };
    (clearing: $store:expr) => {
        $crate::store_contract!(@ $store, clearing:
            clearing_analytics_leaves_people_and_referrals
            clearing_referrals_takes_their_entries
            clearing_while_others_write_leaves_all_in_balance
        );
    };
    (purchase_flow: $store:expr) => {
        $crate::store_contract!(@ $store, purchase_flow:
            only_what_is_sold_is_sold_and_at_its_price
            fifty_confirmations_at_once_credit_once
            confirmation_and_event_in_any_order_credit_once
            what_is_not_paid_or_not_this_is_not_credited
            a_purchase_gives_what_was_sold_whatever_became_of_the_package
            an_event_that_comes_before_we_noted_the_payment_credits_it_too
            events_that_come_twice_or_in_any_order_end_the_same
            events_three_days_late_credit_once_what_was_given_up
        );
    };
    (purchase_history: $store:expr) => {
        $crate::store_contract!(@ $store, purchase_history:
            what_is_credited_is_what_was_paid_and_kept
        );
    };
    (perform_drawing: $store:expr) => {
        $crate::store_contract!(@ $store, perform_drawing:
            the_open_commitment_stays_until_a_drawing_uses_it_up
            a_drawing_is_kept_with_its_list_its_logs_and_its_text
            the_same_key_fifty_times_at_once_is_one_drawing
            drawings_at_once_happen_one_after_the_other
            a_drawing_sees_each_entry_all_in_or_all_out
            with_nobody_to_draw_nothing_changes
            a_seed_that_cannot_be_opened_draws_nobody
            a_flagged_entrant_wins_none_of_a_million_drawings
            everybody_finds_their_own_leaf_and_nobody_elses
            later_changes_change_no_drawing
            a_list_of_several_chunks_holds
        );
    };
    (purchases: $store:expr) => {
        $crate::store_contract!(@ $store, purchases:
            a_package_reads_back_changes_and_goes
            packages_come_by_sort_order_and_then_id
            a_deleted_package_leaves_its_purchases
            nothing_is_sold_until_staff_switch_pricing_on
            a_purchase_reads_back
            an_unknown_entrant_buys_nothing
            a_purchase_changes_its_status_only_as_allowed
            a_purchase_completed_by_fifty_at_once_is_credited_once
            a_purchase_refunded_by_fifty_at_once_is_taken_back_once
            purchases_and_refunds_of_one_entrant_at_once_add_up
            completions_and_refunds_racing_each_other_leave_no_half
            a_purchase_that_is_rolled_back_never_was
            an_event_is_recorded_once
            unsettled_purchases_are_taken_oldest_first_and_then_the_next
            concurrent_claims_take_different_unsettled_purchases
            a_friend_who_buys_is_one_conversion
            clearing_referrals_leaves_what_was_bought
            buying_while_others_clear_and_fold_leaves_all_in_balance
            paid_entries_are_completed_purchases_after_any_history
        );
    };
    (messages: $store:expr) => {
        $crate::store_contract!(@ $store, messages:
            messages_read_back_in_the_order_they_were_queued
            a_message_is_claimed_once_by_twenty_concurrent_claims
            messages_are_claimed_when_they_are_due_and_oldest_first
            nothing_is_claimed_under_an_earlier_fence
            a_lease_belongs_to_its_owner_until_it_expires
            one_of_twenty_concurrent_senders_acquires_the_lease
            a_message_claimed_during_a_takeover_is_looked_up
            messages_being_sent_become_unknown_when_another_sender_takes_over
            a_message_that_was_never_composed_is_not_looked_up
            a_halt_lasts_until_another_sender_takes_the_lease
            welcome_messages_are_limited_per_minute
            the_limit_of_welcome_messages_holds_for_twenty_concurrent_claims
            in_quiet_hours_only_test_messages_are_claimed
            a_welcome_message_is_composed_once
            each_outcome_of_an_attempt_is_recorded
            outcomes_are_recorded_in_batches_and_unknown_messages_are_ignored
            an_earlier_attempt_changes_nothing_unless_the_provider_has_the_message
            a_released_message_is_pending_again
            reports_of_the_provider_never_leave_an_end_in_any_order_and_number
            a_number_that_opted_out_gets_no_message_of_any_kind
            the_last_opt_in_or_opt_out_holds
            an_inbound_message_is_new_once
            open_messages_are_counted
            sealed_credentials_read_back
            a_raffle_has_at_most_one_welcome_message
            templates_read_back_and_change_and_are_listed_newest_first
        );
    };
    (campaigns: $store:expr) => {
        $crate::store_contract!(@ $store, campaigns:
            a_campaign_reads_back
            an_idempotency_key_belongs_to_one_campaign
            only_a_pending_campaign_is_cancelled
            a_campaign_cancelled_while_it_starts_is_either_cancelled_or_started
            campaigns_start_once_when_they_are_due
            an_audience_contains_only_entrants_who_may_get_messages
            a_list_of_numbers_is_used_whole
            each_recipient_is_taken_once
            no_recipient_is_taken_under_an_earlier_fence
            a_takeover_while_recipients_are_taken_leaves_nobody_out
            changes_before_a_message_is_sent_are_respected
            the_monthly_cap_holds_for_concurrent_campaigns
            changing_a_template_does_not_change_a_started_campaign
            messages_are_added_in_order_and_skipped_ones_have_no_body
            a_campaign_finishes_when_nothing_is_left
            a_link_counts_once_however_often_it_is_opened
            a_report_counts_messages_by_reason
            clearing_campaigns_keeps_opt_outs_consents_and_monthly_counts
            clearing_while_messages_are_sent_leaves_nothing_behind
            concurrent_reports_count_once
            figures_equal_a_recount_of_messages_after_any_history
        );
    };
    (@ $store:expr, $suite:ident: $($behaviour:ident)+) => {
        mod $suite {
            $(
                #[test]
                fn $behaviour() {
                    let store = $store;
                    $crate::$suite::$behaviour(&store);
                }
            )+
        }
    };
}
