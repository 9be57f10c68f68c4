//! Whether a reply says that its sender wants no more texts (D66).
//!
//! Words are compared, not beginnings: accents, case and punctuation aside. `tests/replies.txt` has sentences that opt out and
//! sentences that do not.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// What a reply consists of, squashed: without spaces and punctuation.
const WHOLE: [&str; 11] = [
    "stop",
    "stopall",
    "unsubscribe",
    "cancel",
    "end",
    "quit",
    "revoke",
    "optout",
    "removeme",
    "alto",
    "basta",
];

/// A first word that says it alone, whatever follows.
const FIRST: [&str; 5] = ["stop", "stopall", "unsubscribe", "optout", "alto"];

/// What may follow `stop` when somebody writes of a visit.
const VISITS: [&str; 4] = ["by", "in", "over", "at"];

/// A first word that says it when only [`POLITE`] words follow.
const FIRST_IF_POLITE: [&str; 11] = [
    "quit", "end", "revoke", "cancel", "parar", "cancelar", "baja", "detener", "basta", "salir", "terminar",
];

/// What people add who want no more texts.
const POLITE: [&str; 33] = [
    "all",
    "consent",
    "de",
    "el",
    "esta",
    "este",
    "favor",
    "from",
    "gracias",
    "it",
    "la",
    "list",
    "lista",
    "los",
    "me",
    "mensajes",
    "messages",
    "my",
    "now",
    "please",
    "pls",
    "por",
    "porfavor",
    "subscription",
    "suscripcion",
    "texting",
    "texts",
    "thank",
    "thanks",
    "these",
    "this",
    "ya",
    "you",
];

/// What says it anywhere, unless a word of [`NEGATIONS`] stands before it.
const PHRASES: [&[&str]; 9] = [
    &["please", "stop"],
    &["stop", "texting"],
    &["stop", "sending"],
    &["stop", "messaging"],
    &["opt", "out"],
    &["remove", "me"],
    &["unsubscribe", "me"],
    &["take", "me", "off"],
    &["no", "more", "texts"],
];

const NEGATIONS: [&str; 13] = [
    "not", "never", "dont", "doesnt", "didnt", "wont", "cant", "cannot", "wouldnt", "shouldnt", "isnt",
    "arent", "aint",
];

/// How many words before a phrase may hold its negation: `I never asked you to remove me`.
const REACH: usize = 4;

/// Words that people also use when they write of something else. Staff read such a reply first.
const UNCLEAR: [&str; 17] = [
    "stop",
    "stopall",
    "unsubscribe",
    "optout",
    "alto",
    "quit",
    "end",
    "revoke",
    "cancel",
    "parar",
    "cancelar",
    "baja",
    "detener",
    "basta",
    "salir",
    "terminar",
    "remove",
];

/// What a reply says about texts to its sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Says {
    /// No more texts.
    Stop,
    /// Perhaps that: it holds a word for it. Staff decide.
    Unclear,
    /// Something else.
    Other,
}

/// What a reply says about texts to its sender.
pub(crate) fn says(body: &str) -> Says {
    let clauses = clauses(body);
    let words: Vec<&str> = clauses.iter().flatten().map(String::as_str).collect();
    if is_whole(&words) || begins_with_stop(&words) || has_phrase(&clauses) {
        return Says::Stop;
    }
    match words.iter().any(|word| UNCLEAR.contains(word)) {
        true => Says::Unclear,
        false => Says::Other,
    }
}

fn is_whole(words: &[&str]) -> bool {
    WHOLE.contains(&words.concat().as_str())
}

fn begins_with_stop(words: &[&str]) -> bool {
    let Some((first, others)) = words.split_first() else {
        return false;
    };
    let is_polite = || others.iter().all(|word| POLITE.contains(word));
    match FIRST.contains(first) {
        true => !is_visit(first, others),
        false => FIRST_IF_POLITE.contains(first) && is_polite(),
    }
}

fn is_visit(word: &str, others: &[&str]) -> bool {
    word == "stop" && others.first().is_some_and(|next| VISITS.contains(next))
}

/// A negation counts in its own clause only: `Not interested. Take me off.` The phrase itself may go on in the next line.
fn has_phrase(clauses: &[Vec<String>]) -> bool {
    let mut before: Vec<&str> = Vec::new(); // in this clause
    let mut rest: Vec<&str> = clauses.iter().flatten().map(String::as_str).rev().collect();
    for clause in clauses {
        before.clear();
        for word in clause {
            if is_phrase(rest.iter().rev()) && !is_negated(&before) {
                return true;
            }
            before.push(word);
            rest.pop();
        }
    }
    false
}

fn is_phrase<'a>(words: impl Iterator<Item = &'a &'a str> + Clone) -> bool {
    PHRASES.iter().any(|phrase| {
        let begins = words.clone().take(phrase.len()).eq(phrase.iter());
        let next: Vec<&str> = words.clone().skip(phrase.len()).take(1).copied().collect();
        begins && !phrase.last().is_some_and(|last| is_visit(last, &next))
    })
}

fn is_negated(before: &[&str]) -> bool {
    let near = before.iter().rev().take(REACH);
    near.into_iter().any(|word| NEGATIONS.contains(word))
}

/// The words between punctuation marks, in small letters, without accents and apostrophes.
fn clauses(body: &str) -> Vec<Vec<String>> {
    let plain: String = body
        .nfkd()
        .filter(|letter| !is_combining_mark(*letter) && !matches!(letter, '\'' | '’' | '‘' | 'ʼ'))
        .flat_map(char::to_lowercase)
        .collect();
    let clauses = plain.split(['.', ',', '!', '?', ';', '\n']);
    let words = |clause: &str| -> Vec<String> {
        let words = clause.split(|letter: char| !letter.is_alphanumeric());
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    clauses.map(words).collect()
}
