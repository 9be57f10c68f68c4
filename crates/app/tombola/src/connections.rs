//! Connections of visitors: how many an address may have, how long one may refuse to read, and how much is read from it
//! meanwhile.

use actix_web::rt::net::TcpStream;
use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker, ready};
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
    /// How long a peer may take for [`MINIMUM_TAKEN`] of an answer that waits.
    pub(crate) write_timeout: Duration,
}

/// How many bytes of a waiting answer a peer must take within each write time-out, unless it takes all that is left. With
/// the default of 30 s that is 4 kbit/s, half of what a single channel of GPRS carries.
const MINIMUM_TAKEN: usize = 16 * 1024;
/// How many bytes the system may hold that it has not sent yet. With megabytes, as is usual, a write would wait until a
/// third of them has been sent, and the progress of a slow peer could not be seen.
#[cfg(target_os = "linux")]
const MAX_UNSENT: u32 = 16 * 1024;
/// How many bytes are read before all that waits has been written. actix-web takes in calls that are sent one after another
/// without looking at what waits, and each takes 4 KiB of memory, so this bounds how much can wait.
const MOST_READ: usize = 2 * 1024;
/// How often a write is tried while the peer takes nothing. actix-web tries again with each answer that it adds, so a peer
/// with more tries has sent many calls and reads no answers.
const MOST_TRIES: u32 = 256;

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
        let reset = |stream: &TcpStream| drop(stream.set_zero_linger());
        let Some(place) = self.take_place(peer) else {
            count_closed("too_many");
            reset(&stream);
            return Err(io::Error::other("too many connections from one address"));
        };
        #[cfg(target_os = "linux")]
        socket2::SockRef::from(&stream).set_tcp_notsent_lowat(MAX_UNSENT)?;
        Ok(Connection {
            stream,
            patience: Patience::new(self.limits.write_timeout),
            reading: Reading::default(),
            reset,
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

/// A connection whose writes fail when the peer reads nothing, or next to nothing, for a while, and from which nothing is
/// read meanwhile. actix-web itself waits without an end, and reads and answers on.
pub(crate) struct Connection<S = TcpStream> {
    stream: S,
    patience: Patience,
    reading: Reading,
    /// Resets the stream: otherwise the system keeps what was not sent and goes on trying.
    reset: fn(&S),
    _place: Place,
}

impl Connection {
    pub(crate) fn peer_addr(&self) -> Option<std::net::SocketAddr> {
        self.stream.peer_addr().ok()
    }
}

/// How long the server waits for a peer that is slow to read.
struct Patience {
    write_timeout: Duration,
    stall: Option<Stall>,
}

/// A time in which an answer waits for the peer.
struct Stall {
    timer: Pin<Box<Sleep>>,
    /// The number of bytes that the peer has taken since it began.
    taken: usize,
    /// How often a write was tried since the peer took a byte.
    tries: u32,
}

impl Patience {
    fn new(write_timeout: Duration) -> Self {
        Self {
            write_timeout,
            stall: None,
        }
    }

    /// Bytes were written. When they are enough, the next stall has the whole time-out again.
    fn progress(&mut self, bytes: usize) {
        if let Some(stall) = &mut self.stall {
            stall.taken = stall.taken.saturating_add(bytes);
            stall.tries = 0;
        }
        self.stall.take_if(|stall| stall.taken >= MINIMUM_TAKEN);
    }

    /// Everything was written.
    fn all_taken(&mut self) {
        self.stall = None;
    }

    /// Nothing can be written now. Ready, with the number of bytes that the peer has taken, when it had enough time, or when a
    /// write is tried too often.
    fn poll_ended(&mut self, context: &mut Context<'_>) -> Poll<usize> {
        let write_timeout = self.write_timeout;
        let stall = self.stall.get_or_insert_with(|| Stall {
            timer: Box::pin(sleep(write_timeout)),
            taken: 0,
            tries: 0,
        });
        stall.tries += 1;
        if stall.tries <= MOST_TRIES {
            ready!(stall.timer.as_mut().poll(context));
        }
        Poll::Ready(stall.taken)
    }
}

/// How much is read until all that waits has been written.
struct Reading {
    left: usize,
    /// Whoever wants to read more then.
    waiting: Option<Waker>,
}

impl Default for Reading {
    fn default() -> Self {
        Self {
            left: MOST_READ,
            waiting: None,
        }
    }
}

impl Reading {
    fn all_written(&mut self) {
        self.left = MOST_READ;
        if let Some(waker) = self.waiting.take() {
            waker.wake();
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Connection<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.patience.stall.is_some() || self.reading.left == 0 {
            self.reading.waiting = Some(context.waker().clone());
            return Poll::Pending;
        }
        let most = self.reading.left.min(buffer.remaining());
        let mut part = [0; MOST_READ];
        let mut part = ReadBuf::new(part.get_mut(..most).unwrap_or_default());
        ready!(Pin::new(&mut self.stream).poll_read(context, &mut part))?;
        buffer.put_slice(part.filled());
        self.reading.left -= part.filled().len();
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Connection<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        match written {
            Poll::Pending => {
                let taken = ready!(self.patience.poll_ended(context));
                count_closed("write_timeout");
                tracing::debug!(taken, "reset a connection that reads too little");
                (self.reset)(&self.stream);
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            Poll::Ready(Ok(bytes)) => self.patience.progress(bytes),
            Poll::Ready(Err(_)) => {}
        }
        written
    }

    /// actix-web calls this after it has written all that it had.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.patience.all_taken();
        self.reading.all_written();
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;
    use std::pin::pin;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};

    const WRITE_TIMEOUT: Duration = Duration::from_secs(30);

    fn gate(per_address: Option<u32>) -> Gate {
        Gate::new(ConnectionLimits {
            per_address,
            trusted: TrustedProxies::parse("10.0.0.0/8").unwrap(),
            write_timeout: WRITE_TIMEOUT,
        })
    }

    /// Both ends of a connection in memory: nothing of it takes real time, so the clock can be paused.
    fn connect() -> (Connection<DuplexStream>, DuplexStream) {
        let (stream, client) = duplex(MINIMUM_TAKEN);
        let server = Connection {
            stream,
            patience: Patience::new(WRITE_TIMEOUT),
            reading: Reading::default(),
            reset: |_| {},
            _place: gate(None).take_place(IpAddr::from([192, 0, 2, 1])).unwrap(),
        };
        (server, client)
    }

    #[tokio::test(start_paused = true)]
    async fn a_write_fails_when_the_peer_does_not_read() {
        let (mut server, _client) = connect();
        let started = tokio::time::Instant::now();
        let error = server.write_all(&[0; 64_000]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert_eq!(started.elapsed().as_secs(), WRITE_TIMEOUT.as_secs());
    }

    #[tokio::test(start_paused = true)]
    async fn a_write_to_a_slow_reader_goes_on_as_long_as_it_makes_progress() {
        let (mut server, mut client) = connect();
        let write = async {
            server.write_all(&vec![0; 16_000_000]).await.unwrap();
            drop(server);
        };
        let read = async {
            let (mut buffer, mut count) = (vec![0; MINIMUM_TAKEN], 0);
            loop {
                match client.read(&mut buffer).await.unwrap() {
                    0 => return count,
                    bytes => count += bytes,
                }
                sleep(WRITE_TIMEOUT / 100).await;
            }
        };
        let started = tokio::time::Instant::now();
        let ((), count) = tokio::join!(write, read);
        assert_eq!(count, 16_000_000);
        assert!(started.elapsed() > WRITE_TIMEOUT);
    }

    /// What one attempt to read gets.
    async fn read_once(server: &mut Connection<DuplexStream>) -> Poll<usize> {
        let mut bytes = [0; 2 * MOST_READ];
        poll_fn(|context| {
            let mut buffer = ReadBuf::new(&mut bytes);
            let read = Pin::new(&mut *server).poll_read(context, &mut buffer);
            Poll::Ready(read.map(|read| {
                read.unwrap();
                buffer.filled().len()
            }))
        })
        .await
    }

    /// Whether one attempt to write so many bytes writes some.
    async fn write_once(server: &mut Connection<DuplexStream>, bytes: usize) -> Poll<io::Result<usize>> {
        let bytes = vec![0; bytes];
        poll_fn(|context| Poll::Ready(Pin::new(&mut *server).poll_write(context, &bytes))).await
    }

    #[tokio::test]
    async fn nothing_is_read_while_an_answer_waits() {
        let (mut server, mut client) = connect();
        client.write_all(b"call").await.unwrap();
        assert!(write_once(&mut server, MINIMUM_TAKEN).await.is_ready());
        assert!(write_once(&mut server, 1).await.is_pending());
        assert!(read_once(&mut server).await.is_pending());
        client.read_exact(&mut [0; 10]).await.unwrap();
        assert!(write_once(&mut server, 1).await.is_ready());
        assert!(read_once(&mut server).await.is_pending(), "more may wait");
        server.flush().await.unwrap();
        assert_eq!(read_once(&mut server).await, Poll::Ready(4));
    }

    #[tokio::test]
    async fn no_more_is_read_until_all_is_written() {
        let (mut server, mut client) = connect();
        client.write_all(&[0; 2 * MOST_READ + 1]).await.unwrap();
        for bytes in [MOST_READ, MOST_READ, 1] {
            assert_eq!(read_once(&mut server).await, Poll::Ready(bytes));
            if bytes == MOST_READ {
                assert!(read_once(&mut server).await.is_pending());
            }
            server.flush().await.unwrap();
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_sends_calls_and_takes_no_answer_is_closed_soon() {
        let (mut server, mut client) = connect();
        assert!(write_once(&mut server, MINIMUM_TAKEN).await.is_ready());
        for _ in 0..MOST_TRIES {
            assert!(write_once(&mut server, 1).await.is_pending());
        }
        client.read_exact(&mut [0; 1]).await.unwrap();
        assert!(write_once(&mut server, 1).await.is_ready(), "it takes some");
        for _ in 0..MOST_TRIES {
            assert!(write_once(&mut server, 1).await.is_pending());
        }
        let Poll::Ready(Err(error)) = write_once(&mut server, 1).await else {
            panic!("it waits on");
        };
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    /// With a real connection: what the system holds back would hide how much the peer takes.
    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn the_system_holds_little_of_an_answer_and_forgets_it_at_a_reset() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let _client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (server, _) = listener.accept().await.unwrap();
        let server = gate(None).admit(server).unwrap();
        let socket = socket2::SockRef::from(&server.stream);
        assert_eq!(socket.tcp_notsent_lowat().unwrap(), MAX_UNSENT);
        assert_eq!(socket.linger().unwrap(), None);
        (server.reset)(&server.stream);
        assert_eq!(socket.linger().unwrap(), Some(Duration::ZERO));
    }

    /// A peer that takes so many bytes, again and again.
    async fn take(patience: &mut Patience, bytes: usize, every: Duration, times: u32) -> Result<(), usize> {
        for _ in 0..times {
            let mut room = pin!(sleep(every));
            poll_fn(|context| {
                if room.as_mut().poll(context).is_ready() {
                    patience.progress(bytes);
                    return Poll::Ready(Ok(()));
                }
                patience.poll_ended(context).map(Err)
            })
            .await?;
        }
        Ok(())
    }

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_takes_a_byte_now_and_then_is_closed_after_the_time_out() {
        let mut patience = Patience::new(WRITE_TIMEOUT);
        let started = tokio::time::Instant::now();
        let taken = take(&mut patience, 100, SECOND, 1_000).await.unwrap_err();
        assert!((2_800..=3_000).contains(&taken), "{taken}");
        assert_eq!(started.elapsed().as_secs(), WRITE_TIMEOUT.as_secs());
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_becomes_slow_is_closed_within_twice_the_time_out() {
        let mut patience = Patience::new(WRITE_TIMEOUT);
        take(&mut patience, MINIMUM_TAKEN, SECOND, 100).await.unwrap();
        let started = tokio::time::Instant::now();
        take(&mut patience, 1, SECOND, 1_000).await.unwrap_err();
        assert!(started.elapsed() <= WRITE_TIMEOUT * 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_phone_gets_all_of_a_long_answer() {
        let mut patience = Patience::new(WRITE_TIMEOUT);
        // One channel of GPRS: 8 kbit/s, which arrive in lumps.
        assert_eq!(take(&mut patience, 8_000, SECOND * 8, 1_000).await, Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_takes_all_that_is_left_has_the_whole_time_out_for_the_next_answer() {
        let mut patience = Patience::new(WRITE_TIMEOUT);
        for _ in 0..100 {
            take(&mut patience, 100, WRITE_TIMEOUT - SECOND, 1).await.unwrap();
            patience.all_taken();
        }
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
