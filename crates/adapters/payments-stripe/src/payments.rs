use crate::transport::{StripeConfig, Transport, TransportError};
use async_trait::async_trait;
use kernel::{EntrantId, Entropy};
use pricing::{
    CreatedIntent, CustomerId, Intent, IntentId, IntentStatus, NewIntent, PackageId, Payments, PaymentsError,
    PurchaseId,
};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use stripe_client_core::{IdempotencyKey, RequestStrategy, StripeRequest};
use stripe_core::customer::CreateCustomer;
use stripe_core::payment_intent::{
    CancelPaymentIntent, CreatePaymentIntent, CreatePaymentIntentAutomaticPaymentMethods,
    RetrievePaymentIntent,
};
use stripe_core::refund::CreateRefund;
use stripe_shared::{Charge, PaymentIntent, PaymentIntentStatus};
use stripe_types::Currency;

/// Payments through Stripe.
pub struct StripePayments {
    transport: Transport,
}

impl StripePayments {
    /// Builds the client. Nothing is called yet.
    ///
    /// # Errors
    /// When the key is not a valid header value.
    pub fn new(config: StripeConfig, entropy: Arc<dyn Entropy>) -> Result<Self, PaymentsError> {
        Ok(Self {
            transport: Transport::new(config, entropy)?,
        })
    }

    /// The payment intent with its charge, if there is one.
    async fn retrieve(&self, id: &IntentId) -> Result<Option<PaymentIntent>, PaymentsError> {
        let request = RetrievePaymentIntent::new(id.as_str()).expand(["latest_charge".to_owned()]);
        match request.send(&self.transport).await {
            Ok(intent) => Ok(Some(intent)),
            Err(TransportError::Response(response))
                if response.status == 404 && response.code == "resource_missing" =>
            {
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }
}

impl fmt::Debug for StripePayments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StripePayments")
    }
}

#[async_trait]
impl Payments for StripePayments {
    async fn create_customer(&self, entrant: EntrantId) -> Result<CustomerId, PaymentsError> {
        let metadata = HashMap::from([(ENTRANT.to_owned(), entrant.get().to_string())]);
        let request = CreateCustomer::new().metadata(metadata);
        let strategy = idempotent(&format!("customer-{entrant}"))?;
        let customer = request
            .customize()
            .request_strategy(strategy)
            .send(&self.transport)
            .await?;
        CustomerId::parse(customer.id.as_str()).ok_or_else(|| unreadable("a malformed id").into())
    }

    async fn create_intent(&self, new: &NewIntent) -> Result<CreatedIntent, PaymentsError> {
        let mut request = CreatePaymentIntent::new(new.amount.cents(), Currency::USD)
            .automatic_payment_methods(CreatePaymentIntentAutomaticPaymentMethods::new(true))
            .metadata(metadata(new));
        if let Some(customer) = &new.customer {
            request = request.customer(customer.as_str());
        }
        let strategy = idempotent(&format!("purchase-{}", new.purchase))?;
        let intent = request
            .customize()
            .request_strategy(strategy)
            .send(&self.transport)
            .await?;
        let secret = intent
            .client_secret
            .ok_or_else(|| unreadable("no client secret"))?;
        Ok(CreatedIntent {
            id: intent_id(intent.id.as_str())?,
            client_secret: secret,
        })
    }

    async fn retrieve_intent(&self, id: &IntentId) -> Result<Option<Intent>, PaymentsError> {
        Ok(self.retrieve(id).await?.map(intent_of).transpose()?)
    }

    async fn receipt(&self, id: &IntentId) -> Result<Option<String>, PaymentsError> {
        let intent = self.retrieve(id).await?;
        Ok(intent
            .as_ref()
            .and_then(charge_of)
            .and_then(|charge| charge.receipt_url.clone()))
    }

    async fn cancel_intent(&self, id: &IntentId) -> Result<Option<Intent>, PaymentsError> {
        let request = CancelPaymentIntent::new(id.as_str());
        match request.send(&self.transport).await {
            Ok(_) => {}
            // It was paid meanwhile, is being processed by a bank, or was canceled before.
            Err(TransportError::Response(response)) if response.code == "payment_intent_unexpected_state" => {
            }
            Err(TransportError::Response(response)) if response.code == "resource_missing" => {}
            Err(error) => return Err(error.into()),
        }
        self.retrieve_intent(id).await
    }

