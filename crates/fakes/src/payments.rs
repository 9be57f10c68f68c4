use async_trait::async_trait;
use chrono::{DateTime, Utc};
use kernel::Money;
use pricing::{
    CreatedIntent, EventKind, Intent, IntentId, IntentStatus, NewIntent, Payments, PaymentsError,
    ProviderEvent, WebhookError, Webhooks,
};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A provider of card payments in memory. All clones share its payments.
#[derive(Clone, Default)]
pub struct FakePayments(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    intents: Vec<(NewIntent, Intent)>,
    events: Vec<EventKind>,
    next_failure: Option<Failure>,
}

enum Failure {
    Undone(PaymentsError),
    AnswerLost,
}

impl FakePayments {
    /// The signature that holds.
    pub const SIGNATURE: &str = "signed";

    /// Makes the next call fail with this error, with nothing done.
    pub fn fail_next(&self, error: PaymentsError) {
        self.state().next_failure = Some(Failure::Undone(error));
    }

    /// Makes the next call do what it should, and yet fail, as if the connection broke before its answer.
    pub fn lose_next_answer(&self) {
        self.state().next_failure = Some(Failure::AnswerLost);
    }

    /// The payer pays. Gives the body of the event that tells of it, as all of these do.
    pub fn succeed(&self, id: &IntentId) -> Vec<u8> {
        self.change(id, |intent| {
            intent.status = IntentStatus::Succeeded;
            EventKind::Succeeded(intent.clone())
        })
    }

    /// The payer's card is declined. Another one may be tried.
    pub fn decline(&self, id: &IntentId) -> Vec<u8> {
        self.change(id, |intent| EventKind::Failed(intent.id.clone()))
    }

    /// The payment is given up.
    pub fn cancel(&self, id: &IntentId) -> Vec<u8> {
        self.change(id, |intent| {
            intent.status = IntentStatus::Canceled;
            EventKind::Canceled(intent.id.clone())
        })
    }

    /// The payment is paid back by somebody else, or lost in a dispute.
    pub fn lose(&self, id: &IntentId) -> Vec<u8> {
        self.change(id, |intent| {
            intent.refunded = true;
            EventKind::Refunded(intent.id.clone())
        })
    }

    /// Makes a payment anything else that it can be, without an event.
    pub fn alter(&self, id: &IntentId, change: impl FnOnce(&mut Intent)) {
        let mut state = self.state();
        change(state.intent(id));
    }

    /// The body of an event that tells of this.
    pub fn tell(&self, kind: EventKind) -> Vec<u8> {
        self.state().tell(kind)
    }

    /// The bodies of all events so far, in their order.
    pub fn events(&self) -> Vec<Vec<u8>> {
        (0..self.state().events.len()).map(body).collect()
    }

    /// The payments that were asked for, in their order.
    pub fn intents(&self) -> Vec<Intent> {
        let state = self.state();
        state.intents.iter().map(|(_, intent)| intent.clone()).collect()
    }

