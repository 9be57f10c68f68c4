use crate::Store;
use crate::messages::{at, claimed, fence, found, has, lease, new_template, record, refusal, told};
use crate::support::{at_once, noon, phone};
use analytics::{Flags, NewFlag};
use chrono::NaiveDate;
use kernel::{
    EntrantId, IdempotencyKey, Origin, PageRequest, Phone, Raffle, ReferralCode, StoreError, UniqueKey,
};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use raffle::{Entrants, NewEntrant};
use sms::{
    Audience, AudienceSize, Campaign, CampaignDispatching, CampaignFigures, CampaignId, CampaignReport,
    CampaignSecret, CampaignStatus, Campaigns, Clicks, Consent, ConsentAct, Consents, DeliveryReport,
    Dispatching, ExportedMessage, Fence, Fenced, Label, LinkBase, MessageId, MessageKind, MessageStatus,
    NewCampaign, NewCampaignMessage, NewClick, NewConsent, NewMessage, OpenMessages, OptOuts, Outbox,
    ProviderStatus, Recipient, SkipReason, SmsClearing, SmsCounts, TemplateId, Templates, TrackedMessage,
    TrackingId,
};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

const RAFFLE: Raffle = Raffle::FreshSips;

fn july() -> NaiveDate {
    NaiveDate::from_ymd_opt(2025, 7, 1).unwrap()
}

/// A digit as a letter that may stand in a referral code.
fn letter(digit: u8) -> char {
    char::from(b"CDFGHJKMNP"[usize::from(digit - b'0')])
}

/// Somebody in this raffle, who has said nothing about campaign texts and is queued none.
fn admitted_to<S: Store>(store: &S, n: u32, raffle: Raffle) -> EntrantId {
    let code: String = format!("{n:08}").bytes().map(letter).collect();
    let new = NewEntrant {
        phone: phone(n),
        referral_code: ReferralCode::parse(&code).unwrap(),
        raffle,
        event_id: None,
        origin: Origin::default(),
        fingerprint: None,
        created_at: noon(),
    };
    store.transaction(|tx| tx.add_entrant(&new)).unwrap().unwrap()
}

fn consent<S: Store>(store: &S, entrant: EntrantId, granted: bool) {
    let consent = NewConsent {
        entrant,
        consent: Consent {
            granted,
            act: ConsentAct::Form,
        },
        wording: "test",
        address: None,
        user_agent: None,
        at: noon(),
    };
    store.transaction(|tx| tx.record_consent(&consent)).unwrap();
}

fn consenting_in<S: Store>(store: &S, n: u32, raffle: Raffle) -> EntrantId {
    let entrant = admitted_to(store, n, raffle);
    consent(store, entrant, true);
    entrant
}

fn consenting<S: Store>(store: &S, n: u32) -> EntrantId {
    consenting_in(store, n, RAFFLE)
}

fn flag<S: Store>(store: &S, entrant: EntrantId) {
    let flag = NewFlag {
        entrant,
        reason: "Test".to_owned(),
        at: noon(),
    };
    store.transaction(|tx| tx.flag(&flag)).unwrap();
}

fn opt_out<S: Store>(store: &S, n: u32) {
    store.transaction(|tx| tx.opt_out(&phone(n), noon())).unwrap();
}

fn template<S: Store>(store: &S) -> TemplateId {
    let new = new_template("Template", "Look: [there]");
    store.transaction(|tx| tx.add_template(&new, noon())).unwrap()
}

fn new_campaign(template: TemplateId, audience: Audience) -> NewCampaign {
    NewCampaign {
        name: Label::parse("July").unwrap(),
        template,
        scheduled_at: noon(),
        audience,
        link_base: LinkBase::parse("https://example.org").unwrap(),
        secret: CampaignSecret::new([7; 32]),
        idempotency_key: None,
        at: noon(),
    }
}

fn add<S: Store>(store: &S, new: &NewCampaign) -> CampaignId {
    store.transaction(|tx| tx.add_campaign(new)).unwrap()
}

fn added<S: Store>(store: &S, audience: Audience) -> CampaignId {
    let template = template(store);
    add(store, &new_campaign(template, audience))
}

fn list_of(numbers: impl IntoIterator<Item = u32>) -> Audience {
    Audience::Custom(numbers.into_iter().map(phone).collect())
}

fn begin<S: Store>(store: &S, fence: Fence, second: i64) -> Vec<CampaignId> {
    let begin = |tx: &mut S::Tx| tx.start_due_campaigns(fence, at(second));
    store.transaction::<_, StoreError>(begin).unwrap().unwrap()
}

/// A campaign that has begun.
fn begun<S: Store>(store: &S, fence: Fence, audience: Audience) -> CampaignId {
    let id = added(store, audience);
    assert_eq!(begin(store, fence, 0), [id]);
    id
}

fn campaign<S: Store>(store: &S, id: CampaignId) -> Campaign {
    store.read(|tx| tx.find_campaign(id)).unwrap().unwrap()
}

fn figures<S: Store>(store: &S, id: CampaignId) -> CampaignFigures {
    campaign(store, id).figures
}

fn link(campaign: CampaignId, phone: &Phone) -> TrackingId {
    let name = format!("fresh-{campaign}-{}", phone.last_four());
    TrackingId::parse(&name).unwrap()
}

fn text_for(campaign: CampaignId, recipient: Recipient) -> NewCampaignMessage {
    let tracking_id = link(campaign, &recipient.phone);
    let tracking_url = tracking_id.link("https://example.org");
    NewCampaignMessage {
        body: format!("Look: {tracking_url}"),
        recipient,
        tracking_id,
        tracking_url,
    }
}

