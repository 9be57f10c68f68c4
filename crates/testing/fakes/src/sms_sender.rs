use crate::FixedClock;
use async_trait::async_trait;
use chrono::{DateTime, Utc};
use kernel::{Clock, Phone};
use sms::{
    Credentials, Failure, MessageQuery, MessageQueryError, OutgoingMessage, ProviderMessage,
    ProviderMessageId, ProviderStatus, SendError, SmsCallbacks, SmsSender,
};
use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// An SMS provider in memory. Clones share its messages. It accepts every message unless a test configures another
/// answer.
#[derive(Clone, Default)]
pub struct FakeSms(Arc<Mutex<State>>);

/// The provider's answer to one call to send a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SmsAnswer {
    /// It accepts no messages at the moment.
    NotSent {
        /// How long to wait before the next attempt.
        retry_after: Option<Duration>,
    },
    /// The connection is lost.
    Lost {
        /// Whether it had already accepted the message.
        sent: bool,
    },
    /// The number has opted out.
    OptedOut,
    /// It rejects the message.
    Refused(Failure),
    /// It rejects the credentials.
    Credentials,
}

/// A message that the provider accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentMessage {
    /// Its id, its status, and the reason if it failed.
    pub message: ProviderMessage,
    /// The body and the recipient.
    pub outgoing: OutgoingMessage,
    /// When it was accepted.
    pub at: DateTime<Utc>,
}

#[derive(Default)]
struct State {
    sent: Vec<SentMessage>,
    answers: HashMap<Phone, VecDeque<SmsAnswer>>,
    refuses_credentials: bool,
    fails_look_ups: bool,
    now: Option<DateTime<Utc>>,
}

impl FakeSms {
    /// Adds an answer for messages to this number. Each answer is used once, in order; after them, messages are
    /// accepted.
    pub fn answer_next(&self, to: &Phone, answer: SmsAnswer) {
        self.state()
            .answers
            .entry(to.clone())
            .or_default()
            .push_back(answer);
    }

    /// Sets whether it rejects the credentials.
    pub fn refuse_credentials(&self, refuses: bool) {
        self.state().refuses_credentials = refuses;
    }

    /// Sets whether looking up messages fails.
    pub fn fail_look_ups(&self, fails: bool) {
        self.state().fails_look_ups = fails;
    }

    /// Sets the provider's time, which is that of [`FixedClock`] until then.
    pub fn set_now(&self, now: DateTime<Utc>) {
        self.state().now = Some(now);
    }

    /// All accepted messages, oldest first.
    pub fn sent(&self) -> Vec<SentMessage> {
        self.state().sent.clone()
    }

    /// Changes the status of a message. Returns the parameters of the status callback; none for an unknown message.
    pub fn status_callback(
        &self,
        id: &ProviderMessageId,
        status: ProviderStatus,
        failure: Option<Failure>,
    ) -> Vec<(String, String)> {
        let mut state = self.state();
        let Some(sent) = state.sent.iter_mut().find(|sent| sent.message.id == *id) else {
            return Vec::new();
        };
        sent.message.status = status;
        sent.message.failure = failure;
        parameters(&sent.message)
    }

