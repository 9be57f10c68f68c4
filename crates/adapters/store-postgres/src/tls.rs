//! TLS to PostgreSQL. libpq is built without TLS, so that a C compiler is enough to build it. For a server that must be
//! reached by TLS it is given a socket of this process; a task here connects that socket to the server, by rustls, and
//! checks the server's certificate (docs/adr/0014-tls-to-postgresql.md).

use crate::conninfo::{ConnInfo, ConnInfoError, Endpoint};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, InvalidDnsNameError, ServerName};
use socket2::{SockRef, TcpKeepalive};
use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpStream, UnixListener, UnixStream};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::{self, ClientConfig, RootCertStore};

/// How long connecting and the handshake may take; libpq gives up after 2 s as well.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// How long sent data may stay unacknowledged before the connection counts as lost.
const USER_TIMEOUT: Duration = Duration::from_secs(10);
/// The request for TLS: its length, and the code of the protocol's documentation ("SSLRequest").
const TLS_REQUEST: [u8; 8] = [0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f];

/// Kinds of messages ("Message Formats").
const AUTHENTICATION: u8 = b'R';
const ERROR: u8 = b'E';
const NEGOTIATE_VERSION: u8 = b'v';
/// What the demand for authentication by SASL begins with; a list of methods follows.
const SASL: [u8; 4] = [0, 0, 0, 10];
/// In bytes. libpq's first message holds the parameters of the session.
const LONGEST_FIRST_MESSAGE: u32 = 64 * 1024;

