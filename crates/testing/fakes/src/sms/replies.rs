use crate::mem_store::MemTx;
use crate::search::found;
use crate::state::sms::{StoredReply, number};
use crate::state::{next_id, storable};
use kernel::{PageRequest, StoreError};
use sms::{Keyword, NewReply, Replies, Reply, ReplyFilter, ReplyId, ReplyOrder};

fn matches(filter: &ReplyFilter, reply: &Reply) -> bool {
    found(filter.search.as_ref(), &[&reply.body], &reply.phone)
        && filter.kind.is_none_or(|kind| kind.is(reply))
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
            is_unclear: new.is_unclear,
            at: new.at,
        };
        sms.replies_made += 1;
        sms.replies.push(StoredReply {
            provider_id: provider_id.to_owned(),
            reply,
        });
        Ok(true)
    }

    fn list_replies(
        &self,
        filter: &ReplyFilter,
        order: ReplyOrder,
        page: PageRequest,
    ) -> Result<Vec<Reply>, StoreError> {
        let newest_first = self.0.sms.replies.iter().rev().map(|stored| &stored.reply);
        let mut matching: Vec<&Reply> = newest_first.filter(|reply| matches(filter, reply)).collect();
        if order == ReplyOrder::UnclearFirst {
            matching.sort_by_key(|reply| !reply.is_unclear);
        }
        let part = matching
            .into_iter()
            .skip(page.offset as usize)
            .take(page.limit as usize);
        Ok(part.cloned().collect())
    }

    fn lock_reply(&mut self, id: ReplyId) -> Result<Option<Reply>, StoreError> {
        let mut replies = self.0.sms.replies.iter();
        let found = replies.find(|stored| stored.reply.id == id);
        Ok(found.map(|stored| stored.reply.clone()))
    }

    fn decide_reply(&mut self, id: ReplyId, keyword: Option<Keyword>) -> Result<(), StoreError> {
        let mut replies = self.0.sms.replies.iter_mut();
        if let Some(stored) = replies.find(|stored| stored.reply.id == id) {
            stored.reply.keyword = keyword;
            stored.reply.is_unclear = false;
        }
        Ok(())
    }

    fn count_replies(&self, filter: &ReplyFilter) -> Result<i64, StoreError> {
        let replies = self.0.sms.replies.iter();
        Ok(number(
            replies.filter(|stored| matches(filter, &stored.reply)).count(),
        ))
    }
}
