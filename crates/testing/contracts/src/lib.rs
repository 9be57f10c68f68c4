//! Contract tests of stores, generic over the ports.
//!
//! Each behavior is a function that takes a store; its name is a sentence. [`store_contract!`] makes a test of each. The
//! fakes and PostgreSQL run the same tests, so what a test shows on the fakes also holds on PostgreSQL.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::missing_panics_doc,
    missing_docs,
    reason = "these functions are tests, described by their names"
)]

pub mod appeals;
pub mod approvals;
pub mod audit_chain;
pub mod beacon;
pub mod campaigns;
pub mod claim_flow;
pub mod claims;
pub mod clearing;
pub mod codes;
pub mod collection;
pub mod consents;
pub mod data_requests;
pub mod detection;
pub mod drawing;
/// Drawings over days and months. It needs a store whose clock can be set, so it runs on the fakes.
pub mod drawing_calendar {
    pub use crate::drawing_flow::calendar::*;
}
pub mod drawing_flow;
pub mod drawing_steps;
pub mod entrants;
pub mod erasure;
pub mod filled;
pub mod flag_history;
pub mod flags;
pub mod free_entries;
pub mod messages;
pub mod moves;
pub mod payments;
pub mod people;
pub mod pictures;
pub mod published_lists;
pub mod purchase_flow;
pub mod purchase_history;
pub mod purchases;
pub mod push;
pub mod raffle_contents;
pub mod raffles;
pub mod random_histories;
pub mod retention;
pub mod rules;
pub mod shared_networks;
pub mod sharing;
pub mod slow;
pub mod sms_sender;
pub mod staff_ports;
mod support;
pub mod unit_of_work;

pub use purchase_flow::{bought, on_sale};
pub use support::{entered, entered_through, flag_suspicious};
pub use usecases::Store;