/// As a flow does: takes recipients and adds their texts together.
fn take_in<S: Store>(
    store: &S,
    fence: Fence,
    id: CampaignId,
    limit: u32,
    (month, cap): (NaiveDate, u32),
) -> Result<Vec<(MessageId, Recipient)>, Fenced> {
    let take = |tx: &mut S::Tx| -> Result<_, StoreError> {
        let recipients = match tx.take_recipients(fence, id, limit, month, cap)? {
            Ok(recipients) => recipients,
            Err(fenced) => return Ok(Err(fenced)),
        };
        let texts: Vec<_> = recipients
            .iter()
            .map(|recipient| text_for(id, recipient.clone()))
            .collect();
        let ids = tx.add_campaign_messages(fence, id, &texts, noon())?;
        Ok(Ok(ids.into_iter().zip(recipients).collect()))
    };
    store.transaction(take).unwrap()
}

fn take<S: Store>(store: &S, fence: Fence, id: CampaignId, limit: u32) -> Vec<(MessageId, Recipient)> {
    take_in(store, fence, id, limit, (july(), 1)).unwrap()
}

fn skips(taken: &[(MessageId, Recipient)]) -> Vec<Option<SkipReason>> {
    taken.iter().map(|(_, recipient)| recipient.skip).collect()
}

fn end<S: Store>(store: &S, second: i64) -> Vec<CampaignId> {
    store.transaction(|tx| tx.finish_campaigns(at(second))).unwrap()
}

fn report<S: Store>(store: &S, id: CampaignId) -> CampaignReport {
    store.snapshot(|tx| tx.report_campaign(id)).unwrap()
}

fn exported<S: Store>(store: &S, id: CampaignId) -> Vec<ExportedMessage> {
    let export = |tx: &S::Tx| tx.export_messages(id, MessageId::new(0), 1_000);
    store.read::<_, StoreError>(export).unwrap()
}

fn size<S: Store>(store: &S, audience: &Audience, cap: u32) -> AudienceSize {
    let size = |tx: &S::Tx| tx.audience_size(audience, july(), cap);
    store.snapshot::<_, StoreError>(size).unwrap()
}

fn counts<S: Store>(store: &S) -> SmsCounts {
    store.read(|tx| tx.count_sms()).unwrap()
}

fn sent<S: Store>(store: &S, text: MessageId) {
    let provider_message = has(u32::try_from(text.get()).unwrap(), ProviderStatus::Accepted);
    record(store, text, 1, DeliveryReport::AtProvider(provider_message), 1);
}

pub fn a_campaign_reads_back<S: Store>(store: &S) {
    let template = template(store);
    let many = list_of(0..150);
    let audiences = [
        Audience::All,
        Audience::Raffle(RAFFLE),
        list_of([3, 1]),
        many.clone(),
    ];
    let mut plans = audiences.map(|audience| new_campaign(template, audience));
    plans[1].idempotency_key = IdempotencyKey::parse("one");
    plans[2].scheduled_at = at(500);
    let ids = [0, 1, 2, 3].map(|n| add(store, &plans[n]));
    let renamed = new_template("Renamed", "Look: [there]");
    store
        .transaction(|tx| tx.change_template(template, &renamed, noon()))
        .unwrap();
    let expected = |n: usize, custom_number_count| Campaign {
        id: ids[n],
        plan: plans[n].clone(),
        template_name: "Renamed".to_owned(),
        custom_number_count,
        status: CampaignStatus::Pending,
        figures: CampaignFigures::default(),
        started_at: None,
        ended_at: None,
    };
    for (n, count) in [(0, 0), (1, 0), (2, 2)] {
        assert_eq!(campaign(store, ids[n]), expected(n, count));
    }
    let long = campaign(store, ids[3]);
    assert_eq!(long.custom_number_count, 150);
    assert_eq!(long.plan.audience, list_of(0..100), "its beginning");
    let list = |limit, offset| {
        let page = PageRequest { limit, offset };
        let campaigns = store.read(|tx| tx.list_campaigns(page)).unwrap();
        campaigns
            .into_iter()
            .map(|campaign| campaign.id)
            .collect::<Vec<_>>()
    };
    assert_eq!(list(10, 0), [ids[3], ids[2], ids[1], ids[0]]);
    assert_eq!((list(2, 1), list(2, 4)), (vec![ids[2], ids[1]], vec![]));
    assert_eq!(store.read(|tx| tx.count_campaigns()).unwrap(), 4);
    let by_key = |key| {
        let key = IdempotencyKey::parse(key).unwrap();
        store.read(|tx| tx.find_campaign_by_key(&key)).unwrap()
    };
    assert_eq!((by_key("one"), by_key("two")), (Some(expected(1, 0)), None));
    let unknown = CampaignId::new(i64::MAX);
    assert_eq!(store.read(|tx| tx.find_campaign(unknown)).unwrap(), None);
}

pub fn a_campaigns_key_is_used_once<S: Store>(store: &S) {
    let mut new = new_campaign(template(store), Audience::All);
    new.idempotency_key = IdempotencyKey::parse("one-wish");
    let added = at_once(20, |_| store.transaction(|tx| tx.add_campaign(&new)));
    assert_eq!(added.iter().flatten().count(), 1);
    let refused = added.into_iter().filter_map(Result::err);
    for error in refused {
        assert!(
            matches!(error, StoreError::Duplicate(UniqueKey::CampaignKey)),
            "{error}"
        );
    }
    assert_eq!(store.read(|tx| tx.count_campaigns()).unwrap(), 1);
}

pub fn only_a_pending_campaign_is_cancelled<S: Store>(store: &S) {
    let cancel = |id| store.transaction(|tx| tx.cancel_campaign(id)).unwrap();
    let fence = fence(store);
    let id = added(store, Audience::All);
    assert!(cancel(id) && !cancel(id));
    assert_eq!(campaign(store, id).status, CampaignStatus::Cancelled);
    assert_eq!(begin(store, fence, 100), []);
    let id = begun(store, fence, Audience::All);
    assert!(!cancel(id) && !cancel(CampaignId::new(i64::MAX)));
    assert_eq!(campaign(store, id).status, CampaignStatus::Sending);
}

