//! Single-statement writes kept in `sql/*.sql`, prepared once per connection.

use diesel::pg::{Pg, PgConnection};
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::query_dsl::RunQueryDsl;
use diesel::result::{Error, QueryResult};
use diesel::sql_types::BigInt;

/// A statement that answers at most one id. `diesel::sql_query` would do, but it prepares anew each time.
pub(crate) struct Intent<'a> {
    pub(crate) sql: &'static str,
    pub(crate) bind: &'a dyn Bind,
}

/// Puts value number `n`, from 1, into the statement.
pub(crate) trait Bind {
    fn bind<'b>(&'b self, n: usize, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()>;
}

impl QueryFragment<Pg> for Intent<'_> {
    /// Diesel numbers the placeholders itself, in order, so the text is cut at its own: `$1` first, each once.
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let mut pieces = self.sql.split('$');
        out.push_sql(pieces.next().unwrap_or_default());
        for (index, piece) in pieces.enumerate() {
            let n = index + 1;
            let rest = piece.strip_prefix(n.to_string().as_str());
            let rest = rest.ok_or_else(|| Error::QueryBuilderError(format!("expected ${n}").into()))?;
            self.bind.bind(n, &mut out)?;
            out.push_sql(rest);
        }
        Ok(())
    }
}

impl QueryId for Intent<'_> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false; // cached by its text
}

impl Query for Intent<'_> {
    type SqlType = BigInt;
}

impl RunQueryDsl<PgConnection> for Intent<'_> {}

/// Implements [`Bind`]: the fields of a value, in order, each with its SQL type.
macro_rules! bind {
    ($type:ty, $($field:ident: $sql:ty),+ $(,)?) => {
        impl $crate::intent::Bind for $type {
            fn bind<'b>(
                &'b self,
                n: usize,
                out: &mut diesel::query_builder::AstPass<'_, 'b, diesel::pg::Pg>,
            ) -> diesel::result::QueryResult<()> {
                let mut at = 0;
                $(
                    at += 1;
                    if at == n {
                        return out.push_bind_param::<$sql, _>(&self.$field);
                    }
                )+
                Err(diesel::result::Error::QueryBuilderError(format!("no value for ${n} of {at}").into()))
            }
        }
    };
}
pub(crate) use bind;
