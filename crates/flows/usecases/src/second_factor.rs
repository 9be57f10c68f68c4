//! Taking codes of second factors.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Clock, Entropy, Sealer, StoreError};
use staff::{Account, Accounts, PasswordTag, RecoveryCode, SecondFactor, TotpCode, TotpSecret, password_tag};

/// What the flows of staff's accounts need.
pub struct StaffTools<'a> {
    /// The clock.
    pub clock: &'a dyn Clock,
    /// Randomness for secrets and tokens.
    pub entropy: &'a dyn Entropy,
    /// Encrypts the secrets of second factors.
    pub sealer: &'a dyn Sealer<TotpSecret>,
    /// Whether owners and managers must have a second factor (`STAFF_TOTP`).
    pub totp_required: bool,
    /// The tag of the password of the environment's account, if there is one.
    pub environment_password: Option<PasswordTag>,
}

impl StaffTools<'_> {
    /// The tag of the current password of an account.
    pub fn password_tag(&self, account: &Account) -> Option<PasswordTag> {
        match account.member.environment {
            true => self.environment_password,
            false => account.password.as_deref().map(password_tag),
        }
    }
}

/// What became of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CodeOutcome {
    /// It was right. Its account was saved.
    Taken,
    /// It was a recovery code, and is used up now.
    TakenRecovery,
    /// It was wrong, and counted.
    Wrong,
    /// It was not looked at, because there were too many wrong ones.
    Locked {
        /// How long until the next code is taken.
        wait: TimeDelta,
    },
}

/// Takes six digits or a recovery code for the confirmed second factor of a locked account.
pub(crate) fn take_code<T: Accounts>(
    tx: &mut T,
    tools: &StaffTools<'_>,
    account: &mut Account,
    typed: &str,
    now: DateTime<Utc>,
) -> Result<CodeOutcome, StoreError> {
    let Some(recovery) = RecoveryCode::parse(typed) else {
        return take_totp(tx, tools, account, typed, now);
    };
    if let Some(wait) = account.code_failures.wait(now) {
        return Ok(CodeOutcome::Locked { wait });
    }
    if tx.take_recovery_code(account.member.id, &recovery.hash())? {
        return Ok(CodeOutcome::TakenRecovery);
    }
    count_wrong(tx, account, now)
}

/// Takes six digits for the second factor of a locked account, confirmed or not.
pub(crate) fn take_totp<T: Accounts>(
    tx: &mut T,
    tools: &StaffTools<'_>,
    account: &mut Account,
    typed: &str,
    now: DateTime<Utc>,
) -> Result<CodeOutcome, StoreError> {
    if let Some(wait) = account.code_failures.wait(now) {
        return Ok(CodeOutcome::Locked { wait });
    }
    let factor = account.second_factor.as_ref();
    let code = TotpCode::parse(typed);
    let taken = factor.zip(code).and_then(|(factor, code)| {
        let secret = open_secret(tools, account, factor)?;
        let step = secret.step_of(code, now, factor.last_step)?;
        Some(SecondFactor {
            last_step: Some(step),
            ..factor.clone()
        })
    });
    match taken {
        Some(factor) => {
            account.set_second_factor(Some(factor));
            tx.save_account(account)?;
            Ok(CodeOutcome::Taken)
        }
        None => count_wrong(tx, account, now),
    }
}

fn count_wrong<T: Accounts>(
    tx: &mut T,
    account: &mut Account,
    now: DateTime<Utc>,
) -> Result<CodeOutcome, StoreError> {
    account.code_failures = account.code_failures.after_wrong(now);
    tx.save_account(account)?;
    Ok(CodeOutcome::Wrong)
}

/// The context binds a secret to its account.
fn context(account: &Account) -> String {
    format!("{} {}", TotpSecret::CONTEXT, account.member.id)
}

pub(crate) fn seal_secret(tools: &StaffTools<'_>, account: &Account, secret: &TotpSecret) -> Vec<u8> {
    tools.sealer.seal(&context(account), secret.as_bytes())
}

/// Encrypts the secret of an account's second factor again, and returns whether it has one that could be opened.
pub(crate) fn reseal(tools: &StaffTools<'_>, account: &mut Account) -> bool {
    let Some(factor) = account.second_factor.clone() else {
        return false;
    };
    let Some(secret) = open_secret(tools, account, &factor) else {
        return false;
    };
    let sealed_secret = seal_secret(tools, account, &secret);
    account.second_factor = Some(SecondFactor {
        sealed_secret,
        ..factor
    });
    true
}

fn open_secret(tools: &StaffTools<'_>, account: &Account, factor: &SecondFactor) -> Option<TotpSecret> {
    let bytes = tools.sealer.open(&context(account), &factor.sealed_secret)?;
    TotpSecret::from_bytes(&bytes)
}
