//! What the schema itself guarantees of drawings in steps, whoever writes the rows.

use crate::support::{TestDatabase, connect, execute, number};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;

/// A raffle with one entrant, and functions that write the rows of a step with its log entry.
const SCHEMA: &str = "
    INSERT INTO users (id, phone_number, referral_code) VALUES (1, '+15551234567', 'CDFG3467');
    CREATE FUNCTION add_log(about bigint, what text DEFAULT 'checkpoint') RETURNS bigint LANGUAGE sql AS $$
        INSERT INTO drawing_audit_logs (id, drawing_id, action, details, \"timestamp\", previous_hash, hash)
        SELECT n, about, what, '{}', now(), repeat('0', 64), lpad(n::text, 64, '0')
        FROM (SELECT 1 + count(*) AS n FROM drawing_audit_logs) AS next
        RETURNING id $$;
    CREATE FUNCTION add_drawing(id bigint, period text, is_additional boolean DEFAULT false, seed text DEFAULT NULL,
                                void bigint DEFAULT NULL)
    RETURNS void LANGUAGE sql AS $$
        INSERT INTO drawings (id, landing_page, period, is_additional, status, commitment, seed_source, sealed_secrets, chain,
                              reason, prize, replaces, created_at)
        VALUES (id, 'garden-bag', period, is_additional, 'announced', lpad(coalesce(seed, id::text), 64, '0'), 'os', '',
                repeat('a', 64), 'a reason', '{}', void, now()) $$;
    CREATE FUNCTION add_announcement(drawing bigint, number bigint, seal_before interval DEFAULT '1 hour')
    RETURNS void LANGUAGE sql AS $$
        INSERT INTO drawing_announcements (drawing_id, number, round, round_at, seal_due_at, seal_before, log_id, created_at)
        VALUES (drawing, number, 7, now() + '1 day', now(), clock_timestamp() + seal_before,
                add_log(drawing), now()) $$;
    CREATE FUNCTION add_seal(drawing bigint, announcement bigint) RETURNS void LANGUAGE sql AS $$
        INSERT INTO drawing_seals (drawing_id, announcement, log_id, random_seed, salt_key, merkle_root, weights_hash,
                                   total_participants, total_entries, cut_off, created_at)
        VALUES (drawing, announcement, add_log(drawing), repeat('b', 64),
                decode(repeat('bb', 32), 'hex'), repeat('c', 64), repeat('d', 64), 1, 1, now(), now()) $$;
    CREATE FUNCTION add_result(drawing bigint) RETURNS void LANGUAGE sql AS $$
        INSERT INTO drawing_results (id, landing_page, winner_id, winner_phone_number, winning_entry_number,
                                     verification_hash, beacon_signature, created_at)
        VALUES (drawing, 'garden-bag', 1, '+15551234567', 1, repeat('e', 64), decode(repeat('aa', 48), 'hex'), now());
        INSERT INTO drawing_ranks (drawing_id, rank, entry_number, leaf_index, user_id) VALUES (drawing, 0, 1, 0, 1) $$;
    CREATE FUNCTION add_void(drawing bigint) RETURNS void LANGUAGE sql AS $$
        INSERT INTO drawing_voids (drawing_id, reason, log_id, created_at)
        VALUES (drawing, 'a reason', add_log(drawing), now()) $$;";

fn raffle() -> PgConnection {
    let mut connection = connect(&TestDatabase::new().admin_url);
    connection.batch_execute(SCHEMA).unwrap();
    connection
}

/// The message with which PostgreSQL refuses statements that run in one transaction.
fn refusal(connection: &mut PgConnection, statements: &str) -> String {
    let refused = connection.batch_execute(&format!("BEGIN; {statements}; COMMIT"));
    connection.batch_execute("ROLLBACK").unwrap();
    refused.expect_err(statements).to_string()
}

fn accept(connection: &mut PgConnection, statements: &str) {
    let accepted = connection.batch_execute(&format!("BEGIN; {statements}; COMMIT"));
    assert!(accepted.is_ok(), "{statements}: {accepted:?}");
}

fn status(connection: &mut PgConnection, drawing: i64) -> String {
    let query = format!("SELECT status AS text FROM drawings WHERE id = {drawing}");
    diesel::sql_query(query)
        .get_result::<TextRow>(connection)
        .unwrap()
        .text
}

#[derive(QueryableByName)]
struct TextRow {
    #[diesel(sql_type = diesel::sql_types::Text)]
    text: String,
}

#[test]
fn the_rows_of_the_steps_change_the_status() {
    let mut connection = raffle();
    for (step, expected) in [
        (
            "SELECT add_drawing(1, '2026-11'), add_announcement(1, 1)",
            "announced",
        ),
        ("SELECT add_announcement(1, 2)", "announced"),
        ("SELECT add_seal(1, 2)", "sealed"),
        ("SELECT add_result(1)", "drawn"),
    ] {
        accept(&mut connection, step);
        assert_eq!(status(&mut connection, 1), expected);
    }
    accept(
        &mut connection,
        "SELECT add_drawing(2, '2026-12'), add_announcement(2, 1), add_void(2)",
    );
    accept(
        &mut connection,
        "SELECT add_drawing(3, '2026-12'), add_announcement(3, 1), add_seal(3, 1); SELECT add_void(3)",
    );
    assert_eq!(
        (status(&mut connection, 2), status(&mut connection, 3)),
        ("void".to_owned(), "void".to_owned())
    );
}

#[test]
fn a_drawing_takes_no_other_step() {
    let mut connection = raffle();
    let steps = ["add_seal(%, 1)", "add_result(%)", "add_void(%)"];
    let reach = |path: &[usize]| {
        let steps = path.iter().map(|step| format!("; SELECT {}", steps[*step]));
        format!(
            "SELECT add_drawing(%, '2026-11'), add_announcement(%, 1){}",
            steps.collect::<String>()
        )
    };
    // Announced: not drawn. Sealed: not sealed again. Drawn: nothing. Void: nothing, but that a sealed one is drawn.
    let refused: [(&[usize], &[usize]); 5] = [
        (&[], &[1]),
        (&[0], &[0]),
        (&[0, 1], &[0, 1, 2]),
        (&[2], &[0, 1, 2]),
        (&[0, 2], &[0, 2]),
    ];
    for (path, next) in refused {
        for step in next {
            let message = refusal(
                &mut connection,
                &format!("{}; SELECT {}", reach(path), steps[*step]).replace('%', "1"),
            );
            let is_expected = ["does not become", "is void for good", "_pkey"]
                .iter()
                .any(|part| message.contains(part));
            assert!(is_expected, "{path:?}, {step}: {message}");
        }
    }
}

/// Triggers keep what `usecases::drawings` decides: a void drawing is drawn only until another one with its list is sealed.
#[test]
fn a_void_drawing_is_drawn_until_its_list_is_sealed_again() {
    let mut connection = raffle();
    let void = |drawing: i64, month: &str| {
        format!(
            "SELECT add_drawing({drawing}, '{month}'), add_announcement({drawing}, 1), add_seal({drawing}, 1);
             SELECT add_void({drawing})"
        )
    };
    accept(&mut connection, &void(1, "2026-11"));
    accept(&mut connection, "SELECT add_result(1)");
    assert_eq!(status(&mut connection, 1), "drawn");
    accept(&mut connection, &void(2, "2026-12"));
    accept(
        &mut connection,
        "SELECT add_drawing(3, '2026-12', void => 2), add_announcement(3, 1); SELECT add_seal(3, 1)",
    );
    let late = refusal(&mut connection, "SELECT add_result(2)");
    assert!(late.contains("drawing 2 is void for good"), "{late}");
    for (drawing, month, replaces) in [(4, "2026-12", 2), (5, "2026-11", 1), (6, "2027-01", 3)] {
        let refused = refusal(
            &mut connection,
            &format!("SELECT add_drawing({drawing}, '{month}', void => {replaces})"),
        );
        assert!(refused.contains("does not replace"), "{drawing}: {refused}");
    }
}

#[test]
fn the_status_does_not_change_without_the_row_of_its_step() {
    let mut connection = raffle();
    accept(
        &mut connection,
        "SELECT add_drawing(1, '2026-11'), add_announcement(1, 1)",
    );
    for (change, message) in [
        (
            "status = 'sealed'",
            "the row that makes drawing 1 sealed is missing",
        ),
        ("status = 'void'", "the row that makes drawing 1 void is missing"),
        (
            "status = 'drawn'",
            "a drawing that is announced does not become drawn",
        ),
        (
            "status = 'announced'",
            "a drawing that is announced does not become announced",
        ),
        ("period = '2026-12'", "only the status of a drawing changes"),
        (
            "commitment = repeat('f', 64)",
            "only the status of a drawing changes",
        ),
        ("sealed_secrets = NULL", "only the status of a drawing changes"),
    ] {
        let refused = refusal(&mut connection, &format!("UPDATE drawings SET {change}"));
        assert!(refused.contains(message), "{change}: {refused}");
    }
    for status in ["sealed", "drawn", "void"] {
        let refused = refusal(
            &mut connection,
            &format!(
                "INSERT INTO drawings SELECT (jsonb_populate_record(
                     drawings, '{{\"id\": 2, \"period\": \"2026-12\", \"status\": \"{status}\"}}')).*
                 FROM drawings"
            ),
        );
        assert!(
            refused.contains("a drawing begins announced"),
            "{status}: {refused}"
        );
    }
}

