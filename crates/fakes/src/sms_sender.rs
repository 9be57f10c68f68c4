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

/// A provider of messages in memory. All clones share its messages. It sends whatever it is asked to, unless it was told to
/// answer otherwise.
#[derive(Clone, Default)]
pub struct FakeSms(Arc<Mutex<State>>);

/// How the provider answers one call to send a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SmsAnswer {
    /// It takes no messages now.
    NotSent {
        /// How long it wants to be left alone.
        retry_after: Option<Duration>,
    },
    /// The connection breaks.
    Lost {
        /// Whether after it had sent the message.
        sent: bool,
    },
    /// The number has opted out.
    OptedOut,
    /// It will not send this.
    Refused(Failure),
    /// It does not know the account.
    Credentials,
}

/// A message that the provider sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentMessage {
    /// Its name, how far it has come, and why no further.
    pub message: ProviderMessage,
    /// What it was asked to send, and to whom.
    pub outgoing: OutgoingMessage,
    /// When.
    pub at: DateTime<Utc>,
}

#[derive(Default)]
struct State {
    sent: Vec<SentMessage>,
    answers: HashMap<Phone, VecDeque<SmsAnswer>>,
    refuses_credentials: bool,
    cannot_be_asked: bool,
    now: Option<DateTime<Utc>>,
}

impl FakeSms {
    /// Makes the next call for this number go like this; the one after it as said next, or well.
    pub fn answer_next(&self, to: &Phone, answer: SmsAnswer) {
        self.state()
            .answers
            .entry(to.clone())
            .or_default()
            .push_back(answer);
    }

    /// Whether it knows the account.
    pub fn refuse_credentials(&self, refuses: bool) {
        self.state().refuses_credentials = refuses;
    }

    /// Whether it fails when it is asked about messages.
    pub fn fail_look_ups(&self, fails: bool) {
        self.state().cannot_be_asked = fails;
    }

    /// From now on it is this time there; noon of [`FixedClock`] until then.
    pub fn set_now(&self, now: DateTime<Utc>) {
        self.state().now = Some(now);
    }

    /// All that it sent, oldest first.
    pub fn sent(&self) -> Vec<SentMessage> {
        self.state().sent.clone()
    }

    /// A message arrives, or does not. Gives the parameters of the call that tells of it; none for one it did not send.
    pub fn tell(
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

    /// The signature that holds.
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
        let name = format!("SM{:032x}", self.sent.len() + 1);
        let id = ProviderMessageId::parse(&name).ok_or_else(|| SendError::MaybeSent("no name".into()))?;
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
                cause: "too many".into(),
            },
            SmsAnswer::Lost { .. } => SendError::MaybeSent("the connection broke".into()),
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
        if state.cannot_be_asked {
            return Err(MessageQueryError::Unavailable("away".into()));
        }
        let mut newest_first = state.sent.iter().rev();
        let found = newest_first.find(|sent| {
            let is_it = sent.outgoing.to == query.to && sent.outgoing.body.contains(&query.needle);
            is_it && sent.at >= query.since
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
    use chrono::TimeDelta;
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
        now(sms.send_message(&credentials(), &message(n, body)))
    }

    fn find(sms: &FakeSms, n: u32, needle: &str, since: DateTime<Utc>) -> Option<ProviderMessage> {
        let query = MessageQuery {
            to: phone(n),
            needle: needle.to_owned(),
            since,
        };
        now(sms.find_message(&credentials(), &query)).unwrap()
    }

    #[test]
    fn what_was_sent_is_found_by_number_mark_and_time() {
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
    fn answers_are_given_once_each_and_in_order() {
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
        assert!(matches!(send(&sms, 1, "a"), Err(SendError::Refused(why)) if why == failure));
        assert!(matches!(send(&sms, 1, "a"), Err(SendError::Credentials)));
        assert!(send(&sms, 1, "a").is_ok());
        assert_eq!(sms.sent().len(), 3);
    }

    #[test]
    fn it_may_know_no_account_or_answer_no_question() {
        let sms = FakeSms::default();
        let query = MessageQuery {
            to: phone(1),
            needle: "a".to_owned(),
            since: DateTime::UNIX_EPOCH,
        };
        sms.fail_look_ups(true);
        assert!(matches!(
            now(sms.find_message(&credentials(), &query)),
            Err(MessageQueryError::Unavailable(_))
        ));
        sms.refuse_credentials(true);
        assert!(matches!(
            now(sms.find_message(&credentials(), &query)),
            Err(MessageQueryError::Credentials)
        ));
        assert!(matches!(send(&sms, 1, "a"), Err(SendError::Credentials)));
        sms.refuse_credentials(false);
        assert!(send(&sms, 1, "a").is_ok());
    }

    #[test]
    fn its_calls_are_signed_and_tell_of_a_text() {
        let sms = FakeSms::default();
        let mut sent = send(&sms, 1, "a").unwrap();
        sent.status = ProviderStatus::Undelivered;
        sent.failure = Some(Failure {
            code: Some(30003),
            sentence: "Not delivered".to_owned(),
        });
        let told = sms.tell(&sent.id, sent.status, sent.failure.clone());
        assert_eq!(sms.read_status(&told), Some(sent.clone()));
        assert_eq!(sms.sent()[0].message, sent);
        assert_eq!(sms.read_status(&[]), None);
        let signature = FakeSms::sign("token", "https://example.org", &told);
        let holds = |token: &str, url: &str, told: &[(String, String)]| {
            sms.signature_holds(token, url, told, &signature)
        };
        assert!(holds("token", "https://example.org", &told));
        assert!(!holds("other", "https://example.org", &told));
        assert!(!holds("token", "https://example.org/", &told));
        assert!(!holds("token", "https://example.org", &told[1..]));
        let unknown = ProviderMessageId::parse("SM9").unwrap();
        assert_eq!(sms.tell(&unknown, ProviderStatus::Failed, None), []);
    }
}
