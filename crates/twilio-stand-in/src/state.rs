//! What the stand-in keeps: texts, the newest last, and what happens to whose.

use crate::Account;
use crate::list::Query;
use crate::refusal::Refusal;
use crate::text::{Status, Text, now};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

const STOP: [&str; 8] = [
    "STOP",
    "STOPALL",
    "UNSUBSCRIBE",
    "CANCEL",
    "END",
    "QUIT",
    "OPTOUT",
    "REVOKE",
];
const START: [&str; 3] = ["START", "YES", "UNSTOP"];

/// `POST /control/numbers`: what becomes of texts to a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Fate {
    /// They arrive.
    Delivered,
    /// They are not taken, with this number.
    Refused(u32),
    /// They are passed on and do not arrive.
    Undelivered(u32),
    /// They are not passed on.
    Failed(u32),
}

#[derive(Default)]
pub(crate) struct State {
    /// The only account there is, if it is fixed.
    pub(crate) fixed: Option<Account>,
    /// The accounts that called, with the secret that each used last.
    tokens: HashMap<Arc<str>, String>,
    texts: Vec<Text>,
    newest_to: HashMap<Box<str>, u32>,
    pub(crate) fates: HashMap<String, Fate>,
    unsubscribed: HashSet<String>,
    /// How many calls there were, by what they asked for and what they were given.
    pub(crate) calls: BTreeMap<String, u64>,
    /// What was asked or answered against the contract.
    pub(crate) violations: Vec<String>,
}

impl State {
    pub(crate) fn new(fixed: Option<Account>) -> Self {
        Self {
            fixed,
            ..Self::default()
        }
    }

    /// The account that may be spoken for with this secret.
    pub(crate) fn sign_in(&mut self, sid: &str, auth_token: &str) -> Result<Arc<str>, Refusal> {
        let is_known = match &self.fixed {
            Some(fixed) => fixed.sid == sid && fixed.auth_token == auth_token,
            None => is_account(sid) && !auth_token.is_empty(),
        };
        if !is_known {
            return Err(Refusal::new(20003));
        }
        let name = match self.tokens.get_key_value(sid) {
            Some((name, token)) if token == auth_token => return Ok(Arc::clone(name)),
            Some((name, _)) => Arc::clone(name),
            None => Arc::from(sid),
        };
        self.tokens.insert(Arc::clone(&name), auth_token.to_owned());
        Ok(name)
    }

    /// The secret that callbacks of this account are signed with.
    pub(crate) fn token_of(&self, account: &str) -> String {
        let fixed = self.fixed.as_ref().filter(|fixed| fixed.sid == account);
        let token = fixed.map(|fixed| &fixed.auth_token);
        token
            .or_else(|| self.tokens.get(account))
            .cloned()
            .unwrap_or_default()
    }

    /// Takes a text, or refuses to. Its place, if it is taken.
    pub(crate) fn keep(&mut self, mut text: Text) -> Result<u32, Refusal> {
        if let Fate::Refused(code) = self.fate_of(&text.to) {
            return Err(Refusal::new(code));
        }
        if self.unsubscribed.contains(&*text.to) {
            return Err(Refusal::new(21610));
        }
        let index = u32::try_from(self.texts.len()).map_err(|_| Refusal::new(20503))?;
        text.earlier = self.newest_to.insert(text.to.clone(), index);
        self.texts.push(text);
        Ok(index)
    }

    pub(crate) fn text(&self, index: u32) -> Option<&Text> {
        self.texts.get(usize::try_from(index).ok()?)
    }

    /// A text that is still waiting is passed on. As it is then, unless it had been already.
    pub(crate) fn pass_on(&mut self, index: u32) -> Option<Text> {
        let fate = self.fate_of(&self.text(index)?.to);
        let text = self.texts.get_mut(usize::try_from(index).ok()?)?;
        if text.status != Status::Queued {
            return None;
        }
        (text.status, text.error_code) = match fate {
            Fate::Delivered | Fate::Refused(_) => (Status::Delivered, None),
            Fate::Undelivered(code) => (Status::Undelivered, Some(code)),
            Fate::Failed(code) => (Status::Failed, Some(code)),
        };
        text.sent_at = Some(now());
        Some(text.clone())
    }

    /// The texts that a list asks for and one more, the newest first, with their places.
    pub(crate) fn list(&self, account: &str, query: &Query<'_>, before: Option<u32>) -> Vec<(u32, Text)> {
        let older = |(index, _): &(u32, &Text)| before.is_none_or(|before| *index < before);
        let wanted = |(_, text): &(u32, &Text)| &*text.account == account && query.wants(text);
        let owned = |(index, text): (u32, &Text)| (index, text.clone());
        let page = query.page_size + 1;
        match query.to {
            Some(to) => self
                .texts_to(to)
                .filter(older)
                .filter(wanted)
                .take(page)
                .map(owned)
                .collect(),
            None => self
                .texts()
                .rev()
                .filter(older)
                .filter(wanted)
                .take(page)
                .map(owned)
                .collect(),
        }
    }

    /// The texts to a number, the newest first.
    fn texts_to(&self, to: &str) -> impl Iterator<Item = (u32, &Text)> {
        let place = |index: u32| Some((index, self.text(index)?));
        let newest = self.newest_to.get(to).copied().and_then(place);
        std::iter::successors(newest, move |(_, text)| text.earlier.and_then(place))
    }

    pub(crate) fn newest_to(&self, to: &str) -> Option<&Text> {
        self.texts_to(to).next().map(|(_, text)| text)
    }

    /// All texts, the oldest first, with their places.
    pub(crate) fn texts(&self) -> impl DoubleEndedIterator<Item = (u32, &Text)> {
        let end = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        (0..end).zip(&self.texts)
    }

    pub(crate) fn count(&self) -> usize {
        self.texts.len()
    }

    /// How many numbers got texts.
    pub(crate) fn recipients(&self) -> usize {
        self.newest_to.len()
    }

    /// Any account that there is.
    pub(crate) fn any_account(&self) -> Option<Arc<str>> {
        let fixed = self.fixed.as_ref().map(|fixed| Arc::from(fixed.sid.as_str()));
        fixed.or_else(|| self.tokens.keys().next().map(Arc::clone))
    }

    /// What Twilio itself does with a text that somebody sends.
    pub(crate) fn hear(&mut self, from: &str, body: &str) {
        let word = body.trim().to_ascii_uppercase();
        if STOP.contains(&word.as_str()) {
            self.unsubscribed.insert(from.to_owned());
        } else if START.contains(&word.as_str()) {
            self.unsubscribed.remove(from);
        }
    }

    pub(crate) fn count_call(&mut self, operation: &str, given: &str) {
        *self.calls.entry(format!("{operation} {given}")).or_default() += 1;
    }

    fn fate_of(&self, to: &str) -> Fate {
        self.fates.get(to).copied().unwrap_or_else(|| magic_fate(to))
    }
}

/// Twilio's own numbers for testing.
fn magic_fate(to: &str) -> Fate {
    match to {
        "+15005550001" => Fate::Refused(21211),
        "+15005550002" => Fate::Refused(21612),
        "+15005550003" => Fate::Refused(21408),
        "+15005550004" => Fate::Refused(21610),
        "+15005550009" => Fate::Refused(21614),
        _ => Fate::Delivered,
    }
}

fn is_account(sid: &str) -> bool {
    sid.strip_prefix("AC")
        .is_some_and(|rest| rest.len() == 32 && rest.bytes().all(|byte| byte.is_ascii_hexdigit()))
}
