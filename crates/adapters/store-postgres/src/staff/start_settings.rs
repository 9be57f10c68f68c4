//! `staff::StartSettings`.

use crate::PgTx;
use crate::rows::rows;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::Text;
use kernel::StoreError;
use staff::StartSettings;

const ADD: &str = "INSERT INTO start_settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";

const LOCK: &str = "SELECT value FROM start_settings WHERE name = $1 FOR UPDATE";

const SAVE: &str = "UPDATE start_settings SET value = $2 WHERE name = $1";

rows! {
    struct ValueRow {
        value: String,
    }
}

impl StartSettings for PgTx {
    fn replace_start_setting(&mut self, name: &str, value: &str) -> Result<Option<String>, StoreError> {
        let run = |statement| sql_query(statement).bind::<Text, _>(name).bind::<Text, _>(value);
        let add = run(ADD);
        if self.query(|connection| add.execute(connection))? > 0 {
            return Ok(None);
        }
        let lock = sql_query(LOCK).bind::<Text, _>(name);
        let before: ValueRow = self.query(|connection| lock.get_result(connection))?;
        let save = run(SAVE);
        self.query(|connection| save.execute(connection))?;
        Ok(Some(before.value))
    }
}
