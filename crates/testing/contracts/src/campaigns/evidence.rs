//! What allowed a text.

use super::{
    add, begin, consent, consenting, july, link, list_of, new_campaign, sent, skips, take, take_in, template,
};
use crate::Store;
use crate::messages::{at, claimed, fence, provider_message, record};
use crate::support::{noon, phone};
use chrono_tz::Tz;
use kernel::ConsentAct;
use sms::{
    ConsentBasis, Consents, DeliveryReport, Keyword, MessageEvidence, MessageId, NewReply, OptOutChange,
    OptOuts, ProviderStatus, Replies, SendingEvidence,
};

fn evidence<S: Store>(store: &S, message: MessageId) -> MessageEvidence {
    store
        .snapshot(|tx| tx.find_evidence(message, Tz::UTC))
        .unwrap()
        .unwrap()
}

/// A reply of a number, as the flow stores it.
fn say<S: Store>(store: &S, n: u32, word: &str, second: i64) {
    let provider_id = provider_message(100 + u32::try_from(second).unwrap(), ProviderStatus::Accepted).id;
    let reply = NewReply::new(provider_id, phone(n), word, None, at(second));
    let say = |tx: &mut S::Tx| -> Result<(), kernel::StoreError> {
        match reply.keyword {
            Some(Keyword::Stop) => tx.opt_out(&phone(n), at(second))?,
            Some(Keyword::Start) => tx.opt_in(&phone(n), at(second))?,
            _ => {}
        }
        tx.add_reply(&reply).map(drop)
    };
    store.transaction(say).unwrap();
}

pub fn evidence_names_the_consent_the_basis_and_what_the_number_said<S: Store>(store: &S) {
    let entrant = consenting(store, 1);
    let fence = fence(store);
    let id = add(store, &new_campaign(template(store), list_of([1, 2])));
    assert_eq!(begin(store, fence, 0), [id]);
    let taken = take_in(store, fence, id, 10, (july(), 9)).unwrap();
    for (message, _) in &taken {
        sent(store, *message);
    }
    for (word, second) in [("STOP", 10), ("HELP", 11), ("START", 12)] {
        say(store, 1, word, second);
    }
    let of_entrant = evidence(store, taken[0].0);
    let consent = of_entrant.consent.clone().unwrap();
    assert_eq!(
        (consent.entrant, consent.consent.act),
        (entrant, ConsentAct::Form)
    );
    let expected = MessageEvidence {
        phone: phone(1),
        consent: Some(consent),
        consent_basis: ConsentBasis::parse("They asked for it."),
        opt_outs: vec![
            OptOutChange {
                opted_out: true,
                at: at(10),
            },
            OptOutChange {
                opted_out: false,
                at: at(12),
            },
        ],
        // The store counts for the month of the text, and this text is from another month than it was counted for.
        month_count: 0,
        sent_at: of_entrant.sent_at,
    };
    assert!(of_entrant.sent_at.is_some());
    assert_eq!(of_entrant, expected);
    let listed = evidence(store, taken[1].0);
    assert_eq!((&listed.consent, listed.opt_outs.len()), (&None, 0));
    let unknown = MessageId::new(i64::MAX);
    let none = store.snapshot(|tx| tx.find_evidence(unknown, Tz::UTC)).unwrap();
    assert_eq!(none, None);

    let of = |n| {
        store
            .read(|tx| tx.find_campaign_message(id, &[link(id, &phone(5)), link(id, &phone(n))]))
            .unwrap()
    };
    assert_eq!((of(1), of(2), of(3)), (Some(taken[0].0), Some(taken[1].0), None));
}

pub fn evidence_counts_the_texts_of_the_month<S: Store>(store: &S) {
    consenting(store, 1);
    let fence = fence(store);
    let month = sms::month_of(noon(), &Tz::UTC);
    let mut last = None;
    for _ in 0..2 {
        let id = add(store, &new_campaign(template(store), list_of([1])));
        assert_eq!(begin(store, fence, 0), [id]);
        last = Some(take_in(store, fence, id, 1, (month, 9)).unwrap()[0].0);
    }
    assert_eq!(evidence(store, last.unwrap()).month_count, 2);
}

/// The consent of a text that waits is that of the moment when it is sent.
pub fn a_text_that_is_tried_again_names_the_consent_of_that_time<S: Store>(store: &S) {
    let entrant = consenting(store, 1);
    let fence = fence(store);
    let id = add(store, &new_campaign(template(store), list_of([1])));
    assert_eq!(begin(store, fence, 0), [id]);
    let taken = take(store, fence, id, 10);
    assert_eq!(skips(&taken), [None]);
    let first = evidence(store, taken[0].0).consent.unwrap();
    let again = DeliveryReport::NotSent { retry_at: at(5) };
    record(store, taken[0].0, 1, again, 1);
    consent(store, entrant, false);
    consent(store, entrant, true);
    assert_eq!(claimed(store, fence, 10, 5).len(), 1);
    let second = evidence(store, taken[0].0).consent.unwrap();
    assert!(second.id > first.id, "{second:?}");
    assert!(store.read(|tx| tx.find_consent(first.id)).unwrap().is_some());
}