pub fn cancelled_and_begun_at_once_it_is_one_of_both<S: Store>(store: &S) {
    let fence = fence(store);
    for _ in 0..20 {
        let id = added(store, list_of([1]));
        let won = at_once(2, |n| match n {
            0 => store.transaction(|tx| tx.cancel_campaign(id)).unwrap(),
            _ => begin(store, fence, 0) == [id],
        });
        assert_ne!(won[0], won[1], "one of both");
        let expected = match won[0] {
            true => CampaignStatus::Cancelled,
            false => CampaignStatus::Sending,
        };
        assert_eq!(campaign(store, id).status, expected);
    }
}

pub fn campaigns_begin_when_they_are_due_and_once<S: Store>(store: &S) {
    let template = template(store);
    let scheduled = |second| {
        let mut new = new_campaign(template, list_of([1]));
        new.scheduled_at = at(second);
        add(store, &new)
    };
    let (last, later, first, past) = (scheduled(30), scheduled(20), scheduled(10), scheduled(-9_999));
    let fence = fence(store);
    assert_eq!(begin(store, fence, 9), [past], "in the past means now");
    let begun = at_once(20, |_| begin(store, fence, 20));
    assert_eq!(begun.concat(), [first, later], "earliest first");
    let started = campaign(store, first);
    assert_eq!(
        (started.status, started.started_at, started.figures.recipients),
        (CampaignStatus::Sending, Some(at(20)), 1)
    );
    let next = || store.read(|tx| tx.next_campaign()).unwrap();
    for expected in [past, first, later] {
        let sending = next().unwrap();
        assert_eq!(sending.id, expected);
        assert_eq!(
            (sending.raffle, sending.link_base.as_str(), sending.secret),
            (
                Raffle::KitchenGarden,
                "https://example.org",
                CampaignSecret::new([7; 32])
            )
        );
        take(store, fence, expected, 1);
    }
    assert_eq!(next(), None);
    let later = lease(store, "two", 60).unwrap();
    let refused = |tx: &mut S::Tx| tx.start_due_campaigns(fence, at(60));
    assert_eq!(store.transaction::<_, StoreError>(refused).unwrap(), Err(Fenced));
    assert_eq!(campaign(store, last).status, CampaignStatus::Pending);
    assert_eq!(begin(store, later, 60), [last]);
}

/// Who consented, is not flagged, and has not opted out. The newest consent decides.
pub fn an_audience_is_who_may_be_sent_texts<S: Store>(store: &S) {
    admitted_to(store, 1, RAFFLE);
    consenting(store, 2);
    let refused = consenting(store, 3);
    consent(store, refused, false);
    let changed = admitted_to(store, 4, RAFFLE);
    consent(store, changed, false);
    consent(store, changed, true);
    let flagged = consenting(store, 5);
    flag(store, flagged);
    consenting(store, 6);
    opt_out(store, 6);
    consenting(store, 7);
    opt_out(store, 7);
    store.transaction(|tx| tx.opt_in(&phone(7), noon())).unwrap();
    consenting_in(store, 8, Raffle::GardenBag);
    let fence = fence(store);
    for (audience, expected) in [
        (Audience::All, vec![2, 4, 7, 8]),
        (Audience::Raffle(RAFFLE), vec![2, 4, 7]),
        (Audience::Raffle(Raffle::SustainableLiving), vec![]),
    ] {
        let count = i64::try_from(expected.len()).unwrap();
        assert_eq!(size(store, &audience, 9).recipients, count);
        let id = begun(store, fence, audience);
        assert_eq!(figures(store, id).recipients, count);
        let taken = take_in(store, fence, id, 100, (july(), 9)).unwrap();
        let phones: Vec<_> = taken.iter().map(|(_, to)| to.phone.clone()).collect();
        assert_eq!(phones, expected.into_iter().map(phone).collect::<Vec<_>>());
        assert!(taken.iter().all(|(_, to)| to.skip.is_none()));
    }
}

/// Neither consent nor flags nor the cap matter; opting out does.
pub fn a_list_is_all_its_numbers<S: Store>(store: &S) {
    let silent = admitted_to(store, 1, Raffle::SustainableLiving);
    let flagged = consenting(store, 2);
    flag(store, flagged);
    opt_out(store, 3);
    let audience = list_of([4, 3, 2, 1]);
    let expected = AudienceSize {
        recipients: 3,
        over_cap: 0,
    };
    assert_eq!(size(store, &audience, 0), expected);
    let fence = fence(store);
    for _ in 0..2 {
        let id = begun(store, fence, audience.clone());
        assert_eq!(figures(store, id).recipients, 4);
        let taken = take_in(store, fence, id, 10, (july(), 0)).unwrap();
        let recipient = |n, entrant, raffle, skip| Recipient {
            phone: phone(n),
            entrant,
            raffle,
            skip,
        };
        let expected = [
            recipient(1, Some(silent), Some(Raffle::SustainableLiving), None),
            recipient(2, Some(flagged), Some(RAFFLE), None),
            recipient(3, None, None, Some(SkipReason::OptedOut)),
            recipient(4, None, None, None),
        ];
        let recipients: Vec<_> = taken.into_iter().map(|(_, recipient)| recipient).collect();
        assert_eq!(recipients, expected);
    }
    consenting(store, 5);
    let of_entrants = size(store, &Audience::All, 1);
    assert_eq!((of_entrants.recipients, of_entrants.over_cap), (1, 0));
}

