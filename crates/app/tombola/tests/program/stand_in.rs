//! A provider's stand-in, which goes on while the program is killed, and stops when it is dropped.

use crate::server::PATIENCE;
use serde_json::Value;
use std::future::Future;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;

pub(crate) struct StandIn {
    pub(crate) url: String,
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl StandIn {
    /// Starts a stand-in. `running` returns its URL and the future that stops it.
    pub(crate) fn start<T, S, E>(
        start: impl FnOnce() -> S + Send + 'static,
        running: impl FnOnce(T) -> (String, E) + Send + 'static,
    ) -> Self
    where
        S: Future<Output = anyhow::Result<T>>,
        E: Future<Output = ()>,
    {
        let (stop, stopped) = channel::<()>();
        let (ready, started) = channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .enable_all()
                .build()
                .unwrap();
            let (url, end) = running(runtime.block_on(start()).unwrap());
            ready.send(url).unwrap();
            let _ = stopped.recv();
            runtime.block_on(end);
        });
        Self {
            url: started.recv_timeout(PATIENCE).unwrap(),
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    pub(crate) fn get(&self, path: &str) -> Value {
        let mut answer = ureq::get(format!("{}{path}", self.url)).call().unwrap();
        let body = answer
            .body_mut()
            .with_config()
            .limit(64 * 1024 * 1024)
            .read_to_string();
        serde_json::from_str(&body.unwrap()).unwrap()
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Value {
        let request = ureq::post(format!("{}{path}", self.url)).header("Content-Type", "application/json");
        let mut answer = request.send(body.to_string()).unwrap();
        let text = answer.body_mut().read_to_string().unwrap();
        serde_json::from_str(&text).unwrap_or_default()
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
