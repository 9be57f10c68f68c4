//! Verifies the chain of a store's audit log.

use crate::Store;
use kernel::StoreError;
use staff::AuditChain;
use staff::audit_chain::{ChainBreak, ChainCheck, ChainEntry};

/// The whole chain, read in parts, and what verifying it says.
pub(crate) fn chain<S: Store>(store: &S) -> (Vec<ChainEntry>, Result<ChainCheck, ChainBreak>) {
    let mut entries = Vec::new();
    let head = store
        .snapshot::<_, StoreError>(|tx| {
            let mut after = i64::MIN;
            loop {
                let part = tx.list_chain(after, 3)?;
                let Some(last) = part.last() else { break };
                assert!(part.len() <= 3);
                after = last.id;
                entries.extend(part);
            }
            tx.chain_head()
        })
        .unwrap();
    let mut check = ChainCheck::default();
    let verified = entries
        .iter()
        .try_for_each(|entry| check.push(entry))
        .and_then(|()| check.finish(head.as_ref()))
        .map(|()| check);
    (entries, verified)
}

/// The chain's end, after all of it was verified.
///
/// # Panics
/// When it is not valid.
pub fn verified<S: Store>(store: &S) -> ChainCheck {
    let (_, verified) = chain(store);
    assert!(verified.is_ok(), "{verified:?}");
    verified.unwrap_or_default()
}
