//! What a server does in the background, beside answering requests.

use crate::OsEntropy;
use crate::claimer::Claimer;
use crate::cleaner::Cleaner;
use crate::clearer::Clearer;
use crate::config::Config;
use crate::dispatcher::Dispatcher;
use crate::drawer::Drawer;
use crate::folder::Folder;
use crate::pools::Stores;
use crate::publisher::Publisher;
use crate::pusher::Pusher;
use crate::reconciler::Reconciler;
use crate::write_probe::WriteProbe;
use actix_web::web::Data;
use anyhow::Context;
use beacon_drand::DrandBeacon;
use drawing::beacon::Beacon;
use push_web::WebPush;
use sms_twilio::TwilioSms;
use std::sync::Arc;
use store_postgres::PgStore;
use tokio::sync::watch;
use usecases::send_messages::SendingTools;
use web::AppState;

/// The threads of the background.
pub(crate) struct Workers {
    _probe: WriteProbe,
    cleaner: Cleaner,
    folder: Folder,
    reconciler: Option<Reconciler>,
    clearer: Clearer,
    publisher: Publisher,
    drawer: Drawer,
    claimer: Claimer,
    pusher: Option<Pusher>,
    dispatcher: Dispatcher,
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
        let store = &stores.workers;
        let thread = "cannot start a thread";
        report_unreadable_secrets(store, state)?;
        let drawer =
            Drawer::start(stores.drawings.clone(), state.clone(), beacon(config)?).context(thread)?;
        let payments = state.payments.clone();
        let reconciler = payments.map(|gateway| Reconciler::start(store.clone(), gateway));
        Ok(Self {
            drawer,
            reconciler: reconciler.transpose().context(thread)?,
            _probe: WriteProbe::start(stores.probe.clone(), state.readiness.clone()).context(thread)?,
            cleaner: Cleaner::start(store.clone(), config.retention).context(thread)?,
            folder: Folder::start(store.clone(), config.time_zone).context(thread)?,
            clearer: Clearer::start(store.clone()).context(thread)?,
            publisher: Publisher::start(store.clone()).context(thread)?,
            claimer: Claimer::start(store.clone(), state.clone()).context(thread)?,
            pusher: start_pusher(config, store, state, stopping.clone())?,
            dispatcher: Dispatcher::start(store.clone(), dispatch_tools(config, state)?, stopping.clone())?,
        })
    }

    /// Lets each of them finish what it does.
    pub(crate) fn stop(self) {
        self.dispatcher.join();
        if let Some(pusher) = self.pusher {
            pusher.join();
        }
        self.folder.stop();
        self.cleaner.stop();
        self.clearer.stop();
        self.drawer.stop();
        self.claimer.stop();
        self.publisher.stop();
        if let Some(reconciler) = self.reconciler {
            reconciler.stop();
        }
    }
}

/// Says which announced drawings cannot be sealed.
fn report_unreadable_secrets(store: &PgStore, state: &AppState) -> anyhow::Result<()> {
    let unreadable = usecases::drawings::unreadable_secrets(store, state.drawing_tools())
        .context("cannot read the announced drawings")?;
    for (drawing, landing_page) in unreadable {
        tracing::error!(
            %landing_page, %drawing,
            "SECRET_KEY: the seed of an announced drawing was sealed with another key; add that key to SECRET_KEY_PREVIOUS (or to DRAWING_SEED_KEY if it was set there)"
        );
    }
    Ok(())
}

/// The beacon that decides new drawings, if there is one.
fn beacon(config: &Config) -> anyhow::Result<Option<Arc<dyn Beacon>>> {
    let Some(chain) = config.drawings.chain.clone() else {
        tracing::info!("DRAWING_BEACON: off, so the operator could know the winners of new drawings");
        return Ok(None);
    };
    let beacon = DrandBeacon::new(chain, beacon_drand::Timeouts::default()).context("DRAWING_BEACON")?;
    Ok(Some(Arc::new(beacon)))
}

fn dispatch_tools(config: &Config, state: &AppState) -> anyhow::Result<SendingTools> {
    let api_base = config.twilio_api_base.parse().context("TWILIO_API_BASE")?;
    Ok(SendingTools {
        clock: state.clock.clone(),
        sender: Arc::new(TwilioSms::new(api_base, sms_twilio::Timeouts::default())?),
        sealer: state.sms.sealer.clone(),
        body_sealer: Arc::new(config.keys.sealer::<sms::SealedText, _>(OsEntropy)),
        entropy: state.entropy.clone(),
        environment: config.twilio.clone(),
        rules: state.sms.rules.clone(),
        max_per_second: config.sms.max_per_second,
    })
}

fn start_pusher(
    config: &Config,
    store: &PgStore,
    state: &AppState,
    stopping: watch::Receiver<bool>,
) -> anyhow::Result<Option<Pusher>> {
    let Some(vapid) = config.push.clone() else {
        tracing::info!("VAPID_PUBLIC_KEY: not set, so no browser is told when a raffle is drawn");
        return Ok(None);
    };
    let service = WebPush::new(vapid, push_web::Timeouts::default(), state.clock.clone())?;
    Pusher::start(store.clone(), Arc::new(service), stopping).map(Some)
}
