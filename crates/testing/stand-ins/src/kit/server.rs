use actix_web::dev::ServerHandle;
use actix_web::web::ServiceConfig;
use actix_web::{App, HttpServer};
use anyhow::Context;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;

/// The configuration of a stand-in, which knows what is served.
pub trait Provider {
    /// Builds the routes and the background task.
    ///
    /// # Errors
    /// When the provider's schemas cannot be read.
    fn into_service(self) -> anyhow::Result<Service>;
}

/// What a stand-in serves.
pub struct Service {
    listen: SocketAddr,
    routes: Arc<dyn Fn(&mut ServiceConfig) + Send + Sync>,
    background: BoxFuture<'static, ()>,
}

impl Service {
    /// Listens on an address (port 0 for any free port), serves the routes and runs a task beside them.
    pub fn new(
        listen: SocketAddr,
        routes: impl Fn(&mut ServiceConfig) + Send + Sync + 'static,
        background: impl Future<Output = ()> + Send + 'static,
    ) -> Self {
        Self {
            listen,
            routes: Arc::new(routes),
            background: background.boxed(),
        }
    }
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Service").field("listen", &self.listen).finish()
    }
}

/// A running stand-in.
#[derive(Debug)]
pub struct StandIn {
    address: SocketAddr,
    handle: ServerHandle,
    tasks: [JoinHandle<()>; 2],
}

impl StandIn {
    /// Starts to listen. Needs a Tokio runtime.
    ///
    /// # Errors
    /// When the address is taken, or the provider's schemas cannot be read.
    pub async fn start(provider: impl Provider) -> anyhow::Result<Self> {
        let Service {
            listen,
            routes,
            background,
        } = provider.into_service()?;
        let http = HttpServer::new(move || App::new().configure(|config| routes(config)))
            .workers(2)
            // No 408 for calls that wait because the machine is busy.
            .client_request_timeout(Duration::ZERO)
            .disable_signals()
            .bind(listen)
            .with_context(|| format!("cannot listen on {listen}"))?;
        let address = *http.addrs().first().context("no address to listen on")?;
        let running = http.run();
        let handle = running.handle();
        let serving = tokio::spawn(async move {
            // It ends when it is stopped.
            let _ = running.await;
        });
        Ok(Self {
            address,
            handle,
            tasks: [serving, tokio::spawn(background)],
        })
    }

    /// The address that it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its address as the base URL of the provider's API.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Stops at once. Calls in progress are cut off.
    pub async fn stop(self) {
        self.handle.stop(false).await;
        for task in self.tasks {
            task.abort();
        }
    }
}
