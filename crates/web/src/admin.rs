//! Access to the console: checking passwords, and the session that every call needs (D10).

use crate::address::client_address;
use crate::blocking_pool::BlockingPool;
use crate::keys::{StaffToken, TokenKeys};
use crate::request_pools::{RequestPool, RequestPools};
use crate::{ApiError, AppState, Argon2Hash, DEADLINE, PasswordCheck, Store};
use actix_web::http::header;
use actix_web::{FromRequest, HttpRequest, dev::Payload, web};
use chrono::{DateTime, Utc};
use futures_util::future::LocalBoxFuture;
use kernel::{Clock, Entropy, StaffName};
use secrecy::SecretString;
use sha2::{Digest, Sha256};
use staff::{Actor, AttemptLimit, SESSION_LIFE, TokenHash};
use std::io;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;
use subtle::{Choice, ConstantTimeEq};
use tokio::sync::oneshot;
use usecases::RunError;
use usecases::sessions::SessionError;

/// How many sign-ins may wait for their password to be checked: about as many as are checked within [`CHECK_DEADLINE`].
const QUEUE: usize = 512;
/// How long a sign-in waits until its password has been checked: as long as a person would.
const CHECK_DEADLINE: Duration = Duration::from_secs(20);

/// 503: the password was not checked, because too many others were.
fn many_sign_ins() -> ApiError {
    ApiError::busy("Many people are signing in right now. Please try again in a moment.")
}

/// The account that may sign in to the console.
pub struct Administrator {
    /// The user name.
    pub username: String,
    /// Checks the password.
    pub password: Arc<dyn PasswordCheck>,
}

/// Checks passwords, and signs and reads the tokens of sessions.
pub struct AdminSignIn {
    username: Option<String>,
    password: Arc<dyn PasswordCheck>,
    limit: Option<AttemptLimit>,
    tokens: TokenKeys<StaffToken>,
    /// A check keeps a core busy for a moment, so at most half of the cores run checks.
    threads: BlockingPool,
}

/// The token of a session, and when it expires.
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
    /// Sign-in for this administrator; without one, every sign-in fails. `limited`: failures are counted by address.
    ///
    /// # Errors
    /// When the system cannot start a thread.
    pub fn new(
        tokens: TokenKeys<StaffToken>,
        administrator: Option<Administrator>,
        limited: bool,
    ) -> io::Result<Self> {
        let (username, password): (_, Arc<dyn PasswordCheck>) = match administrator {
            Some(administrator) => (Some(administrator.username), administrator.password),
            // A password is checked in any case, so that the time of the response does not reveal that there is no account.
            None => (None, Arc::new(Argon2Hash::dummy())),
        };
        let cores = available_parallelism().map_or(1, usize::from);
        let count = u32::try_from(cores / 2).unwrap_or(u32::MAX).max(1);
        Ok(Self {
            username,
            password,
            limit: limited.then_some(AttemptLimit::SIGN_IN),
            tokens,
            threads: BlockingPool::start("passwords", count, QUEUE)?,
        })
    }

    /// The administrator's name, as records show it.
    fn staff_name(&self) -> Option<StaffName> {
        self.username.as_deref().and_then(StaffName::parse)
    }

    pub(crate) fn limit(&self) -> Option<AttemptLimit> {
        self.limit
    }

    /// Whether these are the administrator's credentials. A wrong name takes as long as a wrong password. Sign-ins take
    /// turns, first come, first served.
    ///
    /// # Errors
    /// 503 `busy` when its turn does not come within [`CHECK_DEADLINE`].
    pub(crate) async fn verify(&self, username: &str, password: SecretString) -> Result<bool, ApiError> {
        let name_matches = self.name_matches(username);
        let check = self.password.clone();
        let checked = self
            .threads
            .run_step(CHECK_DEADLINE, move || check.verify(&password));
        let password_matches = checked.await.map_err(|error| match error {
            RunError::Busy | RunError::TimedOut => many_sign_ins(),
            RunError::Panicked => ApiError::internal(),
        })?;
        Ok((name_matches & Choice::from(u8::from(password_matches))).into())
    }

    /// Compares hashes of the names, in constant time.
    fn name_matches(&self, username: &str) -> Choice {
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

    /// The hash of a token, if the token was signed here, has not expired and names the administrator.
    fn read(&self, token: &str, now: DateTime<Utc>) -> Option<TokenHash> {
        let subject = self.tokens.read(token, now)?;
        (Some(subject) == self.username).then(|| token_hash(token))
    }
}

fn token_hash(token: &str) -> TokenHash {
    Sha256::digest(token).into()
}

/// A signed-in member of staff. The token's signature and expiry hold, and its session is in the store.
pub(crate) struct Admin<S> {
    actor: Actor,
    token: TokenHash,
    /// Whether the request may change something.
    may_change: bool,
    pools: web::Data<RequestPools<S>>,
    state: web::Data<AppState>,
}

