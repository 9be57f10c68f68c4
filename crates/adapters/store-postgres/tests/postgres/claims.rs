//! Claims of winners on PostgreSQL: what can be read in the database, and what its constraints refuse.

use crate::support::{TestDatabase, connect, error_of, execute, number};
use contracts::claim_flow::Cell;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::Text;

/// One query for each table, which lists its cells. Times are left out: their digits look like codes.
const QUERIES: &str = "
SELECT string_agg(
           format(
               'SELECT %L AS \"column\", %s AS text FROM %I WHERE %I IS NOT NULL',
               table_name || '.' || column_name,
               format(
                   CASE data_type
                       WHEN 'bytea' THEN 'encode(%1$I, ''hex'') || '' '' || encode(%1$I, ''escape'')'
                       ELSE '%I::text'
                   END,
                   column_name
               ),
               table_name,
               column_name
           ),
           ' UNION ALL '
       ) AS text
FROM information_schema.columns
WHERE table_schema = 'public' AND data_type NOT LIKE 'timestamp%' AND table_name <> '__diesel_schema_migrations'
GROUP BY table_name";

#[derive(QueryableByName)]
struct Query {
    #[diesel(sql_type = Text)]
    text: String,
}

#[derive(QueryableByName)]
struct CellRow {
    #[diesel(sql_type = Text)]
    column: String,
    #[diesel(sql_type = Text)]
    text: String,
}

pub(crate) fn everything(database: &TestDatabase) -> Vec<Cell> {
    let mut connection = connect(&database.admin_url);
    let queries: Vec<Query> = sql_query(QUERIES).load(&mut connection).unwrap();
    assert!(queries.len() > 30, "{} tables", queries.len());
    let mut cells = Vec::new();
    for query in queries {
        let rows: Vec<CellRow> = sql_query(query.text).load(&mut connection).unwrap();
        cells.extend(
            rows.into_iter()
                .map(|CellRow { column, text }| Cell { column, text }),
        );
    }
    cells
}

#[test]
fn no_table_shows_a_name_an_address_a_link_or_a_code() {
    let database = TestDatabase::new();
    contracts::claim_flow::no_secret_of_a_claim_is_stored_in_clear(&database.store(), || {
        everything(&database)
    });
}

/// A database with a drawn drawing, whose winner has a claim.
fn with_claim() -> PgConnection {
    let database = TestDatabase::new();
    contracts::filled::fill(&database.store());
    let mut connection = connect(&database.admin_url);
    let claims = "SELECT count(*) AS n FROM winner_verification";
    assert!(number(&mut connection, claims) > 0);
    connection
}

#[test]
fn invalid_claims_violate_constraints() {
    let mut connection = with_claim();
    execute(
        &mut connection,
        "ALTER TABLE winner_verification DISABLE TRIGGER winner_verification_keep_claim",
    );
    for (change, constraint) in [
        ("rank = -1", "rank_positive"),
        ("token_hash = 'short'", "token_hash_length"),
        ("status = 'lost'", "status_known"),
        (
            "verification_method = 'mail', verified_at = now()",
            "method_known",
        ),
        ("verification_method = 'code'", "verified_how"),
        ("browser_hash = 'short'", "browser_hash_length"),
        ("call_code = 'short', call_code_at = now()", "call_code_length"),
        ("call_code = sha256('')", "call_code_whole"),
        ("started_at = now()", "deadline_whole"),
        (
            "reject_reason = 'dislike', reject_note = 'No.', rejected_at = now()",
            "reject_reason_known",
        ),
        ("reject_reason = 'fraud', rejected_at = now()", "rejection_whole"),
        (
            "reject_reason = 'fraud', reject_note = '', rejected_at = now()",
            "reject_note_bounded",
        ),
        ("objection = 'But why?'", "objection_whole"),
        (
            "objection = repeat('x', 501), objected_at = now()",
            "objection_bounded",
        ),
        ("public_name = 'Ada'", "public_whole"),
        ("carrier = 'UPS', shipped_at = now()", "shipment_whole"),
        (
            "carrier = '', tracking_number = '123456', shipped_at = now()",
            "carrier_bounded",
        ),
        (
            "carrier = 'UPS', tracking_number = '1 2 3 4', shipped_at = now()",
            "tracking_number_known",
        ),
    ] {
        let error = error_of(
            &mut connection,
            &format!("UPDATE winner_verification SET {change}"),
        );
        let constraint = format!("\"winner_verification_{constraint}\"");
        assert!(error.contains(&constraint), "{change}: {error}");
    }
}

#[test]
fn a_rank_has_one_claim_and_a_link_belongs_to_one() {
    let mut connection = with_claim();
    let copy = |rank: &str, token: &str| {
        format!(
            "INSERT INTO winner_verification (drawing_id, rank, winner_id, token_hash, created_at)
             SELECT drawing_id, {rank}, winner_id, {token}, created_at FROM winner_verification LIMIT 1"
        )
    };
    let error = error_of(&mut connection, &copy("rank", "sha256('another')"));
    assert!(error.contains("winner_verification_rank_once"), "{error}");
    let error = error_of(&mut connection, &copy("rank + 1", "token_hash"));
    assert!(error.contains("winner_verification_token_hash_key"), "{error}");
    execute(&mut connection, &copy("rank + 1", "sha256('another')"));
}

#[test]
fn the_history_of_a_claim_is_append_only() {
    let mut connection = with_claim();
    execute(
        &mut connection,
        "INSERT INTO winner_verification_events (claim_id, kind, note, created_at)
         SELECT id, 'called', 'Nobody answered.', now() FROM winner_verification LIMIT 1",
    );
    for change in [
        "UPDATE winner_verification_events SET note = 'Somebody answered.'",
        "DELETE FROM winner_verification_events",
        "TRUNCATE winner_verification_events",
    ] {
        let error = error_of(&mut connection, change);
        assert_eq!(error, "winner_verification_events is append-only", "{change}");
    }
}

#[test]
fn a_claim_stays_with_its_rank() {
    let mut connection = with_claim();
    let columns = [
        "id = DEFAULT",
        "drawing_id = drawing_id + 1",
        "rank = rank + 1",
        "winner_id = (SELECT min(id) FROM users)",
        "token_hash = sha256('another')",
        "created_at = now()",
    ];
    let updates = columns.map(|column| format!("UPDATE winner_verification SET {column}"));
    let others = [
        "DELETE FROM winner_verification",
        "TRUNCATE winner_verification CASCADE",
    ];
    for change in updates.into_iter().chain(others.map(str::to_owned)) {
        let error = error_of(&mut connection, &change);
        assert_eq!(
            error, "drawing, rank, entrant and token of a claim never change",
            "{change}"
        );
    }
}
