//! The token in the cookie that binds a browser to the entrant it created (D4).

use crate::http::cookies::own_cookie;
use crate::identity::keys::{TokenKeys, VisitorToken};
use actix_web::HttpRequest;
use actix_web::cookie::{Cookie, SameSite, time};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::EntrantId;
use raffle::{BrowserToken, RaffleKey};
use sha2::{Digest, Sha256};

const LIFE: TimeDelta = TimeDelta::days(400);

/// The cookie with the path of the entrant's page, which the client reads: `frontend/src/site/lib/yourPage.ts`.
const PAGE_COOKIE: &str = "your_page";

/// The path of an entrant's page.
pub fn success_path(raffle: RaffleKey, entrant: EntrantId) -> String {
    format!("/{raffle}/success/{entrant}")
}

/// Signs visitor cookies and verifies them. A token names one entrant.
pub struct VisitorTokens {
    keys: TokenKeys<VisitorToken>,
    secure: bool,
}

impl VisitorTokens {
    /// Tokens with these keys. `secure`: the cookie is sent over TLS only, and to this host only.
    pub const fn new(keys: TokenKeys<VisitorToken>, secure: bool) -> Self {
        Self { keys, secure }
    }

    /// The cookie for the browser that created this entrant.
    pub(crate) fn cookie(&self, entrant: EntrantId, now: DateTime<Utc>) -> Option<Cookie<'static>> {
        let token = self.keys.sign(entrant.to_string(), now, LIFE, None)?;
        Some(self.site_cookie(self.cookie_name(), token, life()))
    }

    /// The cookie from which the other pages link to the entrant's own (D77). It is no secret and shows nothing: it holds
    /// the page's path alone.
    pub(crate) fn page_cookie(&self, raffle: RaffleKey, entrant: EntrantId) -> Cookie<'static> {
        let mut cookie = self.site_cookie(PAGE_COOKIE, success_path(raffle, entrant), life());
        cookie.set_http_only(false);
        cookie
    }

    /// A cookie that only this site's server reads.
    pub(crate) fn site_cookie(
        &self,
        name: &'static str,
        value: String,
        life: time::Duration,
    ) -> Cookie<'static> {
        Cookie::build(name, value)
            .http_only(true)
            .same_site(SameSite::Lax)
            .secure(self.secure)
            .path("/")
            .max_age(life)
            .finish()
    }

    /// The cookie's name. Browsers accept the `__Host-` prefix only from a secure origin.
    pub const fn cookie_name(&self) -> &'static str {
        if self.secure { "__Host-visitor" } else { "visitor" }
    }

    /// Whether cookies are sent over TLS only.
    pub(crate) const fn secure(&self) -> bool {
        self.secure
    }

    /// The token of a request's cookie, if it is valid.
    pub(crate) fn token(&self, request: &HttpRequest, now: DateTime<Utc>) -> Option<BrowserToken> {
        self.read(&own_cookie(request, self.cookie_name())?, now)
    }

    fn read(&self, token: &str, now: DateTime<Utc>) -> Option<BrowserToken> {
        let (subject, issued_at) = self.keys.read_dated(token, now)?;
        Some(BrowserToken {
            entrant: EntrantId::new(subject.parse().ok()?),
            issued_at,
            hash: Sha256::digest(token).into(),
        })
    }
}

const fn life() -> time::Duration {
    time::Duration::seconds(LIFE.num_seconds())
}

#[cfg(test)]
mod tests {
    use super::*;
    use raffle::fixtures::FRESH_SIPS;
    use secrecy::SecretSlice;

    fn tokens(secure: bool) -> VisitorTokens {
        let keys = TokenKeys::new(&SecretSlice::from(vec![1; 32]), &[]);
        VisitorTokens::new(keys, secure)
    }

    #[test]
    fn a_token_names_its_entrant_for_400_days() {
        let (tokens, now) = (tokens(false), DateTime::UNIX_EPOCH);
        let cookie = tokens.cookie(EntrantId::new(7), now).unwrap();
        let named = |at| tokens.read(cookie.value(), at).map(|token| token.entrant);
        assert_eq!(named(now), Some(EntrantId::new(7)));
        assert_eq!(named(now + LIFE - TimeDelta::seconds(1)), Some(EntrantId::new(7)));
        assert_eq!(named(now + LIFE), None);
    }

    #[test]
    fn in_production_the_cookie_is_bound_to_the_host_and_to_tls() {
        let cookie = tokens(true)
            .cookie(EntrantId::new(7), DateTime::UNIX_EPOCH)
            .unwrap();
        assert_eq!(cookie.name(), "__Host-visitor");
        assert_eq!(
            (cookie.secure(), cookie.http_only(), cookie.path()),
            (Some(true), Some(true), Some("/"))
        );
        assert_eq!((cookie.same_site(), cookie.domain()), (Some(SameSite::Lax), None));
        assert_eq!(cookie.max_age(), Some(time::Duration::days(400)));
    }
    #[test]
    fn the_page_cookie_holds_a_path_that_scripts_can_read() {
        let cookie = tokens(true).page_cookie(FRESH_SIPS, EntrantId::new(7));
        assert_eq!(
            (cookie.name(), cookie.value()),
            ("your_page", "/fresh-sips/success/7")
        );
        assert_eq!(
            (cookie.secure(), cookie.http_only(), cookie.path()),
            (Some(true), Some(false), Some("/"))
        );
        assert_eq!(cookie.max_age(), Some(time::Duration::days(400)));
    }
}
