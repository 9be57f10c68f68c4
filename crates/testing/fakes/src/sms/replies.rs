use crate::mem_store::MemTx;
use crate::search::found;
use crate::state::sms::{StoredReply, number};
use crate::state::{next_id, storable};
use kernel::{PageRequest, StoreError};
use sms::{NewReply, Replies, Reply, ReplyFilter, ReplyId};

fn matches(filter: &ReplyFilter, reply: &Reply) -> bool {
    found(filter.search.as_ref(), &[&reply.body], &reply.phone)
        && filter
            .is_keyword
            .is_none_or(|is_keyword| reply.keyword.is_some() == is_keyword)
        && filter.before.is_none_or(|before| reply.id < before)
}

impl Replies for MemTx {
    fn add_reply(&mut self, new: &NewReply) -> Result<bool, StoreError> {
        storable([new.body.as_str()])?;
        let provider_id = new.provider_id.as_str();
        if self
            .0
            .sms
            .replies
            .iter()
            .any(|stored| stored.provider_id == provider_id)
        {
            return Ok(false);
        }
        let entrant = self.0.entrant_at(&new.phone).map(|(id, _)| id);
        let sms = &mut self.0.sms;
        let reply = Reply {
            id: ReplyId::new(next_id(sms.replies_made)),
            phone: new.phone.clone(),
            entrant,
            body: new.body.as_str().to_owned(),
            keyword: new.keyword,
            at: new.at,
        };
        sms.replies_made += 1;
        sms.replies.push(StoredReply {
            provider_id: provider_id.to_owned(),
            reply,
        });
        Ok(true)
    }

    fn list_replies(&self, filter: &ReplyFilter, page: PageRequest) -> Result<Vec<Reply>, StoreError> {
        let newest_first = self.0.sms.replies.iter().rev().map(|stored| &stored.reply);
        let matching = newest_first.filter(|reply| matches(filter, reply));
        let part = matching.skip(page.offset as usize).take(page.limit as usize);
        Ok(part.cloned().collect())
    }

    fn count_replies(&self, filter: &ReplyFilter) -> Result<i64, StoreError> {
        let replies = self.0.sms.replies.iter();
        Ok(number(
            replies.filter(|stored| matches(filter, &stored.reply)).count(),
        ))
    }
}