pub fn recipients_are_given_once_each<S: Store>(store: &S) {
    let fence = fence(store);
    let id = begun(store, fence, list_of(0..100));
    let waiting = || store.read(|tx| tx.count_open_messages()).unwrap();
    let all_wait = OpenMessages {
        waiting: 100,
        unknown: 0,
    };
    assert_eq!(waiting(), all_wait);
    let taken = at_once(20, |_| {
        let mut mine = Vec::new();
        loop {
            let some = take(store, fence, id, 3);
            if some.is_empty() {
                return mine;
            }
            mine.extend(some);
        }
    });
    let taken: Vec<_> = taken.into_iter().flatten().collect();
    let phones: BTreeSet<_> = taken.iter().map(|(_, to)| to.phone.clone()).collect();
    assert_eq!((taken.len(), phones.len()), (100, 100));
    for (text, recipient) in &taken {
        let found = found(store, *text);
        assert_eq!(found.content.phone, recipient.phone);
        assert_eq!(found.status, MessageStatus::Sending);
    }
    assert_eq!(waiting(), all_wait, "being sent");
    let gone = store.read(|tx| tx.next_campaign()).unwrap();
    assert_eq!(gone, None);
    assert_eq!(take(store, fence, CampaignId::new(i64::MAX), 3), []);
}

pub fn nobody_is_given_under_an_earlier_fence<S: Store>(store: &S) {
    let earlier = fence(store);
    let id = begun(store, earlier, list_of(0..3));
    let first = take(store, earlier, id, 1);
    let later = lease(store, "two", 60).unwrap();
    assert_eq!(take_in(store, earlier, id, 3, (july(), 1)), Err(Fenced));
    assert_eq!(found(store, first[0].0).status, MessageStatus::Unknown);
    let doubtful = |tx: &mut S::Tx| tx.claim_uncertain(later, 10, at(100), at(200));
    let doubtful = store.transaction::<_, StoreError>(doubtful).unwrap().unwrap();
    let marks: Vec<_> = doubtful.into_iter().map(|text| text.needle).collect();
    assert_eq!(marks, [link(id, &phone(0)).link("https://example.org")]);
    let rest = take(store, later, id, 3);
    assert_eq!([&rest[0].1.phone, &rest[1].1.phone], [&phone(1), &phone(2)]);
    assert_eq!(rest.len(), 2);
}

pub fn a_takeover_and_taking_at_once_leave_nobody_out<S: Store>(store: &S) {
    for round in 0..20 {
        let start = i64::from(round) * 200;
        let earlier = lease(store, &format!("{round}a"), start).unwrap();
        let id = begun(store, earlier, list_of([round]));
        let fences = at_once(2, |n| match n {
            0 => {
                let taken = take_in(store, earlier, id, 1, (july(), 1));
                assert!(taken.is_err() || taken.unwrap().len() == 1);
                None
            }
            _ => lease(store, &format!("{round}b"), start + 60),
        });
        let texts = exported(store, id);
        match texts.first() {
            Some(text) => assert_eq!(text.status, MessageStatus::Unknown),
            None => assert_eq!(take(store, fences[1].unwrap(), id, 1).len(), 1),
        }
    }
}

pub fn what_changes_before_a_text_is_sent_is_seen<S: Store>(store: &S) {
    let ids: Vec<_> = (0..8).map(|n| consenting(store, n)).collect();
    let fence = fence(store);
    let id = begun(store, fence, Audience::All);
    let change = |of: usize| {
        consent(store, ids[of], false);
        flag(store, ids[of + 1]);
        opt_out(store, u32::try_from(of).unwrap() + 2);
    };
    change(1);
    let taken = take(store, fence, id, 100);
    let reasons = [
        Some(SkipReason::NoConsent),
        Some(SkipReason::Flagged),
        Some(SkipReason::OptedOut),
    ];
    assert_eq!(skips(&taken)[1..4], reasons);
    assert_eq!(skips(&taken).iter().flatten().count(), 3);
    // And before it is sent again.
    for n in [0, 4, 5, 6, 7] {
        let again_at = at(5);
        record(
            store,
            taken[n].0,
            1,
            DeliveryReport::NotSent { retry_at: again_at },
            1,
        );
    }
    change(4);
    let again: Vec<_> = claimed(store, fence, 10, 5)
        .into_iter()
        .map(|text| text.id)
        .collect();
    assert_eq!(again, [taken[0].0, taken[7].0]);
    for (n, reason) in (4..7).zip(reasons) {
        let text = found(store, taken[n].0);
        assert_eq!(text.status, MessageStatus::Skipped);
        assert_eq!(text.reason.as_deref(), reason.map(SkipReason::as_str));
    }
    let expected = CampaignFigures {
        recipients: 8,
        skipped: 6,
        ..CampaignFigures::default()
    };
    assert_eq!(figures(store, id), expected);
    // For a list only opting out matters.
    let id = begun(store, fence, list_of([5, 0]));
    let taken = take(store, fence, id, 10);
    let again_at = at(5);
    record(
        store,
        taken[1].0,
        1,
        DeliveryReport::NotSent { retry_at: again_at },
        1,
    );
    assert_eq!(skips(&taken), [None, None]);
    let again = claimed(store, fence, 10, 5);
    assert_eq!(again.iter().map(|text| text.id).collect::<Vec<_>>(), [taken[1].0]);
}

