//! What a server does in the background, beside answering requests.

use crate::OsEntropy;
use crate::config::Config;
use crate::drawer::Drawer;
use crate::pools::Stores;
use crate::reconciler::Reconciler;
use crate::sender::{SendingThread, TokioRunner};
use crate::worker::Worker;
use crate::{claimer, cleaner, clearer, folder, publisher, write_probe};
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
    _probe: Worker,
    repeating: [Worker; 5],
    reconciler: Option<Reconciler>,
    drawer: Drawer,
    pusher: Option<SendingThread>,
    dispatcher: SendingThread,
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
            _probe: write_probe::start(stores.probe.clone(), state.readiness.clone()).context(thread)?,
            repeating: [
                folder::start(store.clone(), config.time_zone).context(thread)?,
                cleaner::start(store.clone(), config.retention).context(thread)?,
                clearer::start(store.clone()).context(thread)?,
                claimer::start(store.clone(), state.clone()).context(thread)?,
                publisher::start(store.clone()).context(thread)?,
            ],
            pusher: start_pusher(config, store, state, stopping.clone())?,
            dispatcher: start_dispatcher(config, store, state, stopping.clone())?,
        })
    }

    /// Lets each of them finish what it does.
    pub(crate) fn stop(self) {
        self.dispatcher.join();
        if let Some(pusher) = self.pusher {
            pusher.join();
        }
        for worker in self.repeating {
            worker.stop();
        }
        self.drawer.stop();
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

/// Each server has one; one of them sends texts at a time, and the others stand by.
fn start_dispatcher(
    config: &Config,
    store: &PgStore,
    state: &AppState,
    stopping: watch::Receiver<bool>,
) -> anyhow::Result<SendingThread> {
    let (store, tools) = (store.clone(), dispatch_tools(config, state)?);
    // One thread for each loop of the sender, so that the lease is renewed whatever the others wait for.
    SendingThread::start("dispatcher", 6, move || {
        usecases::send_messages::run(store, TokioRunner, tools, stopping)
    })
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

/// Each server has one, and they share the work of sending push messages.
fn start_pusher(
    config: &Config,
    store: &PgStore,
    state: &AppState,
    stopping: watch::Receiver<bool>,
) -> anyhow::Result<Option<SendingThread>> {
    let Some(vapid) = config.push.clone() else {
        tracing::info!("VAPID_PUBLIC_KEY: not set, so no browser is told when a raffle is drawn");
        return Ok(None);
    };
    let service = WebPush::new(vapid, push_web::Timeouts::default(), state.clock.clone())?;
    let (store, service) = (store.clone(), Arc::new(service));
    let sender = SendingThread::start("pusher", 1, move || {
        usecases::push::run(store, TokioRunner, service, stopping)
    });
    sender.map(Some)
}
