use crate::mem_store::MemTx;
use crate::state::storable;
use crate::state::verifications::Stored;
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{EntrantId, StoreError};
use raffle::SignUp;
use verification::{
    BrowserHash, CodeHash, NewVerification, NumberTag, Sender, SentCode, Usage, Verification, VerificationId,
    Verifications,
};

impl Verifications for MemTx {
    fn lock_usage(
        &mut self,
        sender: &Sender,
        except: Option<VerificationId>,
        now: DateTime<Utc>,
    ) -> Result<Usage, StoreError> {
        let state = &self.0.verification;
        let to_number = state
            .codes
            .iter()
            .filter(|code| code.number == sender.number && code.at > now - TimeDelta::days(1));
        let of_network = state.codes.iter().filter(|code| {
            sender.network.is_some()
                && code.network == sender.network
                && code.at > now - TimeDelta::minutes(1)
        });
        Ok(Usage {
            number: to_number
                .map(|code| SentCode {
                    at: code.at,
                    same_network: sender.network.is_some() && code.network == sender.network,
                })
                .collect(),
            network: of_network.map(|code| code.at).collect(),
            prefix: match except {
                None => state.unfinished(sender, now),
                Some(_) => Vec::new(),
            },
        })
    }

    fn add_verification(&mut self, new: &NewVerification) -> Result<(), StoreError> {
        let sign_up = &new.sign_up;
        storable(sign_up.origin.user_agent.as_deref())?;
        storable(sign_up.fingerprint.as_deref())?;
        let state = &mut self.0.verification;
        state.verifications.push(Stored {
            verification: Verification {
                id: new.id,
                browser: new.browser,
                code: new.code,
                tries: 0,
                expires_at: new.expires_at,
                resend_at: new.resend_at,
                is_completed: false,
                sign_up: Some(sign_up.clone()),
            },
            sender: new.sender,
            created_at: new.at,
        });
        state.count_code(new.id, &new.sender, new.at);
        Ok(())
    }

    fn find_open_verification(
        &self,
        browser: &BrowserHash,
        number: &NumberTag,
        now: DateTime<Utc>,
    ) -> Result<Option<Verification>, StoreError> {
        let open = self.0.verification.verifications.iter().filter(|stored| {
            stored.sender.number == *number
                && stored.verification.browser == *browser
                && stored.verification.is_open(now)
        });
        let newest = open.max_by_key(|stored| stored.created_at);
        Ok(newest.map(|stored| stored.verification.clone()))
    }

    fn lock_verification(&mut self, id: VerificationId) -> Result<Option<Verification>, StoreError> {
        let mut stored = self.0.verification.verifications.iter();
        let found = stored.find(|stored| stored.verification.id == id);
        Ok(found.map(|stored| stored.verification.clone()))
    }

    fn replace_sign_up(&mut self, id: VerificationId, sign_up: &SignUp) -> Result<(), StoreError> {
        self.0.verification.change(id, |verification| {
            verification.sign_up = Some(sign_up.clone());
        });
        Ok(())
    }

    fn replace_code(
        &mut self,
        id: VerificationId,
        code: &CodeHash,
        sender: &Sender,
        at: DateTime<Utc>,
        expires_at: DateTime<Utc>,
        resend_at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let state = &mut self.0.verification;
        state.change(id, |verification| {
            verification.code = *code;
            verification.expires_at = expires_at;
            verification.resend_at = resend_at;
        });
        state.count_code(id, sender, at);
        Ok(())
    }

    fn count_try(&mut self, id: VerificationId) -> Result<(), StoreError> {
        self.0
            .verification
            .change(id, |verification| verification.tries += 1);
        Ok(())
    }

    fn complete_verification(
        &mut self,
        id: VerificationId,
        _: EntrantId,
        _: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        self.0.verification.change(id, |verification| {
            verification.is_completed = true;
            verification.sign_up = None;
        });
        Ok(())
    }

    fn forget_verifications(
        &mut self,
        now: DateTime<Utc>,
        counted_since: DateTime<Utc>,
    ) -> Result<i64, StoreError> {
        let state = &mut self.0.verification;
        let mut changed = 0;
        for stored in &mut state.verifications {
            if stored.verification.expires_at <= now && stored.verification.sign_up.take().is_some() {
                changed += 1;
            }
        }
        let before = state.verifications.len();
        state
            .verifications
            .retain(|stored| stored.created_at >= counted_since);
        let deleted = before - state.verifications.len();
        let kept: Vec<_> = state
            .verifications
            .iter()
            .map(|stored| stored.verification.id)
            .collect();
        state.codes.retain(|code| kept.contains(&code.of));
        Ok(changed + i64::try_from(deleted).unwrap_or(i64::MAX))
    }
}