#[test]
fn only_a_drawing_that_is_announced_is_announced_again() {
    let mut connection = raffle();
    accept(
        &mut connection,
        "SELECT add_drawing(1, '2026-11'), add_announcement(1, 1)",
    );
    for number in [0, 1, 3] {
        let refused = refusal(&mut connection, &format!("SELECT add_announcement(1, {number})"));
        assert!(refused.contains("are numbered 1, 2, 3"), "{number}: {refused}");
    }
    accept(&mut connection, "SELECT add_announcement(1, 2)");
    let refused = refusal(&mut connection, "SELECT add_seal(1, 1)");
    assert!(
        refused.contains("a seal follows the newest announcement"),
        "{refused}"
    );
    accept(&mut connection, "SELECT add_seal(1, 2)");
    for drawing in [1, 2] {
        let refused = refusal(&mut connection, &format!("SELECT add_announcement({drawing}, 3)"));
        assert!(refused.contains("only a drawing that is announced"), "{refused}");
    }
}

#[test]
fn a_raffle_has_one_regular_drawing_in_a_period() {
    let mut connection = raffle();
    accept(
        &mut connection,
        "SELECT add_drawing(1, '2026-11'), add_announcement(1, 1)",
    );
    let second = "SELECT add_drawing(2, '2026-11'), add_announcement(2, 1)";
    assert!(refusal(&mut connection, second).contains("drawings_regular_key"));
    accept(
        &mut connection,
        "SELECT add_drawing(3, '2026-11', true), add_drawing(4, '2026-11', true)",
    );
    accept(&mut connection, "SELECT add_drawing(5, '2026-12')");
    accept(&mut connection, "SELECT add_seal(1, 1); SELECT add_void(1)");
    accept(&mut connection, second);
    assert!(refusal(&mut connection, "SELECT add_drawing(6, '2026-11')").contains("drawings_regular_key"));
}

