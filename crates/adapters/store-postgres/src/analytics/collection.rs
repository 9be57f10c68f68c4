use crate::PgTx;
use crate::statement::{Statement, values};
use analytics::{Collection, Event, NewShare, NewStep, NewView, StepData, StepValue};
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Inet, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use ipnet::IpNet;
use kernel::StoreError;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashSet};
use std::marker::PhantomData;
use uuid::Uuid;

const ADD_VIEWS: &str = include_str!("../../sql/add_views.sql");
const FIND_VIEWS: &str = include_str!("../../sql/find_views.sql");
const COLLECT_VIEW_TIMES: &str = include_str!("../../sql/collect_view_times.sql");
const COLLECT_SHARE: &str = include_str!("../../sql/collect_share.sql");
const RECORD_STEP: &str = include_str!("../../sql/record_step.sql");

/// For each view, the first and last key of the views that count as the same one.
#[derive(Default)]
struct KeyRanges<'a> {
    first_key: Vec<Uuid>,
    last_key: Vec<Uuid>,
    statement: PhantomData<&'a ()>,
}

values!(
    KeyRanges<'_>: FIND_VIEWS,
    first_key: Array<SqlUuid>,
    last_key: Array<SqlUuid>,
);

/// Views to be stored, an array for each column.
#[derive(Default)]
struct Views<'a> {
    view_key: Vec<Uuid>,
    session_key: Vec<Uuid>,
    session_id: Vec<&'a str>,
    page: Vec<&'a str>,
    referral_code: Vec<Option<&'a str>>,
    ip_address: Vec<Option<IpNet>>,
    user_agent: Vec<Option<&'a str>>,
    fingerprint: Vec<Option<&'a str>>,
    country: Vec<Option<&'a str>>,
    city: Vec<Option<&'a str>>,
    device: Vec<Option<&'a str>>,
    browser: Vec<Option<&'a str>>,
    entry_source: Vec<&'a str>,
    sms_tracking_id: Vec<Option<&'a str>>,
    created_at: Vec<DateTime<Utc>>,
}

values!(
    Views<'_>: ADD_VIEWS,
    view_key: Array<SqlUuid>,
    session_key: Array<SqlUuid>,
    session_id: Array<Text>,
    page: Array<Text>,
    referral_code: Array<Nullable<Text>>,
    ip_address: Array<Nullable<Inet>>,
    user_agent: Array<Nullable<Text>>,
    fingerprint: Array<Nullable<Text>>,
    country: Array<Nullable<Text>>,
    city: Array<Nullable<Text>>,
    device: Array<Nullable<Text>>,
    browser: Array<Nullable<Text>>,
    entry_source: Array<Text>,
    sms_tracking_id: Array<Nullable<Text>>,
    created_at: Array<Timestamptz>,
);

impl<'a> Views<'a> {
    fn push(&mut self, key: Uuid, view: &'a NewView) {
        let visitor = &view.visitor;
        self.view_key.push(key);
        self.session_key.push(visitor.session.key());
        self.session_id.push(visitor.session.as_str());
        self.page.push(view.page.as_str());
        self.referral_code
            .push(view.referral_code.as_ref().map(|code| code.as_str()));
        self.ip_address.push(visitor.origin.address.map(IpNet::from));
        self.user_agent.push(visitor.origin.user_agent.as_deref());
        self.fingerprint.push(visitor.fingerprint.as_deref());
        self.country.push(visitor.place.country.as_deref());
        self.city.push(visitor.place.city.as_deref());
        self.device.push(visitor.browser.device);
        self.browser.push(visitor.browser.name.as_deref());
        self.entry_source.push(view.entry_source());
        self.sms_tracking_id.push(view.sms_tracking_id.as_deref());
        self.created_at.push(view.at);
    }
}

#[derive(Default)]
struct ViewTimes<'a> {
    first_key: Vec<Uuid>,
    last_key: Vec<Uuid>,
    page: Vec<&'a str>,
    time_spent: Vec<i32>,
    created_at: Vec<DateTime<Utc>>,
}

values!(
    ViewTimes<'_>: COLLECT_VIEW_TIMES,
    first_key: Array<SqlUuid>,
    last_key: Array<SqlUuid>,
    page: Array<Text>,
    time_spent: Array<Integer>,
    created_at: Array<Timestamptz>,
);

impl<'a> ViewTimes<'a> {
    fn push(&mut self, view: &'a NewView, time_spent: i32) {
        let (first, last) = view.page.view_keys(&view.visitor.session);
        self.first_key.push(first);
        self.last_key.push(last);
        self.page.push(view.page.as_str());
        self.time_spent.push(time_spent);
        self.created_at.push(view.at);
    }
}

struct Share<'a> {
    user_id: Option<i64>,
    platform: &'a str,
    referral_code: Option<&'a str>,
    event_id: Option<&'a str>,
    ip_address: Option<String>,
    session_key: Option<Uuid>,
    session_id: Option<&'a str>,
    created_at: DateTime<Utc>,
}

values!(
    Share<'_>: COLLECT_SHARE,
    user_id: Nullable<BigInt>,
    platform: Text,
    referral_code: Nullable<Text>,
    event_id: Nullable<Text>,
    ip_address: Nullable<Text>,
    session_key: Nullable<SqlUuid>,
    session_id: Nullable<Text>,
    created_at: Timestamptz,
);

