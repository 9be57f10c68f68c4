//! Campaigns as rows, and their conversion.

use crate::rows::{read_staff_name, rows};
use crate::schema::sms_scheduled_campaigns;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_types::{Nullable, Text};
use kernel::{IdempotencyKey, Phone, StoreError};
use serde_json::Value;
use sms::{
    Audience, Campaign, CampaignFigures, CampaignId, CampaignSecret, ConsentBasis, Label, LinkBase,
    NewCampaign, TemplateId,
};

rows! {
    pub(super) struct FiguresRow {
        recipient_count: i64,
        sent_count: i64,
        delivered_count: i64,
        error_count: i64,
        skipped_count: i64,
        clicked_count: i64,
        cta_clicked_count: i64,
    }
}

impl From<FiguresRow> for CampaignFigures {
    fn from(row: FiguresRow) -> Self {
        Self {
            recipients: row.recipient_count,
            sent: row.sent_count,
            delivered: row.delivered_count,
            failed: row.error_count,
            skipped: row.skipped_count,
            clicked: row.clicked_count,
            cta_clicked: row.cta_clicked_count,
        }
    }
}

#[derive(QueryableByName)]
#[diesel(table_name = sms_scheduled_campaigns)]
pub(super) struct Row {
    id: i64,
    template_id: i64,
    #[diesel(sql_type = Text)]
    template_name: String,
    campaign_name: String,
    scheduled_date: DateTime<Utc>,
    target_audience: String,
    landing_page_filter: Option<String>,
    #[diesel(sql_type = Nullable<diesel::sql_types::Jsonb>)]
    custom_phone_numbers: Option<Value>,
    custom_number_count: i64,
    consent_basis: Option<String>,
    tracking_url_base: String,
    secret: Vec<u8>,
    idempotency_key: Option<String>,
    status: String,
    #[diesel(embed)]
    figures: FiguresRow,
    created_by: Option<String>,
    created_at: DateTime<Utc>,
    started_at: Option<DateTime<Utc>>,
    sent_at: Option<DateTime<Utc>>,
}

impl Row {
    fn basis(&self) -> Result<Option<ConsentBasis>, StoreError> {
        let corrupt = || corrupt_campaign(self.id, "consent_basis");
        let text = self.consent_basis.as_deref();
        text.map(|text| ConsentBasis::parse(text).ok_or_else(corrupt))
            .transpose()
    }

    fn audience(&self) -> Result<Audience, StoreError> {
        let corrupt = |column| corrupt_campaign(self.id, column);
        match (self.target_audience.as_str(), &self.landing_page_filter) {
            ("all", None) => Ok(Audience::All),
            ("landing_page", Some(key)) => Ok(Audience::Raffle(
                key.parse().map_err(|_| corrupt("landing_page_filter"))?,
            )),
            ("custom", None) => {
                let listed = self.custom_phone_numbers.as_ref();
                listed
                    .and_then(read_numbers)
                    .map(Audience::Custom)
                    .ok_or_else(|| corrupt("custom_phone_numbers"))
            }
            _ => Err(corrupt("target_audience")),
        }
    }
}

pub(super) fn read_numbers(list: &Value) -> Option<Vec<Phone>> {
    let numbers = list.as_array()?.iter();
    numbers
        .map(|number| number.as_str().and_then(Phone::from_e164))
        .collect()
}

impl TryFrom<Row> for Campaign {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let corrupt = |column| corrupt_campaign(row.id, column);
        let key = row.idempotency_key.as_deref();
        let plan = NewCampaign {
            name: Label::parse(&row.campaign_name).ok_or_else(|| corrupt("campaign_name"))?,
            template: TemplateId::new(row.template_id),
            scheduled_at: row.scheduled_date,
            audience: row.audience()?,
            consent_basis: row.basis()?,
            link_base: LinkBase::parse(&row.tracking_url_base).ok_or_else(|| corrupt("tracking_url_base"))?,
            secret: read_secret(row.id, &row.secret)?,
            idempotency_key: key
                .map(|key| IdempotencyKey::parse(key).ok_or_else(|| corrupt("idempotency_key")))
                .transpose()?,
            created_by: read_staff_name(row.created_by.as_deref()).ok_or_else(|| corrupt("created_by"))?,
            at: row.created_at,
        };
        Ok(Self {
            id: CampaignId::new(row.id),
            plan,
            template_name: row.template_name,
            custom_number_count: row.custom_number_count,
            status: row.status.parse().map_err(|_| corrupt("status"))?,
            figures: row.figures.into(),
            started_at: row.started_at,
            ended_at: row.sent_at,
        })
    }
}

/// The error for a stored campaign that is not valid.
pub(crate) fn corrupt_campaign(id: i64, column: &'static str) -> StoreError {
    StoreError::corrupt("sms_scheduled_campaigns", column, id)
}

pub(crate) fn read_secret(campaign: i64, bytes: &[u8]) -> Result<CampaignSecret, StoreError> {
    let bytes = bytes.try_into();
    bytes
        .map(CampaignSecret::new)
        .map_err(|_| corrupt_campaign(campaign, "secret"))
}
