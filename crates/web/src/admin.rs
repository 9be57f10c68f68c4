//! Access to the console: checking passwords, and the session and the permission that every call needs.

use crate::address::client_address;
use crate::blocking_pool::BlockingPool;
use crate::keys::{StaffBrowserToken, StaffToken, TokenKeys};
use crate::request_pools::{RequestPool, RequestPools};
use crate::{ApiError, AppState, Argon2Hash, DEADLINE, PasswordCheck, Store};
use actix_web::body::MessageBody;
use actix_web::cookie::{Cookie, SameSite, time};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::{StatusCode, header};
use actix_web::middleware::Next;
use actix_web::{FromRequest, HttpMessage, HttpRequest, ResponseError, dev::Payload, web};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Clock, Entropy, StaffName};
use secrecy::SecretString;
use sha2::{Digest, Sha256};
use staff::{
    Account, Actor, AdminSession, AttemptLimit, AttemptSubject, Member, MemberId, PasswordTag, Permission,
    Role, SESSION_LIFE, TokenHash,
};
use std::future::{Ready, ready};
use std::io;
use std::marker::PhantomData;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;
use tokio::sync::oneshot;
use usecases::RunError;
use usecases::second_factor::StaffTools;
use usecases::sessions::{AccessError, AccessRequest, Caller};

/// How many sign-ins may wait for their password to be checked: about as many as are checked within [`CHECK_DEADLINE`].
const QUEUE: usize = 512;
/// The same for people whose browser is known, who are few.
const KNOWN_QUEUE: usize = 32;
/// How long a sign-in waits until its password has been checked: as long as a person would.
const CHECK_DEADLINE: Duration = Duration::from_secs(20);
/// How long a browser is known after it signed in.
const BROWSER_LIFE: TimeDelta = TimeDelta::days(365);
const BROWSER_COOKIE: &str = "tombola_staff_browser";
const SECURE_BROWSER_COOKIE: &str = "__Secure-tombola_staff_browser";
const LOGIN_PATH: &str = "/api/admin/login";

/// 503: the password was not checked, because too many others were.
fn many_sign_ins() -> ApiError {
    ApiError::busy("Many people are signing in right now. Please try again in a moment.")
}

/// The account of the environment's variables.
pub struct Administrator {
    /// The user name.
    pub username: StaffName,
    /// Checks the password.
    pub password: Arc<dyn PasswordCheck>,
}

/// How sign-ins are checked.
pub struct SignInSettings {
    /// The account of the environment's variables, if there is one.
    pub administrator: Option<Administrator>,
    /// Signs the tokens of sessions.
    pub tokens: TokenKeys<StaffToken>,
    /// Signs the cookies of browsers that signed in.
    pub browsers: TokenKeys<StaffBrowserToken>,
    /// Whether failures are counted and limited.
    pub limited: bool,
    /// Whether cookies are sent over TLS only.
    pub secure: bool,
}

/// Checks passwords, and signs and reads the tokens of sessions.
pub struct AdminSignIn {
    settings: SignInSettings,
    /// For browsers that never signed in to the account. A check keeps a core busy for a moment, so at most half of the
    /// cores run such checks.
    strangers: BlockingPool,
    /// For browsers that signed in before and for people who are signed in, so that no flood of others delays them.
    known: BlockingPool,
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
    /// Sign-in with these settings.
    ///
    /// # Errors
    /// When the system cannot start a thread.
    pub fn new(settings: SignInSettings) -> io::Result<Self> {
        let cores = available_parallelism().map_or(1, usize::from);
        let count = u32::try_from(cores / 2).unwrap_or(u32::MAX).max(1);
        Ok(Self {
            settings,
            strangers: BlockingPool::start("passwords", count, QUEUE)?,
            known: BlockingPool::start("known-passwords", 1, KNOWN_QUEUE)?,
        })
    }

    /// The name of the environment's account.
    pub fn environment_name(&self) -> Option<&StaffName> {
        let administrator = self.settings.administrator.as_ref();
        administrator.map(|administrator| &administrator.username)
    }

    /// The tag of the password of the environment's account.
    pub(crate) fn environment_password(&self) -> Option<PasswordTag> {
        let administrator = self.settings.administrator.as_ref();
        administrator.map(|administrator| administrator.password.tag())
    }

    /// Whose attempts are counted for a sign-in, and how many are allowed.
    pub(crate) fn limits(
        &self,
        address: Option<AttemptSubject>,
        account: AttemptSubject,
    ) -> Vec<(AttemptSubject, AttemptLimit)> {
        if !self.settings.limited {
            return Vec::new();
        }
        let of_account = match account {
            AttemptSubject::Account(_) => AttemptLimit::ACCOUNT,
            AttemptSubject::Address(_) | AttemptSubject::Browser(_) => AttemptLimit::SIGN_IN,
        };
        let address = address.map(|address| (address, AttemptLimit::SIGN_IN));
        address.into_iter().chain([(account, of_account)]).collect()
    }

