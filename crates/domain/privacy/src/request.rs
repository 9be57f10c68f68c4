//! Requests of people for their data: a copy of everything, or its deletion.
//!
//! A request that a code must confirm is pending until the code is entered, and expires with it. Any other one is completed
//! at once. A copy is made when it is downloaded, so nothing personal is stored a second time.

use crate::{DataRequestId, RequestTokenHash};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{EntrantId, StoreError};

/// How long the link to a copy works.
pub const EXPORT_LIFE: TimeDelta = TimeDelta::hours(72);
/// How many copies an entrant gets in 24 hours.
pub const EXPORTS_PER_DAY: usize = 5;

/// What is asked for.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum RequestType {
    /// A copy of everything that is stored about the person.
    Export,
    /// The deletion of everything that says who the person is.
    Erasure,
}

/// Who asks.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum Asker {
    /// The person, in the browser that entered.
    Visitor,
    /// Staff, for a person who asked by phone or by post.
    Staff,
}

impl Asker {
    /// Whether a copy that was made for this asker has the name and the address that a winner gave (D63): the person's own
    /// has them. Staff see them in the claim, where it stands in the audit log who looked.
    pub const fn gets_claim_details(self) -> bool {
        match self {
            Self::Visitor => true,
            Self::Staff => false,
        }
    }
}

/// How far a request has come.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum RequestStatus {
    /// It waits for its code.
    Pending,
    /// It was carried out.
    Completed,
    /// It was confirmed, but could not be carried out.
    Failed,
    /// Nobody entered the code in time.
    Expired,
}

macro_rules! names {
    ($($name:ident)+) => {
        $(
            impl $name {
                /// The name in rows and answers.
                pub fn as_str(self) -> &'static str {
                    self.into()
                }
            }
        )+
    };
}

names!(RequestType Asker RequestStatus);

/// A request to be stored. It is pending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewDataRequest {
    /// Whose data it is about.
    pub entrant: EntrantId,
    /// What is asked for.
    pub kind: RequestType,
    /// Who asks.
    pub asker: Asker,
    /// The present moment.
    pub at: DateTime<Utc>,
}

/// A request as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataRequest {
    /// The id.
    pub id: DataRequestId,
    /// Whose data it is about.
    pub entrant: EntrantId,
    /// What is asked for.
    pub kind: RequestType,
    /// Who asked.
    pub asker: Asker,
    /// How far it has come, as it was stored last: see [`DataRequest::status_at`].
    pub status: RequestStatus,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// Pending: until when the code is valid that was sent last. A completed export: until when its link works.
    pub expires_at: Option<DateTime<Utc>>,
    /// When it was carried out.
    pub completed_at: Option<DateTime<Utc>>,
    /// The hash of the secret in the link to a completed export.
    pub token: Option<RequestTokenHash>,
}

impl DataRequest {
    /// The status now: a pending request expires with its code.
    pub fn status_at(&self, now: DateTime<Utc>) -> RequestStatus {
        let is_over = self.expires_at.is_none_or(|end| end <= now);
        match self.status {
            RequestStatus::Pending if is_over => RequestStatus::Expired,
            status => status,
        }
    }

    /// Whether the link to the copy works now.
    pub fn is_downloadable(&self, now: DateTime<Utc>) -> bool {
        self.token.is_some() && self.expires_at.is_some_and(|end| now < end)
    }

    /// Waits for a code that is valid until then.
    pub const fn wait_until(&mut self, expires_at: DateTime<Utc>) {
        self.expires_at = Some(expires_at);
    }

    /// Carries out an export: its link works from now on.
    pub fn complete_export(&mut self, token: RequestTokenHash, now: DateTime<Utc>) {
        self.end(RequestStatus::Completed);
        self.completed_at = Some(now);
        self.token = Some(token);
        self.expires_at = Some(now + EXPORT_LIFE);
    }

    /// Notes that the person was erased.
    pub fn complete_erasure(&mut self, now: DateTime<Utc>) {
        self.end(RequestStatus::Completed);
        self.completed_at = Some(now);
    }

    /// Notes that a confirmed request could not be carried out.
    pub fn fail(&mut self) {
        self.end(RequestStatus::Failed);
    }

    fn end(&mut self, status: RequestStatus) {
        self.status = status;
        self.expires_at = None;
    }
}

