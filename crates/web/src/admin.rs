//! Who may use the console: signing in, and the session that every call needs (D10).

use crate::address::client_address;
use crate::{
    ApiError, AppState, Argon2Hash, BlockingPool, PasswordCheck, SiteSecrets, Store, keys::TokenKeys,
};
use actix_web::http::header;
use actix_web::{FromRequest, HttpRequest, dev::Payload, web};
use chrono::{DateTime, Utc};
use futures_util::future::LocalBoxFuture;
use kernel::Entropy;
use secrecy::SecretString;
use sha2::{Digest, Sha256};
use staff::{Actor, AttemptLimit, SESSION_LIFE, TokenHash};
use std::io;
use std::marker::PhantomData;
use std::sync::Arc;
use std::thread::available_parallelism;
use subtle::{Choice, ConstantTimeEq};

/// How many sign-ins may wait for their password to be checked.
const QUEUE: usize = 16;

/// Who may sign in to the console.
pub struct Administrator {
    /// The name.
    pub username: String,
    /// What knows the password.
    pub password: Arc<dyn PasswordCheck>,
}

/// Checks passwords, and signs and reads the tokens of sessions.
pub struct AdminSignIn {
    username: Option<String>,
    password: Arc<dyn PasswordCheck>,
    limit: Option<AttemptLimit>,
    tokens: TokenKeys,
    /// A check takes a whole core for a moment, so half of the cores are left to everybody else.
    threads: BlockingPool,
}

/// What a browser signs its calls with, and until when.
pub(crate) struct SessionToken {
    pub(crate) text: String,
    pub(crate) expires_at: DateTime<Utc>,
}

impl SessionToken {
    pub(crate) fn hash(&self) -> TokenHash {
        token_hash(&self.text)
    }
}

impl AdminSignIn {
    /// For this administrator; without one nobody can sign in. `limited`: failures are counted by address.
    ///
    /// # Errors
    /// When the system refuses a thread.
    pub fn new(
        secrets: &SiteSecrets,
        administrator: Option<Administrator>,
        limited: bool,
    ) -> io::Result<Self> {
        let (username, password): (_, Arc<dyn PasswordCheck>) = match administrator {
            Some(administrator) => (Some(administrator.username), administrator.password),
            // Checked all the same, so that a stranger does not learn that there is nobody.
            None => (None, Arc::new(Argon2Hash::dummy())),
        };
        let cores = available_parallelism().map_or(1, usize::from);
        let count = u32::try_from(cores / 2).unwrap_or(u32::MAX).max(1);
        Ok(Self {
            username,
            password,
            limit: limited.then_some(AttemptLimit::SIGN_IN),
            tokens: TokenKeys::new(secrets, "admin"),
            threads: BlockingPool::with_queue("password", count, QUEUE)?,
        })
    }

    pub(crate) fn limit(&self) -> Option<AttemptLimit> {
        self.limit
    }

    /// Whether these are the administrator's. A wrong name takes the same way as a wrong password.
    pub(crate) async fn fits(&self, username: &str, password: SecretString) -> Result<bool, ApiError> {
        let name_fits = self.name_fits(username);
        let check = self.password.clone();
        let password_fits = self
            .threads
            .run(move || Ok::<_, ApiError>(check.fits(&password)))
            .await?;
        Ok((name_fits & Choice::from(u8::from(password_fits))).into())
    }

    /// Compares hashes, which are of one length and in constant time.
    fn name_fits(&self, username: &str) -> Choice {
        let known = self.username.as_deref().unwrap_or_default();
        let same = Sha256::digest(username).ct_eq(&Sha256::digest(known));
        same & Choice::from(u8::from(self.username.is_some()))
    }

    /// A token for a new session.
    pub(crate) fn issue(&self, entropy: &dyn Entropy, now: DateTime<Utc>) -> Option<SessionToken> {
        let mut id = [0; 16];
        entropy.fill(&mut id);
        let subject = self.username.clone()?;
        let text = self
            .tokens
            .sign(subject, now, SESSION_LIFE, Some(hex::encode(id)))?;
        let expires_at = DateTime::from_timestamp((now + SESSION_LIFE).timestamp(), 0)?;
        Some(SessionToken { text, expires_at })
    }

    /// What the store knows a token by, if it was signed here, has not expired, and is the administrator's.
    fn read(&self, token: &str, now: DateTime<Utc>) -> Option<TokenHash> {
        let subject = self.tokens.read(token, now)?;
        (Some(subject) == self.username).then(|| token_hash(token))
    }
}

fn token_hash(token: &str) -> TokenHash {
    Sha256::digest(token).into()
}

/// A call from within a session. Both must hold: the token's signature and expiry, and the session in the store.
pub(crate) struct Admin<S> {
    pub(crate) actor: Actor,
    pub(crate) token: TokenHash,
    store: PhantomData<S>,
}

impl<S: Store> FromRequest for Admin<S> {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let (Some(state), Some(store)) = (
            request.app_data::<web::Data<AppState>>().cloned(),
            request.app_data::<web::Data<S>>().cloned(),
        ) else {
            return Box::pin(std::future::ready(Err(ApiError::Internal)));
        };
        let token = sent_token(request).and_then(|token| state.admin.read(token, state.clock.now()));
        let address = client_address(request, &state.trusted_proxies);
        Box::pin(async move {
            let token = token.ok_or(ApiError::Unauthorized)?;
            let clock = state.clock.clone();
            let session = state
                .flows
                .run(move || usecases::sessions::find(&**store, &*clock, &token))
                .await?;
            Ok(Self {
                actor: Actor { session, address },
                token,
                store: PhantomData,
            })
        })
    }
}

/// `Authorization: Bearer T`, or else `X-Session-Token: T`.
fn sent_token(request: &HttpRequest) -> Option<&str> {
    let value = |name| request.headers().get(name)?.to_str().ok();
    let bearer = value(header::AUTHORIZATION.as_str())
        .and_then(|value| value.split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
        .map(|(_, token)| token);
    bearer.or_else(|| value("x-session-token")).map(str::trim)
}
