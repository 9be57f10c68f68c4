//! `sms::Templates` and `sms::WelcomeTemplates`: the templates of campaigns and of welcome messages.

use crate::PgTx;
use crate::rows::read_staff_name;
use crate::schema::{sms_campaign_templates, welcome_sms_templates};
use chrono::{DateTime, Utc};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::Text;
use kernel::{PageRequest, StaffName, StoreError};
use raffle::{RaffleKey, Raffles};
use sms::{
    Label, MessageTemplate, NewTemplate, Template, TemplateFilter, TemplateId, Templates, WelcomeMessage,
    WelcomeTemplate, WelcomeTemplates,
};

diesel::define_sql_function! {
    fn strpos(text: Text, part: Text) -> Integer;
}
diesel::define_sql_function! {
    fn lower(text: Text) -> Text;
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = sms_campaign_templates)]
struct Row {
    id: i64,
    name: String,
    landing_page: String,
    message_template: String,
    link_placeholder: String,
    is_active: bool,
    created_by: Option<String>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

#[derive(Insertable, AsChangeset)]
#[diesel(table_name = sms_campaign_templates)]
struct ContentRow<'a> {
    name: &'a str,
    landing_page: &'a str,
    message_template: &'a str,
    link_placeholder: &'a str,
    is_active: bool,
    updated_at: DateTime<Utc>,
}

impl<'a> ContentRow<'a> {
    fn new(content: &'a NewTemplate, at: DateTime<Utc>) -> Self {
        Self {
            name: content.name.as_str(),
            landing_page: content.raffle.as_str(),
            message_template: content.message.text(),
            link_placeholder: content.message.placeholder(),
            is_active: content.is_active,
            updated_at: at,
        }
    }
}

impl TryFrom<Row> for Template {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let corrupt = |column| StoreError::corrupt("sms_campaign_templates", column, row.id);
        let message = MessageTemplate::parse(&row.message_template, &row.link_placeholder);
        let content = NewTemplate {
            name: Label::parse(&row.name).ok_or_else(|| corrupt("name"))?,
            raffle: row.landing_page.parse().map_err(|_| corrupt("landing_page"))?,
            message: message.map_err(|_| corrupt("message_template"))?,
            is_active: row.is_active,
        };
        Ok(Self {
            id: TemplateId::new(row.id),
            content,
            created_by: read_staff_name(row.created_by.as_deref()).ok_or_else(|| corrupt("created_by"))?,
            created_at: row.created_at,
            updated_at: row.updated_at,
        })
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = welcome_sms_templates)]
struct WelcomeRow {
    id: i64,
    landing_page: String,
    message_template: String,
    is_active: bool,
    created_by: Option<String>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl TryFrom<WelcomeRow> for WelcomeTemplate {
    type Error = StoreError;

    fn try_from(row: WelcomeRow) -> Result<Self, StoreError> {
        let corrupt = |column| StoreError::corrupt("welcome_sms_templates", column, row.id);
        Ok(Self {
            raffle: row.landing_page.parse().map_err(|_| corrupt("landing_page"))?,
            message: WelcomeMessage::parse(&row.message_template).map_err(|_| corrupt("message_template"))?,
            is_active: row.is_active,
            created_by: read_staff_name(row.created_by.as_deref()).ok_or_else(|| corrupt("created_by"))?,
            created_at: row.created_at,
            updated_at: row.updated_at,
        })
    }
}

/// The templates that a filter lets through. `strpos` takes the text as it is; in a pattern, `%` and `_` would match
/// more.
fn matching(filter: &TemplateFilter) -> sms_campaign_templates::BoxedQuery<'_, Pg> {
    let templates = sms_campaign_templates::table.into_boxed();
    let Some(part) = filter.part.as_ref().map(Label::as_str) else {
        return templates;
    };
    let in_name = strpos(lower(sms_campaign_templates::name), lower(part)).gt(0);
    let in_message = strpos(lower(sms_campaign_templates::message_template), lower(part)).gt(0);
    templates.filter(in_name.or(in_message))
}

impl Templates for PgTx {
    fn add_template(
        &mut self,
        new: &NewTemplate,
        created_by: Option<&StaffName>,
        at: DateTime<Utc>,
    ) -> Result<TemplateId, StoreError> {
        let row = (
            ContentRow::new(new, at),
            sms_campaign_templates::created_by.eq(created_by.map(StaffName::as_str)),
            sms_campaign_templates::created_at.eq(at),
        );
        let insert = diesel::insert_into(sms_campaign_templates::table)
            .values(row)
            .returning(sms_campaign_templates::id);
        self.query(|connection| insert.get_result(connection))
            .map(TemplateId::new)
    }