/// Why no connection can be prepared.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The connection string cannot be read.
    #[error(transparent)]
    ConnInfo(#[from] ConnInfoError),
    /// The certificates of trusted authorities cannot be read.
    #[error("sslrootcert: cannot read certificates: {0}")]
    RootCertificates(String),
    /// The host is not a name that certificates can have.
    #[error("host: is not a name or an address")]
    Host(#[from] InvalidDnsNameError),
    /// TLS cannot be set up.
    #[error("cannot set up TLS: {0}")]
    Setup(#[from] rustls::Error),
    /// The socket cannot be opened, or the thread not started.
    #[error("cannot open a socket for connections by TLS: {0}")]
    Socket(#[from] io::Error),
}

impl TlsError {
    /// The reason without the name of the parameter.
    pub fn reason(&self) -> String {
        match self {
            Self::RootCertificates(reason) => format!("cannot read certificates: {reason}"),
            other => other.to_string(),
        }
    }
}

/// Checks that `sslrootcert` names certificates of authorities: a file in PEM, or `system`.
///
/// # Errors
/// [`TlsError::RootCertificates`] when there are none.
pub fn check_root_certificates(sslrootcert: &str) -> Result<(), TlsError> {
    root_certificates(sslrootcert).map(drop)
}

fn root_certificates(sslrootcert: &str) -> Result<RootCertStore, TlsError> {
    let wrong = |error: &dyn std::fmt::Display| TlsError::RootCertificates(error.to_string());
    let certificates: Vec<CertificateDer<'static>> = if sslrootcert == "system" {
        rustls_native_certs::load_native_certs().certs
    } else {
        let read = CertificateDer::pem_file_iter(sslrootcert).and_then(Iterator::collect);
        read.map_err(|error| wrong(&error))?
    };
    let mut roots = RootCertStore::empty();
    let (added, _) = roots.add_parsable_certificates(certificates);
    if added == 0 {
        return Err(wrong(&"there are none"));
    }
    Ok(roots)
}

/// The connection string for libpq. With `sslmode=verify-full` it names sockets of this process, which are connected to the
/// servers by TLS; without it, the string is unchanged.
///
/// # Errors
/// [`TlsError`].
pub(crate) fn local_conninfo(url: &str) -> Result<String, TlsError> {
    static BRIDGES: Mutex<Option<HashMap<String, String>>> = Mutex::new(None);
    let info = ConnInfo::parse(url)?;
    if info.get("sslmode") != Some("verify-full") {
        return Ok(url.to_owned());
    }
    let mut bridges = BRIDGES.lock().unwrap_or_else(PoisonError::into_inner);
    let bridges = bridges.get_or_insert_default();
    if let Some(known) = bridges.get(url) {
        return Ok(known.clone());
    }
    let local = open_bridges(info)?.to_pairs();
    bridges.insert(url.to_owned(), local.clone());
    Ok(local)
}

/// Opens a socket for each server. One thread serves all of them until the process ends.
fn open_bridges(info: ConnInfo) -> Result<ConnInfo, TlsError> {
    let roots = root_certificates(info.get("sslrootcert").unwrap_or_default())?;
    let config = ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let connector = TlsConnector::from(Arc::new(config));
    let (mut hosts, mut ports, mut bridges) = (Vec::new(), Vec::new(), Vec::new());
    for endpoint in info.endpoints()? {
        ports.push(endpoint.port.to_string());
        if endpoint.is_socket() {
            hosts.push(endpoint.address);
            continue;
        }
        let (listener, host) = local_socket::listen(endpoint.port)?;
        hosts.push(host);
        bridges.push((listener, Arc::new(Target::new(endpoint, connector.clone())?)));
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let serve_all = async move {
        let mut tasks = JoinSet::new();
        for (listener, target) in bridges {
            tasks.spawn(serve(listener, target));
        }
        while let Some(ended) = tasks.join_next().await {
            tracing::error!(?ended, "a socket for connections to PostgreSQL has closed");
        }
    };
    std::thread::Builder::new()
        .name("postgres-tls".to_owned())
        .spawn(move || runtime.block_on(serve_all))?;
    let (hosts, ports) = (hosts.join(","), ports.join(","));
    // The empty values keep libpq from taking others from its own environment variables.
    let changes = [
        ("host", hosts.as_str()),
        ("port", &ports),
        ("hostaddr", ""),
        ("sslmode", "disable"),
        ("sslrootcert", ""),
    ];
    Ok(info.with(&changes))
}

/// A server to connect to.
struct Target {
    endpoint: Endpoint,
    name: ServerName<'static>,
    connector: TlsConnector,
}

impl Target {
    fn new(endpoint: Endpoint, connector: TlsConnector) -> Result<Self, TlsError> {
        let name = ServerName::try_from(endpoint.host.clone())?;
        Ok(Self {
            endpoint,
            name,
            connector,
        })
    }

    async fn connect(&self) -> io::Result<TlsStream<TcpStream>> {
        let mut stream = TcpStream::connect((self.endpoint.address.as_str(), self.endpoint.port)).await?;
        stream.set_nodelay(true)?;
        set_timeouts(&stream)?;
        stream.write_all(&TLS_REQUEST).await?;
        // One byte, and no more: whatever a stranger appends to it must not count as part of the encrypted stream.
        if stream.read_u8().await? != b'S' {
            return Err(io::Error::other("the server does not offer TLS"));
        }
        self.connector.connect(self.name.clone(), stream).await
    }
}

/// As `pool::with_timeouts` sets them for connections without TLS.
fn set_timeouts(stream: &TcpStream) -> io::Result<()> {
    let socket = SockRef::from(stream);
    let keepalive = TcpKeepalive::new()
        .with_time(Duration::from_secs(10))
        .with_interval(Duration::from_secs(5))
        .with_retries(2);
    socket.set_tcp_keepalive(&keepalive)?;
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(USER_TIMEOUT))?;
    Ok(())
}

async fn serve(listener: std::os::unix::net::UnixListener, target: Arc<Target>) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = UnixListener::from_std(listener)?;
    loop {
        match listener.accept().await {
            Ok((local, _)) if local_socket::is_own(&local) => {
                let target = target.clone();
                tokio::spawn(async move { bridge(local, &target).await });
            }
            Ok(_) => tracing::warn!("another process tried to use a connection to PostgreSQL"),
            // For example no free file descriptor: try again when some may have been closed.
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection to PostgreSQL");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

/// Connects one connection of libpq to the server. libpq gets a failure as an error message of the server.
async fn bridge(mut local: UnixStream, target: &Target) {
    let connected = timeout(CONNECT_TIMEOUT, target.connect()).await;
    match connected.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())) {
        Ok(mut remote) => {
            if start_session(&mut local, &mut remote).await.is_ok() {
                // Either side may close or break the connection; the other one then sees its end.
                let _ = copy_bidirectional(&mut local, &mut remote).await;
            }
        }
        Err(error) => {
            let sentence = format!("cannot connect to {} by TLS: {error}", target.endpoint.host);
            let _ = refuse(&mut local, &sentence).await;
        }
    }
}

/// Carries the first messages of both sides: libpq's, and the server's up to its first demand for authentication.
async fn start_session(local: &mut UnixStream, remote: &mut TlsStream<TcpStream>) -> io::Result<()> {
    let first = read_body(local).await?;
    write_body(remote, &first).await?;
    remote.flush().await?;
    loop {
        let kind = remote.read_u8().await?;
        let body = read_body(remote).await?;
        local.write_u8(kind).await?;
        match kind {
            AUTHENTICATION => return write_body(local, &without_channel_binding(body)).await,
            NEGOTIATE_VERSION => write_body(local, &body).await?,
            _ => return write_body(local, &body).await,
        }
    }
}

/// Removes a method of authentication that is bound to the TLS connection: libpq knows nothing of TLS here, and takes its
/// offer for an attack. The certificate has been verified, so the method without binding is as safe.
fn without_channel_binding(mut body: Vec<u8>) -> Vec<u8> {
    const BOUND: &[u8] = b"SCRAM-SHA-256-PLUS\0";
    if body.starts_with(&SASL)
        && let Some(at) = body.windows(BOUND.len()).position(|part| part == BOUND)
    {
        body.drain(at..at + BOUND.len());
    }
    body
}

/// The rest of a message after its length, which counts itself.
async fn read_body(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<Vec<u8>> {
    let length = stream.read_u32().await?.saturating_sub(4);
    if length > LONGEST_FIRST_MESSAGE {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut body = vec![0; usize::try_from(length).unwrap_or_default()];
    stream.read_exact(&mut body).await?;
    Ok(body)
}

async fn write_body(stream: &mut (impl AsyncWrite + Unpin), body: &[u8]) -> io::Result<()> {
    let length = u32::try_from(body.len() + 4).unwrap_or(u32::MAX);
    stream.write_u32(length).await?;
    stream.write_all(body).await
}

/// Answers libpq's first message with an error.
async fn refuse(local: &mut UnixStream, sentence: &str) -> io::Result<()> {
    read_body(local).await?;
    // Severity, SQLSTATE and message. After the state "cannot connect now", libpq tries the next host.
    let fields = format!("SFATAL\0VFATAL\0C57P03\0M{}\0\0", sentence.replace('\0', " "));
    local.write_u8(ERROR).await?;
    write_body(local, fields.as_bytes()).await?;
    local.shutdown().await
}

/// Sockets that only this process can use.
mod local_socket {
    use std::io;
    use std::os::unix::net::UnixListener;
    use tokio::net::UnixStream;
    use uuid::Uuid;

    /// Opens a socket with a new name. Returns it and the host that libpq finds it by, together with the port.
    #[cfg(target_os = "linux")]
    pub(super) fn listen(port: u16) -> io::Result<(UnixListener, String)> {
        use std::os::linux::net::SocketAddrExt;
        let name = format!("tombola-{}", Uuid::now_v7().simple());
        let address = std::os::unix::net::SocketAddr::from_abstract_name(format!("{name}/.s.PGSQL.{port}"))?;
        Ok((UnixListener::bind_addr(&address)?, format!("@{name}")))
    }

    /// Whether this process opened the other end. Every process can find a socket without a file.
    #[cfg(target_os = "linux")]
    pub(super) fn is_own(stream: &UnixStream) -> bool {
        let other = stream.peer_cred().ok().and_then(|credentials| credentials.pid());
        other.and_then(|pid| u32::try_from(pid).ok()) == Some(std::process::id())
    }

    /// The same in a private folder, where there are no sockets without a file.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn listen(port: u16) -> io::Result<(UnixListener, String)> {
        use std::os::unix::fs::DirBuilderExt;
        let folder = std::env::temp_dir().join(format!("tombola-{}", Uuid::now_v7().simple()));
        std::fs::DirBuilder::new().mode(0o700).create(&folder)?;
        let listener = UnixListener::bind(folder.join(format!(".s.PGSQL.{port}")))?;
        Ok((listener, folder.display().to_string()))
    }

    /// Nobody else can enter the folder.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn is_own(_: &UnixStream) -> bool {
        true
    }
}
