//! Rows of statements in SQL. The SQL type of a column follows from its Rust type.

use chrono::{DateTime, NaiveDate, Utc};
use diesel::sql_types::is_nullable::NotNull;
use diesel::sql_types::{
    Array, BigInt, Binary, Bool, Date, Integer, Jsonb, Nullable, SqlType, Text, Timestamptz,
};
use kernel::StaffName;
use serde_json::Value;

/// A Rust type that columns are read as.
pub(crate) trait Column {
    /// The SQL type of such a column.
    type Sql;
}

macro_rules! columns {
    ($($rust:ty: $sql:ty;)+) => {
        $(impl Column for $rust { type Sql = $sql; })+
    };
}

columns! {
    bool: Bool;
    i32: Integer;
    i64: BigInt;
    String: Text;
    Vec<u8>: Binary;
    DateTime<Utc>: Timestamptz;
    NaiveDate: Date;
    Value: Jsonb;
    uuid::Uuid: diesel::sql_types::Uuid;
    Vec<i64>: Array<BigInt>;
    Vec<String>: Array<Text>;
    Vec<DateTime<Utc>>: Array<Timestamptz>;
    Vec<Option<DateTime<Utc>>>: Array<Nullable<Timestamptz>>;
}

impl<T> Column for Option<T>
where
    T: Column<Sql: SqlType<IsNull = NotNull>>,
{
    type Sql = Nullable<T::Sql>;
}

/// Declares structs that rows of a statement are read into, column by column: `rows! { struct Total { entries: i64 } }`.
macro_rules! rows {
    ($(
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident {
            $($(#[$about:meta])* $of:vis $column:ident: $type:ty),+ $(,)?
        }
    )+) => {
        $(
            $(#[$attribute])*
            #[derive(diesel::QueryableByName)]
            $visibility struct $name {
                $(
                    $(#[$about])*
                    #[diesel(sql_type = <$type as $crate::rows::Column>::Sql)]
                    $of $column: $type,
                )+
            }
        )+
    };
}
pub(crate) use rows;

rows! {
    /// The id of a row.
    pub(crate) struct IdRow {
        pub(crate) id: i64,
    }

    /// A count or a sum.
    pub(crate) struct CountRow {
        pub(crate) n: i64,
    }

    /// A time.
    pub(crate) struct TimeRow {
        pub(crate) at: DateTime<Utc>,
    }

    /// Whether something is found.
    pub(crate) struct FoundRow {
        pub(crate) found: bool,
    }

    /// A name, or another text.
    pub(crate) struct TextRow {
        pub(crate) text: String,
    }

    /// The number of an entrant.
    pub(crate) struct NumberRow {
        pub(crate) phone_number: Option<String>,
    }
}

/// The name of a member of staff in a row; `None` when it is not valid.
pub(crate) fn read_staff_name(name: Option<&str>) -> Option<Option<StaffName>> {
    match name {
        None => Some(None),
        Some(name) => StaffName::parse(name).map(Some),
    }
}