    /// Whether this is the password of the account. It takes as long without an account or a password. Checks take turns,
    /// first come, first served.
    ///
    /// # Errors
    /// 503 `busy` when its turn does not come within [`CHECK_DEADLINE`].
    pub(crate) async fn verify(
        &self,
        account: Option<&Account>,
        password: SecretString,
    ) -> Result<bool, ApiError> {
        let check = self.check_of(account);
        run(&self.strangers, move || check.verify(&password)).await
    }

    /// The same for a browser that signed in to the account before, or for whoever is signed in to it. Checks for other
    /// browsers do not delay it.
    ///
    /// # Errors
    /// As for [`AdminSignIn::verify`].
    pub(crate) async fn verify_known(
        &self,
        account: &Account,
        password: SecretString,
    ) -> Result<bool, ApiError> {
        let check = self.check_of(Some(account));
        run(&self.known, move || check.verify(&password)).await
    }

    fn check_of(&self, account: Option<&Account>) -> Arc<dyn PasswordCheck> {
        let environment = self.settings.administrator.as_ref();
        let check: Option<Arc<dyn PasswordCheck>> = account.and_then(|account| {
            if account.member.environment {
                return environment.map(|administrator| administrator.password.clone());
            }
            let hash = Argon2Hash::parse(account.password.as_deref()?).ok()?;
            Some(Arc::new(hash))
        });
        check.unwrap_or_else(|| Arc::new(Argon2Hash::dummy()))
    }

    /// Hashes a new password, in turn with the checks of known browsers.
    ///
    /// # Errors
    /// 503 `busy`, as for [`AdminSignIn::verify`].
    pub(crate) async fn hash(
        &self,
        password: staff::NewPassword,
        entropy: Arc<dyn Entropy>,
    ) -> Result<String, ApiError> {
        let hashed = run(&self.known, move || Argon2Hash::of(password.secret(), &*entropy));
        let hash = hashed.await?.map_err(|_| ApiError::internal())?;
        Ok(hash.as_phc().to_owned())
    }

    /// A token for a new session.
    pub(crate) fn issue(
        &self,
        name: &StaffName,
        entropy: &dyn Entropy,
        now: DateTime<Utc>,
    ) -> Option<SessionToken> {
        let text = self.settings.tokens.sign(
            name.as_str().to_owned(),
            now,
            SESSION_LIFE,
            Some(random_id(entropy)),
        )?;
        let expires_at = DateTime::from_timestamp((now + SESSION_LIFE).timestamp(), 0)?;
        Some(SessionToken { text, expires_at })
    }

    /// The hash of a token, if the token was signed here and has not expired.
    fn read(&self, token: &str, now: DateTime<Utc>) -> Option<TokenHash> {
        self.settings.tokens.read(token, now)?;
        Some(token_hash(token))
    }

    /// The cookie for a browser that signed in to this account.
    pub(crate) fn browser_cookie(
        &self,
        member: MemberId,
        entropy: &dyn Entropy,
        now: DateTime<Utc>,
    ) -> Option<Cookie<'static>> {
        let browsers = &self.settings.browsers;
        let token = browsers.sign(member.to_string(), now, BROWSER_LIFE, Some(random_id(entropy)))?;
        let cookie = Cookie::build(self.cookie_name(), token)
            .http_only(true)
            .same_site(SameSite::Strict)
            .secure(self.settings.secure)
            .path(LOGIN_PATH)
            .max_age(time::Duration::seconds(BROWSER_LIFE.num_seconds()));
        Some(cookie.finish())
    }

    /// The cookie of a request, if its browser signed in to this account before.
    pub(crate) fn known_browser(
        &self,
        request: &HttpRequest,
        member: MemberId,
        now: DateTime<Utc>,
    ) -> Option<AttemptSubject> {
        let cookie = request.cookie(self.cookie_name())?;
        let subject = self.settings.browsers.read(cookie.value(), now)?;
        (subject == member.to_string()).then(|| AttemptSubject::browser(cookie.value()))
    }

    const fn cookie_name(&self) -> &'static str {
        if self.settings.secure {
            SECURE_BROWSER_COOKIE
        } else {
            BROWSER_COOKIE
        }
    }
}

async fn run<T: Send + 'static>(
    threads: &BlockingPool,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ApiError> {
    let done = threads.run_step(CHECK_DEADLINE, work).await;
    done.map_err(|error| match error {
        RunError::Busy | RunError::TimedOut => many_sign_ins(),
        RunError::Panicked => ApiError::internal(),
    })
}

