//! What begins, waits and is completed: the sign-up in its two forms, the text with the code, the steps of the funnel.

use super::{CodeTools, Refusal};
use crate::entering::EnterCommand;
use ::verification::{Code, ConsentAnswer, PendingSignUp};
use analytics::{Collection, NewStep, Session, StepData, StepName};
use chrono::{DateTime, Utc};
use kernel::{EntrantId, Phone, StoreError};
use raffle::Entrants;
use sms::{Consent, ConsentAct, DailyCounts, MessageBody, MessageKind, NewMessage, Outbox, next_day};

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
    command: &EnterCommand,
    step: StepName,
    entrant: Option<EntrantId>,
    at: DateTime<Utc>,
) -> Result<(), StoreError> {
    let Some(session) = &command.session else {
        return Ok(());
    };
    tx.record_step(&NewStep {
        session: session.clone(),
        raffle: Some(command.raffle),
        step,
        entrant,
        data: StepData::default(),
        time_spent: None,
        at,
    })
}

/// The sign-up as it waits.
pub(super) fn pending(command: &EnterCommand) -> PendingSignUp {
    PendingSignUp {
        phone: command.phone.clone(),
        raffle: command.raffle,
        referral_code: command.referral_code.clone(),
        event_id: command.event_id.clone(),
        consent: command.consent.map(|consent| ConsentAnswer {
            granted: consent.granted,
            by_default: consent.act == ConsentAct::Default,
        }),
        origin: command.origin.clone(),
        fingerprint: command.fingerprint.clone(),
        session: command
            .session
            .as_ref()
            .map(|session| session.as_str().to_owned()),
    }
}

/// The sign-up as it was sent.
pub(super) fn command(sign_up: PendingSignUp) -> EnterCommand {
    EnterCommand {
        phone: sign_up.phone,
        raffle: sign_up.raffle,
        referral_code: sign_up.referral_code,
        event_id: sign_up.event_id,
        consent: sign_up.consent.map(|answer| Consent {
            granted: answer.granted,
            act: if answer.by_default {
                ConsentAct::Default
            } else {
                ConsentAct::Form
            },
        }),
        origin: sign_up.origin,
        fingerprint: sign_up.fingerprint,
        session: sign_up.session.and_then(|session| Session::parse(&session).ok()),
    }
}