    fn change_template(
        &mut self,
        id: TemplateId,
        new: &NewTemplate,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let template = sms_campaign_templates::table.find(id.get());
        let update = diesel::update(template).set(ContentRow::new(new, at));
        let changed = self.query(|connection| update.execute(connection))?;
        Ok(changed > 0)
    }

    fn switch_template(
        &mut self,
        id: TemplateId,
        is_active: bool,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let template = sms_campaign_templates::table.find(id.get());
        let update = diesel::update(template).set((
            sms_campaign_templates::is_active.eq(is_active),
            sms_campaign_templates::updated_at.eq(at),
        ));
        let changed = self.query(|connection| update.execute(connection))?;
        Ok(changed > 0)
    }

    fn find_template(&self, id: TemplateId) -> Result<Option<Template>, StoreError> {
        let query = sms_campaign_templates::table
            .find(id.get())
            .select(Row::as_select());
        self.query(|connection| query.first(connection).optional())?
            .map(Template::try_from)
            .transpose()
    }

    fn list_templates(
        &self,
        filter: &TemplateFilter,
        page: PageRequest,
    ) -> Result<Vec<Template>, StoreError> {
        let query = matching(filter)
            .order(sms_campaign_templates::id.desc())
            .limit(page.limit.into())
            .offset(page.offset.into())
            .select(Row::as_select());
        let rows: Vec<Row> = self.query(|connection| query.load(connection))?;
        rows.into_iter().map(Template::try_from).collect()
    }

    fn count_templates(&self, filter: &TemplateFilter) -> Result<i64, StoreError> {
        let query = matching(filter).count();
        self.query(|connection| query.get_result(connection))
    }
}

impl WelcomeTemplates for PgTx {
    fn add_welcome(
        &mut self,
        landing_page: RaffleKey,
        message: &WelcomeMessage,
        created_by: Option<&StaffName>,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let row = (
            welcome_sms_templates::created_by.eq(created_by.map(StaffName::as_str)),
            welcome_sms_templates::landing_page.eq(landing_page.as_str()),
            welcome_sms_templates::message_template.eq(message.as_str()),
            welcome_sms_templates::created_at.eq(at),
            welcome_sms_templates::updated_at.eq(at),
        );
        let insert = diesel::insert_into(welcome_sms_templates::table)
            .values(row)
            .on_conflict_do_nothing();
        let added = self.query(|connection| insert.execute(connection))?;
        Ok(added > 0)
    }

    fn change_welcome(
        &mut self,
        landing_page: RaffleKey,
        message: &WelcomeMessage,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let own = welcome_sms_templates::table
            .filter(welcome_sms_templates::landing_page.eq(landing_page.as_str()));
        let update = diesel::update(own).set((
            welcome_sms_templates::message_template.eq(message.as_str()),
            welcome_sms_templates::updated_at.eq(at),
        ));
        let changed = self.query(|connection| update.execute(connection))?;
        Ok(changed > 0)
    }

    fn switch_welcome(
        &mut self,
        landing_page: RaffleKey,
        is_active: bool,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let own = welcome_sms_templates::table
            .filter(welcome_sms_templates::landing_page.eq(landing_page.as_str()));
        let update = diesel::update(own).set((
            welcome_sms_templates::is_active.eq(is_active),
            welcome_sms_templates::updated_at.eq(at),
        ));
        let changed = self.query(|connection| update.execute(connection))?;
        Ok(changed > 0)
    }

    fn delete_welcome(&mut self, landing_page: RaffleKey) -> Result<bool, StoreError> {
        let own = welcome_sms_templates::table
            .filter(welcome_sms_templates::landing_page.eq(landing_page.as_str()));
        let deleted = self.query(|connection| diesel::delete(own).execute(connection))?;
        Ok(deleted > 0)
    }

    fn list_welcomes(&self) -> Result<Vec<WelcomeTemplate>, StoreError> {
        let query = welcome_sms_templates::table.select(WelcomeRow::as_select());
        let rows: Vec<WelcomeRow> = self.query(|connection| query.load(connection))?;
        let welcomes: Result<Vec<_>, _> = rows.into_iter().map(WelcomeTemplate::try_from).collect();
        let mut welcomes = welcomes?;
        let raffles = self.list_raffles()?;
        welcomes.sort_by_key(|welcome| raffles.place(welcome.raffle));
        Ok(welcomes)
    }
}
