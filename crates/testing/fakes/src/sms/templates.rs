use crate::mem_store::MemTx;
use crate::state::sms::number;
use crate::state::{next_id, storable};
use chrono::{DateTime, Utc};
use kernel::{PageRequest, StaffName, StoreError};
use raffle::RaffleKey;
use sms::{
    NewTemplate, Template, TemplateFilter, TemplateId, Templates, WelcomeMessage, WelcomeTemplate,
    WelcomeTemplates,
};

fn texts(template: &NewTemplate) -> [&str; 3] {
    let message = &template.message;
    [template.name.as_str(), message.text(), message.placeholder()]
}

fn matches(filter: &TemplateFilter, template: &Template) -> bool {
    let content = &template.content;
    let contains = |part: &str| {
        let texts = [content.name.as_str(), content.message.text()];
        texts
            .iter()
            .any(|text| text.to_ascii_lowercase().contains(&part.to_ascii_lowercase()))
    };
    filter.part.as_ref().is_none_or(|part| contains(part.as_str()))
}

impl Templates for MemTx {
    fn add_template(
        &mut self,
        new: &NewTemplate,
        created_by: Option<&StaffName>,
        at: DateTime<Utc>,
    ) -> Result<TemplateId, StoreError> {
        storable(texts(new))?;
        let sms = &mut self.0.sms;
        let id = TemplateId::new(next_id(sms.templates_made));
        sms.templates_made += 1;
        sms.templates.push(Template {
            id,
            content: new.clone(),
            created_by: created_by.cloned(),
            created_at: at,
            updated_at: at,
        });
        Ok(id)
    }

    fn change_template(
        &mut self,
        id: TemplateId,
        new: &NewTemplate,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        storable(texts(new))?;
        let mut templates = self.0.sms.templates.iter_mut();
        let Some(template) = templates.find(|template| template.id == id) else {
            return Ok(false);
        };
        template.content = new.clone();
        template.updated_at = at;
        Ok(true)
    }

    fn switch_template(
        &mut self,
        id: TemplateId,
        is_active: bool,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let mut templates = self.0.sms.templates.iter_mut();
        let Some(template) = templates.find(|template| template.id == id) else {
            return Ok(false);
        };
        template.content.is_active = is_active;
        template.updated_at = at;
        Ok(true)
    }

    fn find_template(&self, id: TemplateId) -> Result<Option<Template>, StoreError> {
        let mut templates = self.0.sms.templates.iter();
        Ok(templates.find(|template| template.id == id).cloned())
    }

    fn list_templates(
        &self,
        filter: &TemplateFilter,
        page: PageRequest,
    ) -> Result<Vec<Template>, StoreError> {
        let newest_first = self.0.sms.templates.iter().rev();
        let matching = newest_first.filter(|template| matches(filter, template));
        let part = matching.skip(page.offset as usize).take(page.limit as usize);
        Ok(part.cloned().collect())
    }

    fn count_templates(&self, filter: &TemplateFilter) -> Result<i64, StoreError> {
        let templates = self.0.sms.templates.iter();
        Ok(number(
            templates.filter(|template| matches(filter, template)).count(),
        ))
    }
}

impl WelcomeTemplates for MemTx {
    fn add_welcome(
        &mut self,
        raffle: RaffleKey,
        message: &WelcomeMessage,
        created_by: Option<&StaffName>,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        storable([message.as_str()])?;
        let welcomes = &mut self.0.sms.welcomes;
        let is_new = !welcomes.contains_key(&raffle);
        welcomes.entry(raffle).or_insert_with(|| WelcomeTemplate {
            raffle,
            message: message.clone(),
            is_active: true,
            created_by: created_by.cloned(),
            created_at: at,
            updated_at: at,
        });
        Ok(is_new)
    }

    fn change_welcome(
        &mut self,
        raffle: RaffleKey,
        message: &WelcomeMessage,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        storable([message.as_str()])?;
        let Some(welcome) = self.0.sms.welcomes.get_mut(&raffle) else {
            return Ok(false);
        };
        welcome.message = message.clone();
        welcome.updated_at = at;
        Ok(true)
    }

    fn switch_welcome(
        &mut self,
        raffle: RaffleKey,
        is_active: bool,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let Some(welcome) = self.0.sms.welcomes.get_mut(&raffle) else {
            return Ok(false);
        };
        welcome.is_active = is_active;
        welcome.updated_at = at;
        Ok(true)
    }

    fn delete_welcome(&mut self, raffle: RaffleKey) -> Result<bool, StoreError> {
        Ok(self.0.sms.welcomes.remove(&raffle).is_some())
    }

    fn list_welcomes(&self) -> Result<Vec<WelcomeTemplate>, StoreError> {
        let mut welcomes: Vec<_> = self.0.sms.welcomes.values().cloned().collect();
        welcomes.sort_by_key(|welcome| self.0.raffles.list.place(welcome.raffle));
        Ok(welcomes)
    }
}
