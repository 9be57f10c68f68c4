//! Sentences that people text back: which of them opt out. They were written before the rule.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use sms::{Keyword, NewReply, ProviderMessageId};

const REPLIES: &str = include_str!("replies.txt");

/// The sentences under a heading. `\n` stands for a new line.
fn under(heading: &str) -> Vec<String> {
    let lines = REPLIES.lines().skip_while(|line| *line != heading).skip(1);
    let own = lines.take_while(|line| !line.starts_with('['));
    own.map(|line| line.replace("\\n", "\n")).collect()
}

fn read(body: &str) -> NewReply {
    let id = ProviderMessageId::parse("SM1").unwrap();
    let phone = kernel::Phone::parse("5551234567").unwrap();
    NewReply::new(id, phone, body, None, chrono::DateTime::UNIX_EPOCH)
}

#[test]
fn sixty_sentences_stop_texts_and_sixty_do_not() {
    let (stop, keep) = (under("[stop]"), under("[keep]"));
    assert_eq!((stop.len(), keep.len()), (60, 60));
    let missed: Vec<_> = stop
        .iter()
        .filter(|body| read(body).keyword != Some(Keyword::Stop))
        .collect();
    let mistaken: Vec<_> = keep
        .iter()
        .filter(|body| read(body).keyword == Some(Keyword::Stop))
        .collect();
    assert!(
        missed.is_empty() && mistaken.is_empty(),
        "{missed:#?} {mistaken:#?}"
    );
}

#[test]
fn at_most_ten_are_a_listed_word_alone() {
    let is_one_word = |body: &&String| {
        let words = body.split(|letter: char| !letter.is_alphanumeric());
        words.filter(|word| !word.is_empty()).count() == 1
    };
    assert!(under("[stop]").iter().filter(is_one_word).count() <= 10);
}

#[test]
fn staff_decide_about_what_is_not_clear() {
    for body in under("[unclear]") {
        let reply = read(&body);
        assert_eq!((reply.keyword, reply.is_unclear), (None, true), "{body}");
    }
    for body in ["When is the drawing?", "Thanks!", "¿Cuándo termina la rifa?"] {
        assert!(!read(body).is_unclear, "{body}");
    }
}

#[test]
fn what_the_provider_takes_it_for_decides_first() {
    let verdict = |body: &str, of_provider| {
        let id = ProviderMessageId::parse("SM1").unwrap();
        let phone = kernel::Phone::parse("5551234567").unwrap();
        NewReply::new(id, phone, body, of_provider, chrono::DateTime::UNIX_EPOCH)
    };
    let stopped = verdict("No", Some(Keyword::Stop));
    assert_eq!(
        (stopped.keyword, stopped.answer("Tombola", true)),
        (Some(Keyword::Stop), None)
    );
    let helped = verdict("AYUDA", Some(Keyword::Help));
    assert_eq!(
        (helped.keyword, helped.answer("Tombola", false)),
        (Some(Keyword::Help), None)
    );
    let started = verdict("please stop", Some(Keyword::Start));
    assert_eq!(
        (started.keyword, started.is_unclear),
        (Some(Keyword::Start), false)
    );
}

#[test]
fn an_opt_out_that_the_provider_does_not_answer_is_answered_once() {
    let answer = |body: &str, is_change| read(body).answer("Tombola", is_change);
    let stopped = "Tombola: you get no more texts. Reply START to undo.";
    assert_eq!(answer("please stop", true).as_deref(), Some(stopped));
    assert_eq!(answer("please stop", false), None, "it had opted out before");
    assert_eq!(answer("STOP", true), None, "the provider answers it");
    assert_eq!(answer("START", true), None);
    assert!(answer("help", false).unwrap().contains("Reply STOP"));
}