#[test]
fn a_seed_is_committed_to_again_only_if_nobody_has_seen_it() {
    let mut connection = raffle();
    accept(
        &mut connection,
        "SELECT add_drawing(1, '2026-11', seed => '1'), add_announcement(1, 1)",
    );
    let again = "SELECT add_drawing(2, '2026-11', true, seed => '1'), add_announcement(2, 1)";
    assert!(refusal(&mut connection, again).contains("drawings_commitment_key"));
    accept(&mut connection, "SELECT add_void(1)");
    accept(&mut connection, again);
    accept(&mut connection, "SELECT add_seal(2, 1); SELECT add_void(2)");
    let third = refusal(&mut connection, "SELECT add_drawing(3, '2026-12', seed => '1')");
    assert!(
        third.contains("a seal has revealed the seed of drawing 3"),
        "{third}"
    );
}

#[test]
fn a_seal_that_is_held_open_past_its_time_is_not_committed() {
    let mut connection = raffle();
    accept(
        &mut connection,
        "SELECT add_drawing(1, '2026-11'), add_announcement(1, 1, '100 ms')",
    );
    execute(&mut connection, "BEGIN");
    execute(&mut connection, "SELECT add_seal(1, 1)");
    let is_late = "SELECT count(*) AS n FROM drawing_announcements WHERE seal_before < clock_timestamp()";
    while number(&mut connection, is_late) == 0 {
        std::thread::yield_now();
    }
    let refused = connection.batch_execute("COMMIT").unwrap_err().to_string();
    assert_eq!(refused, "the seal of drawing 1 comes too late");
    assert_eq!(status(&mut connection, 1), "announced");
    accept(&mut connection, "SELECT add_announcement(1, 2, '1 hour')");
    accept(&mut connection, "SELECT add_seal(1, 2)");
    assert_eq!(status(&mut connection, 1), "sealed");
}

