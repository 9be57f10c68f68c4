use crate::PgTx;
use crate::schema::page_views;
use crate::statement::{Statement, values};
use analytics::{Collection, Event, NewShare, NewStep, NewView, StepData, StepValue};
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use ipnet::IpNet;
use kernel::StoreError;
use serde_json::{Map, Value};
use std::borrow::Borrow;
use std::collections::HashSet;
use std::marker::PhantomData;
use uuid::Uuid;

const FIND_VIEWS: &str = include_str!("../sql/find_views.sql");
const COLLECT_VIEW_TIMES: &str = include_str!("../sql/collect_view_times.sql");
const COLLECT_SHARE: &str = include_str!("../sql/collect_share.sql");
const RECORD_STEP: &str = include_str!("../sql/record_step.sql");

/// Views that may be stored already.
#[derive(Default)]
struct Doubtful<'a> {
    rows: Vec<ViewRow<'a>>,
    ranges: KeyRanges<'a>,
}

impl<'a> Doubtful<'a> {
    fn push(&mut self, row: ViewRow<'a>, first_key: Uuid, last_key: Uuid) {
        self.rows.push(row);
        self.ranges.first_key.push(first_key);
        self.ranges.last_key.push(last_key);
    }
}

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

#[derive(Insertable)]
#[diesel(table_name = page_views, treat_none_as_default_value = false)]
struct ViewRow<'a> {
    view_key: Uuid,
    session_key: Uuid,
    session_id: &'a str,
    page: &'a str,
    referral_code: Option<&'a str>,
    ip_address: Option<IpNet>,
    user_agent: Option<&'a str>,
    fingerprint: Option<&'a str>,
    country: Option<&'a str>,
    city: Option<&'a str>,
    device: Option<&'a str>,
    browser: Option<&'a str>,
    entry_source: &'a str,
    sms_tracking_id: Option<&'a str>,
    created_at: DateTime<Utc>,
}

impl<'a> From<&'a NewView> for ViewRow<'a> {
    fn from(view: &'a NewView) -> Self {
        let visitor = &view.visitor;
        Self {
            view_key: visitor.session.view_key(view.page, view.referral_code.as_ref()),
            session_key: visitor.session.key(),
            session_id: visitor.session.as_str(),
            page: view.page.as_str(),
            referral_code: view.referral_code.as_ref().map(|code| code.as_str()),
            ip_address: visitor.origin.address.map(IpNet::from),
            user_agent: visitor.origin.user_agent.as_deref(),
            fingerprint: visitor.fingerprint.as_deref(),
            country: visitor.place.country.as_deref(),
            city: visitor.place.city.as_deref(),
            device: visitor.browser.device,
            browser: visitor.browser.name.as_deref(),
            entry_source: view.entry_source(),
            sms_tracking_id: view.sms_tracking_id.as_deref(),
            created_at: view.at,
        }
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
        let (first, last) = view.visitor.session.view_keys(view.page);
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
            landing_page: step.raffle.map_or("", |page| page.as_str()),
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
    fn collect(&mut self, events: &[impl Borrow<Event>]) -> Result<(), StoreError> {
        self.begin_collecting()?;
        let events = || events.iter().map(Borrow::borrow);
        let views = || {
            events().filter_map(|event| match event {
                Event::View(view) => Some(view),
                Event::Share(_) | Event::Step(_) => None,
            })
        };
        // Views without a time come first, so that the times that follow find their views.
        self.collect_views(views().filter(|view| view.time_spent.is_none()))?;
        self.collect_views(views().filter(|view| view.time_spent.is_some()))?;
        self.collect_view_times(views())?;
        for event in events() {
            match event {
                Event::Share(share) => self.run_statement(&Share::from(share)).map(drop)?,
                Event::Step(step) => self.record_step(step)?,
                Event::View(_) => {}
            }
        }
        Ok(())
    }

    fn add_views(&mut self, views: &[&NewView]) -> Result<(), StoreError> {
        // The primary key was violated.
        if self.is_rerun {
            return Err(StoreError::Conflict);
        }
        let rows: Vec<_> = views.iter().map(|view| ViewRow::from(*view)).collect();
        self.copy_views(&rows)
    }

    fn record_step(&mut self, step: &NewStep) -> Result<(), StoreError> {
        self.run_statement(&Step::from(step)).map(drop)
    }
}

impl PgTx {
    /// Stores the views that are new. COPY takes a fraction of the time of INSERT.
    ///
    /// Views of sessions that have just begun are not looked up, because hardly any of them is stored already. If one is,
    /// or if a concurrent transaction stores one, the primary key is violated, and the transaction runs again. Then it
    /// looks up all views.
    fn collect_views<'a>(&mut self, views: impl Iterator<Item = &'a NewView>) -> Result<(), StoreError> {
        let (mut new, mut doubtful, mut seen) = (Vec::new(), Doubtful::default(), HashSet::new());
        for view in views {
            let row = ViewRow::from(view);
            let (first, last) = match view.time_spent {
                None => (row.view_key, row.view_key),
                Some(_) => view.visitor.session.view_keys(view.page),
            };
            if !seen.insert(first) {
                continue;
            }
            if !self.is_rerun && view.is_probably_first() {
                new.push(row);
            } else {
                doubtful.push(row, first, last);
            }
        }
        new.extend(self.without_known(doubtful)?);
        self.copy_views(&new)
    }

    fn copy_views(&self, rows: &[ViewRow<'_>]) -> Result<(), StoreError> {
        if rows.is_empty() {
            return Ok(());
        }
        let copy = diesel::copy_from(page_views::table).from_insertable(rows);
        self.query(|connection| copy.execute(connection)).map(drop)
    }

    /// The views that are not stored yet.
    fn without_known<'a>(&self, doubtful: Doubtful<'a>) -> Result<Vec<ViewRow<'a>>, StoreError> {
        let Doubtful { rows, ranges } = doubtful;
        if rows.is_empty() {
            return Ok(rows);
        }
        let known: Vec<i64> = self.query(|connection| Statement(&ranges).load(connection))?;
        let known: HashSet<i64> = known.into_iter().collect();
        let unknown = (1..).zip(rows).filter(|(number, _)| !known.contains(number));
        Ok(unknown.map(|(_, row)| row).collect())
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
