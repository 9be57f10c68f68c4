//! The list of campaigns: its order, its pages and its filters.

use super::{add, new_campaign, template};
use crate::Store;
use crate::messages::at;
use kernel::{PageRequest, SortOrder, StoreError};
use sms::{Audience, Campaign, CampaignFilter, CampaignSort, CampaignStatus, Campaigns, Label, NewCampaign};

/// Campaigns, newest first.
pub(super) fn listed<S: Store>(store: &S, filter: &CampaignFilter, page: PageRequest) -> Vec<Campaign> {
    let (sort, order) = (CampaignSort::default(), SortOrder::default());
    let list = |tx: &S::Tx| tx.list_campaigns(filter, sort, order, page);
    store.read::<_, StoreError>(list).unwrap()
}

pub(super) fn count<S: Store>(store: &S, filter: &CampaignFilter) -> i64 {
    store.read(|tx| tx.count_campaigns(filter)).unwrap()
}

pub fn campaigns_are_sorted_and_filtered<S: Store>(store: &S) {
    let template = template(store);
    let names = ["July 50% off", "august", "July_2", "July"];
    let starts = [300, 100, 400, 100];
    let ids = [0, 1, 2, 3].map(|n: usize| {
        let new = NewCampaign {
            name: Label::parse(names[n]).unwrap(),
            scheduled_at: at(starts[n]),
            ..new_campaign(template, Audience::All)
        };
        add(store, &new)
    });
    let places = |campaigns: Vec<Campaign>| {
        let place = |campaign: Campaign| ids.iter().position(|id| *id == campaign.id).unwrap();
        campaigns.into_iter().map(place).collect::<Vec<_>>()
    };
    let sorted = |sort, order, limit, offset| {
        let (filter, page) = (CampaignFilter::default(), PageRequest { limit, offset });
        places(
            store
                .read(|tx| tx.list_campaigns(&filter, sort, order, page))
                .unwrap(),
        )
    };
    for (sort, mut expected) in [
        (CampaignSort::CreatedAt, [0, 1, 2, 3]),
        (CampaignSort::ScheduledAt, [1, 3, 0, 2]),
        (CampaignSort::Name, [1, 3, 0, 2]),
    ] {
        assert_eq!(sorted(sort, SortOrder::Ascending, 9, 0), expected, "{sort:?}");
        expected.reverse();
        assert_eq!(sorted(sort, SortOrder::Descending, 9, 0), expected, "{sort:?}");
        assert_eq!(
            sorted(sort, SortOrder::Descending, 2, 1),
            expected[1..3],
            "{sort:?}"
        );
    }
    store.transaction(|tx| tx.cancel_campaign(ids[0])).unwrap();
    let matching = |status, part: &str, before| {
        let filter = CampaignFilter {
            status,
            name_part: Label::parse(part),
            before,
        };
        let campaigns = listed(store, &filter, PageRequest::default());
        assert_eq!(count(store, &filter), campaigns.len() as i64, "{filter:?}");
        places(campaigns)
    };
    let (pending, cancelled) = (Some(CampaignStatus::Pending), Some(CampaignStatus::Cancelled));
    assert_eq!(matching(pending, "", None), [3, 2, 1]);
    assert_eq!(matching(Some(CampaignStatus::Sent), "", None), [0; 0]);
    assert_eq!(matching(None, "jULY", None), [3, 2, 0]);
    assert_eq!(matching(None, "AUG", None), [1]);
    assert_eq!(matching(None, "_", None), [2], "these signs stand for themselves");
    assert_eq!(matching(None, "%", None), [0]);
    assert_eq!(matching(None, "\\", None), [0; 0]);
    assert_eq!(matching(cancelled, "july", None), [0]);
    assert_eq!(matching(None, "", Some(ids[2])), [1, 0]);
    assert_eq!(matching(pending, "july", Some(ids[3])), [2]);
}
