//! Uploaded pictures of raffles (D57): adding, withdrawing and deleting them.

use chrono::{DateTime, Utc};
use kernel::{Clock, StoreError, UnitOfWork};
use raffle::PictureHash;
use raffle::pictures::{AddedPicture, MadePicture, Medium, PictureSummary, Pictures, Withdrawal};
use staff::{Action, Actor, AuditLog, NewAuditEntry};

/// Why a picture is not added.
#[derive(Debug, thiserror::Error)]
pub enum AddPictureError {
    /// There are [`raffle::pictures::MOST_PICTURES`].
    #[error("too many pictures")]
    TooMany,
    /// An owner withdrew it before.
    #[error("the picture was withdrawn")]
    Withdrawn,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Adds a picture. One that is there is not added again.
///
/// # Errors
/// [`AddPictureError`]; nothing has changed then.
pub fn add<S>(
    store: &S,
    actor: Actor,
    picture: &MadePicture,
    now: DateTime<Utc>,
) -> Result<PictureSummary, AddPictureError>
where
    S: UnitOfWork<Tx: Pictures + AuditLog>,
{
    let summary = picture.summary();
    store.transaction(|tx| match tx.add_picture(picture, now)? {
        AddedPicture::New => {
            let entry = NewAuditEntry::new(actor, Action::UploadPicture, now);
            tx.record_audit(&entry.target(summary.hash()))?;
            Ok(summary)
        }
        AddedPicture::Known => Ok(summary),
        AddedPicture::Withdrawn => Err(AddPictureError::Withdrawn),
        AddedPicture::TooMany => Err(AddPictureError::TooMany),
    })
}

/// Withdraws a picture. Pages show its raffle's scene then. Returns whether there is such a picture; withdrawing it again
/// changes nothing.
///
/// # Errors
/// [`StoreError`]; nothing has changed then.
pub fn withdraw<S>(store: &S, actor: Actor, hash: PictureHash, now: DateTime<Utc>) -> Result<bool, StoreError>
where
    S: UnitOfWork<Tx: Pictures + AuditLog>,
{
    store.transaction(|tx| {
        let withdrawal = tx.withdraw_picture(hash, now)?;
        if withdrawal == Withdrawal::Done {
            let entry = NewAuditEntry::new(actor, Action::WithdrawPicture, now);
            tx.record_audit(&entry.target(hash))?;
        }
        Ok(withdrawal != Withdrawal::Unknown)
    })
}

/// What stands at the address with this hash.
///
/// # Errors
/// [`StoreError`].
pub fn medium<S>(store: &S, hash: PictureHash) -> Result<Option<Medium>, StoreError>
where
    S: UnitOfWork<Tx: Pictures>,
{
    store.read(|tx| tx.find_medium(hash))
}

/// Deletes the pictures that nothing named for a week. Returns how many.
///
/// # Errors
/// [`StoreError`].
pub fn delete_unnamed<S>(store: &S, clock: &dyn Clock) -> Result<usize, StoreError>
where
    S: UnitOfWork<Tx: Pictures>,
{
    let now = clock.now();
    store.transaction(|tx| tx.delete_unnamed_pictures(now))
}
