//! What every gateway to a payment provider must do. The fake and the Stripe adapter run the same functions.

use kernel::{EntrantId, Money};
use pricing::{Intent, IntentId, IntentStatus, NewIntent, PackageId, Payments, PaymentsError, PurchaseId};

/// A gateway, and what customers and staff do at its provider.
#[expect(async_fn_in_trait, reason = "tests run it on one thread")]
pub trait PaymentsProvider: Sized {
    /// The gateway under test.
    fn payments(&self) -> &dyn Payments;
    /// The customer pays.
    async fn pay(&self, intent: &IntentId);
    /// The customer tries a card that is declined.
    async fn decline(&self, intent: &IntentId);
    /// Staff cancel the payment in the provider's dashboard.
    async fn cancel(&self, intent: &IntentId);
    /// Ends the test.
    async fn finish(self) {}
}

/// Makes a test of every behavior. The expression is a future of a provider without payments.
#[macro_export]
macro_rules! payments_contract {
    ($provider:expr) => {
        $crate::payments_contract!(@ $provider,
            a_purchase_has_one_payment_however_often_it_is_created
            another_amount_for_the_same_purchase_is_refused
            a_payment_has_what_it_was_created_with
            a_payment_stays_open_after_a_declined_card
            a_canceled_payment_is_canceled
            only_a_paid_payment_can_be_refunded
            a_second_refund_changes_nothing
            an_unknown_payment_is_not_found
            an_open_payment_can_be_canceled_and_a_paid_one_cannot
            an_entrant_has_one_customer_however_often_it_is_created
            a_payment_can_have_a_customer
            a_paid_payment_has_a_receipt
        );
    };
    (@ $provider:expr, $($behavior:ident)+) => {
        $(
            #[tokio::test]
            async fn $behavior() {
                let provider = $provider.await;
                $crate::payments::$behavior(&provider).await;
                $crate::payments::PaymentsProvider::finish(provider).await;
            }
        )+
    };
}

fn new_intent(purchase: i64, cents: i64) -> NewIntent {
    NewIntent {
        purchase: PurchaseId::new(purchase),
        entrant: EntrantId::new(7),
        package: PackageId::new(3),
        amount: Money::from_cents(cents).unwrap(),
        customer: None,
    }
}

async fn created(provider: &impl PaymentsProvider) -> IntentId {
    let created = provider.payments().create_intent(&new_intent(1, 500)).await;
    created.unwrap().id
}

async fn found(provider: &impl PaymentsProvider, id: &IntentId) -> Intent {
    provider.payments().retrieve_intent(id).await.unwrap().unwrap()
}

pub async fn a_purchase_has_one_payment_however_often_it_is_created(provider: &impl PaymentsProvider) {
    let payments = provider.payments();
    let first = payments.create_intent(&new_intent(1, 500)).await.unwrap();
    for _ in 0..3 {
        assert_eq!(payments.create_intent(&new_intent(1, 500)).await.unwrap(), first);
    }
    let other = payments.create_intent(&new_intent(2, 500)).await.unwrap();
    assert_ne!(other.id, first.id);
}

pub async fn another_amount_for_the_same_purchase_is_refused(provider: &impl PaymentsProvider) {
    let id = created(provider).await;
    let refused = provider.payments().create_intent(&new_intent(1, 600)).await;
    assert!(matches!(refused, Err(PaymentsError::Refused(_))), "{refused:?}");
    assert_eq!(found(provider, &id).await.amount, 500);
}

pub async fn a_payment_has_what_it_was_created_with(provider: &impl PaymentsProvider) {
    let id = created(provider).await;
    let expected = Intent {
        id: id.clone(),
        status: IntentStatus::Open,
        amount: 500,
        currency: Money::CURRENCY.to_owned(),
        purchase: Some(PurchaseId::new(1)),
        entrant: Some(EntrantId::new(7)),
        package: Some(PackageId::new(3)),
        refunded: 0,
    };
    assert_eq!(found(provider, &id).await, expected);
    provider.pay(&id).await;
    let paid = Intent {
        status: IntentStatus::Succeeded,
        ..expected
    };
    assert_eq!(found(provider, &id).await, paid);
}