#[test]
fn the_rows_of_drawings_are_append_only() {
    let mut connection = raffle();
    accept(
        &mut connection,
        "SELECT add_drawing(1, '2026-11'), add_announcement(1, 1); SELECT add_seal(1, 1); SELECT add_result(1);
         SELECT add_drawing(2, '2026-12'), add_announcement(2, 1), add_void(2)",
    );
    for table in [
        "drawing_announcements",
        "drawing_seals",
        "drawing_voids",
        "drawing_ranks",
        "drawings",
    ] {
        let column = if table == "drawing_ranks" {
            "rank"
        } else {
            "created_at"
        };
        let message = match table {
            "drawings" => "does not become",
            _ => "is append-only",
        };
        let refused = refusal(
            &mut connection,
            &format!("UPDATE {table} SET {column} = {column}"),
        );
        assert!(refused.contains(message), "{table}: {refused}");
        for change in [
            format!("DELETE FROM {table}"),
            format!("TRUNCATE {table} CASCADE"),
        ] {
            let refused = refusal(&mut connection, &change);
            assert!(refused.contains("is append-only"), "{change}: {refused}");
        }
    }
}

#[test]
fn a_step_has_an_entry_in_the_log_and_each_drawing_one_seal_there() {
    let mut connection = raffle();
    accept(
        &mut connection,
        "SELECT add_drawing(1, '2026-11'), add_announcement(1, 1)",
    );
    for (action, index) in [("drawing_sealed", "sealed_idx"), ("drawing_void", "void_idx")] {
        let add = format!("SELECT add_log(1, '{action}')");
        accept(&mut connection, &add);
        let second = refusal(&mut connection, &add);
        assert!(
            second.contains(&format!("drawing_audit_logs_{index}")),
            "{second}"
        );
    }
    let unlogged = refusal(
        &mut connection,
        "INSERT INTO drawing_voids (drawing_id, reason, log_id, created_at) VALUES (1, 'a reason', 99, now())",
    );
    assert!(unlogged.contains("drawing_voids_log_id_fkey"), "{unlogged}");
    let unknown = refusal(&mut connection, "SELECT add_log(1, 'drawing_changed')");
    assert!(unknown.contains("drawing_audit_logs_action_known"), "{unknown}");
}

#[test]
fn invalid_steps_violate_constraints() {
    let mut connection = raffle();
    let cases = [
        ("drawings", "period = '2026-13'", "drawings_period_month"),
        ("drawings", "period = NULL", "null value in column \"period\""),
        (
            "drawings",
            "sealed_secrets = NULL",
            "null value in column \"sealed_secrets\"",
        ),
        (
            "drawings",
            "is_additional = true, reason = NULL",
            "drawings_additional_reason",
        ),
        ("drawings", "chain = 'of'", "drawings_chain_hash"),
        (
            "drawing_announcements",
            "round = 0",
            "drawing_announcements_round_when",
        ),
        (
            "drawing_announcements",
            "round_at = NULL",
            "drawing_announcements_round_when",
        ),
        (
            "drawing_announcements",
            "seal_before = NULL",
            "drawing_announcements_round_when",
        ),
        (
            "drawing_seals",
            "total_participants = 2",
            "drawing_seals_participants_hold_entries",
        ),
        (
            "drawing_seals",
            "total_participants = 0",
            "drawing_seals_participants_hold_entries",
        ),
        (
            "drawing_seals",
            "total_entries = 9007199254740992",
            "drawing_seals_total_entries_exact",
        ),
        (
            "drawing_seals",
            "weights_hash = 'd'",
            "drawing_seals_weights_hash_hash",
        ),
        (
            "drawing_results",
            "verification_hash = NULL",
            "null value in column \"verification_hash\"",
        ),
        ("drawing_ranks", "rank = 10", "drawing_ranks_rank_known"),
        ("drawing_ranks", "user_id = 2", "drawing_ranks_user_id_fkey"),
    ];
    let steps = "SELECT add_drawing(1, '2026-11'), add_announcement(1, 1); SELECT add_seal(1, 1); SELECT add_result(1)";
    for (table, change, constraint) in cases {
        let trigger = format!(
            "CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {} RETURN NEW; END $$;
             CREATE TRIGGER a_spoil BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION spoil()",
            change
                .split(", ")
                .map(|one| format!("NEW.{};", one.replacen(" = ", " := ", 1)))
                .collect::<String>()
        );
        let refused = refusal(&mut connection, &format!("{trigger}; {steps}"));
        assert!(refused.contains(constraint), "{table}, {change}: {refused}");
    }
    accept(&mut connection, steps);
}