fn random_id(entropy: &dyn Entropy) -> String {
    let mut id = [0; 16];
    entropy.fill(&mut id);
    hex::encode(id)
}

fn token_hash(token: &str) -> TokenHash {
    Sha256::digest(token).into()
}

/// What a call needs: [`Admin`] names it, so that no route of the console is without one.
pub(crate) trait Needs: 'static {
    const PERMISSION: Permission;
}

/// The permissions as types.
pub(crate) mod may {
    use super::{Needs, Permission};

    macro_rules! permissions {
        ($($name:ident),+ $(,)?) => {
            $(
                pub(crate) enum $name {}

                impl Needs for $name {
                    const PERMISSION: Permission = Permission::$name;
                }
            )+
        };
    }

    permissions![
        OwnAccount,
        ViewFigures,
        ViewPeople,
        EditPeople,
        DecideAppeals,
        ViewClaims,
        FollowUpClaims,
        DecideClaims,
        ManageFlags,
        MarkDuplicates,
        ImportPeople,
        ErasePeople,
        ManageDrawings,
        ManageTexts,
        ManagePackages,
        ManageSettings,
        ExportLists,
        ViewAuditLog,
        ViewApprovals,
        Approve,
        SaveCredentials,
        ClearData,
        ManageStaff,
    ];
}

/// A signed-in member of staff who may do what `P` names.
pub(crate) struct Admin<S, P> {
    caller: Caller,
    token: TokenHash,
    /// Whether the request may change something.
    may_change: bool,
    pools: web::Data<RequestPools<S>>,
    state: web::Data<AppState>,
    permission: PhantomData<P>,
}

/// The arguments of a use case of the console.
pub(crate) struct Call<'a, S> {
    pub(crate) store: &'a S,
    pub(crate) state: &'a AppState,
    pub(crate) clock: &'a dyn Clock,
    /// For the audit log.
    pub(crate) actor: Actor,
    /// The member of staff.
    pub(crate) member: Member,
    /// The hash of the session's token.
    pub(crate) token: TokenHash,
}

impl<S> Call<'_, S> {
    /// The name that the member of staff signs in with.
    pub(crate) fn staff(&self) -> Option<StaffName> {
        Some(self.member.name.clone())
    }
}

