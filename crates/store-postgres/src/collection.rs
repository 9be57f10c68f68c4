use crate::PgTx;
use crate::intent::values;
use analytics::{Collection, Event, NewShare, NewStep, NewView};
use chrono::{DateTime, Utc};
use diesel::sql_types::{Array, BigInt, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use kernel::StoreError;
use std::collections::HashSet;
use uuid::Uuid;

const COLLECT_VIEWS: &str = include_str!("../sql/collect_views.sql");
const COLLECT_VIEW_TIMES: &str = include_str!("../sql/collect_view_times.sql");
const COLLECT_SHARE: &str = include_str!("../sql/collect_share.sql");
const RECORD_STEP: &str = include_str!("../sql/record_step.sql");

/// A column each: PostgreSQL takes many rows in one statement as arrays.
#[derive(Default)]
struct Views<'a> {
    /// What is in the statement already: it does not see its own rows.
    keys: HashSet<Uuid>,
    view_key: Vec<Uuid>,
    first_key: Vec<Uuid>,
    last_key: Vec<Uuid>,
    session_key: Vec<Uuid>,
    session_id: Vec<&'a str>,
    page: Vec<&'a str>,
    referral_code: Vec<Option<&'a str>>,
    ip_address: Vec<Option<String>>,
    user_agent: Vec<Option<&'a str>>,
    fingerprint: Vec<Option<&'a str>>,
    device: Vec<Option<&'a str>>,
    browser: Vec<Option<&'a str>>,
    entry_source: Vec<&'a str>,
    created_at: Vec<DateTime<Utc>>,
}

values!(
    Views: COLLECT_VIEWS,
    view_key: Array<SqlUuid>,
    first_key: Array<SqlUuid>,
    last_key: Array<SqlUuid>,
    session_key: Array<SqlUuid>,
    session_id: Array<Text>,
    page: Array<Text>,
    referral_code: Array<Nullable<Text>>,
    ip_address: Array<Nullable<Text>>,
    user_agent: Array<Nullable<Text>>,
    fingerprint: Array<Nullable<Text>>,
    device: Array<Nullable<Text>>,
    browser: Array<Nullable<Text>>,
    entry_source: Array<Text>,
    created_at: Array<Timestamptz>,
);

impl<'a> Views<'a> {
    fn push(&mut self, view: &'a NewView) {
        let visitor = &view.visitor;
        let key = visitor.session.view_key(view.page, view.referral_code.as_ref());
        let (first, last) = match view.time_spent {
            None => (key, key),
            Some(_) => visitor.session.view_keys(view.page),
        };
        if !self
            .keys
            .insert(if view.time_spent.is_none() { key } else { first })
        {
            return;
        }
        self.view_key.push(key);
        self.first_key.push(first);
        self.last_key.push(last);
        self.session_key.push(visitor.session.key());
        self.session_id.push(visitor.session.as_str());
        self.page.push(view.page.as_str());
        self.referral_code
            .push(view.referral_code.as_ref().map(|code| code.as_str()));
        self.ip_address
            .push(visitor.origin.address.map(|address| address.to_string()));
        self.user_agent.push(visitor.origin.user_agent.as_deref());
        self.fingerprint.push(visitor.fingerprint.as_deref());
        self.device.push(visitor.browser.device);
        self.browser.push(visitor.browser.name.as_deref());
        self.entry_source.push(view.entry_source());
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
    ViewTimes: COLLECT_VIEW_TIMES,
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
    Share: COLLECT_SHARE,
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
            platform: share.platform.name(),
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
    time_spent: Option<i32>,
    created_at: DateTime<Utc>,
}

values!(
    Step: RECORD_STEP,
    session_key: SqlUuid,
    session_id: Text,
    user_id: Nullable<BigInt>,
    landing_page: Text,
    step: Text,
    time_spent: Nullable<Integer>,
    created_at: Timestamptz,
);

impl<'a> From<&'a NewStep> for Step<'a> {
    fn from(step: &'a NewStep) -> Self {
        Self {
            session_key: step.session.key(),
            session_id: step.session.as_str(),
            user_id: step.entrant.map(|entrant| entrant.get()),
            landing_page: step.landing_page.map_or("", |page| page.key()),
            step: step.step.name(),
            time_spent: step.time_spent,
            created_at: step.at,
        }
    }
}

impl Collection for PgTx {
    fn collect(&mut self, events: &[Event]) -> Result<(), StoreError> {
        self.begin_writing()?;
        let views = || {
            events.iter().filter_map(|event| match event {
                Event::View(view) => Some(view),
                Event::Share(_) | Event::Step(_) => None,
            })
        };
        // Plain views first: time that comes with them then finds its view.
        self.collect_views(views().filter(|view| view.time_spent.is_none()))?;
        self.collect_views(views().filter(|view| view.time_spent.is_some()))?;
        self.collect_view_times(views())?;
        for event in events {
            match event {
                Event::Share(share) => self.run_intent(&Share::from(share)).map(drop)?,
                Event::Step(step) => self.record_step(step)?,
                Event::View(_) => {}
            }
        }
        Ok(())
    }

    fn record_step(&mut self, step: &NewStep) -> Result<(), StoreError> {
        self.run_intent(&Step::from(step)).map(drop)
    }
}

impl PgTx {
    fn collect_views<'a>(&mut self, views: impl Iterator<Item = &'a NewView>) -> Result<(), StoreError> {
        let mut rows = Views::default();
        for view in views {
            rows.push(view);
        }
        if rows.view_key.is_empty() {
            return Ok(());
        }
        self.run_intent(&rows).map(drop)
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
        self.run_intent(&rows).map(drop)
    }
}
