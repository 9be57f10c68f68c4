//! What several steps of proving a number do: the text with the code, and the steps of the funnel.

use super::{CodeTools, Refusal};
use ::verification::Code;
use analytics::{Collection, NewStep, StepData, StepName};
use chrono::{DateTime, Utc};
use kernel::{EntrantId, Phone, StoreError};
use raffle::{Entrants, SignUp};
use sms::{DailyCounts, MessageBody, MessageKind, NewMessage, Outbox, next_day};

impl CodeTools<'_> {
    /// Queues the text with the code. Last in its transaction, because everybody waits for the day's count.
    pub(super) fn send(
        &self,
        tx: &mut (impl Entrants + Outbox + DailyCounts),
        phone: &Phone,
        code: &Code,
        now: DateTime<Utc>,
    ) -> Result<(), Refusal> {
        let is_new = tx.find_entrant_by_phone(phone)?.is_none();
        let text = sms::code_text(self.site_name, code.as_str(), self.host);
        tx.queue_message(&NewMessage {
            kind: MessageKind::Code,
            entrant: None,
            phone: phone.clone(),
            body: Some(MessageBody::seal(self.sealer, &text)),
            at: now,
        })?;
        match tx.count_text(now, self.daily_budget.for_codes(is_new))? {
            true => Ok(()),
            false => Err(Refusal::BudgetUsed(next_day(now) - now)),
        }
    }
}

/// Records a step of a sign-up whose browser may be tracked.
pub(super) fn record_step(
    tx: &mut impl Collection,
    sign_up: &SignUp,
    step: StepName,
    entrant: Option<EntrantId>,
    at: DateTime<Utc>,
) -> Result<(), StoreError> {
    let Some(session) = &sign_up.session else {
        return Ok(());
    };
    tx.record_step(&NewStep {
        session: session.clone(),
        raffle: Some(sign_up.raffle),
        step,
        entrant,
        data: StepData::default(),
        time_spent: None,
        at,
    })
}
