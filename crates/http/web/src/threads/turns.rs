//! Turns of sign-ups that would wait for the same row.

use crate::ApiError;
use crate::threads::blocking_pool::{DEADLINE, too_many_wait};
use kernel::ReferralCode;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OwnedMutexGuard;
use tokio::time::timeout;

/// Lets those who enter through the same link go on one at a time.
///
/// Each of them locks the row of the referrer. If somebody else has it locked, only one friend waits with a thread and a connection,
/// and the others wait here. So strangers do not wait for them.
#[derive(Default)]
pub struct Turns(Mutex<HashMap<ReferralCode, Arc<tokio::sync::Mutex<()>>>>);

/// A turn, which ends when it is dropped.
pub(crate) type Turn = OwnedMutexGuard<()>;

impl Turns {
    /// Waits for a turn, in the order of the requests. Without a link there is nobody to wait for.
    pub(crate) async fn wait(&self, code: Option<&ReferralCode>) -> Result<Option<Turn>, ApiError> {
        let Some(code) = code else { return Ok(None) };
        let turn = timeout(DEADLINE, self.of(code).lock_owned()).await;
        turn.map(Some).map_err(|_| too_many_wait())
    }

    fn of(&self, code: &ReferralCode) -> Arc<tokio::sync::Mutex<()>> {
        let mut links = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        links.retain(|_, turn| Arc::strong_count(turn) > 1); // the others have nobody who waits
        links.entry(code.clone()).or_default().clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> ReferralCode {
        ReferralCode::parse(text).unwrap()
    }

    #[actix_web::test]
    async fn friends_of_one_referrer_take_turns_and_nobody_else_waits() {
        tokio::time::pause();
        let turns = Turns::default();
        let (one, other) = (code("CDFG3467"), code("CDFG3469"));
        let first = turns.wait(Some(&one)).await.unwrap();
        assert!(turns.wait(Some(&other)).await.unwrap().is_some());
        assert!(turns.wait(None).await.unwrap().is_none());
        assert_eq!(turns.wait(Some(&one)).await.map(drop), Err(too_many_wait()));
        drop(first);
        assert!(turns.wait(Some(&one)).await.unwrap().is_some());
    }

    #[actix_web::test]
    async fn links_that_nobody_uses_are_forgotten() {
        let turns = Turns::default();
        for text in ["CDFG3467", "CDFG3469", "CDFG3467"] {
            drop(turns.wait(Some(&code(text))).await);
            assert_eq!(turns.0.lock().unwrap().len(), 1);
        }
    }
}