    async fn refund(&self, id: &IntentId) -> Result<(), PaymentsError> {
        let request = CreateRefund::new().payment_intent(id.as_str());
        let strategy = idempotent(&format!("refund-{id}"))?;
        match request
            .customize()
            .request_strategy(strategy)
            .send(&self.transport)
            .await
        {
            Ok(_) => Ok(()),
            // Stripe forgets the idempotency key after a day, but not the refund.
            Err(TransportError::Response(response)) if response.code == "charge_already_refunded" => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

/// The same idempotency key for all attempts, including those after a restart.
fn idempotent(key: &str) -> Result<RequestStrategy, PaymentsError> {
    let key = IdempotencyKey::new(key).map_err(|error| PaymentsError::Refused(Box::new(error)))?;
    Ok(RequestStrategy::Idempotent(key))
}

const PURCHASE: &str = "purchaseId";
const ENTRANT: &str = "userId";
const PACKAGE: &str = "packageId";

fn metadata(new: &NewIntent) -> HashMap<String, String> {
    HashMap::from([
        (PURCHASE.to_owned(), new.purchase.get().to_string()),
        (ENTRANT.to_owned(), new.entrant.get().to_string()),
        (PACKAGE.to_owned(), new.package.get().to_string()),
    ])
}

fn intent_of(intent: PaymentIntent) -> Result<Intent, PaymentsError> {
    let status = match intent.status {
        PaymentIntentStatus::Succeeded => IntentStatus::Succeeded,
        PaymentIntentStatus::Canceled => IntentStatus::Canceled,
        _ => IntentStatus::Open,
    };
    let charge = charge_of(&intent);
    let Metadata {
        purchase,
        entrant,
        package,
    } = read_metadata(&intent.metadata);
    Ok(Intent {
        id: intent_id(intent.id.as_str())?,
        status,
        amount: intent.amount,
        currency: intent.currency.to_string(),
        purchase,
        entrant,
        package,
        refunded: charge.map_or(0, |charge| charge.amount_refunded),
    })
}

fn charge_of(intent: &PaymentIntent) -> Option<&Charge> {
    intent.latest_charge.as_ref()?.as_object()
}

/// The ids in the metadata of a payment intent.
pub(crate) struct Metadata {
    pub(crate) purchase: Option<PurchaseId>,
    pub(crate) entrant: Option<EntrantId>,
    pub(crate) package: Option<PackageId>,
}

pub(crate) fn read_metadata(metadata: &HashMap<String, String>) -> Metadata {
    let number = |name: &str| metadata.get(name).and_then(|text| text.parse().ok());
    Metadata {
        purchase: number(PURCHASE).map(PurchaseId::new),
        entrant: number(ENTRANT).map(EntrantId::new),
        package: number(PACKAGE).map(PackageId::new),
    }
}

fn intent_id(text: &str) -> Result<IntentId, PaymentsError> {
    IntentId::parse(text).ok_or_else(|| unreadable("a malformed id").into())
}

fn unreadable(reason: &str) -> TransportError {
    TransportError::Unreadable(reason.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;
    use kernel::Money;
    use serde_json::json;
    use stripe_client_core::{CustomizedStripeRequest, StripeClient};

    #[test]
    fn amounts_are_in_our_only_currency() {
        assert_eq!(Currency::USD.to_string(), Money::CURRENCY);
    }

    /// A client that returns the same body for every request.
    struct FixedResponse(String);

    impl StripeClient for FixedResponse {
        type Err = TransportError;

        async fn execute(&self, _: CustomizedStripeRequest) -> Result<Bytes, TransportError> {
            Ok(Bytes::from(self.0.clone()))
        }
    }

    #[tokio::test]
    async fn stripes_examples_can_be_read() {
        let file = "stripe-fixtures-2026-08-21.trimmed.json";
        let Some(examples) = stand_ins::kit::testing::contract_file(file) else {
            return;
        };
        let example = |name: &str| examples["resources"][name].clone();
        let mut intent = example("payment_intent");
        intent["latest_charge"] = example("charge");
        intent["latest_charge"]["amount_refunded"] = json!(99);
        intent["metadata"] = json!({PURCHASE: "7"});

        let request = RetrievePaymentIntent::new("pi_1");
        let read = request.send(&FixedResponse(intent.to_string())).await.unwrap();
        let read = intent_of(read).unwrap();
        assert_eq!((read.amount, read.currency.as_str()), (1099, "usd"));
        assert_eq!((read.status, read.refunded), (IntentStatus::Open, 99));
        assert_eq!(read.purchase, Some(PurchaseId::new(7)));
        let refund = CreateRefund::new().payment_intent("pi_1");
        assert_eq!(
            refund
                .send(&FixedResponse(example("refund").to_string()))
                .await
                .unwrap()
                .amount,
            100
        );
    }

    #[test]
    fn foreign_metadata_has_no_ids() {
        let foreign = HashMap::from([(PURCHASE.to_owned(), "7x".to_owned())]);
        let ids = read_metadata(&foreign);
        assert!(ids.purchase.is_none() && ids.entrant.is_none() && ids.package.is_none());
    }
}