impl<'a> From<&'a NewShare> for Share<'a> {
    fn from(share: &'a NewShare) -> Self {
        Self {
            user_id: share.entrant.map(|entrant| entrant.get()),
            platform: share.platform.as_str(),
            referral_code: share.referral_code.as_ref().map(|code| code.as_str()),
            event_id: share.event_id.as_ref().map(|id| id.as_str()),
            ip_address: share.origin.address.map(|address| address.to_string()),
            session_key: share.session.as_ref().map(|session| session.key()),
            session_id: share.session.as_ref().map(|session| session.as_str()),
            created_at: share.at,
        }
    }
}

struct Step<'a> {
    session_key: Uuid,
    session_id: &'a str,
    user_id: Option<i64>,
    landing_page: &'a str,
    step: &'a str,
    step_data: Option<String>,
    time_spent: Option<i32>,
    created_at: DateTime<Utc>,
}

values!(
    Step<'_>: RECORD_STEP,
    session_key: SqlUuid,
    session_id: Text,
    user_id: Nullable<BigInt>,
    landing_page: Text,
    step: Text,
    step_data: Nullable<Text>,
    time_spent: Nullable<Integer>,
    created_at: Timestamptz,
);

impl<'a> From<&'a NewStep> for Step<'a> {
    fn from(step: &'a NewStep) -> Self {
        Self {
            session_key: step.session.key(),
            session_id: step.session.as_str(),
            user_id: step.entrant.map(|entrant| entrant.get()),
            landing_page: step.raffle.as_ref().map_or("", |page| page.as_str()),
            step: step.step.as_str(),
            step_data: json_of(&step.data),
            time_spent: step.time_spent,
            created_at: step.at,
        }
    }
}

/// The details of a step as a JSON object, or `None` when there are none.
fn json_of(data: &StepData) -> Option<String> {
    let json = |value: &StepValue| match value {
        StepValue::Text(text) => Value::from(text.as_str()),
        StepValue::Integer(number) => Value::from(*number),
        StepValue::Number(number) => Value::from(*number),
        StepValue::Flag(flag) => Value::from(*flag),
    };
    let object: Map<_, _> = data
        .values()
        .map(|(name, value)| (name.to_owned(), json(value)))
        .collect();
    (!object.is_empty()).then(|| Value::Object(object).to_string())
}

impl Collection for PgTx {
    fn collect(&mut self, events: &[Event]) -> Result<(), StoreError> {
        let views = || {
            events.iter().filter_map(|event| match event {
                Event::View(view) => Some(view),
                Event::Share(_) | Event::Step(_) => None,
            })
        };
        // New views alone, as most batches have them, need no statement before the one that stores them, which takes
        // the lock itself.
        if views().count() < events.len() || views().any(|view| view.time_spent.is_some()) {
            self.begin_collecting()?;
        }
        // Views without a time come first, so that the times that follow find their views.
        self.add_views(by_key(views().filter(|view| view.time_spent.is_none())))?;
        self.add_views_without_one(views().filter(|view| view.time_spent.is_some()))?;
        self.collect_view_times(views())?;
        for event in events {
            match event {
                Event::Share(share) => self.run_statement(&Share::from(share)).map(drop)?,
                Event::Step(step) => self.record_step(step)?,
                Event::View(_) => {}
            }
        }
        Ok(())
    }

    fn record_step(&mut self, step: &NewStep) -> Result<(), StoreError> {
        self.run_statement(&Step::from(step)).map(drop)
    }
}

/// The views by their keys. Everybody stores them in this order, so that nobody waits in a circle.
fn by_key<'a>(views: impl Iterator<Item = &'a NewView>) -> BTreeMap<Uuid, &'a NewView> {
    let key = |view: &NewView| {
        let session = &view.visitor.session;
        view.page.view_key(session, view.referral_code.as_ref())
    };
    let mut by_key = BTreeMap::new();
    for view in views {
        by_key.entry(key(view)).or_insert(view);
    }
    by_key
}

impl PgTx {
    /// Stores the views that are new.
    fn add_views(&mut self, views: BTreeMap<Uuid, &NewView>) -> Result<(), StoreError> {
        if views.is_empty() {
            return Ok(());
        }
        let mut rows = Views::default();
        for (key, view) in views {
            rows.push(key, view);
        }
        self.run_statement(&rows).map(drop)
    }

    /// Stores the views whose session has no view of the page, with any referral code.
    fn add_views_without_one<'a>(
        &mut self,
        views: impl Iterator<Item = &'a NewView>,
    ) -> Result<(), StoreError> {
        // The first of several in one session and page.
        let mut first = BTreeMap::new();
        for view in views {
            let (first_key, last_key) = view.page.view_keys(&view.visitor.session);
            first.entry(first_key).or_insert((last_key, view));
        }
        if first.is_empty() {
            return Ok(());
        }
        let ranges = KeyRanges {
            first_key: first.keys().copied().collect(),
            last_key: first.values().map(|(last_key, _)| *last_key).collect(),
            statement: PhantomData,
        };
        let known: Vec<i64> = self.query(|connection| Statement(&ranges).load(connection))?;
        let known: HashSet<i64> = known.into_iter().collect();
        let unknown = (1..)
            .zip(first.into_values())
            .filter(|(number, _)| !known.contains(number));
        self.add_views(by_key(unknown.map(|(_, (_, view))| view)))
    }

    fn collect_view_times<'a>(&mut self, views: impl Iterator<Item = &'a NewView>) -> Result<(), StoreError> {
        let mut rows = ViewTimes::default();
        for view in views {
            if let Some(time_spent) = view.time_spent {
                rows.push(view, time_spent);
            }
        }
        if rows.page.is_empty() {
            return Ok(());
        }
        self.run_statement(&rows).map(drop)
    }
}
