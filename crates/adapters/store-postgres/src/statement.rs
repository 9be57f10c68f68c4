//! Statements in SQL that are prepared once per connection.

use diesel::pg::{Pg, PgConnection};
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::query_dsl::RunQueryDsl;
use diesel::result::{Error, QueryResult};
use diesel::sql_types::BigInt;

/// A `diesel::sql_query`, prepared once per connection. By itself, that one is parsed and planned each time it is sent, in a round
/// trip of its own. For statements of every visitor, whose plan does not depend on their values.
pub(crate) struct Prepared<Q>(pub(crate) Q);

impl<Q: QueryFragment<Pg>> QueryFragment<Pg> for Prepared<Q> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        self.0.walk_ast(out)
    }

    fn is_safe_to_cache_prepared(&self, _: &Pg) -> QueryResult<bool> {
        Ok(true)
    }
}

/// It is found by its text.
impl<Q> QueryId for Prepared<Q> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<Q: Query> Query for Prepared<Q> {
    type SqlType = Q::SqlType;
}

impl<Q> RunQueryDsl<PgConnection> for Prepared<Q> {}

/// A statement of `sql/` that returns ids, with its values.
pub(crate) struct Statement<'a, V>(pub(crate) &'a V);

/// A statement and the values of its parameters.
pub(crate) trait Values {
    /// Identifies the prepared statement.
    type Id: 'static;
    /// The SQL of the statement.
    const SQL: &'static str;

    /// Binds parameter `n`, counted from 1.
    fn bind<'b>(&'b self, n: usize, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()>;
}

impl<V: Values> QueryFragment<Pg> for Statement<'_, V> {
    /// Diesel numbers placeholders itself, so the SQL is split at its own: `$1` comes first, and each occurs once.
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let mut pieces = V::SQL.split('$');
        out.push_sql(pieces.next().unwrap_or_default());
        for (index, piece) in pieces.enumerate() {
            let n = index + 1;
            let rest = piece.strip_prefix(n.to_string().as_str());
            let rest = rest.ok_or_else(|| Error::QueryBuilderError(format!("expected ${n}").into()))?;
            self.0.bind(n, &mut out)?;
            out.push_sql(rest);
        }
        Ok(())
    }
}

impl<V: Values> QueryId for Statement<'_, V> {
    type QueryId = V::Id;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl<V> Query for Statement<'_, V> {
    type SqlType = BigInt;
}

impl<V> RunQueryDsl<PgConnection> for Statement<'_, V> {}

/// Implements [`Values`] for a struct: takes the SQL, and the fields in the order of the parameters with their types.
macro_rules! values {
    ($type:ident $(<$lifetime:lifetime>)?: $statement:expr, $($field:ident: $sql:ty),+ $(,)?) => {
        const _: () = {
            pub(crate) struct Name;

            impl $crate::statement::Values for $type $(<$lifetime>)? {
                type Id = Name;
                const SQL: &'static str = $statement;

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
    };
}
pub(crate) use values;