/// Makes a test of every behavior, or of one suite: `store_contract!(entrants: MemStore::default())`. The expression makes
/// an empty store; each test evaluates it.
#[macro_export]
macro_rules! store_contract {
    ($store:expr) => {
        $crate::store_contract!(unit_of_work: $store);
        $crate::store_contract!(entrants: $store);
        $crate::store_contract!(erasure: $store);
        $crate::store_contract!(data_requests: $store);
        $crate::store_contract!(staff_ports: $store);
        $crate::store_contract!(approvals: $store);
        $crate::store_contract!(random_histories: $store);
        $crate::store_contract!(collection: $store);
        $crate::store_contract!(retention: $store);
        $crate::store_contract!(flags: $store);
        $crate::store_contract!(detection: $store);
        $crate::store_contract!(shared_networks: $store);
        $crate::store_contract!(appeals: $store);
        $crate::store_contract!(flag_history: $store);
        $crate::store_contract!(drawing: $store);
        $crate::store_contract!(drawing_steps: $store);
        $crate::store_contract!(rules: $store);
        $crate::store_contract!(clearing: $store);
        $crate::store_contract!(purchase_flow: $store);
        $crate::store_contract!(free_entries: $store);
        $crate::store_contract!(purchase_history: $store);
        $crate::store_contract!(drawing_flow: $store);
        $crate::store_contract!(published_lists: $store);
        $crate::store_contract!(codes: $store);
        $crate::store_contract!(purchases: $store);
        $crate::store_contract!(claims: $store);
        $crate::store_contract!(people: $store);
        $crate::store_contract!(pictures: $store);
        $crate::store_contract!(push: $store);
        $crate::store_contract!(raffle_contents: $store);
        $crate::store_contract!(raffles: $store);
        $crate::store_contract!(moves: $store);
        $crate::store_contract!(sharing: $store);
        $crate::store_contract!(claim_flow: $store);
        $crate::store_contract!(consents: $store);
        $crate::store_contract!(messages: $store);
        $crate::store_contract!(campaigns: $store);
        $crate::store_contract!(slow: $store);
    };
    (unit_of_work: $store:expr) => {
        $crate::store_contract!(@ $store, unit_of_work:
            an_error_rolls_the_transaction_back
            a_limit_checked_in_a_serializable_transaction_holds
            a_read_sees_committed_data
            a_text_with_nul_is_refused
        );
    };
    (entrants: $store:expr) => {
        $crate::store_contract!(@ $store, entrants:
            an_entrant_reads_back
            an_entrant_keeps_the_tag_of_their_number
            each_entrant_gets_a_salt_of_their_own
            looking_up_an_unknown_entrant_finds_nothing
            a_phone_number_enters_once
            a_duplicate_referral_code_is_reported
            a_taken_id_is_reported
            a_taken_id_is_drawn_again
            the_largest_and_the_smallest_id_read_back
            a_colliding_id_and_referral_code_are_replaced
            signing_out_leaves_one_browser_and_those_that_come_later
            a_hundred_concurrent_entries_of_one_phone_number_make_one_entrant
            two_hundred_concurrent_friends_earn_two_hundred_entries
            entering_again_through_a_friend_earns_nothing
            a_friend_is_credited_once
            an_unknown_referral_code_is_rejected
            referrals_are_listed_newest_first_in_pages
            the_newest_consent_decides
        );
    };
    (free_entries: $store:expr) => {
        $crate::store_contract!(@ $store, free_entries:
            free_entries_are_given_once_a_day
            free_entries_are_spread_until_the_next_drawing
            odds_are_of_one_moment
            flagged_entrants_are_sold_and_given_nothing
            the_last_claim_of_a_month_gives_what_still_fits
            a_late_payment_of_an_erased_person_goes_back
            a_purchase_reserves_its_entries_until_it_is_canceled
            bought_entries_count_toward_the_cap_until_they_are_given_up
            a_canceled_purchase_that_still_fits_is_credited_when_it_is_paid
            a_payment_that_no_longer_fits_is_refunded_once
            fifty_claims_and_purchases_at_once_never_pass_the_cap
            a_late_payment_and_a_claim_at_once_never_pass_the_cap
            no_random_history_passes_the_cap
        );
    };
    (erasure: $store:expr) => {
        $crate::store_contract!(@ $store, erasure:
            an_erased_entrant_is_found_by_nothing
            an_entrant_is_erased_once
            the_ledger_of_an_erased_entrant_goes_on
            a_referrer_keeps_the_entry_for_an_erased_friend
            nobody_is_credited_twice_for_a_number_that_was_erased
            who_enters_again_inherits_flag_and_stop
            who_enters_again_inherits_the_mark_as_a_duplicate
            who_enters_again_inherits_what_counts_toward_the_cap
            a_start_after_the_erasure_wins
            after_13_months_only_the_stop_is_kept
            a_stop_is_known_when_the_number_is_listed_again
            an_open_claim_or_purchase_stands_against_an_erasure
            texts_that_wait_are_skipped
            a_text_that_is_being_sent_is_erased_when_it_has_ended
            old_proofs_do_not_change_when_everybody_is_erased
            an_erased_entrant_leaves_drawings_that_are_not_sealed
            entering_and_erasing_at_once_leave_one_entrant
            erasing_and_claiming_at_once_sends_or_skips_each_text
            erasing_and_drawing_at_once_draw_among_who_was_listed
        );
    };
    (staff_ports: $store:expr) => {
        $crate::store_contract!(@ $store, staff_ports:
            a_session_is_found_until_it_ends
            a_session_reads_back
            a_closed_session_is_not_found
            sessions_are_listed_and_closed_by_member
            session_tokens_are_unique
            ended_sessions_are_deleted
            an_account_reads_back
            names_of_accounts_are_unique_in_any_case
            servers_that_start_at_once_keep_one_environment_account
            servers_that_start_at_once_invite_one_first_owner
            nobody_is_a_first_owner_beside_another_account
            a_changed_setting_of_a_start_is_recorded_once
            a_recovery_code_is_taken_once
            one_of_twenty_takes_a_recovery_code
            an_account_that_failed_often_takes_one_attempt_a_minute
            the_sixth_attempt_is_refused_until_the_oldest_expires
            a_forgotten_attempt_does_not_count
            five_of_twenty_concurrent_attempts_are_granted
            old_attempts_are_deleted
            an_audit_entry_reads_back
            every_action_can_be_recorded
            the_audit_log_is_listed_newest_first_with_filters_in_pages
            a_rolled_back_entry_is_not_in_the_audit_log
            the_audit_log_is_a_chain
            ids_of_the_chain_have_no_gaps
            concurrent_entries_make_one_chain
        );
    };
    (approvals: $store:expr) => {
        $crate::store_contract!(@ $store, approvals:
            a_proposal_reads_back
            a_proposal_is_decided_once_and_loses_its_secrets
            proposals_are_listed_by_their_status_newest_first_in_pages
            what_was_approved_is_found_by_kind_and_target
            the_note_to_an_erased_winner_is_erased
            a_proposal_changes_nothing_and_its_approval_changes_it_once
            of_approving_and_rejecting_at_once_one_counts
            a_draft_is_published_by_two_people
            a_raffle_is_closed_by_two_people
            a_drawing_is_voided_by_two_people
            a_large_file_is_imported_by_two_people
            a_small_file_is_imported_by_one
            an_additional_drawing_is_announced_with_its_approval
            of_drawings_asked_for_at_once_one_person_gets_the_regular_one
            nobody_takes_a_change_back_alone_by_asking_at_the_same_time
            nobody_erases_a_winner_alone_while_the_claim_ends
            what_two_people_make_is_proposed_by_one
            what_two_people_rejected_takes_two_to_approve
            one_person_approves_what_nobody_rejected
            a_number_is_confirmed_by_two_people
            the_link_of_an_invitation_is_shown_once_to_whoever_proposed_it
            a_call_that_fails_is_not_approved
            every_call_is_proposed_with_its_arguments
        );
    };
    (random_histories: $store:expr) => {
        $crate::store_contract!(@ $store, random_histories:
            entries_equal_the_sums_of_the_ledger_after_any_history
            roll_ups_equal_a_recount_after_any_history
        );
    };
    (rules: $store:expr) => {
        $crate::store_contract!(@ $store, rules:
            the_first_rules_count_at_once_and_later_ones_from_the_next_month
            the_same_text_makes_no_new_version
            rules_read_back_byte_for_byte
            a_version_is_stored_once
            two_servers_that_start_at_once_store_one_version
            an_announcement_has_the_rules_of_its_month
            nothing_is_announced_without_rules
        );
    };
    (retention: $store:expr) => {
        $crate::store_contract!(@ $store, retention:
            a_run_forgets_numbers_whose_13_months_are_over
            a_place_is_made_for_each_month_once
            servers_make_a_month_once
            views_count_once_before_and_after_their_month_has_a_place
            dropped_months_leave_the_figures_as_they_are
            views_are_accepted_after_their_month_was_dropped
            views_without_a_month_are_deleted_at_the_same_age
            clearing_analytics_forgets_dropped_views_too
            what_identifies_visitors_is_erased_at_its_age
            detection_forgets_networks_with_their_accounts
            the_reason_of_a_flag_keeps_no_address
            addresses_of_consents_are_erased
            user_agents_of_subscriptions_are_erased
            events_of_the_provider_are_deleted_after_90_days
            each_row_is_erased_once_in_batches
            one_server_runs_each_day
            a_run_that_is_stopped_says_so_and_the_next_one_goes_on
            nothing_is_dropped_from_a_month_that_is_kept
        );
    };
    (collection: $store:expr) => {
        $crate::store_contract!(@ $store, collection:
            a_view_counts_once_per_session_page_and_referral_code
            twenty_concurrent_copies_of_a_view_count_once
            a_view_of_a_session_that_has_just_begun_counts_once
            every_batch_counts_once_whatever_is_in_it
            views_are_folded_by_the_hours_of_the_time_zone
            folding_during_concurrent_writes_counts_everything_once
            time_spent_is_added_to_the_view_of_its_session_and_page
            time_spent_without_a_view_creates_one
            only_referral_codes_of_entrants_are_counted
            unknown_pages_are_counted_together
            shares_with_the_same_event_id_count_once
            the_funnel_counts_sessions_and_exits
            a_session_in_two_raffles_counts_once_in_total
            a_range_contains_the_sessions_that_began_in_it
            the_dashboard_shows_the_figures_of_all_raffles
            trends_count_views_and_sign_ups_by_hour
            a_rebuild_changes_no_figures
        );
    };
    (flags: $store:expr) => {
        $crate::store_contract!(@ $store, flags:
            a_flag_is_set_once_and_removed_once
            flagged_entrants_are_listed_newest_first_in_pages
            flagged_entrants_are_sorted_and_filtered
            flagged_entrants_are_searched
            flags_of_the_same_moment_are_read_in_parts_by_id
            a_flag_takes_back_what_the_sign_up_earned_and_its_end_gives_it_back
            a_flag_of_the_referrer_leaves_their_entries
            entries_that_were_cleared_are_neither_taken_back_nor_given_back
            concurrent_flags_and_sign_ups_keep_ledger_and_counters_equal
        );
    };
    (detection: $store:expr) => {
        $crate::store_contract!(@ $store, detection:
            detection_flags_every_account_of_a_suspicious_address
            detection_skips_entrants_whom_staff_unflagged
            detection_takes_back_what_all_flagged_sign_ups_earned
            concurrent_detections_flag_each_entrant_once
            the_addresses_of_an_ipv6_64_are_one_network
            a_network_is_flagged_when_all_its_accounts_are_flagged_or_cleared
            networks_with_the_most_accounts_are_listed_first
            flags_of_detection_keep_their_evidence
            a_flag_of_staff_has_no_evidence
            invented_friends_of_a_network_name_their_referrer
            with_proved_numbers_a_shared_network_alone_flags_nobody
            each_part_of_a_detection_is_in_the_audit_log
        );
    };
    (shared_networks: $store:expr) => {
        $crate::store_contract!(@ $store, shared_networks:
            a_shared_network_reads_back_and_is_removed
            a_network_is_listed_once_whatever_its_spelling
            shared_networks_are_listed_newest_first_in_pages
            accounts_on_a_shared_network_are_not_flagged_for_that_alone
            other_evidence_flags_on_a_shared_network
            listing_a_network_leaves_its_flags
        );
    };
    (appeals: $store:expr) => {
        $crate::store_contract!(@ $store, appeals:
            an_appeal_reads_back_with_the_flag_of_its_time
            a_hold_says_what_the_entrant_reads
            only_flagged_entrants_appeal_and_one_at_a_time
            an_appeal_is_decided_once
            accepting_an_appeal_gives_the_referrers_entry_back
            the_end_of_a_flag_accepts_the_open_appeal
            open_appeals_are_listed_first_and_in_pages
            of_concurrent_appeals_one_is_added
            of_concurrent_decisions_and_ends_of_the_flag_one_decides
            no_appeal_stays_open_without_a_flag
        );
    };
    (data_requests: $store:expr) => {
        $crate::store_contract!(@ $store, data_requests:
            a_copy_is_made_at_once_and_its_link_works_for_three_days
            a_copy_names_the_drawings_that_one_took_part_in
            a_link_is_shown_to_whoever_asked_and_each_download_is_recorded
            an_entrant_gets_five_copies_a_day
            an_erasure_without_a_code_is_carried_out_at_once
            a_code_confirms_a_copy_once
            a_code_confirms_an_erasure
            codes_confirmed_at_once_erase_once
            the_same_request_again_has_another_code_sent_after_a_minute
            a_request_expires_with_its_code
            a_number_that_said_stop_gets_no_code
            staff_copy_without_a_code_and_erase_with_one
            a_code_does_not_let_one_person_erase_somebody_who_was_drawn_since
            an_open_purchase_stands_against_an_erasure_and_its_confirmation
            a_number_of_nobody_has_no_requests
        );
    };
    (raffle_contents: $store:expr) => {
        $crate::store_contract!(@ $store, raffle_contents:
            a_raffle_is_made_written_and_published
            a_key_is_given_once
            a_copy_says_what_the_draft_of_the_other_says
            of_those_who_save_a_draft_at_once_one_is_first
            what_was_looked_at_is_published_or_nothing
            a_draft_is_published_once
            another_prize_waits_and_a_newer_version_replaces_it
            two_people_publish_what_is_open
            two_people_publish_what_opens_later
            raffles_are_ordered
            a_raffle_that_was_never_open_is_deleted
            a_raffle_that_something_names_is_not_deleted
            a_raffle_that_was_open_is_not_deleted
            a_raffle_is_opened_or_deleted
        );
    };
    (raffles: $store:expr) => {
        $crate::store_contract!(@ $store, raffles:
            the_first_four_raffles_are_open
            the_first_four_raffles_have_a_complete_first_version
            the_pages_of_the_first_four_raffles_differ
            a_raffle_that_was_closed_gives_nobody_an_entry
            opening_and_closing_stand_in_both_logs
            a_raffle_opens_and_closes_by_two_people
            nobody_enters_a_raffle_that_closes_meanwhile
            openings_take_turns
            what_was_open_stays_so
            a_closed_raffle_is_drawn_for_its_last_month
        );
    };
    (pictures: $store:expr) => {
        $crate::store_contract!(@ $store, pictures:
            a_picture_reads_back
            the_same_picture_is_added_once
            a_withdrawn_picture_is_gone_for_good
            a_rendition_of_two_pictures_is_withdrawn_with_the_last
            what_nothing_names_for_seven_days_is_deleted
            a_picture_that_is_named_meanwhile_is_not_deleted
            no_more_pictures_are_added_than_there_can_be
            uploads_and_withdrawals_are_recorded_once
        );
    };
    (push: $store:expr) => {
        $crate::store_contract!(@ $store, push:
            a_browser_subscribes_once_and_ends_it
            a_browser_belongs_to_who_subscribed_last
            a_sixth_browser_takes_the_place_of_the_oldest
            a_result_is_queued_once_for_every_browser_of_its_raffle
            a_browser_of_another_raffle_is_not_told
            a_result_of_yesterday_is_told_to_nobody
            a_drawing_that_waits_for_its_round_is_not_told
            a_claimed_message_is_due_again_only_later
            a_subscription_that_is_gone_gets_no_more_messages
            who_ends_it_or_is_erased_is_told_nothing
        );
    };
    (sharing: $store:expr) => {
        $crate::store_contract!(@ $store, sharing:
            shares_read_back_and_go_on
            a_share_that_is_sent_twice_counts_once
            shares_at_once_all_count
            a_day_of_sharing_is_one_of_the_site
            friends_who_entered_are_counted_with_the_progress
            an_erased_entrant_has_no_progress
        );
    };
    (people: $store:expr) => {
        $crate::store_contract!(@ $store, people:
            imported_people_have_one_entry_and_get_no_welcome_text
            a_file_imported_twice_at_once_adds_each_number_once
            a_referral_code_that_is_taken_is_drawn_again
            the_numbers_of_erased_people_are_not_imported
            people_are_found_in_every_way_in_which_a_query_can_be_read
            people_are_filtered_and_paged_newest_first
            a_file_has_everything_about_a_person
            a_list_of_a_file_has_the_newest_hundred
            tags_and_notes_are_changed_apart
            a_mark_flags_the_duplicate_and_its_end_unflags_it
            a_mark_of_a_flagged_entry_leaves_its_flag
            the_end_of_a_flag_ends_the_mark
            marks_make_no_circle
            of_two_marks_that_make_a_circle_at_once_one_is_stored
            an_erased_person_is_not_listed_and_leaves_a_file_without_a_number
        );
    };
    (claims: $store:expr) => {
        $crate::store_contract!(@ $store, claims:
            a_claim_reads_back
            every_status_reason_and_method_is_stored
            a_rank_has_one_claim
            of_two_submits_at_once_one_counts
            a_submit_and_the_deadline_at_once_end_in_one_of_them
            of_approval_and_rejection_at_once_one_counts
            claims_are_filtered_and_paged_newest_first
            the_newest_drawing_that_names_its_winner_is_found
            events_of_claims_read_back_in_order
            every_kind_of_event_is_stored
            a_claim_knows_what_became_of_its_texts
        );
    };
    (claim_flow: $store:expr) => {
        $crate::store_contract!(@ $store, claim_flow:
            who_was_not_drawn_gets_no_text_code_proof_or_approval
            the_code_of_a_call_opens_the_claim_in_one_browser
            another_browser_cannot_keep_the_winner_from_proving_the_number
            each_rank_is_asked_in_turn_until_nobody_is_left
            of_decline_and_deadline_at_once_the_next_rank_is_asked_once
            of_two_submits_and_the_deadline_at_once_one_counts
            of_approval_and_rejection_by_two_people_one_counts
            the_winner_is_told_of_approval_and_rejection
            staff_cannot_skip_a_rank
            an_approved_claim_ends_with_the_delivery_and_asks_nobody_else
            after_stop_and_start_a_code_can_be_sent
            secrets_are_encrypted_again_and_read_as_before
            entrants_are_told_of_the_last_drawing
        );
    };
    (consents: $store:expr) => {
        $crate::store_contract!(@ $store, consents:
            stop_revokes_a_consent_and_start_restores_it
            start_restores_only_what_stop_revoked
            of_stop_and_start_at_once_the_last_counts
            a_number_that_the_provider_reports_as_opted_out_loses_its_consent
        );
    };
    (flag_history: $store:expr) => {
        $crate::store_contract!(@ $store, flag_history:
            entries_follow_flags_after_any_history
            everything_at_once_keeps_ledger_and_counters_equal
        );
    };
    (drawing: $store:expr) => {
        $crate::store_contract!(@ $store, drawing:
            a_rolled_back_drawing_leaves_nothing
            chunks_are_found_by_number_entry_and_tag
            participants_are_read_in_order_of_tag_and_in_parts
            no_participant_is_read_after_the_last_or_with_a_limit_of_zero
            the_stores_clock_does_not_stand_still_or_run_backwards
            entries_since_the_cut_off_do_not_count
            entries_taken_or_held_since_the_cut_off_still_count
            tags_come_in_the_order_of_the_ids
            those_left_out_are_counted_by_reason
            duplicates_are_counted_apart_from_flags
            entries_of_imported_people_are_counted_apart
            entries_are_counted_by_kind_without_those_left_out
            a_checkpoint_has_the_rows_from_before_its_time
            nothing_is_waited_for_when_nobody_writes
            statistics_count_entrants_who_can_win
            the_log_is_read_in_order_and_in_parts
            concurrent_drawings_run_one_after_the_other
        );
    };
    (drawing_steps: $store:expr) => {
        $crate::store_contract!(@ $store, drawing_steps:
            a_drawing_reads_back_after_each_step
            a_drawing_without_a_beacon_takes_all_steps_at_once
            a_void_drawing_reads_back
            a_drawing_takes_no_step_that_its_status_does_not_allow
            a_raffle_has_one_regular_drawing_of_a_period
            a_commitment_is_lent_only_while_its_seed_is_secret
            the_newest_open_drawing_of_a_raffle_is_found
            the_next_cut_off_is_of_an_announced_drawing_with_a_list_of_its_own
            a_seal_is_not_committed_after_its_time
            drawings_are_due_when_their_time_has_come
            drawings_with_a_list_are_sorted_and_paged
            the_newest_checkpoint_is_found
            an_idempotency_key_has_one_drawing
            a_step_that_is_rolled_back_leaves_nothing
            one_of_several_concurrent_steps_is_taken
        );
    };
    (clearing: $store:expr) => {
        $crate::store_contract!(@ $store, clearing:
            clearing_analytics_keeps_entrants_and_referrals
            clearing_referrals_removes_their_entries
            clearing_during_concurrent_writes_keeps_the_ledger_balanced
            a_job_tells_how_far_it_is_and_is_recorded_at_its_end
            one_job_of_a_kind_runs_at_a_time
            entries_equal_the_ledger_after_each_step_while_friends_enter
            sign_ups_during_a_clearing_lose_nothing
            another_server_continues_an_abandoned_job
            several_servers_may_work_on_one_job
            a_failed_job_reads_back_and_makes_room_for_the_next
        );
    };
    (purchase_flow: $store:expr) => {
        $crate::store_contract!(@ $store, purchase_flow:
            a_purchase_must_match_an_active_package
            fifty_concurrent_confirmations_credit_once
            confirmation_and_event_in_any_order_credit_once
            a_payment_that_is_unpaid_or_does_not_match_is_not_credited
            a_purchase_gives_the_entries_that_were_sold_if_the_package_changes
            an_event_before_the_intent_id_is_recorded_credits_the_purchase
            repeated_events_in_any_order_lead_to_the_same_status
            events_three_days_late_credit_a_canceled_purchase_once
            refunds_and_disputes_in_any_order_lead_to_the_same_entries
            a_payment_that_was_refunded_in_part_is_credited_in_part
            a_payment_after_the_last_seal_is_refunded
            a_payment_is_credited_while_the_last_drawing_is_not_sealed
            a_payment_of_a_raffle_that_opens_again_is_credited
            payments_that_race_the_end_of_a_raffle_are_credited_or_refunded
        );
    };
    (moves: $store:expr) => {
        $crate::store_contract!(@ $store, moves:
            a_move_takes_all_entries_out_and_gives_one
            what_was_earned_before_a_move_changes_nothing_after_it
            what_is_earned_after_a_move_counts
            an_open_purchase_of_before_a_move_is_refunded_when_it_is_paid
            the_cap_and_the_free_entries_of_a_day_outlast_a_move
            a_list_has_those_who_were_in_the_raffle_at_its_cut_off
            imported_entries_stay_with_the_raffle_of_the_import
            of_many_moves_at_once_one_is_made
            a_number_stays_in_its_raffle_until_its_last_drawing
            whoever_proves_the_number_moves_after_the_last_drawing
            a_number_moves_once_and_back
            entering_moving_and_closing_at_once_leave_nobody_in_a_closed_raffle
        );
    };
    (slow: $store:expr) => {
        $crate::store_contract!(@ $store, slow:
            entries_follow_flags_after_any_history
            entries_equal_payments_without_refunds_and_disputes
        );
    };
    (purchase_history: $store:expr) => {
        $crate::store_contract!(@ $store, purchase_history:
            entries_equal_payments_without_refunds_and_disputes
        );
    };
    (published_lists: $store:expr) => {
        $crate::store_contract!(@ $store, published_lists:
            a_list_is_published_part_by_part
            any_offset_of_a_list_can_be_read
            the_newest_list_is_published_first
            an_unknown_list_is_not_found
            a_part_and_a_list_are_added_once
            servers_that_publish_at_the_same_time_write_one_list
            a_corrupt_list_does_not_stop_the_others
        );
    };
    (codes: $store:expr) => {
        $crate::store_contract!(@ $store, codes:
            a_code_reads_back
            the_newest_code_of_a_holder_counts
            tries_at_once_are_counted_one_by_one
            completed_codes_count_no_more_for_their_network
            codes_are_counted_by_number_network_and_block
            each_purpose_and_each_claim_is_counted_for_itself
            limits_hold_for_concurrent_requests
            codes_that_no_limit_counts_are_forgotten
            a_waiting_sign_up_reads_back
            a_completed_sign_up_says_only_who_entered
            the_sign_up_that_a_browser_sent_for_a_number_is_found
            what_sign_ups_said_is_forgotten
        );
    };
    (drawing_calendar: $store:expr) => {
        $crate::store_contract!(@ $store, drawing_calendar:
            a_month_ends_at_midnight_in_new_york_and_is_drawn_at_noon
            a_drawing_is_announced_when_its_month_begins
            an_empty_raffle_is_void_and_the_others_are_drawn
            a_server_that_was_away_over_midnight_seals_with_the_same_cut_off
            a_server_that_was_away_over_the_round_moves_it_by_days
            a_seal_an_hour_before_the_round_is_the_last_one_in_time
            three_servers_take_each_step_once
            a_kill_at_any_step_of_a_month_ends_in_the_same_drawing
            staff_cannot_draw_a_month_by_hand
            a_month_whose_beacon_never_came_is_done_again_after_a_week
            without_a_beacon_a_month_is_drawn_when_it_ends
            a_closed_raffle_is_drawn_as_announced_and_for_no_later_month
            a_raffle_that_opens_in_the_last_day_of_a_month_is_drawn_for_the_next
            staff_draw_the_last_month_of_a_closed_raffle_until_the_next_one_ends
            the_rules_say_what_is_drawn_next_and_what_comes_after
            where_staff_draw_the_rules_name_no_cut_off_before_the_announcement
            a_backdated_row_of_the_ledger_differs_from_a_checkpoint
            there_is_a_checkpoint_each_day
        );
    };
    (drawing_flow: $store:expr) => {
        $crate::store_contract!(@ $store, drawing_flow:
            without_a_beacon_a_drawing_is_announced_sealed_and_drawn_at_once
            the_log_says_everything_that_a_step_fixed
            fifty_concurrent_requests_with_one_key_make_one_drawing
            a_key_belongs_to_one_request
            of_concurrent_requests_one_is_the_drawing_of_the_month
            in_production_an_additional_drawing_needs_a_reason_and_a_day
            in_development_a_second_drawing_is_additional_at_once
            a_reason_for_the_first_drawing_of_a_month_changes_nothing
            a_drawing_without_participants_announces_nothing
            an_empty_seal_is_void_and_keeps_its_commitment
            no_drawing_happens_if_its_secrets_cannot_be_opened
            nothing_is_announced_or_sealed_while_referrals_are_partly_cleared
            the_prize_of_a_month_is_announced_with_its_version
            a_raffle_that_opens_in_a_month_is_drawn_for_the_prize_that_it_opened_with
            three_servers_announce_each_month_once
            there_is_one_checkpoint_a_day
            checkpoints_begin_with_the_first_entrant
            drawings_are_listed_from_the_seal_on
            a_sealed_drawing_is_drawn_with_its_round
            a_signature_that_comes_twice_draws_once
            no_other_round_chain_or_signature_draws
            only_a_sealed_drawing_is_drawn
            a_late_seal_is_refused_in_public_and_the_round_moves
            concurrent_late_seals_are_refused_once
            a_drawing_is_void_only_a_week_after_its_round
            voiding_a_drawing_needs_a_second_person
            a_void_drawing_is_public_with_what_the_hosts_answered
            the_next_drawing_takes_the_list_of_the_void_one
            a_list_that_is_taken_is_the_same_list
            only_a_void_drawing_of_the_same_month_is_replaced_and_once
            a_visitor_draws_a_drawing_that_is_due
            the_round_overturns_a_void_and_withdraws_what_was_announced
            a_round_that_comes_after_the_next_seal_is_kept_with_the_entry_that_would_have_won
            of_the_round_and_the_next_seal_one_comes_first
            what_is_due_is_listed_by_the_clock_of_the_store
            ten_different_entrants_are_drawn
            a_short_list_is_drawn_to_its_end
            only_entries_from_before_the_cut_off_count
            flagged_entrants_are_left_out_and_counted
            nothing_touches_a_drawing_after_its_seal
            a_list_of_several_chunks_is_drawn
            each_entrant_finds_only_their_own_leaf
            a_proof_has_what_the_steps_have_so_far
            a_seal_sees_each_sign_up_completely_or_not_at_all
            steps_of_concurrent_drawings_are_one_chain
            a_seal_cannot_be_held_open_until_its_round_is_known
            a_drawing_has_one_seal
            a_step_that_the_status_does_not_allow_fails
            a_month_has_one_regular_drawing_and_a_commitment_one_seal
            a_second_try_is_public_and_replaces_nothing
            a_kill_anywhere_leaves_no_step_or_a_whole_one
            a_kill_while_drawing_changes_no_winner
        );
    };
    (purchases: $store:expr) => {
        $crate::store_contract!(@ $store, purchases:
            a_package_is_added_changed_and_deleted
            packages_are_listed_by_sort_order_and_then_id
            deleting_a_package_keeps_its_purchases
            pricing_is_hidden_until_staff_show_it
            a_purchase_reads_back
            paid_purchases_are_listed_newest_first
            purchases_are_listed_by_their_state
            a_refund_that_failed_is_money_again
            listed_purchases_are_filtered_and_paged
            what_was_sold_is_by_month_raffle_and_package
            an_unknown_entrant_cannot_buy
            a_purchase_changes_its_status_only_as_allowed
            fifty_concurrent_completions_credit_a_purchase_once
            fifty_concurrent_refunds_refund_a_purchase_once
            concurrent_purchases_and_refunds_of_one_entrant_add_up
            concurrent_completions_and_refunds_end_refunded
            a_rolled_back_completion_leaves_nothing
            an_event_is_recorded_once
            an_entrant_has_at_most_ten_open_purchases
            fifty_concurrent_purchases_leave_ten_open
            open_purchases_are_claimed_when_they_are_due
            an_open_purchase_is_claimed_less_and_less_often
            all_open_purchases_are_claimed_after_a_restart
            concurrent_claims_take_different_open_purchases
            the_first_customer_of_an_entrant_is_kept
            a_friend_who_buys_counts_as_one_conversion
            clearing_referrals_keeps_purchases
            buying_during_clearing_and_folding_keeps_the_ledger_balanced
            paid_and_held_entries_follow_purchases_after_any_history
            partial_refunds_take_entries_in_proportion
            a_refund_that_failed_gives_the_entries_back
            a_late_purchase_whose_refund_failed_gets_no_entries
            an_inquiry_holds_nothing
            a_dispute_holds_entries_until_it_is_won
            a_lost_dispute_takes_the_entries_for_good
            each_of_two_disputes_holds_the_entries
            an_open_dispute_is_known_for_entries_from_before_a_time
            a_reversal_before_the_credit_is_applied_with_it
            concurrent_reversals_and_credits_end_the_same
            held_entries_are_not_in_drawings_or_their_statistics
        );
    };
    (messages: $store:expr) => {
        $crate::store_contract!(@ $store, messages:
            messages_read_back_in_the_order_they_were_queued
            a_code_reads_back_sealed
            codes_are_claimed_before_all_other_messages
            a_code_is_never_sent_late
            a_number_that_opted_out_gets_no_code
            the_body_of_a_code_is_erased_when_it_is_sent_or_will_not_be
            a_code_that_may_have_been_sent_is_looked_up
            a_code_that_cannot_be_decrypted_fails
            a_welcome_message_that_waited_too_long_is_skipped
            texts_are_counted_by_the_day_in_utc
            the_budget_holds_for_twenty_servers_at_once
            a_text_that_is_not_queued_is_not_counted
            a_message_that_is_sent_again_is_counted_once
            numbers_of_other_countries_get_no_message_of_any_kind
            a_flood_of_welcomes_delays_no_code_and_passes_no_limit
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
            at_night_only_codes_and_test_messages_are_claimed
            a_message_waits_for_the_hours_of_its_recipient
            recipients_who_must_wait_are_in_nobodys_way
            a_welcome_message_is_not_too_late_for_hours_in_which_it_had_to_wait
            a_message_that_waits_is_skipped_when_its_recipient_opts_out
            the_parts_of_a_campaign_that_wait_come_last
            a_campaign_ends_when_nothing_of_it_waits
            a_welcome_message_is_composed_once
            each_outcome_of_an_attempt_is_recorded
            outcomes_are_recorded_in_batches_and_unknown_messages_are_ignored
            an_earlier_attempt_changes_nothing_unless_the_provider_has_the_message
            a_released_message_is_pending_again
            provider_reports_never_change_a_final_status
            a_number_that_opted_out_gets_no_message_of_any_kind
            the_last_opt_in_or_opt_out_decides
            an_inbound_message_is_new_once
            open_messages_are_counted
            sealed_credentials_read_back
            a_raffle_has_at_most_one_welcome_message
            templates_read_back_and_change_and_are_listed_newest_first
            templates_are_searched_and_listed_in_pages
            switching_a_template_changes_nothing_else
            switching_a_welcome_message_keeps_its_text
            an_inactive_welcome_message_is_skipped
            a_reply_reads_back_with_its_entrant
            a_reply_is_stored_once
            replies_are_searched_and_listed_in_pages
            replies_that_are_not_clear_stand_first_until_staff_decide
        );
    };
    (campaigns: $store:expr) => {
        $crate::store_contract!(@ $store, campaigns:
            a_campaign_reads_back
            campaigns_are_sorted_and_filtered
            an_idempotency_key_belongs_to_one_campaign
            only_a_pending_campaign_is_changed
            only_a_pending_campaign_is_cancelled
            a_campaign_cancelled_while_it_starts_is_either_cancelled_or_started
            campaigns_start_once_when_they_are_due
            an_audience_contains_only_entrants_who_may_get_messages
            a_listed_entrant_needs_a_consent_and_other_numbers_do_not
            the_monthly_cap_holds_for_lists
            evidence_names_the_consent_the_basis_and_what_the_number_said
            evidence_counts_the_texts_of_the_month
            a_text_that_is_tried_again_names_the_consent_of_that_time
            entrants_of_other_countries_are_skipped
            each_recipient_is_taken_once
            no_recipient_is_taken_under_an_earlier_fence
            a_takeover_while_recipients_are_taken_loses_no_recipient
            changes_before_a_message_is_sent_are_respected
            a_recipient_whose_consent_was_revoked_gets_no_message
            the_monthly_cap_holds_for_concurrent_campaigns
            changing_a_template_does_not_change_a_started_campaign
            messages_are_added_in_order_and_skipped_ones_have_no_body
            a_campaign_finishes_when_nothing_is_left
            a_link_counts_once_however_often_it_is_opened
            a_report_counts_messages_by_reason
            outcomes_equal_a_count_by_hand
            texts_of_a_campaign_are_counted_by_their_length
            clicks_are_counted_by_the_hour
            the_message_of_a_campaign_stays_from_its_start
            campaigns_go_at_once_and_later_ones_stay
            many_reports_at_once_equal_a_recount
            clearing_campaigns_keeps_opt_outs_consents_and_monthly_counts
            clearing_while_messages_are_sent_leaves_nothing_behind
            concurrent_reports_count_once
            figures_equal_a_recount_of_messages_after_any_history
        );
    };
    (@ $store:expr, $suite:ident: $($behavior:ident)+) => {
        mod $suite {
            $(
                #[test]
                fn $behavior() {
                    let store = $store;
                    $crate::$suite::$behavior(&store);
                }
            )+
        }
    };
}
