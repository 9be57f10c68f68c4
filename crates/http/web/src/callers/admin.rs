//! Access to the console: the session and the permission that every call needs.

use crate::callers::right::Right;
use crate::http::description::Describe;
use crate::identity::address::client_address;
use crate::threads::request_pools::{RequestPool, RequestPools};
use crate::{ApiError, AppState, DEADLINE, Store};
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::{StatusCode, header};
use actix_web::middleware::Next;
use actix_web::{FromRequest, HttpMessage, HttpRequest, ResponseError, dev::Payload, web};
use kernel::{Clock, StaffName};
use staff::{Actor, AdminSession, Member, Permission, Role, TokenHash};
use std::future::{Ready, ready};
use std::marker::PhantomData;
use std::time::Duration;
use tokio::sync::oneshot;
use usecases::sessions::{AccessError, AccessRequest, Caller};

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
        ManageRaffles,
        ManageTexts,
        ManagePackages,
        ViewSales,
        ManageSettings,
        ExportLists,
        ViewAuditLog,
        ViewApprovals,
        Approve,
        ViewClaimDetails,
        SaveCredentials,
        ClearData,
        WithdrawPictures,
        ManageStaff,
    ];
}

/// A permission that comes with the files of people, with their numbers and addresses in full.
pub(crate) trait ReadsFiles: Needs {}

macro_rules! reads_files {
    ($($name:ident),+ $(,)?) => {
        $(impl ReadsFiles for may::$name {})+
    };
}

reads_files![
    ViewPeople,
    EditPeople,
    MarkDuplicates,
    DecideAppeals,
    ViewClaims,
    FollowUpClaims,
    DecideClaims,
    ViewClaimDetails,
    ViewAuditLog,
    ExportLists,
    Approve,
];

impl<S, P: ReadsFiles> Admin<S, P> {
    /// The right that comes with the permission, which this member has.
    pub(crate) const fn right(&self) -> Right {
        Right::granted()
    }
}

impl<S> Admin<S, may::OwnAccount> {
    /// The right to what is the member's own, such as the addresses of their sessions.
    pub(crate) const fn own(&self) -> Right {
        Right::granted()
    }
}

/// What a reader is shown of people (D63), outside of people, appeals and claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sight {
    /// Phone numbers in full.
    pub(crate) numbers: Option<Right>,
    /// IP addresses, and who won.
    pub(crate) people: Option<Right>,
}

impl Sight {
    /// What everybody is shown.
    pub(crate) const NOTHING: Self = Self {
        numbers: None,
        people: None,
    };

    fn of(role: Role) -> Self {
        let right = |may: bool| may.then(Right::granted);
        Self {
            numbers: right(matches!(role, Role::Owner | Role::Manager)),
            people: right(!matches!(role, Role::Viewer)),
        }
    }
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

    /// What this member is shown of people outside of people, appeals and claims.
    pub(crate) fn sight(&self) -> Sight {
        Sight::of(self.caller.member.role)
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

impl<S: Store, P: Needs> Describe for Admin<S, P> {}

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
