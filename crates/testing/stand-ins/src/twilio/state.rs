//! The stand-in's accounts and messages, and the outcomes and opt-outs of phone numbers.

use crate::kit::unix_millis;
use crate::twilio::Account;
use crate::twilio::errors::ApiError;
use crate::twilio::list::ListQuery;
use crate::twilio::message::{Message, Status};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// Twilio's keywords to opt out.
const STOP_KEYWORDS: [&str; 8] = [
    "STOP",
    "STOPALL",
    "UNSUBSCRIBE",
    "CANCEL",
    "END",
    "QUIT",
    "OPTOUT",
    "REVOKE",
];
/// Twilio's keywords to opt in again.
const START_KEYWORDS: [&str; 3] = ["START", "YES", "UNSTOP"];

/// `POST /control/numbers`: the outcome of messages to a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Outcome {
    /// They are delivered.
    Delivered,
    /// The request is rejected with this error code.
    Refused(u32),
    /// They are sent, and not delivered, with this error code.
    Undelivered(u32),
    /// They are not sent, with this error code.
    Failed(u32),
}

#[derive(Default)]
pub(crate) struct State {
    /// The only account, if there is only one.
    pub(crate) only_account: Option<Account>,
    /// The accounts that have called, with the auth token that each used last.
    auth_tokens: HashMap<Arc<str>, String>,
    /// Oldest first. A message is known by its index.
    messages: Vec<Message>,
    newest_to: HashMap<Box<str>, u32>,
    pub(crate) outcomes: HashMap<String, Outcome>,
    opted_out: HashSet<String>,
    /// How many calls there were, by operation and result.
    pub(crate) calls: BTreeMap<String, u64>,
}

impl State {
    pub(crate) fn new(only_account: Option<Account>) -> Self {
        Self {
            only_account,
            ..Self::default()
        }
    }

    /// The account with this SID and auth token.
    pub(crate) fn authenticate(&mut self, sid: &str, auth_token: &str) -> Result<Arc<str>, ApiError> {
        let is_known = match &self.only_account {
            Some(only_account) => only_account.sid == sid && only_account.auth_token == auth_token,
            None => is_account_sid(sid) && !auth_token.is_empty(),
        };
        if !is_known {
            return Err(ApiError::new(20003));
        }
        let account = match self.auth_tokens.get_key_value(sid) {
            Some((account, token)) if token == auth_token => return Ok(Arc::clone(account)),
            Some((account, _)) => Arc::clone(account),
            None => Arc::from(sid),
        };
        self.auth_tokens
            .insert(Arc::clone(&account), auth_token.to_owned());
        Ok(account)
    }

    /// The auth token that signs callbacks of this account.
    pub(crate) fn auth_token_of(&self, account: &str) -> String {
        let only_account = self
            .only_account
            .as_ref()
            .filter(|only_account| only_account.sid == account);
        let token = only_account.map(|only_account| &only_account.auth_token);
        token
            .or_else(|| self.auth_tokens.get(account))
            .cloned()
            .unwrap_or_default()
    }

    /// Accepts a message and returns its index, or rejects it.
    pub(crate) fn accept(&mut self, mut message: Message) -> Result<u32, ApiError> {
        if let Outcome::Refused(code) = self.outcome_of(&message.to) {
            return Err(ApiError::new(code));
        }
        if self.opted_out.contains(&*message.to) {
            return Err(ApiError::new(21610));
        }
        let index = u32::try_from(self.messages.len()).map_err(|_| ApiError::new(20503))?;
        message.previous = self.newest_to.insert(message.to.clone(), index);
        self.messages.push(message);
        Ok(index)
    }

    pub(crate) fn message(&self, index: u32) -> Option<&Message> {
        self.messages.get(usize::try_from(index).ok()?)
    }