    /// The valid signature of a callback.
    pub fn sign(auth_token: &str, url: &str, parameters: &[(String, String)]) -> String {
        let mut sorted = parameters.to_vec();
        sorted.sort();
        let mut hasher = DefaultHasher::new();
        (auth_token, url, sorted).hash(&mut hasher);
        format!("{:016x}", hasher.finish())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

const STATUSES: [(&str, ProviderStatus); 4] = [
    ("sent", ProviderStatus::Accepted),
    ("delivered", ProviderStatus::Delivered),
    ("undelivered", ProviderStatus::Undelivered),
    ("failed", ProviderStatus::Failed),
];

fn parameters(message: &ProviderMessage) -> Vec<(String, String)> {
    let named = STATUSES.iter().find(|(_, status)| *status == message.status);
    let mut parameters = vec![
        ("MessageSid".to_owned(), message.id.to_string()),
        (
            "MessageStatus".to_owned(),
            named.map(|(name, _)| *name).unwrap_or_default().to_owned(),
        ),
    ];
    if let Some(code) = message.failure.as_ref().and_then(|failure| failure.code) {
        parameters.push(("ErrorCode".to_owned(), code.to_string()));
    }
    parameters
}

impl State {
    fn now(&self) -> DateTime<Utc> {
        self.now.unwrap_or_else(|| FixedClock::default().now())
    }

    fn send(&mut self, outgoing: &OutgoingMessage) -> Result<ProviderMessage, SendError> {
        let id = format!("SM{:032x}", self.sent.len() + 1);
        let id = ProviderMessageId::parse(&id).ok_or_else(|| SendError::MaybeSent("invalid id".into()))?;
        let message = ProviderMessage {
            id,
            status: ProviderStatus::Accepted,
            failure: None,
        };
        self.sent.push(SentMessage {
            message: message.clone(),
            outgoing: outgoing.clone(),
            at: self.now(),
        });
        Ok(message)
    }

    fn answer(&mut self, outgoing: &OutgoingMessage) -> Result<ProviderMessage, SendError> {
        if self.refuses_credentials {
            return Err(SendError::Credentials);
        }
        let answers = self.answers.get_mut(&outgoing.to);
        let Some(answer) = answers.and_then(VecDeque::pop_front) else {
            return self.send(outgoing);
        };
        if answer == (SmsAnswer::Lost { sent: true }) {
            self.send(outgoing)?;
        }
        Err(match answer {
            SmsAnswer::NotSent { retry_after } => SendError::NotSent {
                retry_after,
                cause: "too many requests".into(),
            },
            SmsAnswer::Lost { .. } => SendError::MaybeSent("the connection was lost".into()),
            SmsAnswer::OptedOut => SendError::OptedOut,
            SmsAnswer::Refused(failure) => SendError::Refused(failure),
            SmsAnswer::Credentials => SendError::Credentials,
        })
    }
}

#[async_trait]
impl SmsSender for FakeSms {
    async fn send_message(
        &self,
        _: &Credentials,
        message: &OutgoingMessage,
    ) -> Result<ProviderMessage, SendError> {
        self.state().answer(message)
    }

    async fn find_message(
        &self,
        _: &Credentials,
        query: &MessageQuery,
    ) -> Result<Option<ProviderMessage>, MessageQueryError> {
        let state = self.state();
        if state.refuses_credentials {
            return Err(MessageQueryError::Credentials);
        }
        if state.fails_look_ups {
            return Err(MessageQueryError::Unavailable("down".into()));
        }
        let mut newest_first = state.sent.iter().rev();
        let found = newest_first.find(|sent| {
            let matches = sent.outgoing.to == query.to && sent.outgoing.body.contains(&query.needle);
            matches && sent.at >= query.since
        });
        Ok(found.map(|sent| sent.message.clone()))
    }
}

impl SmsCallbacks for FakeSms {
    fn signature_holds(
        &self,
        auth_token: &str,
        url: &str,
        parameters: &[(String, String)],
        signature: &str,
    ) -> bool {
        signature == Self::sign(auth_token, url, parameters)
    }

    fn read_status(&self, parameters: &[(String, String)]) -> Option<ProviderMessage> {
        let value = |wanted: &str| {
            let found = parameters.iter().find(|(name, _)| name == wanted);
            found.map(|(_, value)| value.as_str())
        };
        let status = value("MessageStatus")?;
        let (_, status) = STATUSES.iter().find(|(name, _)| *name == status)?;
        let code = value("ErrorCode").and_then(|code| code.parse().ok());
        Some(ProviderMessage {
            id: ProviderMessageId::parse(value("MessageSid")?)?,
            status: *status,
            failure: code.map(|code| Failure {
                code: Some(code),
                sentence: "Not delivered".to_owned(),
            }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poll_once;
    use chrono::TimeDelta;

    fn credentials() -> Credentials {
        let hex = "0123456789abcdef0123456789abcdef";
        Credentials::parse(&format!("AC{hex}"), hex, "+15550000000").unwrap()
    }

    fn phone(n: u32) -> Phone {
        Phone::from_e164(&format!("+1555{n:07}")).unwrap()
    }

    fn message(n: u32, body: &str) -> OutgoingMessage {
        OutgoingMessage {
            to: phone(n),
            body: body.to_owned(),
            status_callback: "https://example.org/status?text=1".to_owned(),
        }
    }

    fn send(sms: &FakeSms, n: u32, body: &str) -> Result<ProviderMessage, SendError> {
        poll_once(sms.send_message(&credentials(), &message(n, body)))
    }

    fn find(sms: &FakeSms, n: u32, needle: &str, since: DateTime<Utc>) -> Option<ProviderMessage> {
        let query = MessageQuery {
            to: phone(n),
            needle: needle.to_owned(),
            since,
        };
        poll_once(sms.find_message(&credentials(), &query)).unwrap()
    }

    #[test]
    fn messages_are_found_by_number_needle_and_time() {
        let sms = FakeSms::default();
        let noon = FixedClock::default().now();
        let first = send(&sms, 1, "Look: a").unwrap();
        sms.set_now(noon + TimeDelta::seconds(60));
        let second = send(&sms, 1, "Look: a").unwrap();
        assert_ne!(first.id, second.id);
        assert_eq!(find(&sms, 1, "a", noon), Some(second), "the newest");
        assert_eq!(find(&sms, 1, "b", noon), None);
        assert_eq!(find(&sms, 2, "a", noon), None);
        assert_eq!(find(&sms, 1, "a", noon + TimeDelta::seconds(61)), None);
        assert_eq!(sms.sent().len(), 2);
        assert_eq!(sms.sent()[0].outgoing, message(1, "Look: a"));
    }

    #[test]
    fn each_answer_is_used_once_and_in_order() {
        let sms = FakeSms::default();
        let wait = Some(Duration::from_secs(2));
        let failure = Failure {
            code: Some(21211),
            sentence: "Invalid number".to_owned(),
        };
        for answer in [
            SmsAnswer::NotSent { retry_after: wait },
            SmsAnswer::Lost { sent: false },
            SmsAnswer::Lost { sent: true },
            SmsAnswer::OptedOut,
            SmsAnswer::Refused(failure.clone()),
            SmsAnswer::Credentials,
        ] {
            sms.answer_next(&phone(1), answer);
        }
        assert!(send(&sms, 2, "other").is_ok());
        assert!(
            matches!(send(&sms, 1, "a"), Err(SendError::NotSent { retry_after, .. }) if retry_after == wait)
        );
        assert!(matches!(send(&sms, 1, "a"), Err(SendError::MaybeSent(_))));
        assert_eq!(sms.sent().len(), 1);
        assert!(matches!(send(&sms, 1, "a"), Err(SendError::MaybeSent(_))));
        assert_eq!(sms.sent().len(), 2);
        assert!(matches!(send(&sms, 1, "a"), Err(SendError::OptedOut)));
        assert!(matches!(send(&sms, 1, "a"), Err(SendError::Refused(refusal)) if refusal == failure));
        assert!(matches!(send(&sms, 1, "a"), Err(SendError::Credentials)));
        assert!(send(&sms, 1, "a").is_ok());
        assert_eq!(sms.sent().len(), 3);
    }

    #[test]
    fn credentials_and_look_ups_can_be_made_to_fail() {
        let sms = FakeSms::default();
        let query = MessageQuery {
            to: phone(1),
            needle: "a".to_owned(),
            since: DateTime::UNIX_EPOCH,
        };
        sms.fail_look_ups(true);
        assert!(matches!(
            poll_once(sms.find_message(&credentials(), &query)),
            Err(MessageQueryError::Unavailable(_))
        ));
        sms.refuse_credentials(true);
        assert!(matches!(
            poll_once(sms.find_message(&credentials(), &query)),
            Err(MessageQueryError::Credentials)
        ));
        assert!(matches!(send(&sms, 1, "a"), Err(SendError::Credentials)));
        sms.refuse_credentials(false);
        assert!(send(&sms, 1, "a").is_ok());
    }

    #[test]
    fn status_callbacks_are_signed_and_read_back() {
        let sms = FakeSms::default();
        let mut sent = send(&sms, 1, "a").unwrap();
        sent.status = ProviderStatus::Undelivered;
        sent.failure = Some(Failure {
            code: Some(30003),
            sentence: "Not delivered".to_owned(),
        });
        let callback = sms.status_callback(&sent.id, sent.status, sent.failure.clone());
        assert_eq!(sms.read_status(&callback), Some(sent.clone()));
        assert_eq!(sms.sent()[0].message, sent);
        assert_eq!(sms.read_status(&[]), None);
        let signature = FakeSms::sign("token", "https://example.org", &callback);
        let holds = |token: &str, url: &str, callback: &[(String, String)]| {
            sms.signature_holds(token, url, callback, &signature)
        };
        assert!(holds("token", "https://example.org", &callback));
        assert!(!holds("other", "https://example.org", &callback));
        assert!(!holds("token", "https://example.org/", &callback));
        assert!(!holds("token", "https://example.org", &callback[1..]));
        let unknown = ProviderMessageId::parse("SM9").unwrap();
        assert_eq!(sms.status_callback(&unknown, ProviderStatus::Failed, None), []);
    }
}