/// The arguments of a use case of the console.
pub(crate) struct Call<'a, S> {
    pub(crate) store: &'a S,
    pub(crate) state: &'a AppState,
    pub(crate) clock: &'a dyn Clock,
    /// For the audit log.
    pub(crate) actor: Actor,
    /// The name that the member of staff signs in with.
    pub(crate) staff: Option<StaffName>,
    /// The hash of the session's token.
    pub(crate) token: TokenHash,
}

impl<S: Store> Admin<S> {
    /// Runs a use case and turns its error into a response.
    pub(crate) async fn run<T, E>(
        &self,
        work: impl FnOnce(Call<'_, S>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, ApiError>
    where
        T: Send + 'static,
        E: Into<ApiError> + Send + 'static,
    {
        self.run_within(DEADLINE, work).await
    }

    /// The same for a use case that may take longer.
    pub(crate) async fn run_within<T, E>(
        &self,
        deadline: Duration,
        work: impl FnOnce(Call<'_, S>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, ApiError>
    where
        T: Send + 'static,
        E: Into<ApiError> + Send + 'static,
    {
        let pool = if self.may_change {
            &self.pools.console_writes
        } else {
            &self.pools.console
        };
        self.run_in(pool, deadline, work).await
    }

    /// The same for a use case that writes, whatever the method of the request is, such as a look that is recorded.
    pub(crate) async fn write<T, E>(
        &self,
        work: impl FnOnce(Call<'_, S>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, ApiError>
    where
        T: Send + 'static,
        E: Into<ApiError> + Send + 'static,
    {
        self.run_in(&self.pools.console_writes, DEADLINE, work).await
    }

    /// The same for a use case that only reads, whatever the method of the request is.
    pub(crate) async fn read_within<T, E>(
        &self,
        deadline: Duration,
        work: impl FnOnce(Call<'_, S>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, ApiError>
    where
        T: Send + 'static,
        E: Into<ApiError> + Send + 'static,
    {
        self.run_in(&self.pools.console, deadline, work).await
    }

    /// The same in the background, one at a time and with idle priority.
    pub(crate) async fn run_in_background<T, E>(
        &self,
        deadline: Duration,
        work: impl FnOnce(Call<'_, S>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, ApiError>
    where
        T: Send + 'static,
        E: Into<ApiError> + Send + 'static,
    {
        self.run_in(&self.pools.drawings, deadline, work).await
    }

    /// Starts work on the thread that clears data. It continues when nobody waits for it any more; the receiver fails when
    /// it has ended.
    pub(crate) fn start_clearing(
        &self,
        work: impl FnOnce(&S, &dyn Clock) + Send + 'static,
    ) -> oneshot::Receiver<()> {
        let clock = self.state.clock.clone();
        self.pools.clearing.start_work(move |store| work(store, &*clock))
    }

    async fn run_in<T, E>(
        &self,
        pool: &RequestPool<S>,
        deadline: Duration,
        work: impl FnOnce(Call<'_, S>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, ApiError>
    where
        T: Send + 'static,
        E: Into<ApiError> + Send + 'static,
    {
        let (state, actor, token) = (self.state.clone(), self.actor, self.token);
        let job = move |store: &S| {
            work(Call {
                store,
                state: &state,
                clock: &*state.clock,
                actor,
                staff: state.admin.staff_name(),
                token,
            })
        };
        pool.run_within(deadline, job).await
    }

    /// The state that all requests share.
    pub(crate) fn state(&self) -> &AppState {
        &self.state
    }
}

impl<S: Store> FromRequest for Admin<S> {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let (Some(state), Some(pools)) = (
            request.app_data::<web::Data<AppState>>().cloned(),
            request.app_data::<web::Data<RequestPools<S>>>().cloned(),
        ) else {
            return Box::pin(std::future::ready(Err(ApiError::internal())));
        };
        let token = sent_token(request).and_then(|token| state.admin.read(token, state.clock.now()));
        let address = client_address(request, &state.trusted_proxies);
        let may_change = !request.method().is_safe();
        Box::pin(async move {
            let token = token.ok_or_else(ApiError::unauthorized)?;
            let clock = state.clock.clone();
            let session = pools
                .console
                .run(move |store| usecases::sessions::find(store, &*clock, &token))
                .await?;
            Ok(Self {
                actor: Actor { session, address },
                token,
                may_change,
                pools,
                state,
            })
        })
    }
}

impl From<SessionError> for ApiError {
    fn from(error: SessionError) -> Self {
        match error {
            SessionError::NoSession => Self::unauthorized(),
            SessionError::Store(error) => error.into(),
        }
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
