//! `tombola push-keys`: new keys for messages that browsers show when a raffle is drawn.

use anyhow::Context;
use push_web::VapidKeys;
use secrecy::ExposeSecret;

/// New values of `VAPID_PUBLIC_KEY` and `VAPID_PRIVATE_KEY`, as lines of a file of settings.
///
/// # Errors
/// When the system gives no random bytes.
pub fn run() -> anyhow::Result<String> {
    let keys = VapidKeys::generate().context("cannot make keys")?;
    let (public, private) = (keys.public, keys.private.expose_secret());
    Ok(format!(
        "VAPID_PUBLIC_KEY={public}\nVAPID_PRIVATE_KEY={private}\n"
    ))
}

#[cfg(test)]
mod tests {
    use crate::config::Config;

    #[test]
    fn new_keys_are_settings_that_the_server_takes() {
        let lines = super::run().unwrap();
        let value = |name: &str| {
            let line = lines
                .lines()
                .find_map(|line| line.strip_prefix(&format!("{name}=")));
            line.map(str::to_owned)
        };
        let config = Config::read(|name| match name {
            "DATABASE_URL" => Some("postgresql://localhost/tombola".to_owned()),
            "CONTACT_EMAIL" => Some("hello@example.org".to_owned()),
            name => value(name),
        });
        assert!(config.unwrap().push.is_some());
        assert_ne!(lines, super::run().unwrap());
    }
}
