//! What every gateway to a provider of texts must do. The fake and the Twilio adapter run the same functions.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::Phone;
use sms::{
    Credentials, MessageQuery, MessageQueryError, OutgoingMessage, ProviderStatus, SendError, SmsSender,
};

/// How the provider answers the next call to send a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextAnswer {
    /// It refuses the number with this error code.
    Refused(u32),
    /// The number has opted out.
    OptedOut,
    /// It accepts no messages now.
    TooMany,
}

/// A gateway, and what happens at its provider.
#[expect(async_fn_in_trait, reason = "tests run it on one thread")]
pub trait SmsProvider: Sized {
    /// The gateway under test.
    fn sender(&self) -> &dyn SmsSender;
    /// Credentials that the provider accepts.
    fn credentials(&self) -> Credentials;
    /// The provider's time.
    fn now(&self) -> DateTime<Utc>;
    /// Chooses the answer to the next call for this number.
    async fn answer_next(&self, to: &Phone, answer: NextAnswer);
    /// The provider no longer accepts the credentials.
    async fn reject_credentials(&self);
    /// Ends the test.
    async fn finish(self) {}
}

/// Makes a test of every behavior. The expression is a future of a provider without messages.
#[macro_export]
macro_rules! sms_sender_contract {
    ($provider:expr) => {
        $crate::sms_sender_contract!(@ $provider,
            a_sent_message_is_accepted_and_found
            other_messages_are_not_found
            a_refused_message_is_not_sent_and_has_the_error_code
            a_number_that_opted_out_gets_no_message
            a_busy_provider_sends_nothing
            rejected_credentials_are_an_error_of_their_own
        );
    };
    (@ $provider:expr, $($behavior:ident)+) => {
        $(
            #[tokio::test]
            async fn $behavior() {
                let provider = $provider.await;
                $crate::sms_sender::$behavior(&provider).await;
                $crate::sms_sender::SmsProvider::finish(provider).await;
            }
        )+
    };
}

const LINK: &str = "https://tombola.example/planter/garden-bcdfghjklmnp";

fn phone(n: u32) -> Phone {
    Phone::from_e164(&format!("+1555123{n:04}")).unwrap()
}

fn message(to: &Phone) -> OutgoingMessage {
    OutgoingMessage {
        to: to.clone(),
        body: format!("Look: {LINK}"),
        status_callback: "https://tombola.example/api/twilio/status?text=7".to_owned(),
    }
}

fn query(provider: &impl SmsProvider, to: &Phone) -> MessageQuery {
    MessageQuery {
        to: to.clone(),
        needle: LINK.to_owned(),
        since: provider.now() - TimeDelta::minutes(1),
    }
}

async fn is_found(provider: &impl SmsProvider, query: &MessageQuery) -> bool {
    let found = provider
        .sender()
        .find_message(&provider.credentials(), query)
        .await;
    found.unwrap().is_some()
}

async fn send_error(provider: &impl SmsProvider, answer: NextAnswer) -> SendError {
    let to = phone(1);
    provider.answer_next(&to, answer).await;
    let sent = provider
        .sender()
        .send_message(&provider.credentials(), &message(&to))
        .await;
    assert!(
        !is_found(provider, &query(provider, &to)).await,
        "{answer:?}: nothing was sent"
    );
    sent.unwrap_err()
}

pub async fn a_sent_message_is_accepted_and_found(provider: &impl SmsProvider) {
    let to = phone(1);
    let sent = provider
        .sender()
        .send_message(&provider.credentials(), &message(&to))
        .await;
    let sent = sent.unwrap();
    assert_eq!((sent.status, sent.failure), (ProviderStatus::Accepted, None));
    let query = query(provider, &to);
    let found = provider
        .sender()
        .find_message(&provider.credentials(), &query)
        .await;
    assert_eq!(found.unwrap().unwrap().id, sent.id);
}

pub async fn other_messages_are_not_found(provider: &impl SmsProvider) {
    let to = phone(1);
    let sent = provider
        .sender()
        .send_message(&provider.credentials(), &message(&to))
        .await;
    sent.unwrap();
    let query = query(provider, &to);
    let other_number = MessageQuery {
        to: phone(2),
        ..query.clone()
    };
    let other_body = MessageQuery {
        needle: format!("{LINK}q"),
        ..query.clone()
    };
    let later = MessageQuery {
        since: provider.now() + TimeDelta::hours(1),
        ..query
    };
    for query in [other_number, other_body, later] {
        assert!(!is_found(provider, &query).await);
    }
}

pub async fn a_refused_message_is_not_sent_and_has_the_error_code(provider: &impl SmsProvider) {
    let error = send_error(provider, NextAnswer::Refused(21211)).await;
    let code = match &error {
        SendError::Refused(failure) => failure.code,
        _ => None,
    };
    assert_eq!(code, Some(21211), "{error:?}");
}

pub async fn a_number_that_opted_out_gets_no_message(provider: &impl SmsProvider) {
    let error = send_error(provider, NextAnswer::OptedOut).await;
    assert!(matches!(error, SendError::OptedOut), "{error:?}");
}

pub async fn a_busy_provider_sends_nothing(provider: &impl SmsProvider) {
    let error = send_error(provider, NextAnswer::TooMany).await;
    assert!(matches!(error, SendError::NotSent { .. }), "{error:?}");
    let to = phone(1);
    let again = provider
        .sender()
        .send_message(&provider.credentials(), &message(&to))
        .await;
    assert!(again.is_ok(), "the next call succeeds");
}

pub async fn rejected_credentials_are_an_error_of_their_own(provider: &impl SmsProvider) {
    let to = phone(1);
    provider.reject_credentials().await;
    let sent = provider
        .sender()
        .send_message(&provider.credentials(), &message(&to))
        .await;
    assert!(matches!(sent, Err(SendError::Credentials)), "{sent:?}");
    let query = query(provider, &to);
    let found = provider
        .sender()
        .find_message(&provider.credentials(), &query)
        .await;
    assert!(matches!(found, Err(MessageQueryError::Credentials)), "{found:?}");
}
