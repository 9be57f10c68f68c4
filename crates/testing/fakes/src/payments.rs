use async_trait::async_trait;
use chrono::{DateTime, Utc};
use kernel::{EntrantId, Money};
use pricing::{
    CreatedIntent, CustomerId, DisputeId, DisputeStatus, EventKind, Intent, IntentId, IntentStatus,
    NewIntent, Payments, PaymentsError, ProviderEvent, Reversal, WebhookError, Webhooks,
};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A payment provider in memory. Clones share its payments.
#[derive(Clone, Default)]
pub struct FakePayments(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    intents: Vec<(NewIntent, Intent)>,
    events: Vec<EventKind>,
    next_failure: Option<Failure>,
    retrievals: usize,
    customers: Vec<EntrantId>,
}

enum Failure {
    BeforeCall(PaymentsError),
    ResponseLost,
}

impl FakePayments {
    /// The only valid signature of an event.
    pub const SIGNATURE: &str = "signed";

    /// Makes the next call fail with this error and do nothing.
    pub fn fail_next(&self, error: PaymentsError) {
        self.state().next_failure = Some(Failure::BeforeCall(error));
    }

    /// Makes the next call succeed at the provider but return an error, as if its response was lost.
    pub fn lose_next_answer(&self) {
        self.state().next_failure = Some(Failure::ResponseLost);
    }

    /// The payment succeeds. Returns the body of the webhook event.
    pub fn succeed(&self, id: &IntentId) -> Vec<u8> {
        self.change(id, |intent| {
            intent.status = IntentStatus::Succeeded;
            EventKind::Succeeded(intent.clone())
        })
    }

    /// The card is declined; the payment stays open. Returns the body of the webhook event.
    pub fn decline(&self, id: &IntentId) -> Vec<u8> {
        self.change(id, |intent| EventKind::Failed(intent.id.clone()))
    }

    /// The payment is canceled. Returns the body of the webhook event.
    pub fn cancel(&self, id: &IntentId) -> Vec<u8> {
        self.change(id, |intent| {
            intent.status = IntentStatus::Canceled;
            EventKind::Canceled(intent.id.clone())
        })
    }

    /// The payment is refunded in full outside of Tombola. Returns the body of the webhook event.
    pub fn lose(&self, id: &IntentId) -> Vec<u8> {
        self.refund_part(id, i64::MAX)
    }

    /// An amount, in cents, is refunded outside of Tombola, but no more than is left. Returns the body of the webhook
    /// event.
    pub fn refund_part(&self, id: &IntentId, amount: i64) -> Vec<u8> {
        self.change(id, |intent| {
            intent.refunded = intent.refunded.saturating_add(amount).min(intent.amount);
            EventKind::Reversed(intent.id.clone(), Reversal::Refunded(intent.refunded))
        })
    }

    /// A dispute over the payment gets this status. Returns the body of the webhook event.
    pub fn dispute(&self, id: &IntentId, dispute: &DisputeId, status: DisputeStatus) -> Vec<u8> {
        let reversal = Reversal::Dispute(dispute.clone(), status);
        self.change(id, |intent| EventKind::Reversed(intent.id.clone(), reversal))
    }

    /// Changes a payment without an event.
    pub fn alter(&self, id: &IntentId, change: impl FnOnce(&mut Intent)) {
        let mut state = self.state();
        change(state.intent(id));
    }

    /// The bodies of all events so far, oldest first.
    pub fn events(&self) -> Vec<Vec<u8>> {
        (0..self.state().events.len()).map(body).collect()
    }

    /// The payments that were created, oldest first.
    pub fn intents(&self) -> Vec<Intent> {
        let state = self.state();
        state.intents.iter().map(|(_, intent)| intent.clone()).collect()
    }

    /// How often a payment was retrieved so far.
    pub fn retrievals(&self) -> usize {
        self.state().retrievals
    }

    /// The entrants for whom a customer was created, in order.
    pub fn customers(&self) -> Vec<EntrantId> {
        self.state().customers.clone()
    }

    /// The requests that created the payments, oldest first.
    pub fn requests(&self) -> Vec<NewIntent> {
        let state = self.state();
        state.intents.iter().map(|(new, _)| new.clone()).collect()
    }

