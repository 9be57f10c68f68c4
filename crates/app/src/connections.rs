//! Connections of visitors: how many an address may have, and how long one may refuse to read (D33).

use actix_web::rt::net::TcpStream;
use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};
use web::{TrustedProxies, subscriber};

/// The limits of connections.
#[derive(Debug, Clone)]
pub(crate) struct ConnectionLimits {
    /// How many connections one address may have at a time, if there is a limit. Trusted proxies have none.
    pub(crate) per_address: Option<u32>,
    /// The proxies that carry the connections of many visitors.
    pub(crate) trusted: TrustedProxies,
    /// How long a write may make no progress before the connection is closed.
    pub(crate) write_timeout: Duration,
}

/// Admits connections, and counts those that are open.
#[derive(Clone)]
pub(crate) struct Gate {
    limits: Arc<ConnectionLimits>,
    open: Arc<OpenConnections>,
}

/// The number of open connections of each address that has any.
#[derive(Default)]
struct OpenConnections(Mutex<HashMap<IpAddr, u32>>);

impl Gate {
    pub(crate) fn new(limits: ConnectionLimits) -> Self {
        Self {
            limits: Arc::new(limits),
            open: Arc::default(),
        }
    }

    /// The connection, unless its address has too many: then it is reset.
    ///
    /// # Errors
    /// When the address has too many, or the peer is already gone.
    pub(crate) fn admit(&self, stream: TcpStream) -> io::Result<Connection> {
        let peer = stream.peer_addr()?.ip().to_canonical();
        let Some(place) = self.take_place(peer) else {
            count_closed("too_many");
            let _ = stream.set_zero_linger();
            return Err(io::Error::other("too many connections from one address"));
        };
        Ok(Connection {
            stream,
            write_timeout: self.limits.write_timeout,
            stalled: None,
            _place: place,
        })
    }

    /// A place for one more connection of this address, if there is one.
    fn take_place(&self, peer: IpAddr) -> Option<Place> {
        let address = subscriber(peer);
        let mut open = self.open.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(address).or_insert(0);
        let is_full = self.limits.per_address.is_some_and(|limit| *count >= limit);
        if is_full && !self.limits.trusted.contains(peer) {
            return None;
        }
        *count += 1;
        Some(Place {
            open: self.open.clone(),
            address,
        })
    }
}

/// Counts a connection until it is dropped.
struct Place {
    open: Arc<OpenConnections>,
    address: IpAddr,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.open.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.address);
            }
        }
    }
}

fn count_closed(reason: &'static str) {
    metrics::counter!("connections_closed_total", "reason" => reason).increment(1);
}

/// A connection whose writes fail when the peer reads nothing for a while. actix-web itself waits without an end, and keeps
/// the answer in memory.
pub(crate) struct Connection {
    stream: TcpStream,
    write_timeout: Duration,
    /// Runs while a write waits for the peer.
    stalled: Option<Pin<Box<Sleep>>>,
    _place: Place,
}

impl Connection {
    pub(crate) fn peer_addr(&self) -> Option<std::net::SocketAddr> {
        self.stream.peer_addr().ok()
    }

    fn poll_stalled(&mut self, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let write_timeout = self.write_timeout;
        let timer = self.stalled.get_or_insert_with(|| Box::pin(sleep(write_timeout)));
        ready!(timer.as_mut().poll(context));
        count_closed("write_timeout");
        tracing::debug!("reset a connection that reads nothing");
        // Reset the connection: otherwise the system keeps what was not sent and goes on trying.
        let _ = self.stream.set_zero_linger();
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        if written.is_pending() {
            return self.poll_stalled(context);
        }
        self.stalled = None;
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    const WRITE_TIMEOUT: Duration = Duration::from_secs(30);

    fn gate(per_address: Option<u32>) -> Gate {
        Gate::new(ConnectionLimits {
            per_address,
            trusted: TrustedProxies::parse("10.0.0.0/8").unwrap(),
            write_timeout: WRITE_TIMEOUT,
        })
    }

    /// Both ends of a connection.
    async fn connect() -> (Connection, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (server, _) = listener.accept().await.unwrap();
        (gate(None).admit(server).unwrap(), client)
    }

    #[tokio::test(start_paused = true)]
    async fn a_write_fails_when_the_peer_does_not_read() {
        let (mut server, _client) = connect().await;
        let started = tokio::time::Instant::now();
        let error = server.write_all(&vec![0; 64_000_000]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(started.elapsed() >= WRITE_TIMEOUT);
    }

    #[tokio::test(start_paused = true)]
    async fn a_write_to_a_slow_reader_goes_on_as_long_as_it_makes_progress() {
        let (mut server, mut client) = connect().await;
        let write = async {
            server.write_all(&vec![0; 16_000_000]).await.unwrap();
            drop(server);
        };
        let read = async {
            let mut buffer = vec![0; 64_000];
            while client.read(&mut buffer).await.unwrap() > 0 {
                sleep(WRITE_TIMEOUT / 100).await;
            }
        };
        let started = tokio::time::Instant::now();
        tokio::join!(write, read);
        assert!(started.elapsed() > WRITE_TIMEOUT);
    }

    #[test]
    fn each_address_has_its_own_places_and_gets_them_back() {
        let gate = gate(Some(2));
        let address = |text: &str| text.parse::<IpAddr>().unwrap();
        let places = [(); 2].map(|()| gate.take_place(address("192.0.2.1")).unwrap());
        assert!(gate.take_place(address("192.0.2.1")).is_none());
        assert!(gate.take_place(address("192.0.2.2")).is_some());
        drop(places);
        assert!(gate.take_place(address("192.0.2.1")).is_some());
        assert!(gate.open.0.lock().unwrap().is_empty());
    }

    #[test]
    fn a_64_prefix_shares_its_places_and_a_trusted_proxy_has_no_limit() {
        let gate = gate(Some(1));
        let address = |text: &str| text.parse::<IpAddr>().unwrap();
        let _first = gate.take_place(address("2001:db8::1")).unwrap();
        assert!(gate.take_place(address("2001:db8::2")).is_none());
        let proxies = [(); 50].map(|()| gate.take_place(address("10.1.2.3")));
        assert!(proxies.iter().all(Option::is_some));
    }
}
