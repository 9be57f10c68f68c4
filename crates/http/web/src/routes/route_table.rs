//! One table of routes for actix-web and for the API's description.
//!
//! The path and the method of a route stand in its handler's `#[utoipa::path]` and nowhere else. A module lists its
//! handlers with [`routes!`](crate::routes::route_table::routes), and [`crate::routes`] joins the lists.
//!
//! What a handler takes and answers describes it (`http/description.rs`). What all have in common is described here.

use crate::callers::admin::{Admin, Needs, authorized};
use crate::callers::limited::limited;
use crate::http::description::{Describe, Description};
use crate::identity::limits::Limit;
use crate::{ApiError, Store};
use actix_web::guard::{GuardContext, fn_guard};
use actix_web::http::Method;
use actix_web::middleware::{Next, from_fn};
use actix_web::{FromRequest, Handler, HttpResponse, Resource, Responder, Route, web};
use staff::Permission;
use utoipa::__dev::{SchemaReferences, Tags};
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::{HttpMethod, OpenApi};
use utoipa::{IntoResponses, Path};

/// Routes, in the order in which actix-web tries their paths, except that it tries those without parameters first.
#[derive(Default)]
pub(crate) struct Routes(Vec<Entry>);

struct Entry {
    path: String,
    methods: Vec<Method>,
    limit: Option<Limit>,
    route: Route,
    describe: Option<fn(&mut OpenApi, &Entry)>,
    permission: Option<Permission>,
    tag: Option<&'static str>,
}

/// Lists handlers that share a limit: `routes![Some(Limit::Reads); find::<S>, stats::<S>]`.
macro_rules! routes {
    ($limit:expr; $($handler:ident $(::<$store:ident>)?),+ $(,)?) => {
        pastey::paste! {
            $crate::routes::route_table::Routes::default()
                $(.described([<__path_ $handler>], $limit, $handler $(::<$store>)?))+
        }
    };
}
pub(crate) use routes;

/// Lists handlers of the console that share a limit. Each takes an [`crate::callers::admin::Admin`] first, which names the permission
/// that the call needs: `staff_routes![Some(Limit::Reads); list::<S>, add::<S>]`.
macro_rules! staff_routes {
    ($limit:expr; $($handler:ident $(::<$store:ident>)?),+ $(,)?) => {
        pastey::paste! {
            $crate::routes::route_table::Routes::default()
                $(.permitted([<__path_ $handler>], $limit, $handler $(::<$store>)?))+
        }
    };
}
pub(crate) use staff_routes;

/// The arguments of a handler of the console.
pub(crate) trait StaffArgs {
    /// The permission that the first argument names.
    const PERMISSION: Permission;
    /// The store.
    type Store: Store;
}

macro_rules! staff_args {
    ($($other:ident),*) => {
        impl<S: Store, P: Needs, $($other),*> StaffArgs for (Admin<S, P>, $($other),*) {
            const PERMISSION: Permission = P::PERMISSION;
            type Store = S;
        }
    };
}
staff_args!();
staff_args!(A);
staff_args!(A, B);
staff_args!(A, B, C);
staff_args!(A, B, C, D);

/// The name under which the description of a call says which permission it needs.
pub(crate) const PERMISSION_EXTENSION: &str = "x-permission";

impl Routes {
    /// Adds a handler of the console: whoever calls it must be signed in and have the permission that it names.
    pub(crate) fn permitted<P, H, Args>(self, path: P, limit: Option<Limit>, handler: H) -> Self
    where
        P: Path + SchemaReferences + Tags<'static>,
        H: Handler<Args>,
        Args: StaffArgs + FromRequest + Describe + 'static,
        H::Output: Responder + Describe + 'static,
    {
        let mut routes = self.described(path, limit, handler);
        if let Some(mut entry) = routes.0.pop() {
            let check = |request, next: Next<_>| authorized::<Args::Store>(Args::PERMISSION, request, next);
            entry.route = entry.route.wrap(from_fn(check));
            entry.permission = Some(Args::PERMISSION);
            routes.0.push(entry);
        }
        routes
    }

    /// Adds a handler at the path and with the method of its `#[utoipa::path]`, whose type is `P`.
    pub(crate) fn described<P, H, Args>(self, _: P, limit: Option<Limit>, handler: H) -> Self
    where
        P: Path + SchemaReferences + Tags<'static>,
        H: Handler<Args>,
        Args: FromRequest + Describe + 'static,
        H::Output: Responder + Describe + 'static,
    {
        let methods = P::methods().iter().map(method).collect();
        let describe = describe::<P, Args, H::Output>;
        self.push(P::path(), methods, limit, Some(describe), handler)
    }

    /// Adds a handler that the description leaves out.
    pub(crate) fn undescribed<H, Args>(
        self,
        limit: Option<Limit>,
        method: Method,
        path: &str,
        handler: H,
    ) -> Self
    where
        H: Handler<Args>,
        Args: FromRequest + 'static,
        H::Output: Responder + 'static,
    {
        self.push(path.to_owned(), vec![method], limit, None, handler)
    }

