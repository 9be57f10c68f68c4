//! Pictures on PostgreSQL: what versions name, and what the constraints refuse.

use crate::support::{TestDatabase, connect, error_of, execute, number};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{StoreError, UnitOfWork};
use raffle::pictures::{MadePicture, Pictures, Rendition, Size, UNNAMED_LIFE};

fn picture() -> MadePicture {
    MadePicture {
        renditions: Size::new(1440, 900).renditions().map(|size| Rendition {
            size,
            jpeg: size.width.to_string().into_bytes(),
        }),
    }
}

fn now() -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::days(20_000)
}

#[test]
fn what_a_version_names_stays() {
    let database = TestDatabase::new();
    let (store, mut connection) = (database.store(), connect(&database.admin_url));
    let hash = picture().summary().hash();
    let later = |days| now() + UNNAMED_LIFE + TimeDelta::days(days);
    let delete = |at| {
        store
            .transaction::<_, StoreError>(|tx| tx.delete_unnamed_pictures(at))
            .unwrap()
    };
    store
        .transaction::<_, StoreError>(|tx| tx.add_picture(&picture(), now()))
        .unwrap();
    execute(
        &mut connection,
        &format!(
            "INSERT INTO raffle_versions (landing_page, number, content, hash, published_at, takes_effect_at)
             SELECT 'garden-bag', 2, content, sha256(convert_to(content, 'UTF8')), now(), 'infinity'
             FROM (SELECT '{{\"picture\":{{\"scene\":\"tool-bag\",\"upload\":\"{hash}\",\"alt\":\"A bag\"}}}}' AS content) AS new"
        ),
    );
    assert_eq!(delete(later(1)), 0);
    // Named until then, so it is kept for as long again.
    execute(
        &mut connection,
        "CREATE OR REPLACE FUNCTION named_pictures() RETURNS SETOF text LANGUAGE sql STABLE AS $$ SELECT '' $$",
    );
    assert_eq!(delete(later(7)), 0);
    assert_eq!(delete(later(9)), 1);
    assert_eq!(
        number(&mut connection, "SELECT count(*) AS n FROM picture_renditions"),
        0
    );
}

#[test]
fn bytes_that_are_not_those_of_their_hash_are_refused() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.admin_url);
    execute(
        &mut connection,
        "INSERT INTO pictures (hash, added_at, last_named_at) VALUES (sha256('a'), 'epoch', 'epoch')",
    );
    let add = |position, hash: &str, jpeg| {
        format!(
            "INSERT INTO picture_renditions (picture_hash, position, width, height, hash, jpeg)
             VALUES (sha256('a'), {position}, 8, 5, sha256('{hash}'), '{jpeg}')"
        )
    };
    for (statement, constraint) in [
        (add(0, "a", "b"), "picture_renditions_jpeg_of_hash"),
        (add(0, "b", "b"), "picture_renditions_first_names_picture"),
        (add(4, "b", "b"), "picture_renditions_position_known"),
    ] {
        let error = error_of(&mut connection, &statement);
        assert!(error.contains(constraint), "{error}");
    }
}
