//! The adapter keeps the contract that the fake keeps too.

use crate::client::TestStripe;
use contracts::payments::PaymentsProvider;
use pricing::{IntentId, Payments};

impl PaymentsProvider for TestStripe {
    fn payments(&self) -> &dyn Payments {
        &self.payments
    }

    async fn pay(&self, intent: &IntentId) {
        let (status, response) = self.pay(intent, "pm_card_visa").await;
        assert_eq!(status, 200, "{response}");
    }

    async fn decline(&self, intent: &IntentId) {
        let (status, response) = self.pay(intent, "pm_card_chargeDeclined").await;
        assert_eq!(status, 402, "{response}");
    }

    async fn cancel(&self, intent: &IntentId) {
        let path = format!("payment_intents/{intent}/cancel");
        self.dashboard(&path, "cancellation_reason=abandoned").await;
    }

    async fn finish(self) {
        self.stop().await;
    }
}

contracts::payments_contract!(TestStripe::start());
