//! What binds a browser to the entrant it created (D4).

use crate::Site;
use actix_web::cookie::{Cookie, SameSite, time};
use actix_web::{FromRequest, HttpRequest, dev::Payload, web};
use chrono::{DateTime, TimeDelta, Utc};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use kernel::EntrantId;
use secrecy::{ExposeSecret, SecretSlice};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::convert::Infallible;
use std::future::{Ready, ready};

const LIFE: TimeDelta = TimeDelta::days(400);
const AUDIENCE: &str = "visitor";

/// Signs visitor cookies and reads them back. A token is a JWT (HS256) that names one entrant.
pub struct VisitorTokens {
    sign: EncodingKey,
    check: DecodingKey,
    validation: Validation,
    secure: bool,
}

#[derive(Serialize, Deserialize)]
struct Claims {
    sub: String,
    aud: String,
    exp: i64,
}

impl VisitorTokens {
    /// With a key made from the site's secret. `secure`: the cookie goes over TLS only, and to this host only.
    pub fn new(secret: &SecretSlice<u8>, secure: bool) -> Self {
        // A key of its own, so that no token of another kind is ever a visitor's.
        let mut hash = Sha256::new();
        hash.update(b"tombola visitor token v1\0");
        hash.update(secret.expose_secret());
        let key = hash.finalize();
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_audience(&[AUDIENCE]);
        validation.set_required_spec_claims(&["sub", "aud", "exp"]);
        validation.validate_exp = false; // done below, by our clock
        Self {
            sign: EncodingKey::from_secret(&key),
            check: DecodingKey::from_secret(&key),
            validation,
            secure,
        }
    }

    /// The cookie for the browser that created this entrant.
    pub(crate) fn cookie(&self, entrant: EntrantId, now: DateTime<Utc>) -> Option<Cookie<'static>> {
        let exp = (now + LIFE).timestamp();
        let claims = Claims {
            sub: entrant.to_string(),
            aud: AUDIENCE.to_owned(),
            exp,
        };
        let token = jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &self.sign).ok()?;
        let cookie = Cookie::build(self.cookie_name(), token)
            .http_only(true)
            .same_site(SameSite::Lax)
            .secure(self.secure)
            .path("/")
            .max_age(time::Duration::seconds(LIFE.num_seconds()));
        Some(cookie.finish())
    }

    const fn cookie_name(&self) -> &'static str {
        if self.secure { "__Host-visitor" } else { "visitor" }
    }

    fn read(&self, token: &str, now: DateTime<Utc>) -> Option<EntrantId> {
        let claims = jsonwebtoken::decode::<Claims>(token, &self.check, &self.validation)
            .ok()?
            .claims;
        let alive = claims.exp > now.timestamp();
        claims.sub.parse().ok().filter(|_| alive).map(EntrantId::new)
    }
}

/// Which entrant this browser created, if any. A token that does not hold is no token.
pub(crate) struct Visitor(Option<EntrantId>);

impl Visitor {
    pub(crate) fn is(&self, entrant: EntrantId) -> bool {
        self.0 == Some(entrant)
    }
}

impl FromRequest for Visitor {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let entrant = request.app_data::<web::Data<Site>>().and_then(|site| {
            let cookie = request.cookie(site.visitors.cookie_name())?;
            site.visitors.read(cookie.value(), site.clock.now())
        });
        ready(Ok(Self(entrant)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(secret: u8, secure: bool) -> VisitorTokens {
        VisitorTokens::new(&SecretSlice::from(vec![secret; 32]), secure)
    }

    #[test]
    fn a_token_names_its_entrant_for_400_days() {
        let (tokens, now) = (tokens(1, false), DateTime::UNIX_EPOCH);
        let cookie = tokens.cookie(EntrantId::new(7), now).unwrap();
        assert_eq!(tokens.read(cookie.value(), now), Some(EntrantId::new(7)));
        assert_eq!(
            tokens.read(cookie.value(), now + LIFE - TimeDelta::seconds(1)),
            Some(EntrantId::new(7))
        );
        assert_eq!(tokens.read(cookie.value(), now + LIFE), None);
    }

    #[test]
    fn what_was_not_signed_here_is_no_token() {
        let now = DateTime::UNIX_EPOCH;
        let foreign = tokens(2, false).cookie(EntrantId::new(7), now).unwrap();
        let own = tokens(1, false).cookie(EntrantId::new(7), now).unwrap();
        let (head, signature) = own.value().rsplit_once('.').unwrap();
        let unsigned = format!(
            "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.{}.",
            head.split_once('.').unwrap().1
        );
        for wrong in [
            foreign.value(),
            "",
            "a.b.c",
            head,
            &format!("{head}x.{signature}"),
            &unsigned,
        ] {
            assert_eq!(tokens(1, false).read(wrong, now), None, "{wrong}");
        }
    }

    #[test]
    fn in_production_the_cookie_is_bound_to_the_host_and_to_tls() {
        let cookie = tokens(1, true)
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
}