    /// Sends a queued message to its recipient. Returns it with its last status, or nothing if it was sent before.
    pub(crate) fn deliver(&mut self, index: u32) -> Option<Message> {
        let outcome = self.outcome_of(&self.message(index)?.to);
        let message = self.messages.get_mut(usize::try_from(index).ok()?)?;
        if message.status != Status::Queued {
            return None;
        }
        (message.status, message.error_code) = match outcome {
            Outcome::Delivered | Outcome::Refused(_) => (Status::Delivered, None),
            Outcome::Undelivered(code) => (Status::Undelivered, Some(code)),
            Outcome::Failed(code) => (Status::Failed, Some(code)),
        };
        message.sent_at = Some(unix_millis());
        Some(message.clone())
    }

    /// A page of a list and one message more, newest first, with their indexes.
    pub(crate) fn list(
        &self,
        account: &str,
        query: &ListQuery<'_>,
        before: Option<u32>,
    ) -> Vec<(u32, Message)> {
        let is_older = |(index, _): &(u32, &Message)| before.is_none_or(|before| *index < before);
        let matches = |(_, message): &(u32, &Message)| &*message.account == account && query.matches(message);
        let owned = |(index, message): (u32, &Message)| (index, message.clone());
        let page = query.page_size + 1;
        match query.to {
            Some(to) => self
                .messages_to(to)
                .filter(is_older)
                .filter(matches)
                .take(page)
                .map(owned)
                .collect(),
            None => self
                .messages()
                .rev()
                .filter(is_older)
                .filter(matches)
                .take(page)
                .map(owned)
                .collect(),
        }
    }

    /// The messages to a number, newest first.
    fn messages_to(&self, to: &str) -> impl Iterator<Item = (u32, &Message)> {
        let indexed = |index: u32| Some((index, self.message(index)?));
        let newest = self.newest_to.get(to).copied().and_then(indexed);
        std::iter::successors(newest, move |(_, message)| message.previous.and_then(indexed))
    }

    pub(crate) fn newest_to(&self, to: &str) -> Option<&Message> {
        self.messages_to(to).next().map(|(_, message)| message)
    }

    /// All messages, oldest first, with their indexes.
    pub(crate) fn messages(&self) -> impl DoubleEndedIterator<Item = (u32, &Message)> {
        let end = u32::try_from(self.messages.len()).unwrap_or(u32::MAX);
        (0..end).zip(&self.messages)
    }

    pub(crate) fn count(&self) -> usize {
        self.messages.len()
    }

    /// How many numbers messages were sent to.
    pub(crate) fn recipients(&self) -> usize {
        self.newest_to.len()
    }

    /// The only account, or any that has called.
    pub(crate) fn any_account(&self) -> Option<Arc<str>> {
        let only_account = self
            .only_account
            .as_ref()
            .map(|only_account| Arc::from(only_account.sid.as_str()));
        only_account.or_else(|| self.auth_tokens.keys().next().map(Arc::clone))
    }

    /// Twilio's own handling of an incoming message: keywords opt out and in.
    pub(crate) fn apply_keyword(&mut self, from: &str, body: &str) {
        let keyword = body.trim().to_ascii_uppercase();
        if STOP_KEYWORDS.contains(&keyword.as_str()) {
            self.opted_out.insert(from.to_owned());
        } else if START_KEYWORDS.contains(&keyword.as_str()) {
            self.opted_out.remove(from);
        }
    }

    pub(crate) fn count_call(&mut self, operation: &str, result: &str) {
        *self.calls.entry(format!("{operation} {result}")).or_default() += 1;
    }

    fn outcome_of(&self, to: &str) -> Outcome {
        self.outcomes
            .get(to)
            .copied()
            .unwrap_or_else(|| magic_outcome(to))
    }
}

/// Twilio's magic phone numbers for tests.
fn magic_outcome(to: &str) -> Outcome {
    match to {
        "+15005550001" => Outcome::Refused(21211),
        "+15005550002" => Outcome::Refused(21612),
        "+15005550003" => Outcome::Refused(21408),
        "+15005550004" => Outcome::Refused(21610),
        "+15005550009" => Outcome::Refused(21614),
        _ => Outcome::Delivered,
    }
}

fn is_account_sid(sid: &str) -> bool {
    sid.strip_prefix("AC")
        .is_some_and(|rest| rest.len() == 32 && rest.bytes().all(|byte| byte.is_ascii_hexdigit()))
}
