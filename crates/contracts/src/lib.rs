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

pub mod entering;
pub mod random_histories;
pub mod staffing;
mod support;
pub mod unit_of_work;

pub use support::Store;

/// Makes a test of every behaviour. The expression gives an empty store, anew for each test.
#[macro_export]
macro_rules! store_contract {
    ($store:expr) => {
        $crate::store_contract!(@ $store, unit_of_work:
            an_error_leaves_nothing_behind
            a_limit_that_is_read_and_then_written_holds
            a_read_sees_what_was_committed
        );
        $crate::store_contract!(@ $store, entering:
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
        $crate::store_contract!(@ $store, staffing:
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
        $crate::store_contract!(@ $store, random_histories:
            entries_are_the_ledgers_sums_after_any_history
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
