//! What the store has of `privacy`.

use kernel::EntrantId;
use privacy::{DataRequest, RequestType};

/// Requests, oldest first.
#[derive(Clone, Default)]
pub(crate) struct RequestState(pub(crate) Vec<DataRequest>);

impl RequestState {
    /// The copies of an erased entrant are gone, and so are codes.
    pub(crate) fn erase(&mut self, entrant: EntrantId) {
        self.0
            .retain(|each| each.entrant != entrant || each.kind == RequestType::Erasure);
        let own = self.0.iter_mut().filter(|each| each.entrant == entrant);
        own.for_each(|each| each.code = None);
    }
}
