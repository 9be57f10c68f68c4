//! Random histories of campaigns.

use super::{begun, click, end, exported, figures, link, list_of, listed, opt_out, report, take};
use crate::Store;
use crate::messages::{at, claimed, lease, provider_message, record, record_report, refusal};
use crate::support::{noon, phone};
use kernel::{PageRequest, Phone, StoreError};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use sms::{
    CampaignFigures, CampaignFilter, CampaignId, Campaigns, DeliveryReport, Dispatching, ExportedMessage,
    Fence, MessageId, MessageStatus, OptOuts, ProviderStatus,
};
use std::cell::RefCell;

/// An event in a history. Indexes count from the campaign's first message.
#[derive(Debug, Clone)]
enum Act {
    Take(u32),
    Record {
        message: usize,
        attempt: u32,
        outcome: Outcome,
    },
    Report {
        message: usize,
        status: ProviderStatus,
        another: bool,
    },
    Claim(u32),
    Release {
        message: usize,
        attempt: u32,
    },
    TakeOver,
    LookUp,
    OptOut(u32),
    OptIn(u32),
    Click {
        message: usize,
        cta: bool,
    },
}

#[derive(Debug, Clone, Copy)]
enum Outcome {
    NotSent,
    MaybeSent,
    OptedOut,
    Refused,
    Has(ProviderStatus),
}

impl Outcome {
    fn to_report(self, message: MessageId) -> DeliveryReport {
        match self {
            Self::NotSent => DeliveryReport::NotSent { retry_at: noon() },
            Self::MaybeSent => DeliveryReport::Uncertain { look_up_at: noon() },
            Self::OptedOut => DeliveryReport::OptedOut,
            Self::Refused => DeliveryReport::Refused(refusal()),
            Self::Has(status) => {
                DeliveryReport::AtProvider(provider_message(u32::try_from(message.get()).unwrap(), status))
            }
        }
    }
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let provider = prop::sample::select(vec![
        ProviderStatus::Accepted,
        ProviderStatus::Delivered,
        ProviderStatus::Undelivered,
        ProviderStatus::Failed,
    ]);
    let outcome = prop_oneof![
        2 => Just(Outcome::NotSent),
        2 => Just(Outcome::MaybeSent),
        1 => Just(Outcome::OptedOut),
        1 => Just(Outcome::Refused),
        3 => provider.clone().prop_map(Outcome::Has),
    ];
    let (message, attempt) = (0..8usize, 1..4u32);
    let act = prop_oneof![
        3 => (0..4u32).prop_map(Act::Take),
        6 => (message.clone(), attempt.clone(), outcome)
            .prop_map(|(message, attempt, outcome)| Act::Record { message, attempt, outcome }),
        3 => (message.clone(), provider, any::<bool>())
            .prop_map(|(message, status, another)| Act::Report { message, status, another }),
        3 => (0..4u32).prop_map(Act::Claim),
        1 => (message.clone(), attempt).prop_map(|(message, attempt)| Act::Release { message, attempt }),
        1 => Just(Act::TakeOver),
        1 => Just(Act::LookUp),
        1 => (0..8u32).prop_map(Act::OptOut),
        1 => (0..8u32).prop_map(Act::OptIn),
        2 => (message, any::<bool>()).prop_map(|(message, cta)| Act::Click { message, cta }),
    ];
    prop::collection::vec(act, 0..60)
}

struct Running {
    id: CampaignId,
    fence: Fence,
    /// Seconds since noon.
    clock: i64,
    messages: Vec<(MessageId, Phone)>,
}

impl Running {
    fn perform<S: Store>(&mut self, store: &S, act: &Act) {
        let message = |n: usize| self.messages.get(n).map(|(id, _)| *id);
        match *act {
            Act::Take(limit) => {
                let taken = take(store, self.fence, self.id, limit);
                let messages = taken.into_iter().map(|(id, to)| (id, to.phone));
                self.messages.extend(messages);
            }
            Act::Record {
                message: n,
                attempt,
                outcome,
            } => {
                if let Some(id) = message(n) {
                    record(store, id, attempt, outcome.to_report(id), self.clock);
                }
            }
            Act::Report {
                message: n,
                status,
                another,
            } => {
                if let Some(id) = message(n) {
                    let name = u32::try_from(id.get()).unwrap() + 1_000_000 * u32::from(another);
                    record_report(store, id, &provider_message(name, status), self.clock);
                }
            }
            Act::Claim(limit) => drop(claimed(store, self.fence, limit, self.clock)),
            Act::Release { message: n, attempt } => {
                if let Some(id) = message(n) {
                    store
                        .transaction(|tx| tx.release_claims(&[(id, attempt)]))
                        .unwrap();
                }
            }
            Act::TakeOver => {
                self.clock += 60;
                self.fence = lease(store, &self.clock.to_string(), self.clock).unwrap();
            }
            Act::LookUp => {
                let take =
                    |tx: &mut S::Tx| tx.claim_uncertain(self.fence, 5, at(self.clock + 10), at(self.clock));
                store.transaction::<_, StoreError>(take).unwrap().unwrap();
            }
            Act::OptOut(n) => opt_out(store, n),
            Act::OptIn(n) => store.transaction(|tx| tx.opt_in(&phone(n), noon())).unwrap(),
            Act::Click { message: n, cta } => {
                if let Some((_, phone)) = self.messages.get(n) {
                    click(store, &link(self.id, phone), cta, self.clock);
                }
            }
        }
    }
}