pub fn the_monthly_cap_holds_whatever_is_sent_at_once<S: Store>(store: &S) {
    for n in 0..30 {
        consenting(store, n);
    }
    let fence = fence(store);
    let ids = [Audience::All, Audience::Raffle(RAFFLE), Audience::All]
        .map(|audience| begun(store, fence, audience));
    let taken = at_once(20, |n| {
        let mut mine = Vec::new();
        loop {
            let id = ids[n as usize % 3];
            let some = take_in(store, fence, id, 7, (july(), 2)).unwrap();
            if some.is_empty() {
                return mine;
            }
            mine.extend(some);
        }
    });
    let mut texts: BTreeMap<Phone, u32> = BTreeMap::new();
    for (_, recipient) in taken.into_iter().flatten() {
        match recipient.skip {
            None => *texts.entry(recipient.phone).or_default() += 1,
            Some(reason) => assert_eq!(reason, SkipReason::MonthlyCap),
        }
    }
    assert_eq!(texts.len(), 30);
    assert!(texts.values().all(|texts| *texts == 2), "{texts:?}");
    let over = AudienceSize {
        recipients: 30,
        over_cap: 30,
    };
    assert_eq!(size(store, &Audience::All, 2), over);
    assert_eq!(size(store, &Audience::All, 3).over_cap, 0);
    let in_month = |month, cap| {
        let id = begun(store, fence, Audience::All);
        let taken = take_in(store, fence, id, 100, (month, cap)).unwrap();
        skips(&taken).iter().flatten().count()
    };
    let august = july() + chrono::Months::new(1);
    assert_eq!(in_month(august, 0), 30);
    assert_eq!(in_month(august, 1), 0);
    assert_eq!(in_month(august, 1), 30);
    assert_eq!(in_month(july(), 2), 30);
}

pub fn a_template_changed_while_it_is_sent_changes_nothing<S: Store>(store: &S) {
    let fence = fence(store);
    let id = begun(store, fence, list_of(0..2));
    let message = || store.read(|tx| tx.next_campaign()).unwrap().unwrap().message;
    let before = message();
    assert_eq!(before.with_link("L"), "Look: L");
    take(store, fence, id, 1);
    let template = campaign(store, id).plan.template;
    let changed = new_template("Changed", "Another: [there]");
    store
        .transaction(|tx| tx.change_template(template, &changed, noon()))
        .unwrap();
    assert_eq!(message(), before);
    let next = added(store, list_of([1]));
    assert_eq!(begin(store, fence, 1), [next]);
    take(store, fence, id, 1);
    assert_eq!(message().with_link("L"), "Look: L");
}

