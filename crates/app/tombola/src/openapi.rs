//! `tombola openapi`: prints the description of the API.

use store_postgres::PgStore;

/// The description, pretty-printed. It is made in this crate, which also serves the routes: called from the program's own crate, it
/// would make the compiler build all routes a second time.
///
/// # Errors
/// None in practice: the description is fixed when the program is compiled.
pub fn run() -> anyhow::Result<String> {
    Ok(web::openapi_json::<PgStore>()?)
}