    fn push<H, Args>(
        mut self,
        path: String,
        mut methods: Vec<Method>,
        limit: Option<Limit>,
        describe: Option<fn(&mut OpenApi, &Entry)>,
        handler: H,
    ) -> Self
    where
        H: Handler<Args>,
        Args: FromRequest + 'static,
        H::Output: Responder + 'static,
    {
        // HEAD is answered like GET, without the body, which actix-web leaves out.
        if methods.contains(&Method::GET) {
            methods.push(Method::HEAD);
        }
        let answered = methods.clone();
        let is_answered = move |call: &GuardContext<'_>| answered.contains(&call.head().method);
        let route = web::route().guard(fn_guard(is_answered)).to(handler);
        self.0.push(Entry {
            path,
            methods,
            limit,
            route,
            describe,
            permission: None,
            tag: None,
        });
        self
    }

    /// Names the section of the description that these routes are in, unless they name another.
    pub(crate) fn tagged(mut self, tag: &'static str) -> Self {
        for entry in &mut self.0 {
            entry.tag.get_or_insert(tag);
        }
        self
    }

    /// These routes and then the others.
    pub(crate) fn and(mut self, others: Self) -> Self {
        self.0.extend(others.0);
        self
    }

    /// Registers the routes: one resource for each path, which returns 405 and `Allow` for other methods.
    pub(crate) fn configure(self, config: &mut web::ServiceConfig) {
        for Service {
            path,
            limit,
            methods,
            routes,
        } in self.services()
        {
            let allow = methods.join(", ");
            let refuse = move || std::future::ready(refuse(&allow));
            let resource = routes
                .into_iter()
                .fold(web::resource(path), Resource::route)
                .default_service(web::to(refuse));
            match limit {
                Some(limit) => {
                    let limit = move |request, next: Next<_>| limited(limit, request, next);
                    config.service(resource.wrap(from_fn(limit)))
                }
                None => config.service(resource),
            };
        }
    }

    fn services(self) -> Vec<Service> {
        let mut services: Vec<Service> = Vec::new();
        for entry in self.0 {
            let methods = entry.methods.iter().map(Method::to_string);
            match services.iter_mut().find(|service| service.path == entry.path) {
                Some(service) => {
                    service.methods.extend(methods);
                    service.routes.push(entry.route);
                }
                None => services.push(Service {
                    methods: methods.collect(),
                    routes: vec![entry.route],
                    path: entry.path,
                    limit: entry.limit,
                }),
            }
        }
        // Matching a path with parameters takes a regular expression; comparing one without them takes next to nothing.
        services.sort_by_key(|service| service.path.contains('{'));
        services
    }

    /// Adds the routes to the API's description.
    pub(crate) fn describe(&self, api: &mut OpenApi) {
        for entry in &self.0 {
            if let Some(describe) = entry.describe {
                describe(api, entry);
            }
        }
    }
}

/// All routes of one path. The limit of the first one holds for all of them.
struct Service {
    path: String,
    limit: Option<Limit>,
    methods: Vec<String>,
    routes: Vec<Route>,
}

fn refuse(allow: &str) -> Result<HttpResponse, ApiError> {
    Err(ApiError::method_not_allowed(allow))
}

/// The errors of every route, which a handler describes only where their code or their meaning is its own.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "for the description only; the answers are `ApiError`'s")]
enum Errors {
    /// The request cannot be served: `validation` names the wrong fields, 401 asks to sign in, 404 knows nothing of this path or
    /// id, 413 and 415 refuse the body, and 429 has a `Retry-After`
    #[response(status = "4XX")]
    Refused,
    /// 503 with `Retry-After`: too many requests at once, or the database is not available. 500: a fault of the server
    #[response(status = "5XX")]
    Failed,
}

fn describe<P, Args, Answer>(api: &mut OpenApi, entry: &Entry)
where
    P: Path + SchemaReferences + Tags<'static>,
    Args: Describe,
    Answer: Describe,
{
    let mut call = Description::of::<P>();
    Args::describe(&mut call);
    Answer::describe(&mut call);
    call.operation.responses.responses.extend(Errors::responses());
    call.fill_errors();
    let Description {
        mut operation,
        schemas,
        ..
    } = call;
    if let Some(permission) = entry.permission {
        let named = Extensions::builder().add(PERMISSION_EXTENSION, permission.as_str());
        operation.extensions = Some(named.build());
    }
    let own_tag = <P as Tags>::tags().first().copied();
    operation.tags = own_tag.or(entry.tag).map(|tag| vec![tag.to_owned()]);
    api.paths.add_path_operation(P::path(), P::methods(), operation);
    api.components.get_or_insert_default().schemas.extend(schemas);
}

fn method(method: &HttpMethod) -> Method {
    match method {
        HttpMethod::Get => Method::GET,
        HttpMethod::Post => Method::POST,
        HttpMethod::Put => Method::PUT,
        HttpMethod::Delete => Method::DELETE,
        HttpMethod::Options => Method::OPTIONS,
        HttpMethod::Head => Method::HEAD,
        HttpMethod::Patch => Method::PATCH,
        HttpMethod::Trace => Method::TRACE,
    }
}
