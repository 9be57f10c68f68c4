//! Proxies: one to the database that can be frozen, so that it stops forwarding, as in a network outage; and one to the
//! program, whose address stays the same while the program is started again and again.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

#[derive(Clone)]
pub(crate) struct Proxy {
    pub(crate) url: String,
    frozen: Arc<(Mutex<bool>, Condvar)>,
}

trait Stream: Read + Write + Send {
    fn try_clone_box(&self) -> Box<dyn Stream>;
}

impl Stream for TcpStream {
    fn try_clone_box(&self) -> Box<dyn Stream> {
        Box::new(self.try_clone().unwrap())
    }
}

impl Stream for UnixStream {
    fn try_clone_box(&self) -> Box<dyn Stream> {
        Box::new(self.try_clone().unwrap())
    }
}

/// Connects to the database: over a Unix socket, as with `scripts/postgres.sh`, or over TCP.
fn connect(database_url: &url::Url) -> Box<dyn Stream> {
    let folder = database_url
        .query_pairs()
        .find(|(name, _)| name == "host")
        .map(|(_, folder)| folder.into_owned());
    match folder {
        Some(folder) => Box::new(UnixStream::connect(format!("{folder}/.s.PGSQL.5432")).unwrap()),
        None => {
            let host = database_url.host_str().unwrap();
            Box::new(TcpStream::connect((host, database_url.port().unwrap_or(5432))).unwrap())
        }
    }
}

impl Proxy {
    pub(crate) fn to(database_url: &str) -> Self {
        let target = url::Url::parse(database_url).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut proxy_url = target.clone();
        proxy_url.set_query(Some("sslmode=disable"));
        proxy_url.set_host(Some("127.0.0.1")).unwrap();
        proxy_url
            .set_port(Some(listener.local_addr().unwrap().port()))
            .unwrap();
        let proxy = Self {
            url: proxy_url.to_string(),
            frozen: Arc::default(),
        };
        let acceptor = proxy.clone();
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let server = connect(&target);
                acceptor.copy(client.try_clone_box(), server.try_clone_box());
                acceptor.copy(server, client.try_clone_box());
            }
        });
        proxy
    }

    fn copy(&self, mut from: Box<dyn Stream>, mut to: Box<dyn Stream>) {
        let frozen = self.frozen.clone();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(length) = from.read(&mut buffer) {
                let (is_frozen, changed) = &*frozen;
                drop(
                    changed
                        .wait_while(is_frozen.lock().unwrap(), |frozen| *frozen)
                        .unwrap(),
                );
                if length == 0 || to.write_all(&buffer[..length]).is_err() {
                    break;
                }
            }
        });
    }

    pub(crate) fn set_frozen(&self, frozen: bool) {
        let (is_frozen, changed) = &*self.frozen;
        *is_frozen.lock().unwrap() = frozen;
        changed.notify_all();
    }
}

/// Forwards to one server after the other. A server that is started again cannot count on the port that it had.
pub(crate) struct Front {
    pub(crate) address: String,
    target: Arc<Mutex<String>>,
}

impl Front {
    pub(crate) fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let front = Self {
            address: listener.local_addr().unwrap().to_string(),
            target: Arc::default(),
        };
        let target = front.target.clone();
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let target = target.lock().unwrap().clone();
                // Without a server the client's connection ends.
                let Ok(server) = TcpStream::connect(target) else {
                    continue;
                };
                forward(&client, &server);
                forward(&server, &client);
            }
        });
        front
    }

    pub(crate) fn lead_to(&self, address: &str) {
        address.clone_into(&mut self.target.lock().unwrap());
    }
}

/// Copies until either end is closed, and then closes both.
fn forward(from: &TcpStream, to: &TcpStream) {
    let (mut from, mut to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
    thread::spawn(move || {
        let _ = std::io::copy(&mut from, &mut to);
        let _ = from.shutdown(Shutdown::Both);
        let _ = to.shutdown(Shutdown::Both);
    });
}
