//! Signing in to the console: passwords, the tokens of sessions, and the cookies of browsers that signed in.

use crate::http::cookies::own_cookie;
use crate::identity::keys::{StaffBrowserToken, StaffToken, TokenKeys};
use crate::threads::blocking_pool::BlockingPool;
use crate::{ApiError, Argon2Hash, PasswordCheck};
use actix_web::HttpRequest;
use actix_web::cookie::{Cookie, SameSite, time};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Entropy, StaffName};
use secrecy::SecretString;
use sha2::{Digest, Sha256};
use staff::{Account, AttemptLimit, AttemptSubject, MemberId, PasswordTag, SESSION_LIFE, TokenHash};
use std::io;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;
use usecases::RunError;

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

    /// Whether this is the password of the account. It takes as long without an account or a password, and for each account.
    /// Checks take turns, first come, first served.
    ///
    /// # Errors
    /// 503 `busy` when its turn does not come within [`CHECK_DEADLINE`].
    pub(crate) async fn verify(
        &self,
        account: Option<&Account>,
        password: SecretString,
    ) -> Result<bool, ApiError> {
        let (check, decoy) = (self.check_of(account), self.decoy_of(account));
        let verify = move || {
            let is_right = check.verify(&password);
            let _ = decoy.map(|decoy| decoy.verify(&password));
            is_right
        };
        run(&self.strangers, verify).await
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

    /// What is checked too, and ignored, where the hash of the environment's account takes another time than others: then
    /// every sign-in checks one of each, and its time does not say whose name it was.
    fn decoy_of(&self, account: Option<&Account>) -> Option<Arc<dyn PasswordCheck>> {
        let environment = &self.settings.administrator.as_ref()?.password;
        if environment.takes_the_usual_time() {
            return None;
        }
        match account.is_some_and(|account| account.member.environment) {
            true => Some(Arc::new(Argon2Hash::dummy())),
            false => Some(environment.clone()),
        }
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
    pub(crate) fn read(&self, token: &str, now: DateTime<Utc>) -> Option<TokenHash> {
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
        let token = own_cookie(request, self.cookie_name())?;
        let subject = self.settings.browsers.read(&token, now)?;
        (subject == member.to_string()).then(|| AttemptSubject::browser(&token))
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
    entropy.hex::<16>()
}

fn token_hash(token: &str) -> TokenHash {
    Sha256::digest(token).into()
}
