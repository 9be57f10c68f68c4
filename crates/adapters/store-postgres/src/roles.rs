//! The rights of the role that the server runs as: it cannot change or delete logs, the ledger and drawings (D53).

use crate::migrations::{Owner, connect, lock};
use crate::rows::TextRow;
use crate::unit_of_work::failed;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Array, Text};
use kernel::StoreError;

/// Tables to which the server only adds rows. A test compares them with the triggers that refuse changes.
pub const APPEND_ONLY: [&str; 17] = [
    "admin_audit_log",
    "drawing_announcements",
    "drawing_audit_logs",
    "drawing_chunks",
    "drawing_late_rounds",
    "drawing_list_parts",
    "drawing_lists",
    "drawing_ranks",
    "drawing_results",
    "drawing_seals",
    "drawing_voids",
    // Triggers change their status, when the row of a step is added.
    "drawings",
    "entry_ledger",
    "official_rules",
    "raffle_moves",
    "raffle_versions",
    "winner_verification_events",
];

/// Tables that the server only reads: triggers and migrations write to them.
pub const READ_ONLY: [&str; 3] = ["__diesel_schema_migrations", "admin_audit_head", "schema_version"];

/// The statements that give the role `$1` what it lacks, and take what it has too much. `$2` are the append-only tables, `$3`
/// those to read.
const CHANGES: &str = "
WITH rights AS (
    SELECT relname, oid, privilege,
           CASE privilege
               WHEN 'SELECT' THEN true
               WHEN 'INSERT' THEN relname <> ALL ($3)
               ELSE relname <> ALL ($2 || $3)
           END AS is_wanted
    FROM pg_class, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) AS privilege
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
)
SELECT format('GRANT USAGE ON SCHEMA public TO %I', $1) AS text
WHERE NOT has_schema_privilege($1, 'public', 'USAGE')
UNION ALL
SELECT format('GRANT %s ON TABLE public.%I TO %I', privilege, relname, $1) FROM rights
WHERE is_wanted AND NOT has_table_privilege($1, oid, privilege)
UNION ALL
SELECT format('REVOKE %s ON TABLE public.%I FROM %I', privilege, relname, $1) FROM rights
WHERE NOT is_wanted AND has_table_privilege($1, oid, privilege)
UNION ALL
SELECT format('GRANT USAGE, SELECT ON SEQUENCE public.%I TO %I', relname, $1) FROM pg_class
WHERE relnamespace = 'public'::regnamespace
    AND CASE WHEN relkind = 'S' THEN NOT has_sequence_privilege($1, oid, 'USAGE') ELSE false END
UNION ALL
SELECT format('GRANT EXECUTE ON FUNCTION %s TO %I', oid::regprocedure, $1) FROM pg_proc
WHERE pronamespace = 'public'::regnamespace AND prosecdef AND prorettype <> 'trigger'::regtype
    AND NOT has_function_privilege($1, oid, 'EXECUTE')";

/// The tables of `$1` that the connection's role may change, or could give itself the right to.
const UNPROTECTED: &str = "
SELECT relname::text AS text FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relname = ANY ($1)
    AND (has_table_privilege(oid, 'UPDATE, DELETE, TRUNCATE') OR pg_has_role(relowner, 'MEMBER'))
ORDER BY relname";

/// The role that a URL connects as.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be reached with this URL.
pub fn role_of(url: &str) -> Result<String, StoreError> {
    role(&mut connect(url)?)
}

fn role(connection: &mut PgConnection) -> Result<String, StoreError> {
    let query = sql_query("SELECT current_user::text AS text");
    let row: TextRow = query.get_result(connection).map_err(failed)?;
    Ok(row.text)
}

impl Owner {
    /// The role that this connects as.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the connection is lost.
    pub fn role(&mut self) -> Result<String, StoreError> {
        role(&mut self.0)
    }

    /// Gives a role the rights that the server needs, and no others. Returns how many statements that took: none when it has
    /// them already.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the connection is lost; [`StoreError::Failed`] when the rights cannot be given.
    pub fn grant(&mut self, role: &str) -> Result<usize, StoreError> {
        let grant = |connection: &mut PgConnection| {
            lock(connection)?;
            let query = sql_query(CHANGES)
                .bind::<Text, _>(role)
                .bind::<Array<Text>, _>(APPEND_ONLY.to_vec())
                .bind::<Array<Text>, _>(READ_ONLY.to_vec());
            let changes: Vec<TextRow> = query.load(connection)?;
            for change in &changes {
                sql_query(&change.text).execute(connection)?;
            }
            Ok(changes.len())
        };
        self.0
            .build_transaction()
            .read_committed()
            .run(grant)
            .map_err(failed)
    }
}

/// The logs and tables of drawings that this URL's role could change all the same, because it owns them or has the right.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be reached.
pub fn unprotected(url: &str) -> Result<Vec<String>, StoreError> {
    let tables = [&APPEND_ONLY[..], &["admin_audit_head"]].concat();
    let query = sql_query(UNPROTECTED).bind::<Array<Text>, _>(tables);
    let rows: Vec<TextRow> = query.load(&mut connect(url)?).map_err(failed)?;
    Ok(rows.into_iter().map(|row| row.text).collect())
}
