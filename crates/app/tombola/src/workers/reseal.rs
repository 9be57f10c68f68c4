//! A background thread that encrypts secrets again with the newest keys, and says which earlier keys are still needed (D74).

use crate::OsEntropy;
use crate::keys::SecretKeys;
use crate::sealing::{KeyNames, NAME_BYTES, SealedWith};
use crate::worker::{Priority, Worker};
use actix_web::web::Data;
use kernel::{StoreError, UnitOfWork};
use std::time::Duration;
use store_postgres::{PgStore, Sealed};
use strum::IntoEnumIterator;
use usecases::reseal;
use web::AppState;

/// How often it looks. Keys change with a restart only, but another server may have older ones for a while.
const INTERVAL: Duration = Duration::from_secs(86_400);
/// How long it waits after an error.
const RETRY: Duration = Duration::from_secs(60);

/// Starts the thread. Every server has one; what two of them encrypt again at once can be opened by both.
pub(crate) fn start(keys: &SecretKeys, store: PgStore, state: Data<AppState>) -> anyhow::Result<Worker> {
    let names: Vec<_> = Sealed::iter().map(|kind| (kind, key_names(keys, kind))).collect();
    Worker::every("reseal", Priority::Idle, Duration::ZERO, move |_| {
        match work(&store, &state, &names) {
            Ok(()) => INTERVAL,
            Err(error) => {
                tracing::warn!(%error, "cannot look which keys the stored secrets need");
                RETRY
            }
        }
    })
}

fn key_names(keys: &SecretKeys, kind: Sealed) -> KeyNames {
    match kind {
        Sealed::SecondFactors => keys.sealer::<staff::TotpSecret, _>(OsEntropy).key_names(),
        Sealed::SmsAccount | Sealed::ProposedSmsAccounts => {
            keys.sealer::<sms::Credentials, _>(OsEntropy).key_names()
        }
        Sealed::ClaimDetails => keys.sealer::<claims::ClaimSecrets, _>(OsEntropy).key_names(),
        Sealed::DrawingSecrets => keys.sealer::<drawing::Secrets, _>(OsEntropy).key_names(),
        Sealed::Texts => keys.sealer::<sms::SealedText, _>(OsEntropy).key_names(),
    }
}

/// How many secrets of a kind were not encrypted with the newest key.
struct Left {
    kind: Sealed,
    with: SealedWith,
    count: i64,
}

fn work(store: &PgStore, state: &AppState, names: &[(Sealed, KeyNames)]) -> Result<(), StoreError> {
    let mut left = look(store, names)?;
    if left.iter().any(|left| left.with == SealedWith::Earlier) {
        reseal::all(
            store,
            &state.staff_tools(),
            state.claim_tools(),
            &*state.sms.sealer,
        )?;
        left = look(store, names)?;
    }
    left.iter().for_each(report);
    Ok(())
}

fn look(store: &PgStore, names: &[(Sealed, KeyNames)]) -> Result<Vec<Left>, StoreError> {
    let mut left = Vec::new();
    for (kind, names) in names {
        let counts = store.read(|tx| tx.count_sealed(*kind, NAME_BYTES))?;
        let found = counts.into_iter().map(|counted| Left {
            kind: *kind,
            with: names.sealed_with(&counted.key),
            count: counted.count,
        });
        left.extend(found.filter(|left| left.with != SealedWith::Newest));
    }
    Ok(left)
}

fn report(left: &Left) {
    let (table, column) = left.kind.column();
    let count = left.count;
    match left.with {
        SealedWith::Newest => {}
        SealedWith::Earlier => {
            tracing::warn!(
                count,
                table,
                column,
                "secrets still need an earlier key; keep it in the settings"
            );
        }
        SealedWith::Unknown => {
            tracing::error!(
                count,
                table,
                column,
                "secrets cannot be decrypted: their key is not in the settings"
            );
        }
    }
}
