//! Person tags on PostgreSQL: made for every row, and never changed.

use crate::support::{TestDatabase, connect, error_of, execute};
use kernel::{EntrantId, PersonTag, Phone, UnitOfWork};
use raffle::Entrants;

const ENTER: &str =
    "INSERT INTO users (id, phone_number, referral_code) VALUES (1, '+15551234567', 'CDFG3467')";

const UNCHANGED: &str = "person_tag never changes, and person_salt only becomes null";

#[test]
fn a_row_without_a_tag_gets_the_one_that_the_domain_computes() {
    let database = TestDatabase::new();
    execute(&mut connect(&database.admin_url), ENTER);
    let person = database.store().read(|tx| tx.find_person(EntrantId::new(1)));
    let (salt, tag) = person.unwrap().unwrap();
    let phone = Phone::from_e164("+15551234567").unwrap();
    assert_eq!(tag, PersonTag::of(&salt.unwrap(), &phone));
}

#[test]
fn a_tag_never_changes_and_a_salt_is_only_erased() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.admin_url);
    execute(&mut connection, ENTER);
    let tag = || {
        let person = database.store().read(|tx| tx.find_person(EntrantId::new(1)));
        person.unwrap().unwrap().1
    };
    let before = tag();
    for change in [
        "person_tag = sha256('')",
        "person_salt = sha256('')",
        "person_salt = sha256(''), person_tag = sha256('')",
    ] {
        let update = format!("UPDATE users SET {change}");
        assert_eq!(error_of(&mut connection, &update), UNCHANGED, "{change}");
    }
    let removed = error_of(&mut connection, "UPDATE users SET person_tag = NULL");
    assert!(removed.contains("not-null constraint"), "{removed}");
    execute(&mut connection, "UPDATE users SET phone_number = '+15557654321'");
    assert_eq!(tag(), before);
    execute(&mut connection, "UPDATE users SET person_salt = NULL");
    assert_eq!(
        database
            .store()
            .read(|tx| tx.find_person(EntrantId::new(1)))
            .unwrap(),
        Some((None, before))
    );
    let restored = "UPDATE users SET person_salt = sha256('')";
    assert_eq!(error_of(&mut connection, restored), UNCHANGED);
}

#[test]
fn tags_and_salts_have_32_bytes() {
    let mut connection = connect(&TestDatabase::new().admin_url);
    for (salt, tag, constraint) in [
        ("'\\x07'", "sha256('')", "users_person_salt_length"),
        ("sha256('')", "'\\x07'", "users_person_tag_sha256"),
    ] {
        let insert = format!(
            "INSERT INTO users (phone_number, referral_code, person_salt, person_tag)
             VALUES ('+15551234567', 'CDFG3467', {salt}, {tag})"
        );
        let error = error_of(&mut connection, &insert);
        assert!(error.contains(constraint), "{error}");
    }
}

#[test]
fn a_claim_with_a_changed_number_gets_no_text_and_no_prize() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.admin_url);
    contracts::claim_flow::a_number_that_was_not_drawn_gets_no_text_and_no_prize(
        &database.store(),
        |entrant| {
            let change = format!("UPDATE users SET phone_number = '+15557654321' WHERE id = {entrant}");
            execute(&mut connection, &change);
        },
    );
}