pub fn texts_are_added_in_order_and_skipped_ones_say_nothing<S: Store>(store: &S) {
    let entrant = consenting(store, 1);
    opt_out(store, 2);
    let fence = fence(store);
    let id = begun(store, fence, list_of([3, 1, 2]));
    let taken = take(store, fence, id, 10);
    assert!(taken.is_sorted_by_key(|(text, _)| *text));
    let texts: Vec<_> = taken.iter().map(|(text, _)| found(store, *text)).collect();
    let link = |n| Some(link(id, &phone(n)));
    let url = link(1).unwrap().link("https://example.org");
    let expected = NewMessage {
        kind: MessageKind::Campaign,
        entrant: Some(entrant),
        phone: phone(1),
        body: Some(format!("Look: {url}")),
        at: noon(),
    };
    assert_eq!(
        (&texts[0].content, texts[0].status),
        (&expected, MessageStatus::Sending)
    );
    assert_eq!(
        (&texts[1].content.body, texts[1].status),
        (&None, MessageStatus::Skipped)
    );
    let listed = exported(store, id);
    let shown: Vec<_> = listed
        .iter()
        .map(|text| {
            (
                text.phone.clone(),
                text.tracking_id.clone(),
                text.reason.as_deref(),
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            (phone(1), link(1), None),
            (phone(2), None, Some("opted_out")),
            (phone(3), link(3), None)
        ]
    );
    let part = store.read(|tx| tx.export_messages(id, listed[0].id, 1)).unwrap();
    assert_eq!(part, listed[1..2]);
    let again_at = at(9);
    record(
        store,
        taken[0].0,
        1,
        DeliveryReport::NotSent { retry_at: again_at },
        1,
    );
    let claimed = claimed(store, fence, 10, 9).remove(0);
    assert_eq!((claimed.attempt, claimed.body), (2, expected.body));
}

pub fn a_campaign_ends_when_nothing_is_left<S: Store>(store: &S) {
    let fence = fence(store);
    let nobody = begun(store, fence, Audience::All);
    assert_eq!(end(store, 3), [nobody]);
    let ended = campaign(store, nobody);
    assert_eq!(
        (ended.status, ended.ended_at),
        (CampaignStatus::Sent, Some(at(3)))
    );
    assert_eq!(end(store, 4), []);

    let failing = begun(store, fence, list_of(0..2));
    let first = take(store, fence, failing, 1)[0].0;
    record(store, first, 1, DeliveryReport::Refused(refusal()), 1);
    assert_eq!(end(store, 5), [], "a recipient is left");
    let second = take(store, fence, failing, 1)[0].0;
    assert_eq!(end(store, 5), [], "a text is being sent");
    let again_at = at(6);
    record(
        store,
        second,
        1,
        DeliveryReport::NotSent { retry_at: again_at },
        5,
    );
    assert_eq!(end(store, 5), [], "a text waits");
    assert_eq!(claimed(store, fence, 1, 6).len(), 1);
    let look_up_at = at(7);
    record(store, second, 2, DeliveryReport::Uncertain { look_up_at }, 6);
    assert_eq!(end(store, 6), [], "a text is in doubt");
    record(store, second, 2, DeliveryReport::Refused(refusal()), 7);
    assert_eq!(at_once(20, |_| end(store, 7)).concat(), [failing]);
    assert_eq!(campaign(store, failing).status, CampaignStatus::Failed);

    let partly = begun(store, fence, list_of(0..2));
    let taken = take(store, fence, partly, 2);
    sent(store, taken[0].0);
    record(store, taken[1].0, 1, DeliveryReport::Refused(refusal()), 1);
    assert_eq!(end(store, 8), [partly]);
    assert_eq!(campaign(store, partly).status, CampaignStatus::Sent);
    let told = told(
        store,
        taken[0].0,
        &has(
            u32::try_from(taken[0].0.get()).unwrap(),
            ProviderStatus::Delivered,
        ),
        9,
    );
    assert!(
        told && figures(store, partly).delivered == 1,
        "what arrives later counts too"
    );
}

fn click<S: Store>(store: &S, link: &TrackingId, cta: bool, second: i64) -> Option<TrackedMessage> {
    let click = NewClick {
        tracking_id: link.clone(),
        cta,
        address: Some([192, 0, 2, 7].into()),
        user_agent: Some("Test".to_owned()),
        at: at(second),
    };
    store.transaction(|tx| tx.record_click(&click)).unwrap()
}

pub fn a_link_counts_once_however_often_it_is_opened<S: Store>(store: &S) {
    let entrant = consenting_in(store, 1, Raffle::SustainableLiving);
    let fence = fence(store);
    let id = begun(store, fence, list_of([1, 2, 3]));
    take(store, fence, id, 10);
    let link = |n| link(id, &phone(n));
    let tracked = |entrant, raffle| Some(TrackedMessage { entrant, raffle });
    let theirs = tracked(Some(entrant), Raffle::SustainableLiving);
    let templates = tracked(None, Raffle::KitchenGarden);
    assert_eq!(click(store, &link(1), false, 5), theirs);
    assert_eq!(click(store, &link(1), true, 6), theirs);
    assert_eq!(click(store, &link(1), true, 7), theirs);
    assert_eq!(click(store, &link(2), true, 8), templates);
    assert_eq!(click(store, &link(2), false, 9), templates);
    assert_eq!(click(store, &link(9), true, 9), None);
    let counted = figures(store, id);
    assert_eq!((counted.clicked, counted.cta_clicked), (2, 2));
    let times: Vec<_> = exported(store, id)
        .into_iter()
        .map(|text| (text.clicked_at, text.cta_clicked_at))
        .collect();
    let expected = [
        (Some(at(5)), Some(at(6))),
        (Some(at(8)), Some(at(8))),
        (None, None),
    ];
    assert_eq!(times, expected);
    at_once(100, |n| click(store, &link(3), n % 2 == 0, 9));
    let counted = figures(store, id);
    assert_eq!((counted.clicked, counted.cta_clicked), (3, 3));
    assert_eq!(counts(store).clicks, 3);
}

pub fn a_report_says_why<S: Store>(store: &S) {
    (0..3).for_each(|n| opt_out(store, n));
    let fence = fence(store);
    let id = begun(store, fence, list_of(0..12));
    let taken = take(store, fence, id, 11);
    let texts: Vec<_> = taken.iter().map(|(text, _)| *text).collect();
    let refused = |text, code, sentence: &str| {
        let mut failure = refusal();
        (failure.code, failure.sentence) = (code, sentence.to_owned());
        record(store, text, 1, DeliveryReport::Refused(failure), 1);
    };
    refused(texts[3], Some(21211), "Invalid number");
    refused(texts[4], Some(30005), "Unknown destination");
    refused(texts[5], Some(21211), "Invalid number");
    refused(texts[6], None, "Another");
    record(
        store,
        texts[7],
        1,
        DeliveryReport::AtProvider(has(7, ProviderStatus::Undelivered)),
        1,
    );
    let look_up_at = at(9);
    record(store, texts[8], 1, DeliveryReport::Uncertain { look_up_at }, 1);
    sent(store, texts[9]);
    let expected = CampaignReport {
        waiting: 2,
        unknown: 1,
        failed: vec![
            ("21211 Invalid number".to_owned(), 2),
            ("30005 Unknown destination".to_owned(), 1),
            ("Another".to_owned(), 1),
            ("No reason was given".to_owned(), 1),
        ],
        skipped: vec![(SkipReason::OptedOut, 3)],
    };
    assert_eq!(report(store, id), expected);
    let expected = CampaignFigures {
        recipients: 12,
        sent: 2,
        failed: 5,
        skipped: 3,
        ..CampaignFigures::default()
    };
    assert_eq!(figures(store, id), expected);
    let unknown = CampaignId::new(i64::MAX);
    assert_eq!(report(store, unknown), CampaignReport::default());
}

pub fn clearing_campaigns_leaves_what_must_stay<S: Store>(store: &S) {
    for n in 0..3 {
        consenting(store, n);
    }
    opt_out(store, 9);
    let kept = store
        .transaction(|tx| {
            tx.queue_message(&NewMessage {
                kind: MessageKind::Victory,
                entrant: None,
                phone: phone(1),
                body: Some("You won!".to_owned()),
                at: noon(),
            })
        })
        .unwrap();
    let fence = fence(store);
    let id = begun(store, fence, Audience::All);
    let pending = added(store, Audience::All);
    let taken = take(store, fence, id, 2);
    click(store, &link(id, &phone(0)), false, 1);
    let there = SmsCounts {
        campaigns: 2,
        messages: 2,
        clicks: 1,
        templates: 2,
    };
    assert_eq!(counts(store), there);
    let cleared = SmsCounts {
        templates: 0,
        ..there
    };
    assert_eq!(store.transaction(|tx| tx.clear_campaigns()).unwrap(), cleared);
    let left = SmsCounts {
        templates: 2,
        ..SmsCounts::default()
    };
    assert_eq!(counts(store), left);
    for gone in [id, pending] {
        assert_eq!(store.read(|tx| tx.find_campaign(gone)).unwrap(), None);
    }
    assert_eq!(take(store, fence, id, 2), []);
    assert_eq!(click(store, &link(id, &phone(0)), false, 2), None);
    sent(store, taken[0].0);
    assert_eq!(store.read(|tx| tx.find_message(taken[0].0)).unwrap(), None);
    assert_eq!(found(store, kept).status, MessageStatus::Pending);
    assert!(store.read(|tx| tx.has_opted_out(&phone(9))).unwrap());
    assert_eq!(
        size(store, &Audience::All, 1).over_cap,
        2,
        "the month's texts stay counted"
    );
    assert_eq!(store.read(|tx| tx.list_templates()).unwrap().len(), 2);
    let sum = store.read(|tx| tx.sum_campaigns()).unwrap();
    assert_eq!(sum, CampaignFigures::default());

    added(store, Audience::All);
    let expected = SmsCounts {
        campaigns: 1,
        messages: 0,
        clicks: 0,
        templates: 3,
    };
    assert_eq!(store.transaction(|tx| tx.clear_sms()).unwrap(), expected);
    assert_eq!(counts(store), SmsCounts::default());
    assert_eq!(
        store.transaction(|tx| tx.clear_sms()).unwrap(),
        SmsCounts::default()
    );
    assert_eq!(
        begun(store, fence, Audience::All).get(),
        added(store, Audience::All).get() - 1
    );
}

pub fn clearing_while_texts_are_sent_leaves_nothing_behind<S: Store>(store: &S) {
    let fence = fence(store);
    for round in 0..10 {
        let id = begun(store, fence, list_of(0..20));
        let early = take(store, fence, id, 5);
        let late = at_once(4, |n| match n {
            0 => {
                store.transaction(|tx| tx.clear_campaigns()).unwrap();
                Vec::new()
            }
            1 => take(store, fence, id, 5),
            2 => {
                early.iter().for_each(|(text, _)| sent(store, *text));
                Vec::new()
            }
            _ => {
                for (_, recipient) in &early {
                    click(store, &link(id, &recipient.phone), true, round);
                }
                Vec::new()
            }
        });
        let texts = early.into_iter().chain(late.into_iter().flatten());
        for (text, _) in texts {
            assert_eq!(store.read(|tx| tx.find_message(text)).unwrap(), None);
        }
        assert_eq!((counts(store).messages, counts(store).clicks), (0, 0));
        assert_eq!(
            store.read(|tx| tx.count_open_messages()).unwrap(),
            OpenMessages::default()
        );
        assert_eq!(exported(store, id), []);
    }
}

pub fn what_is_heard_at_once_counts_once<S: Store>(store: &S) {
    let fence = fence(store);
    let id = begun(store, fence, list_of(0..30));
    for (text, _) in take(store, fence, id, 30) {
        let heard = |status| has(u32::try_from(text.get()).unwrap(), status);
        at_once(4, |n| match n {
            0 => sent(store, text),
            1 => drop(told(store, text, &heard(ProviderStatus::Delivered), 1)),
            2 => drop(told(store, text, &heard(ProviderStatus::Accepted), 1)),
            _ => {
                let look_up_at = at(9);
                record(store, text, 1, DeliveryReport::Uncertain { look_up_at }, 1);
            }
        });
        assert_eq!(found(store, text).status, MessageStatus::Delivered);
    }
    let expected = CampaignFigures {
        recipients: 30,
        sent: 30,
        delivered: 30,
        ..CampaignFigures::default()
    };
    assert_eq!(figures(store, id), expected);
    assert_eq!(end(store, 2), [id]);
}

/// Something that happens to the texts of a campaign. Numbers count from its first text.
#[derive(Debug, Clone)]
enum Act {
    Take(u32),
    Settle {
        text: usize,
        attempt: u32,
        what: Settled,
    },
    Tell {
        text: usize,
        status: ProviderStatus,
        another: bool,
    },
    Claim(u32),
    Release {
        text: usize,
        attempt: u32,
    },
    TakeOver,
    LookUp,
    OptOut(u32),
    OptIn(u32),
    Click {
        text: usize,
        cta: bool,
    },
}

#[derive(Debug, Clone, Copy)]
enum Settled {
    NotSent,
    MaybeSent,
    OptedOut,
    Refused,
    Has(ProviderStatus),
}

impl Settled {
    fn told(self, text: MessageId) -> DeliveryReport {
        match self {
            Self::NotSent => DeliveryReport::NotSent { retry_at: noon() },
            Self::MaybeSent => DeliveryReport::Uncertain { look_up_at: noon() },
            Self::OptedOut => DeliveryReport::OptedOut,
            Self::Refused => DeliveryReport::Refused(refusal()),
            Self::Has(status) => DeliveryReport::AtProvider(has(u32::try_from(text.get()).unwrap(), status)),
        }
    }
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let provider = prop::sample::select(vec![
        ProviderStatus::Accepted,
        ProviderStatus::Delivered,
        ProviderStatus::Undelivered,
        ProviderStatus::Failed,
    ]);
    let settled = prop_oneof![
        2 => Just(Settled::NotSent),
        2 => Just(Settled::MaybeSent),
        1 => Just(Settled::OptedOut),
        1 => Just(Settled::Refused),
        3 => provider.clone().prop_map(Settled::Has),
    ];
    let (text, attempt) = (0..8usize, 1..4u32);
    let act = prop_oneof![
        3 => (0..4u32).prop_map(Act::Take),
        6 => (text.clone(), attempt.clone(), settled)
            .prop_map(|(text, attempt, what)| Act::Settle { text, attempt, what }),
        3 => (text.clone(), provider, any::<bool>())
            .prop_map(|(text, status, another)| Act::Tell { text, status, another }),
        3 => (0..4u32).prop_map(Act::Claim),
        1 => (text.clone(), attempt).prop_map(|(text, attempt)| Act::Release { text, attempt }),
        1 => Just(Act::TakeOver),
        1 => Just(Act::LookUp),
        1 => (0..8u32).prop_map(Act::OptOut),
        1 => (0..8u32).prop_map(Act::OptIn),
        2 => (text, any::<bool>()).prop_map(|(text, cta)| Act::Click { text, cta }),
    ];
    prop::collection::vec(act, 0..60)
}

struct Running {
    id: CampaignId,
    fence: Fence,
    /// Seconds since noon.
    clock: i64,
    texts: Vec<(MessageId, Phone)>,
}

impl Running {
    fn perform<S: Store>(&mut self, store: &S, act: &Act) {
        let text = |n: usize| self.texts.get(n).map(|(id, _)| *id);
        match *act {
            Act::Take(limit) => {
                let taken = take(store, self.fence, self.id, limit);
                let texts = taken.into_iter().map(|(id, to)| (id, to.phone));
                self.texts.extend(texts);
            }
            Act::Settle {
                text: n,
                attempt,
                what,
            } => {
                if let Some(id) = text(n) {
                    record(store, id, attempt, what.told(id), self.clock);
                }
            }
            Act::Tell {
                text: n,
                status,
                another,
            } => {
                if let Some(id) = text(n) {
                    let name = u32::try_from(id.get()).unwrap() + 1_000_000 * u32::from(another);
                    told(store, id, &has(name, status), self.clock);
                }
            }
            Act::Claim(limit) => drop(claimed(store, self.fence, limit, self.clock)),
            Act::Release { text: n, attempt } => {
                if let Some(id) = text(n) {
                    store
                        .transaction(|tx| tx.release_claims(&[(id, attempt)]))
                        .unwrap();
                }
            }
            Act::TakeOver => {
                self.clock += 60;
                self.fence = lease(store, &self.clock.to_string(), self.clock).unwrap();
            }
            Act::LookUp => {
                let take =
                    |tx: &mut S::Tx| tx.claim_uncertain(self.fence, 5, at(self.clock + 10), at(self.clock));
                store.transaction::<_, StoreError>(take).unwrap().unwrap();
            }
            Act::OptOut(n) => opt_out(store, n),
            Act::OptIn(n) => store.transaction(|tx| tx.opt_in(&phone(n), noon())).unwrap(),
            Act::Click { text: n, cta } => {
                if let Some((_, phone)) = self.texts.get(n) {
                    click(store, &link(self.id, phone), cta, self.clock);
                }
            }
        }
    }
}

fn count(texts: &[ExportedMessage], which: impl Fn(&ExportedMessage) -> bool) -> i64 {
    i64::try_from(texts.iter().filter(|text| which(text)).count()).unwrap()
}

fn counted(recipients: i64, texts: &[ExportedMessage]) -> CampaignFigures {
    use MessageStatus::{Delivered, Failed, Sent, Skipped, Undelivered};
    let with = |statuses: &[MessageStatus]| count(texts, |text| statuses.contains(&text.status));
    let failed_later = count(texts, |text| text.status == Failed && text.sent_at.is_some());
    CampaignFigures {
        recipients,
        sent: with(&[Sent, Delivered, Undelivered]) + failed_later,
        delivered: with(&[Delivered]),
        failed: with(&[Failed, Undelivered]),
        skipped: with(&[Skipped]),
        clicked: count(texts, |text| text.clicked_at.is_some()),
        cta_clicked: count(texts, |text| text.cta_clicked_at.is_some()),
    }
}

/// A campaign's figures, its report and its end are what its texts say, whatever happened in whatever order.
pub fn figures_are_the_counts_of_texts_after_any_history<S: Store>(store: &S) {
    const RECIPIENTS: i64 = 8;
    let config = ProptestConfig {
        cases: 24,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let clock = RefCell::new(0);
    let check = |acts: Vec<Act>| {
        let mut clock = clock.borrow_mut();
        *clock += 100;
        let fence = lease(store, &clock.to_string(), *clock).unwrap();
        let mut running = Running {
            id: begun(store, fence, list_of(0..8)),
            fence,
            clock: *clock,
            texts: Vec::new(),
        };
        for act in &acts {
            running.perform(store, act);
        }
        *clock = running.clock;
        let texts = exported(store, running.id);
        prop_assert_eq!(texts.len(), running.texts.len());
        let figures = figures(store, running.id);
        prop_assert_eq!(figures, counted(RECIPIENTS, &texts));
        let report = report(store, running.id);
        let unknown = count(&texts, |text| text.status == MessageStatus::Unknown);
        let open =
            count(&texts, |text| text.status.is_open()) + RECIPIENTS - i64::try_from(texts.len()).unwrap();
        prop_assert_eq!((report.waiting, report.unknown), (open - unknown, unknown));
        let sum = |counts: Vec<i64>| counts.into_iter().sum::<i64>();
        prop_assert_eq!(
            sum(report.failed.iter().map(|(_, n)| *n).collect()),
            figures.failed
        );
        prop_assert_eq!(
            sum(report.skipped.iter().map(|(_, n)| *n).collect()),
            figures.skipped
        );
        prop_assert_eq!(end(store, *clock).contains(&running.id), open == 0);
        Ok(())
    };
    TestRunner::new(config).run(&acts(), check).unwrap();
    let campaigns = store
        .read(|tx| tx.list_campaigns(PageRequest::default()))
        .unwrap();
    let sum = store.read(|tx| tx.sum_campaigns()).unwrap();
    let total = |of: fn(&CampaignFigures) -> i64| campaigns.iter().map(|one| of(&one.figures)).sum::<i64>();
    assert_eq!(
        (sum.recipients, sum.sent, sum.failed),
        (
            total(|one| one.recipients),
            total(|one| one.sent),
            total(|one| one.failed)
        )
    );
    assert_eq!(
        (sum.delivered, sum.skipped, sum.clicked, sum.cta_clicked),
        (
            total(|one| one.delivered),
            total(|one| one.skipped),
            total(|one| one.clicked),
            total(|one| one.cta_clicked)
        )
    );
}
