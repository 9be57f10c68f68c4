//! A change of `SECRET_KEY`: what was encrypted with the key before is encrypted again, and the log says what still needs it.

use crate::campaign_scene::{ADMIN, Staff};
use crate::server::{Server, wait_until};
use crate::support::{TestDatabase, connect, number};
use serde_json::json;

const ANNOUNCED: &str = "SELECT count(*) AS n FROM drawings WHERE status = 'announced'";
const STILL_NEEDED: &str = "secrets still need an earlier key";
const LOST: &str = "secrets cannot be decrypted";

#[test]
fn after_one_start_with_both_keys_only_announced_drawings_need_the_old_one() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.admin_url);
    let (old, new) = ("01".repeat(32), "02".repeat(32));
    let monthly = [("DRAWING_SCHEDULE", "monthly")];
    let start = |keys: &[(&str, &str)]| Server::start(&database.url, &[&ADMIN[..], &monthly, keys].concat());

    let server = start(&[("SECRET_KEY", &old)]);
    let account = json!({
        "TWILIO_ACCOUNT_SID": format!("AC{}", "1".repeat(32)),
        "TWILIO_AUTH_TOKEN": "2".repeat(32),
        "TWILIO_PHONE_NUMBER": "+15550000000",
    });
    Staff::sign_in(&server).post(&server, "/api/admin/save-credentials", &account);
    wait_until(|| number(&mut connection, ANNOUNCED) == 4);
    drop(server);

    let mut server = start(&[("SECRET_KEY", &new), ("SECRET_KEY_PREVIOUS", &old)]);
    let left = server.wait_for_line(|line| line.contains(STILL_NEEDED));
    assert!(
        left.contains(r#""count":4"#) && left.contains(r#""table":"drawings""#),
        "{left}"
    );
    drop(server);

    let mut server = start(&[("SECRET_KEY", &new)]);
    let lost = server.wait_for_line(|line| line.contains(LOST));
    assert!(lost.contains(r#""table":"drawings""#), "{lost}");
    let staff = Staff::sign_in(&server);
    let status = staff.get(&server, "/api/admin/sms/status");
    assert_eq!(status["source"], "console", "{status}");
    assert!(!server.log.iter().any(|line| line.contains(STILL_NEEDED)));
}
