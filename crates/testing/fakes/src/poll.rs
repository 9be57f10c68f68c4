use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// Polls a future once and returns its output. For futures that await nothing but fakes, which never wait.
///
/// # Panics
/// If the future is pending.
pub fn poll_once<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => unreachable!("the fakes never wait"),
    }
}
