//! The HTTP server. Like `actix_web::HttpServer`, but over our own [`Connection`]s, which have limits.

use crate::connections::{Connection, ConnectionLimits, Gate};
use actix_http::error::DispatchError;
use actix_http::{HttpService, Protocol, Request, Response};
use actix_server::Server;
use actix_service::{IntoServiceFactory, Service, ServiceFactory, ServiceFactoryExt, fn_service, map_config};
use actix_web::body::{BodySize, MessageBody};
use actix_web::dev::AppConfig;
use actix_web::rt::net::TcpStream;
use actix_web::web::Bytes;
use std::future;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::net::TcpSocket;

/// How long the head of a request may take to arrive.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);
/// How long an idle connection is kept: longer than a proxy keeps its own.
const KEEP_ALIVE: Duration = Duration::from_secs(75);
/// How long a client may take to close a connection after an answer that ends it.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);
/// The most bytes of an answer that are copied at once.
const PIECE: usize = 16 * 1024;
/// How many connections may wait until they are accepted; the system's own limit (`net.core.somaxconn`) holds too. The
/// standard library's 128 are fewer than a provider opens at once, and whoever does not fit tries again after a second.
const BACKLOG: u32 = 4_096;

/// Opens the socket on which the server listens.
///
/// # Errors
/// When the address cannot be used.
pub(crate) fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() {
        TcpSocket::new_v4()?
    } else {
        TcpSocket::new_v6()?
    };
    // So that the server can start again while connections of the one before it are closing.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)?.into_std()
}

/// Starts a server on `listener`, with an application for each worker. `stop_within` is how long a graceful stop may take.
///
/// # Errors
/// When the listener cannot be used.
pub(crate) fn listen<I, S, B>(
    listener: TcpListener,
    limits: ConnectionLimits,
    stop_within: Duration,
    application: impl Fn() -> I + Send + Clone + 'static,
) -> io::Result<Server>
where
    I: IntoServiceFactory<S, Request>,
    S: ServiceFactory<Request, Config = AppConfig, Error = actix_web::Error> + 'static,
    S::InitError: std::fmt::Debug,
    S::Response: Into<Response<B>> + 'static,
    S::Service: 'static,
    <S::Service as Service<Request>>::Future: 'static,
    B: MessageBody + 'static,
{
    let address = listener.local_addr()?;
    let gate = Gate::new(limits);
    let builder = Server::build()
        .shutdown_timeout(stop_within.as_secs())
        .disable_signals();
    let stop = builder.graceful_shutdown_signal();
    let service = move || {
        let (gate, stop) = (gate.clone(), stop.clone());
        let application = application()
            .into_factory()
            .map(|response| response.into().map_body(|_, body| Pieces::new(body)))
            .map_err(|error| error.error_response());
        let http = HttpService::build()
            .graceful_shutdown_signal(move || {
                let stop = stop.clone();
                async move { stop.notified().await }
            })
            .keep_alive(KEEP_ALIVE)
            .client_request_timeout(HEAD_TIMEOUT)
            .client_disconnect_timeout(CLOSE_TIMEOUT)
            .h1_allow_half_closed(true)
            .local_addr(address)
            .finish(map_config(application, |()| AppConfig::default()));
        let admit = move |stream: TcpStream| {
            let admitted = gate.admit(stream);
            future::ready(admitted.map(with_protocol).map_err(DispatchError::from))
        };
        fn_service(admit).and_then(http)
    };
    Ok(builder.listen("http", listener, service)?.run())
}

/// A body in pieces. Each piece is copied when it is to be written, so of a body that a peer does not read little more than a
/// piece is held for it, and not the whole.
struct Pieces<B> {
    rest: Bytes,
    body: Pin<Box<B>>,
}

impl<B> Pieces<B> {
    fn new(body: B) -> Self {
        Self {
            rest: Bytes::new(),
            body: Box::pin(body),
        }
    }
}

impl<B: MessageBody> MessageBody for Pieces<B> {
    type Error = B::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, B::Error>>> {
        if self.rest.is_empty() {
            match ready!(self.body.as_mut().poll_next(context)) {
                Some(Ok(bytes)) => self.rest = bytes,
                end => return Poll::Ready(end),
            }
        }
        let piece = self.rest.len().min(PIECE);
        Poll::Ready(Some(Ok(self.rest.split_to(piece))))
    }
}

fn with_protocol(connection: Connection) -> (Connection, Protocol, Option<std::net::SocketAddr>) {
    let peer = connection.peer_addr();
    (connection, Protocol::Http1, peer)
}
