//! What the store has of `privacy`.

use kernel::EntrantId;
use privacy::{DataRequest, RequestType};

/// Requests, oldest first.
#[derive(Clone, Default)]
pub(crate) struct RequestState(pub(crate) Vec<DataRequest>);

impl RequestState {
    /// The copies of an erased entrant are gone.
    pub(crate) fn erase(&mut self, entrant: EntrantId) {
        self.0
            .retain(|each| each.entrant != entrant || each.kind == RequestType::Erasure);
    }
}
