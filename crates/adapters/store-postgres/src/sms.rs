//! What the domain `sms` stores.

mod addressees;
mod campaign_counts;
mod campaign_dispatching;
mod campaigns;
mod clearing;
mod clicks;
mod consents;
mod daily_counts;
mod dispatching;
mod message_changes;
mod message_evidence;
mod opt_outs;
mod outbox;
mod replies;
mod templates;