/// How long to wait until an entrant may have another copy; `None` if now. `exports` are the times of their exports.
pub fn wait_for_export(
    exports: impl IntoIterator<Item = DateTime<Utc>>,
    now: DateTime<Utc>,
) -> Option<TimeDelta> {
    let day_ago = now - TimeDelta::days(1);
    let mut counted: Vec<_> = exports.into_iter().filter(|at| *at > day_ago).collect();
    counted.sort_unstable();
    let place = counted.len().checked_sub(EXPORTS_PER_DAY)?;
    let first = counted.get(place)?;
    Some(*first - day_ago)
}

/// Requests for data.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait DataRequests {
    /// Locks an entrant until the transaction ends, so that requests of the same person wait here for each other. `false` if
    /// there is no such entrant, or if they are erased.
    fn lock_requester(&mut self, entrant: EntrantId) -> Result<bool, StoreError>;

    /// Stores a request.
    fn add_data_request(&mut self, new: &NewDataRequest) -> Result<DataRequest, StoreError>;

    /// Stores what a step changed: all but whose it is, what it asks for, who asked and when.
    fn save_data_request(&mut self, request: &DataRequest) -> Result<(), StoreError>;

    /// The requests of an entrant, newest first.
    fn list_data_requests(&self, entrant: EntrantId) -> Result<Vec<DataRequest>, StoreError>;

    /// A request.
    fn find_data_request(&self, id: DataRequestId) -> Result<Option<DataRequest>, StoreError>;

    /// The export whose link has this token.
    fn find_export(&self, token: &RequestTokenHash) -> Result<Option<DataRequest>, StoreError>;

    /// Notes that pending requests whose code is no longer valid have expired. Returns how many there were.
    fn expire_data_requests(&mut self, now: DateTime<Utc>) -> Result<u64, StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RequestKey;
    use strum::IntoEnumIterator;

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::seconds(second)
    }

    fn key() -> RequestKey {
        RequestKey::new(&[1; 32]).unwrap()
    }

    fn pending() -> DataRequest {
        let id = DataRequestId::new(7);
        let mut request = DataRequest {
            id,
            entrant: EntrantId::new(1),
            kind: RequestType::Export,
            asker: Asker::Visitor,
            status: RequestStatus::Pending,
            created_at: at(0),
            expires_at: None,
            completed_at: None,
            token: None,
        };
        request.wait_until(at(600));
        request
    }

    #[test]
    fn a_request_waits_as_long_as_its_code_is_valid() {
        let request = pending();
        assert_eq!(request.status_at(at(599)), RequestStatus::Pending);
        assert_eq!(request.status_at(at(600)), RequestStatus::Expired);
    }

    #[test]
    fn a_copy_can_be_downloaded_for_three_days() {
        let mut request = pending();
        request.complete_export(key().token(request.id).hash(), at(100));
        let days = EXPORT_LIFE.num_seconds();
        assert!(request.is_downloadable(at(100 + days - 1)));
        assert!(!request.is_downloadable(at(100 + days)));
        assert_eq!(request.status_at(at(100 + days)), RequestStatus::Completed);
    }

    #[test]
    fn what_has_ended_waits_for_nothing() {
        let end: [fn(&mut DataRequest); 2] = [|request| request.complete_erasure(at(5)), DataRequest::fail];
        for end in end {
            let mut request = pending();
            end(&mut request);
            assert_eq!(request.expires_at, None);
            assert!(!request.is_downloadable(at(6)));
        }
    }

    #[test]
    fn an_entrant_gets_five_copies_a_day() {
        let hours = |count: i64| (0..count).map(|n| at(n * 3_600)).collect::<Vec<_>>();
        assert_eq!(wait_for_export(hours(4), at(4 * 3_600)), None);
        let wait = wait_for_export(hours(5), at(5 * 3_600));
        assert_eq!(wait, Some(TimeDelta::hours(19)));
        assert_eq!(wait_for_export(hours(5), at(24 * 3_600)), None);
    }

    #[test]
    fn names_are_those_of_the_specification() {
        let types: Vec<_> = RequestType::iter().map(RequestType::as_str).collect();
        assert_eq!(types, ["export", "erasure"]);
        let states: Vec<_> = RequestStatus::iter().map(RequestStatus::as_str).collect();
        assert_eq!(states, ["pending", "completed", "failed", "expired"]);
    }
}