    fn change(&self, id: &IntentId, change: impl FnOnce(&mut Intent) -> EventKind) -> Vec<u8> {
        let mut state = self.state();
        let kind = change(state.intent(id));
        state.add_event(kind)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn body(number: usize) -> Vec<u8> {
    format!("evt_{number}").into_bytes()
}

fn refused(cause: &str) -> PaymentsError {
    PaymentsError::Refused(cause.into())
}

impl State {
    #[expect(clippy::expect_used, reason = "a test changes only payments that it created")]
    fn intent(&mut self, id: &IntentId) -> &mut Intent {
        let mut intents = self.intents.iter_mut().map(|(_, intent)| intent);
        intents
            .find(|intent| intent.id == *id)
            .expect("a payment that was created")
    }

    fn find(&self, id: &IntentId) -> Option<&Intent> {
        let mut intents = self.intents.iter().map(|(_, intent)| intent);
        intents.find(|intent| intent.id == *id)
    }

    fn add_event(&mut self, kind: EventKind) -> Vec<u8> {
        self.events.push(kind);
        body(self.events.len() - 1)
    }

    /// Runs one call, or makes it fail as configured.
    fn call<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, PaymentsError>,
    ) -> Result<T, PaymentsError> {
        match self.next_failure.take() {
            Some(Failure::BeforeCall(error)) => Err(error),
            Some(Failure::ResponseLost) => {
                work(self)?;
                Err(PaymentsError::Unavailable("the response was lost".into()))
            }
            None => work(self),
        }
    }

    fn create(&mut self, new: &NewIntent) -> Result<CreatedIntent, PaymentsError> {
        let mut intents = self.intents.iter();
        if let Some((earlier, intent)) = intents.find(|(earlier, _)| earlier.purchase == new.purchase) {
            return match earlier == new {
                true => Ok(created(&intent.id)),
                false => Err(refused("the key was used for another payment")),
            };
        }
        let id = IntentId::parse(&format!("pi_{}", new.purchase)).ok_or_else(|| refused("invalid id"))?;
        let intent = Intent {
            id: id.clone(),
            status: IntentStatus::Open,
            amount: new.amount.cents(),
            currency: Money::CURRENCY.to_owned(),
            purchase: Some(new.purchase),
            entrant: Some(new.entrant),
            package: Some(new.package),
            refunded: 0,
        };
        self.intents.push((new.clone(), intent));
        Ok(created(&id))
    }

    fn refund(&mut self, id: &IntentId) -> Result<(), PaymentsError> {
        let mut intents = self.intents.iter_mut().map(|(_, intent)| intent);
        let paid =
            intents.find(|intent| intent.id == *id && matches!(intent.status, IntentStatus::Succeeded));
        let intent = paid.ok_or_else(|| refused("the payment has not succeeded"))?;
        if !intent.is_refunded() {
            intent.refunded = intent.amount;
            let reversal = Reversal::Refunded(intent.amount);
            self.add_event(EventKind::Reversed(id.clone(), reversal));
        }
        Ok(())
    }
}

fn created(id: &IntentId) -> CreatedIntent {
    CreatedIntent {
        id: id.clone(),
        client_secret: format!("{id}_secret"),
    }
}

#[async_trait]
impl Payments for FakePayments {
    async fn create_customer(&self, entrant: EntrantId) -> Result<CustomerId, PaymentsError> {
        self.state().call(|state| {
            if !state.customers.contains(&entrant) {
                state.customers.push(entrant);
            }
            CustomerId::parse(&format!("cus_{entrant}")).ok_or_else(|| refused("invalid id"))
        })
    }

    async fn create_intent(&self, new: &NewIntent) -> Result<CreatedIntent, PaymentsError> {
        self.state().call(|state| state.create(new))
    }

    async fn retrieve_intent(&self, id: &IntentId) -> Result<Option<Intent>, PaymentsError> {
        self.state().call(|state| {
            state.retrievals += 1;
            Ok(state.find(id).cloned())
        })
    }

    async fn receipt(&self, id: &IntentId) -> Result<Option<String>, PaymentsError> {
        self.state().call(|state| {
            let paid = state
                .find(id)
                .filter(|intent| intent.status == IntentStatus::Succeeded);
            Ok(paid.map(|intent| format!("https://pay.stripe.com/receipts/{}", intent.id)))
        })
    }