impl<S: Store, P: Needs> Admin<S, P> {
    /// Runs a use case and turns its error into a response. Only requests whose method is not safe may write.
    pub(crate) async fn run<T, E>(
        &self,
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
        self.run_in(pool, DEADLINE, work).await
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

    /// The same for a use case that needs other threads or another deadline.
    pub(crate) async fn run_in<T, E>(
        &self,
        pool: &RequestPool<S>,
        deadline: Duration,
        work: impl FnOnce(Call<'_, S>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, ApiError>
    where
        T: Send + 'static,
        E: Into<ApiError> + Send + 'static,
    {
        let (state, caller, token) = (self.state.clone(), self.caller.clone(), self.token);
        let job = move |store: &S| {
            work(Call {
                store,
                state: &state,
                clock: &*state.clock,
                actor: caller.actor,
                member: caller.member,
                token,
            })
        };
        pool.run_within(deadline, job).await
    }

    /// The pools, for [`Self::run_in`].
    pub(crate) fn pools(&self) -> &RequestPools<S> {
        &self.pools
    }

    /// The member of staff.
    pub(crate) const fn member(&self) -> &Member {
        &self.caller.member
    }

    /// The session.
    pub(crate) const fn session(&self) -> &AdminSession {
        &self.caller.session
    }

    /// For the audit log.
    pub(crate) const fn actor(&self) -> Actor {
        self.caller.actor
    }

    /// Whether this member sees phone numbers in full outside of people, appeals and claims.
    pub(crate) const fn sees_numbers(&self) -> bool {
        matches!(self.caller.member.role, Role::Owner | Role::Manager)
    }

    /// Fails unless the role has this permission too.
    ///
    /// # Errors
    /// 403 `forbidden`.
    pub(crate) fn require(&self, permission: Permission) -> Result<(), ApiError> {
        match self.caller.member.role.allows(permission) {
            true => Ok(()),
            false => Err(AccessError::Forbidden.into()),
        }
    }

    /// Fails unless a code was given lately, for members with a second factor.
    ///
    /// # Errors
    /// 403 `step_up_required`.
    pub(crate) fn require_step_up(&self) -> Result<(), ApiError> {
        match self.caller.stepped_up {
            true => Ok(()),
            false => Err(AccessError::CodeNeeded.into()),
        }
    }

    /// The state that all requests share.
    pub(crate) fn state(&self) -> &AppState {
        &self.state
    }
}

/// What [`authorized`] found out about a request.
#[derive(Clone)]
struct Access {
    caller: Caller,
    token: TokenHash,
}

/// Middleware of each route of the console: finds the session and checks the permission, before anything else of the request
/// is read.
pub(crate) async fn authorized<S: Store>(
    permission: Permission,
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    match authorize::<S>(permission, request.request()).await {
        Ok(access) => {
            request.extensions_mut().insert(access);
            Ok(next.call(request).await?.map_into_left_body())
        }
        Err(error) => {
            let answer = error.error_response();
            Ok(request.into_response(answer).map_into_right_body())
        }
    }
}

async fn authorize<S: Store>(permission: Permission, request: &HttpRequest) -> Result<Access, ApiError> {
    let (Some(state), Some(pools)) = (
        request.app_data::<web::Data<AppState>>().cloned(),
        request.app_data::<web::Data<RequestPools<S>>>().cloned(),
    ) else {
        return Err(ApiError::internal());
    };
    let now = state.clock.now();
    let token = sent_token(request).and_then(|token| state.admin.read(token, now));
    let token = token.ok_or_else(ApiError::unauthorized)?;
    let address = client_address(request, &state.trusted_proxies);
    let code = header_text(request, "x-totp-code").map(str::to_owned);
    // A code is counted and used up, which writes.
    let pool = if code.is_some() {
        &pools.console_writes
    } else {
        &pools.console
    };
    let shared = state.clone();
    let caller = pool
        .run(move |store| {
            let request = AccessRequest {
                token,
                address,
                permission,
                code: code.as_deref(),
            };
            usecases::sessions::authorize(store, &shared.staff_tools(), &request)
        })
        .await?;
    let by_timer = header_text(request, "x-console-polling").is_some();
    if !by_timer && caller.session.use_is_news(now) {
        note_use(&pools, &state, &caller).await;
    }
    Ok(Access { caller, token })
}

/// A use that cannot be stored does not stop the call: a database that only reads still shows the console.
async fn note_use<S: Store>(pools: &RequestPools<S>, state: &web::Data<AppState>, caller: &Caller) {
    let (clock, session) = (state.clock.clone(), caller.session.id);
    let note = move |store: &S| usecases::sessions::note_use(store, &*clock, session);
    if let Err(error) = pools.console_writes.run(note).await {
        tracing::warn!(%error, "cannot store that a session is used");
    }
}

impl<S: Store, P: Needs> FromRequest for Admin<S, P> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let (Some(state), Some(pools), Some(access)) = (
            request.app_data::<web::Data<AppState>>().cloned(),
            request.app_data::<web::Data<RequestPools<S>>>().cloned(),
            request.extensions().get::<Access>().cloned(),
        ) else {
            return ready(Err(ApiError::internal()));
        };
        ready(Ok(Self {
            caller: access.caller,
            token: access.token,
            may_change: !request.method().is_safe(),
            pools,
            state,
            permission: PhantomData,
        }))
    }
}

impl From<AccessError> for ApiError {
    fn from(error: AccessError) -> Self {
        let forbidden = |code, sentence| Self::new(StatusCode::FORBIDDEN, code, sentence);
        match error {
            AccessError::NoSession => Self::unauthorized(),
            AccessError::Forbidden => forbidden(
                "forbidden",
                "Your role does not allow this. Ask an owner of this site.",
            ),
            AccessError::SecondFactorRequired => forbidden(
                "totp_required",
                "Set up a second factor first: this site requires one for your role.",
            ),
            AccessError::CodeNeeded => forbidden(
                "step_up_required",
                "Enter a code from your authenticator app to go on.",
            ),
            AccessError::WrongCode => forbidden(
                "step_up_required",
                "That code is wrong or was used before. Wait for the next one and try again.",
            ),
            AccessError::TooMany { wait } => Self::rate_limited(wait.to_std().unwrap_or_default()),
            AccessError::Store(error) => error.into(),
        }
    }
}

impl AppState {
    /// The tools of staff's accounts.
    pub fn staff_tools(&self) -> StaffTools<'_> {
        StaffTools {
            clock: &*self.clock,
            entropy: &*self.entropy,
            sealer: &*self.staff.sealer,
            totp_required: self.staff.totp_required,
            environment_password: self.admin.environment_password(),
        }
    }
}

fn header_text<'a>(request: &'a HttpRequest, name: &str) -> Option<&'a str> {
    request.headers().get(name)?.to_str().ok()
}

/// `Authorization: Bearer T`, or else `X-Session-Token: T`.
fn sent_token(request: &HttpRequest) -> Option<&str> {
    let bearer = header_text(request, header::AUTHORIZATION.as_str())
        .and_then(|value| value.split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
        .map(|(_, token)| token);
    bearer
        .or_else(|| header_text(request, "x-session-token"))
        .map(str::trim)
}
