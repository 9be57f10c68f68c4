//! What a server does in the background, beside answering requests. Each worker is named for what it does.

mod advance_claims;
mod advance_drawings;
mod apply_retention;
mod compress_pages;
mod fold_rollups;
mod probe_writes;
mod publish_lists;
mod reconcile;
mod reseal;
mod resume_clearings;
mod send_pushes;
mod send_texts;
mod watch_raffles;

use crate::config::Config;
use crate::pools::Stores;
use crate::worker::Worker;
use actix_web::web::Data;
use tokio::sync::watch;
use web::AppState;

/// The threads of the background.
pub(crate) struct Workers {
    /// Ends when this is dropped, and nobody waits for it.
    _probe: Worker,
    others: Vec<Worker>,
}

impl Workers {
    /// Starts all of them. The senders of texts and of push messages end when `stopping` is true.
    ///
    /// # Errors
    /// When the system cannot start a thread, a setting cannot be used, or the announced drawings cannot be read.
    pub(crate) fn start(
        config: &Config,
        stores: &Stores,
        state: &Data<AppState>,
        stopping: &watch::Receiver<bool>,
    ) -> anyhow::Result<Self> {
        let probe = probe_writes::start(stores.probe.clone(), state.readiness.clone())?;
        let store = || stores.workers.clone();
        let mut others = vec![
            advance_drawings::start(stores.drawings.clone(), state.clone())?,
            advance_claims::start(store(), state.clone())?,
            watch_raffles::start(store(), state.clone())?,
            compress_pages::start(state.clone())?,
            publish_lists::start(store())?,
            fold_rollups::start(store(), config.time_zone)?,
            apply_retention::start(store(), config.retention)?,
            resume_clearings::start(store())?,
            reseal::start(&config.keys, store(), state.clone())?,
        ];
        others.extend(reconcile::start(
            store(),
            state.payments.clone(),
            state.drawing_times(),
        )?);
        // Last, so that nothing is sent if another worker cannot start.
        others.extend(send_pushes::start(config, store(), state, stopping.clone())?);
        others.push(send_texts::start(config, store(), state, stopping.clone())?);
        Ok(Self {
            _probe: probe,
            others,
        })
    }

    /// Lets each of them finish what it does.
    pub(crate) fn stop(self) {
        for worker in self.others {
            worker.stop();
        }
    }
}