    async fn cancel_intent(&self, id: &IntentId) -> Result<Option<Intent>, PaymentsError> {
        self.state().call(|state| {
            let open = state
                .find(id)
                .filter(|intent| intent.status == IntentStatus::Open);
            if open.is_some() {
                let intent = state.intent(id);
                intent.status = IntentStatus::Canceled;
                state.add_event(EventKind::Canceled(id.clone()));
            }
            Ok(state.find(id).cloned())
        })
    }

    async fn refund(&self, id: &IntentId) -> Result<(), PaymentsError> {
        self.state().call(|state| state.refund(id))
    }
}

impl Webhooks for FakePayments {
    fn read_event(
        &self,
        body: &[u8],
        signature: &str,
        _: DateTime<Utc>,
    ) -> Result<ProviderEvent, WebhookError> {
        if signature != Self::SIGNATURE {
            return Err(WebhookError::Signature);
        }
        let state = self.state();
        let event = std::str::from_utf8(body).ok().and_then(|id| {
            let number: usize = id.strip_prefix("evt_")?.parse().ok()?;
            let kind = state.events.get(number)?.clone();
            Some(ProviderEvent {
                id: id.to_owned(),
                kind,
            })
        });
        event.ok_or(WebhookError::Malformed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poll_once;
    use pricing::{PackageId, PurchaseId};

    fn new_intent(purchase: i64, cents: i64) -> NewIntent {
        NewIntent {
            purchase: PurchaseId::new(purchase),
            entrant: EntrantId::new(1),
            package: PackageId::new(2),
            amount: Money::from_cents(cents).unwrap(),
            customer: None,
        }
    }

    fn read(payments: &FakePayments, body: &[u8]) -> Result<ProviderEvent, WebhookError> {
        payments.read_event(body, FakePayments::SIGNATURE, DateTime::UNIX_EPOCH)
    }

    #[test]
    fn creating_a_payment_again_returns_the_first_one() {
        let payments = FakePayments::default();
        payments.lose_next_answer();
        assert!(poll_once(payments.create_intent(&new_intent(1, 500))).is_err());
        let created = poll_once(payments.create_intent(&new_intent(1, 500))).unwrap();
        assert_eq!(
            poll_once(payments.create_intent(&new_intent(1, 500))).unwrap(),
            created
        );
        assert!(matches!(
            poll_once(payments.create_intent(&new_intent(1, 501))),
            Err(PaymentsError::Refused(_))
        ));
        assert_ne!(
            poll_once(payments.create_intent(&new_intent(2, 500))).unwrap().id,
            created.id
        );
        assert_eq!(payments.intents().len(), 2);
    }

    #[test]
    fn only_the_next_call_fails_and_it_does_nothing() {
        let payments = FakePayments::default();
        payments.fail_next(PaymentsError::Unavailable("away".into()));
        assert!(poll_once(payments.create_intent(&new_intent(1, 500))).is_err());
        assert_eq!(payments.intents(), []);
        assert!(poll_once(payments.create_intent(&new_intent(1, 500))).is_ok());
    }

    #[test]
    fn each_change_of_a_payment_has_an_event() {
        let payments = FakePayments::default();
        let id = poll_once(payments.create_intent(&new_intent(1, 500))).unwrap().id;
        assert!(poll_once(payments.refund(&id)).is_err());
        let declined = payments.decline(&id);
        let paid = payments.succeed(&id);
        poll_once(payments.refund(&id)).unwrap();
        poll_once(payments.refund(&id)).unwrap();
        let intent = poll_once(payments.retrieve_intent(&id)).unwrap().unwrap();
        assert_eq!((intent.status, intent.refunded), (IntentStatus::Succeeded, 500));
        let events = payments.events();
        assert_eq!(events[..2], [declined.clone(), paid]);
        assert_eq!(events.len(), 3);
        assert_eq!(
            read(&payments, &declined).unwrap().kind,
            EventKind::Failed(id.clone())
        );
        assert_eq!(
            read(&payments, &events[2]).unwrap().kind,
            EventKind::Reversed(id, Reversal::Refunded(500))
        );
        assert_eq!(read(&payments, b"evt_9"), Err(WebhookError::Malformed));
        let forged = payments.read_event(&declined, "forged", DateTime::UNIX_EPOCH);
        assert_eq!(forged, Err(WebhookError::Signature));
        let unknown = IntentId::parse("pi_9").unwrap();
        assert_eq!(poll_once(payments.retrieve_intent(&unknown)).unwrap(), None);
    }
}