fn count(messages: &[ExportedMessage], which: impl Fn(&ExportedMessage) -> bool) -> i64 {
    i64::try_from(messages.iter().filter(|message| which(message)).count()).unwrap()
}

fn counted(recipients: i64, messages: &[ExportedMessage]) -> CampaignFigures {
    use MessageStatus::{Delivered, Failed, Sent, Skipped, Undelivered};
    let with = |statuses: &[MessageStatus]| count(messages, |message| statuses.contains(&message.status));
    let failed_later = count(messages, |message| {
        message.status == Failed && message.sent_at.is_some()
    });
    CampaignFigures {
        recipients,
        sent: with(&[Sent, Delivered, Undelivered]) + failed_later,
        delivered: with(&[Delivered]),
        failed: with(&[Failed, Undelivered]),
        skipped: with(&[Skipped]),
        clicked: count(messages, |message| message.clicked_at.is_some()),
        cta_clicked: count(messages, |message| message.cta_clicked_at.is_some()),
    }
}

/// A campaign's figures, report and end are derived from the states of its messages.
pub fn figures_equal_a_recount_of_messages_after_any_history<S: Store>(store: &S) {
    const RECIPIENTS: i64 = 8;
    let config = ProptestConfig {
        cases: 24,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let clock = RefCell::new(0);
    let check = |acts: Vec<Act>| {
        let mut clock = clock.borrow_mut();
        *clock += 100;
        let fence = lease(store, &clock.to_string(), *clock).unwrap();
        let mut running = Running {
            id: begun(store, fence, list_of(0..8)),
            fence,
            clock: *clock,
            messages: Vec::new(),
        };
        for act in &acts {
            running.perform(store, act);
        }
        *clock = running.clock;
        let messages = exported(store, running.id);
        prop_assert_eq!(messages.len(), running.messages.len());
        let figures = figures(store, running.id);
        prop_assert_eq!(figures, counted(RECIPIENTS, &messages));
        let report = report(store, running.id);
        let unknown = count(&messages, |message| message.status == MessageStatus::Unknown);
        let open = count(&messages, |message| message.status.is_open()) + RECIPIENTS
            - i64::try_from(messages.len()).unwrap();
        prop_assert_eq!((report.waiting, report.unknown), (open - unknown, unknown));
        let sum = |counts: Vec<i64>| counts.into_iter().sum::<i64>();
        prop_assert_eq!(
            sum(report.failed.iter().map(|(_, n)| *n).collect()),
            figures.failed
        );
        prop_assert_eq!(
            sum(report.skipped.iter().map(|(_, n)| *n).collect()),
            figures.skipped
        );
        prop_assert_eq!(end(store, *clock).contains(&running.id), open == 0);
        Ok(())
    };
    TestRunner::new(config).run(&acts(), check).unwrap();
    let campaigns = listed(store, &CampaignFilter::default(), PageRequest::default());
    let sum = store.read(|tx| tx.sum_campaigns()).unwrap();
    let total = |of: fn(&CampaignFigures) -> i64| campaigns.iter().map(|one| of(&one.figures)).sum::<i64>();
    assert_eq!(
        (sum.recipients, sum.sent, sum.failed),
        (
            total(|one| one.recipients),
            total(|one| one.sent),
            total(|one| one.failed)
        )
    );
    assert_eq!(
        (sum.delivered, sum.skipped, sum.clicked, sum.cta_clicked),
        (
            total(|one| one.delivered),
            total(|one| one.skipped),
            total(|one| one.clicked),
            total(|one| one.cta_clicked)
        )
    );
}