    fn change(&self, id: &IntentId, change: impl FnOnce(&mut Intent) -> EventKind) -> Vec<u8> {
        let mut state = self.state();
        let kind = change(state.intent(id));
        state.tell(kind)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn body(number: usize) -> Vec<u8> {
    format!("evt_{number}").into_bytes()
}

fn refused(why: &str) -> PaymentsError {
    PaymentsError::Refused(why.into())
}

impl State {
    #[expect(clippy::expect_used, reason = "a test changes a payment that it asked for")]
    fn intent(&mut self, id: &IntentId) -> &mut Intent {
        let mut intents = self.intents.iter_mut().map(|(_, intent)| intent);
        intents
            .find(|intent| intent.id == *id)
            .expect("a payment that was asked for")
    }

    fn tell(&mut self, kind: EventKind) -> Vec<u8> {
        self.events.push(kind);
        body(self.events.len() - 1)
    }

    /// Does it, or not, as the next call is to go.
    fn answer<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, PaymentsError>,
    ) -> Result<T, PaymentsError> {
        match self.next_failure.take() {
            Some(Failure::Undone(error)) => Err(error),
            Some(Failure::AnswerLost) => {
                work(self)?;
                Err(PaymentsError::Unavailable("the answer was lost".into()))
            }
            None => work(self),
        }
    }

    fn create(&mut self, new: &NewIntent) -> Result<CreatedIntent, PaymentsError> {
        let mut earlier = self.intents.iter();
        if let Some((asked, intent)) = earlier.find(|(asked, _)| asked.purchase == new.purchase) {
            return match asked == new {
                true => Ok(created(&intent.id)),
                false => Err(refused("the key was used for another payment")),
            };
        }
        let id = IntentId::parse(&format!("pi_{}", new.purchase)).ok_or_else(|| refused("no name"))?;
        let intent = Intent {
            id: id.clone(),
            status: IntentStatus::Open,
            amount: new.amount.cents(),
            currency: Money::CURRENCY.to_owned(),
            purchase: Some(new.purchase),
            entrant: Some(new.entrant),
            package: Some(new.package),
            refunded: false,
        };
        self.intents.push((new.clone(), intent));
        Ok(created(&id))
    }

    fn refund(&mut self, id: &IntentId) -> Result<(), PaymentsError> {
        let mut intents = self.intents.iter_mut().map(|(_, intent)| intent);
        let paid =
            intents.find(|intent| intent.id == *id && matches!(intent.status, IntentStatus::Succeeded));
        let intent = paid.ok_or_else(|| refused("it was not paid"))?;
        if !intent.refunded {
            intent.refunded = true;
            self.tell(EventKind::Refunded(id.clone()));
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
    async fn create_intent(&self, new: &NewIntent) -> Result<CreatedIntent, PaymentsError> {
        self.state().answer(|state| state.create(new))
    }

    async fn retrieve_intent(&self, id: &IntentId) -> Result<Option<Intent>, PaymentsError> {
        self.state().answer(|state| {
            let mut intents = state.intents.iter().map(|(_, intent)| intent);
            Ok(intents.find(|intent| intent.id == *id).cloned())
        })
    }

    async fn refund(&self, id: &IntentId) -> Result<(), PaymentsError> {
        self.state().answer(|state| state.refund(id))
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
    use kernel::EntrantId;
    use pricing::{PackageId, PurchaseId};
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    /// The fake never waits.
    fn now<T>(future: impl Future<Output = T>) -> T {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(value) => value,
            Poll::Pending => unreachable!("the fake never waits"),
        }
    }

    fn new_intent(purchase: i64, cents: i64) -> NewIntent {
        NewIntent {
            purchase: PurchaseId::new(purchase),
            entrant: EntrantId::new(1),
            package: PackageId::new(2),
            amount: Money::from_cents(cents).unwrap(),
        }
    }

    fn read(payments: &FakePayments, body: &[u8]) -> Result<ProviderEvent, WebhookError> {
        payments.read_event(body, FakePayments::SIGNATURE, DateTime::UNIX_EPOCH)
    }

    #[test]
    fn a_purchase_is_one_payment_however_often_it_is_asked_for() {
        let payments = FakePayments::default();
        payments.lose_next_answer();
        assert!(now(payments.create_intent(&new_intent(1, 500))).is_err());
        let created = now(payments.create_intent(&new_intent(1, 500))).unwrap();
        assert_eq!(now(payments.create_intent(&new_intent(1, 500))).unwrap(), created);
        assert!(matches!(
            now(payments.create_intent(&new_intent(1, 501))),
            Err(PaymentsError::Refused(_))
        ));
        assert_ne!(
            now(payments.create_intent(&new_intent(2, 500))).unwrap().id,
            created.id
        );
        assert_eq!(payments.intents().len(), 2);
    }

    #[test]
    fn a_failure_does_nothing_and_only_once() {
        let payments = FakePayments::default();
        payments.fail_next(PaymentsError::Unavailable("away".into()));
        assert!(now(payments.create_intent(&new_intent(1, 500))).is_err());
        assert_eq!(payments.intents(), []);
        assert!(now(payments.create_intent(&new_intent(1, 500))).is_ok());
    }

    #[test]
    fn a_payment_goes_on_and_its_events_tell_of_it() {
        let payments = FakePayments::default();
        let id = now(payments.create_intent(&new_intent(1, 500))).unwrap().id;
        assert!(now(payments.refund(&id)).is_err());
        let declined = payments.decline(&id);
        let paid = payments.succeed(&id);
        now(payments.refund(&id)).unwrap();
        now(payments.refund(&id)).unwrap();
        let intent = now(payments.retrieve_intent(&id)).unwrap().unwrap();
        assert_eq!((intent.status, intent.refunded), (IntentStatus::Succeeded, true));
        let events = payments.events();
        assert_eq!(events[..2], [declined.clone(), paid]);
        assert_eq!(events.len(), 3);
        assert_eq!(
            read(&payments, &declined).unwrap().kind,
            EventKind::Failed(id.clone())
        );
        assert_eq!(read(&payments, &events[2]).unwrap().kind, EventKind::Refunded(id));
        assert_eq!(read(&payments, b"evt_9"), Err(WebhookError::Malformed));
        let forged = payments.read_event(&declined, "forged", DateTime::UNIX_EPOCH);
        assert_eq!(forged, Err(WebhookError::Signature));
        let unknown = IntentId::parse("pi_9").unwrap();
        assert_eq!(now(payments.retrieve_intent(&unknown)).unwrap(), None);
    }
}
