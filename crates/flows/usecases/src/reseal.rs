//! Encrypts stored secrets again with the newest keys, after the keys have changed (D74). What is kept for
//! a short time stays as it is: the seeds of announced drawings, whose rows never change, proposals, and texts that wait.

use crate::claims::{ClaimTools, ClaimTx, open_details};
use crate::credentials;
use crate::second_factor::{self, StaffTools};
use ::claims::Claims;
use kernel::{Sealer, StoreError, UnitOfWork};
use sms::{Credentials, SmsSettings};
use staff::Accounts;

/// Encrypts the second factors of staff, the details of winners and the account of texts again. What no key of the settings
/// opens stays as it is. Others may change the same rows meanwhile; nothing of theirs is lost.
///
/// # Errors
/// When the store fails. What was done by then stays done.
pub fn all<S>(
    store: &S,
    staff: &StaffTools<'_>,
    claims: ClaimTools<'_>,
    account: &dyn Sealer<Credentials>,
) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: ClaimTx + Accounts + SmsSettings>,
{
    store.transaction(|tx| second_factors(tx, staff))?;
    details(store, claims)?;
    credentials::reseal(store, staff.clock, account)
}

fn second_factors<T: Accounts>(tx: &mut T, staff: &StaffTools<'_>) -> Result<(), StoreError> {
    for mut account in tx.lock_accounts()? {
        if second_factor::reseal(staff, &mut account) {
            tx.save_account(&account)?;
        }
    }
    Ok(())
}

fn details<S>(store: &S, tools: ClaimTools<'_>) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: ClaimTx>,
{
    for listed in store.read(|tx| tx.list_live_claims())? {
        store.transaction(|tx| {
            let Some(mut claim) = tx.lock_claim(listed.id)? else {
                return Ok(());
            };
            let Some(details) = open_details(tools, &claim) else {
                return Ok(());
            };
            claim.sealed_details = Some(details.seal(tools.details, claim.id));
            tx.save_claim(&claim)
        })?;
    }
    Ok(())
}