pub async fn a_paid_payment_has_a_receipt(provider: &impl PaymentsProvider) {
    let payments = provider.payments();
    let id = created(provider).await;
    assert_eq!(payments.receipt(&id).await.unwrap(), None);
    provider.pay(&id).await;
    let receipt = payments.receipt(&id).await.unwrap().unwrap();
    assert!(receipt.starts_with("http"), "{receipt}");
    let unknown = IntentId::parse("pi_0").unwrap();
    assert_eq!(payments.receipt(&unknown).await.unwrap(), None);
}

pub async fn a_payment_stays_open_after_a_declined_card(provider: &impl PaymentsProvider) {
    let id = created(provider).await;
    provider.decline(&id).await;
    assert_eq!(found(provider, &id).await.status, IntentStatus::Open);
    provider.pay(&id).await;
    assert_eq!(found(provider, &id).await.status, IntentStatus::Succeeded);
}

pub async fn a_canceled_payment_is_canceled(provider: &impl PaymentsProvider) {
    let id = created(provider).await;
    provider.cancel(&id).await;
    assert_eq!(found(provider, &id).await.status, IntentStatus::Canceled);
}

pub async fn only_a_paid_payment_can_be_refunded(provider: &impl PaymentsProvider) {
    let id = created(provider).await;
    let refused = provider.payments().refund(&id).await;
    assert!(matches!(refused, Err(PaymentsError::Refused(_))), "{refused:?}");
    assert_eq!(found(provider, &id).await.refunded, 0);
}

pub async fn a_second_refund_changes_nothing(provider: &impl PaymentsProvider) {
    let id = created(provider).await;
    provider.pay(&id).await;
    for _ in 0..2 {
        provider.payments().refund(&id).await.unwrap();
        let intent = found(provider, &id).await;
        assert_eq!((intent.status, intent.refunded), (IntentStatus::Succeeded, 500));
    }
}

pub async fn an_unknown_payment_is_not_found(provider: &impl PaymentsProvider) {
    let unknown = IntentId::parse("pi_0").unwrap();
    assert_eq!(provider.payments().retrieve_intent(&unknown).await.unwrap(), None);
    let refused = provider.payments().refund(&unknown).await;
    assert!(matches!(refused, Err(PaymentsError::Refused(_))), "{refused:?}");
}

pub async fn an_open_payment_can_be_canceled_and_a_paid_one_cannot(provider: &impl PaymentsProvider) {
    let payments = provider.payments();
    let id = created(provider).await;
    for _ in 0..2 {
        let canceled = payments.cancel_intent(&id).await.unwrap().unwrap();
        assert_eq!((&canceled.id, canceled.status), (&id, IntentStatus::Canceled));
    }
    let paid = payments.create_intent(&new_intent(2, 500)).await.unwrap().id;
    provider.pay(&paid).await;
    let kept = payments.cancel_intent(&paid).await.unwrap().unwrap();
    assert_eq!(kept.status, IntentStatus::Succeeded);
    let unknown = IntentId::parse("pi_0").unwrap();
    assert_eq!(payments.cancel_intent(&unknown).await.unwrap(), None);
}

pub async fn an_entrant_has_one_customer_however_often_it_is_created(provider: &impl PaymentsProvider) {
    let payments = provider.payments();
    let first = payments.create_customer(EntrantId::new(7)).await.unwrap();
    for _ in 0..3 {
        assert_eq!(payments.create_customer(EntrantId::new(7)).await.unwrap(), first);
    }
    assert_ne!(payments.create_customer(EntrantId::new(8)).await.unwrap(), first);
}

pub async fn a_payment_can_have_a_customer(provider: &impl PaymentsProvider) {
    let payments = provider.payments();
    let customer = payments.create_customer(EntrantId::new(7)).await.unwrap();
    let new = NewIntent {
        customer: Some(customer),
        ..new_intent(1, 500)
    };
    let first = payments.create_intent(&new).await.unwrap();
    assert_eq!(payments.create_intent(&new).await.unwrap(), first);
    provider.pay(&first.id).await;
    assert_eq!(found(provider, &first.id).await.status, IntentStatus::Succeeded);
}
