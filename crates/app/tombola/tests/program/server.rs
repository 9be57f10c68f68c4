//! A running `tombola serve`, stopped when it is dropped.

use crate::support::TestDatabase;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// A timeout that no test reaches, even on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// Asks until there is a value, and returns it. A short pause after each time keeps the asking from using up the processor,
/// which the program needs.
pub(crate) fn wait_within<T>(patience: Duration, mut value: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(value) = value() {
            return value;
        }
        assert!(started.elapsed() < patience, "waited for {patience:?}");
        std::thread::park_timeout(Duration::from_millis(5));
    }
}

pub(crate) fn wait_for<T>(value: impl FnMut() -> Option<T>) -> T {
    wait_within(PATIENCE, value)
}

pub(crate) fn wait_until(mut holds: impl FnMut() -> bool) {
    wait_for(|| holds().then_some(()));
}

pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
    lines: Mutex<Receiver<String>>,
    pub(crate) log: Vec<String>,
}

/// The program, with only these environment variables.
pub(crate) fn tombola(argument: &str, variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tombola"));
    command
        .arg(argument)
        .env_clear()
        .envs(variables.iter().copied())
        .current_dir(std::env::temp_dir());
    command
}

impl Server {
    pub(crate) fn start(database_url: &str, variables: &[(&str, &str)]) -> Self {
        Self::start_printing(database_url, variables, Stdio::inherit()).0
    }

    /// Starts a server, and returns what it prints beside its log, if `stderr` is a pipe.
    pub(crate) fn start_printing(
        database_url: &str,
        variables: &[(&str, &str)],
        stderr: Stdio,
    ) -> (Self, Option<ChildStderr>) {
        let own = [
            ("DATABASE_URL", database_url),
            ("BIND_ADDR", "127.0.0.1:0"),
            ("LOG_FORMAT", "json"),
            ("DRAIN_SECONDS", "0"),
        ];
        let variables = [&own[..], variables].concat();
        let mut child = tombola("serve", &variables)
            .stdout(Stdio::piped())
            .stderr(stderr)
            .spawn()
            .unwrap();
        let printed = child.stderr.take();
        let (sender, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            stdout
                .lines()
                .map_while(Result::ok)
                .try_for_each(|line| sender.send(line))
        });
        let mut server = Self {
            child,
            address: String::new(),
            lines: Mutex::new(lines),
            log: Vec::new(),
        };
        let serving = server.wait_for_line(|line| line.contains(r#""message":"serving""#));
        let json: serde_json::Value = serde_json::from_str(&serving).unwrap();
        server.address = json["address"].as_str().unwrap().to_owned();
        (server, printed)
    }

    pub(crate) fn on_new_database(variables: &[(&str, &str)]) -> Self {
        Self::start(&TestDatabase::new().url, variables)
    }

    pub(crate) fn wait_for_line(&mut self, wanted: impl Fn(&str) -> bool) -> String {
        loop {
            let line = self
                .lines
                .get_mut()
                .unwrap()
                .recv_timeout(PATIENCE)
                .expect("the line is not in the log");
            self.log.push(line.clone());
            if wanted(&line) {
                return line;
            }
        }
    }

    /// Whether a line with this text has been logged by now.
    pub(crate) fn has_logged(&mut self, text: &str) -> bool {
        self.log.extend(self.lines.get_mut().unwrap().try_iter());
        self.log.iter().any(|line| line.contains(text))
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn get(&self, path: &str) -> (u16, String) {
        self.get_with(path, &[])
    }

    pub(crate) fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> (u16, String) {
        let request = headers
            .iter()
            .fold(agent().get(self.url(path)), |request, (name, value)| {
                request.header(*name, *value)
            });
        read(request.call().unwrap())
    }

    pub(crate) fn post(&self, path: &str, json: &str) -> (u16, String) {
        let request = agent()
            .post(self.url(path))
            .header("Content-Type", "application/json");
        read(request.send(json).unwrap())
    }

    /// Sends a JSON body with any method.
    pub(crate) fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        json: &str,
    ) -> (u16, String) {
        read(self.answer(method, path, headers, json))
    }

    /// Sends a JSON body, and returns the status and the first cookie of the answer, as a browser sends it back.
    pub(crate) fn post_for_cookie(&self, path: &str, headers: &[(&str, &str)], json: &str) -> (u16, String) {
        let answer = self.answer("POST", path, headers, json);
        let cookie = answer.headers().get("Set-Cookie");
        let cookie = cookie.map_or("", |cookie| cookie.to_str().unwrap());
        let pair = cookie.split(';').next().unwrap_or_default().to_owned();
        (answer.status().as_u16(), pair)
    }

    fn answer(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        json: &str,
    ) -> ureq::http::Response<ureq::Body> {
        let request = ureq::http::Request::builder()
            .method(method)
            .uri(self.url(path))
            .header("Content-Type", "application/json");
        let request = headers
            .iter()
            .fold(request, |request, (name, value)| request.header(*name, *value));
        agent().run(request.body(json.to_owned()).unwrap()).unwrap()
    }

    pub(crate) fn register(&self, phone: &str) -> (u16, String) {
        self.post("/api/users/register", &format!(r#"{{"phoneNumber": "{phone}"}}"#))
    }

    /// The id of its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, name: &str) {
        let kill = Command::new("kill")
            .args([&format!("-{name}"), &self.id().to_string()])
            .status();
        assert!(kill.unwrap().success());
    }

    pub(crate) fn wait(&mut self) -> ExitStatus {
        let status = self.child.wait().unwrap();
        self.log.extend(self.lines.get_mut().unwrap().iter());
        status
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(mut answer: ureq::http::Response<ureq::Body>) -> (u16, String) {
    (
        answer.status().as_u16(),
        answer.body_mut().read_to_string().unwrap(),
    )
}

fn agent() -> ureq::Agent {
    ureq::Agent::config_builder()
        .http_status_as_error(false)
        .timeout_global(Some(PATIENCE))
        .build()
        .into()
}

/// A raw connection, so that a test controls when bytes are sent.
pub(crate) struct Connection(TcpStream);

impl Connection {
    pub(crate) fn open(server: &Server) -> Self {
        let stream = TcpStream::connect(&server.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Self(stream)
    }

    pub(crate) fn send(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).unwrap();
    }

    /// Sends the head of a request that enters with this body, and waits until the server has read it.
    pub(crate) fn send_head_for(&mut self, body: &str) {
        let length = body.len();
        self.send(&format!(
            "POST /api/users/register HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\nExpect: 100-continue\r\n\r\n"
        ));
        self.read_until("HTTP/1.1 100 Continue\r\n\r\n");
    }

    /// Reads up to and including this text.
    pub(crate) fn read_until(&mut self, wanted: &str) -> String {
        let mut bytes = Vec::new();
        let started = Instant::now();
        while !String::from_utf8_lossy(&bytes).contains(wanted) {
            assert!(started.elapsed() < PATIENCE);
            let mut byte = [0];
            assert_eq!(
                self.0.read(&mut byte).unwrap(),
                1,
                "closed after {:?}",
                String::from_utf8_lossy(&bytes)
            );
            bytes.push(byte[0]);
        }
        String::from_utf8(bytes).unwrap()
    }
}
