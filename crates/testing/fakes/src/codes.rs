use crate::mem_store::MemTx;
use crate::state::codes::Stored;
use crate::state::storable;
use ::codes::{CodeId, Codes, Counted, Holder, NewCode, Request, SentCode, Subject, Usage, block_of};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{BrowserHash, EntrantId, Phone, StoreError};
use raffle::{NewWaitingSignUp, SignUp, SignUpId, WaitingSignUp, WaitingSignUps};

impl Codes for MemTx {
    fn lock_code_usage(&mut self, request: &Request, now: DateTime<Utc>) -> Result<Usage, StoreError> {
        let purpose = request.subject.purpose();
        let of_day: Vec<_> = self
            .0
            .codes
            .codes
            .iter()
            .filter(|stored| {
                stored.new.at > now - TimeDelta::days(1) && stored.new.request.subject.purpose() == purpose
            })
            .collect();
        let counts = |earlier: &Request| match request.subject {
            Subject::Claim(_) => earlier.subject == request.subject,
            Subject::SignUp(_) | Subject::DataRequest(_) => earlier.number == request.number,
        };
        let counted = of_day.iter().filter(|stored| counts(&stored.new.request));
        let unfinished = |is_near: &dyn Fn(std::net::IpAddr) -> bool| {
            let near = of_day
                .iter()
                .filter(|stored| !stored.is_completed && stored.new.request.network.is_some_and(is_near));
            near.map(|stored| stored.new.at).collect::<Vec<_>>()
        };
        Ok(Usage {
            codes: counted
                .map(|stored| Counted {
                    at: stored.new.at,
                    same_network: stored.new.request.network == request.network,
                    share: stored.new.share,
                })
                .collect(),
            network: unfinished(&|network| Some(network) == request.network),
            block: unfinished(&|network| Some(block_of(network)) == request.block()),
        })
    }

    fn add_code(&mut self, new: &NewCode) -> Result<(), StoreError> {
        let state = &mut self.0.codes;
        state.last_id += 1;
        state.codes.push(Stored {
            id: CodeId(state.last_id),
            new: *new,
            wrong_tries: 0,
            is_completed: false,
        });
        Ok(())
    }

    fn find_code(&self, subject: Subject, holder: Holder) -> Result<Option<SentCode>, StoreError> {
        let own =
            self.0.codes.codes.iter().filter(|stored| {
                stored.new.request.subject == subject && stored.new.request.holder == holder
            });
        let newest = own.max_by_key(|stored| (stored.new.at, stored.id.0));
        Ok(newest.map(|stored| SentCode {
            id: stored.id,
            hash: stored.new.hash,
            sent_at: stored.new.at,
            message: stored.new.message,
            wrong_tries: stored.wrong_tries,
            is_completed: stored.is_completed,
        }))
    }

    fn lock_code(&mut self, subject: Subject, holder: Holder) -> Result<Option<SentCode>, StoreError> {
        self.find_code(subject, holder)
    }

    fn count_wrong_try(&mut self, code: CodeId) -> Result<(), StoreError> {
        let mut codes = self.0.codes.codes.iter_mut();
        if let Some(stored) = codes.find(|stored| stored.id == code) {
            stored.wrong_tries += 1;
        }
        Ok(())
    }

    fn complete_codes(
        &mut self,
        subject: Subject,
        holder: Holder,
        entrant: EntrantId,
    ) -> Result<(), StoreError> {
        for stored in self
            .0
            .codes
            .of(subject, holder)
            .filter(|stored| !stored.is_completed)
        {
            stored.is_completed = true;
            stored.new.entrant = Some(entrant);
        }
        Ok(())
    }

    fn forget_codes(&mut self, counted_since: DateTime<Utc>) -> Result<i64, StoreError> {
        let codes = &mut self.0.codes.codes;
        let before = codes.len();
        codes.retain(|stored| stored.new.at >= counted_since);
        Ok(i64::try_from(before - codes.len()).unwrap_or(i64::MAX))
    }
}

impl WaitingSignUps for MemTx {
    fn add_waiting_sign_up(&mut self, new: &NewWaitingSignUp) -> Result<(), StoreError> {
        storable(new.sign_up.origin.user_agent.as_deref())?;
        storable(new.sign_up.fingerprint.as_deref())?;
        let waiting = WaitingSignUp {
            id: new.id,
            browser: new.browser,
            expires_at: new.expires_at,
            sign_up: Some(new.sign_up.clone()),
            entered: None,
        };
        self.0.codes.sign_ups.push((waiting, new.at));
        Ok(())
    }

    fn find_waiting_sign_up(
        &self,
        browser: &BrowserHash,
        phone: &Phone,
        now: DateTime<Utc>,
    ) -> Result<Option<SignUpId>, StoreError> {
        let waiting = self.0.codes.sign_ups.iter().filter(|(stored, _)| {
            let has_phone = stored.waits(now).is_some_and(|sign_up| sign_up.phone == *phone);
            stored.browser == *browser && has_phone
        });
        let newest = waiting.max_by_key(|(_, at)| *at);
        Ok(newest.map(|(stored, _)| stored.id))
    }

    fn lock_waiting_sign_up(&mut self, id: SignUpId) -> Result<Option<WaitingSignUp>, StoreError> {
        let mut stored = self.0.codes.sign_ups.iter();
        let found = stored.find(|(stored, _)| stored.id == id);
        Ok(found.map(|(stored, _)| stored.clone()))
    }

    fn replace_sign_up(&mut self, id: SignUpId, sign_up: &SignUp) -> Result<(), StoreError> {
        let replace = |stored: &mut WaitingSignUp| stored.sign_up = Some(sign_up.clone());
        self.0.codes.change_sign_up(id, replace);
        Ok(())
    }

    fn extend_sign_up(&mut self, id: SignUpId, expires_at: DateTime<Utc>) -> Result<(), StoreError> {
        let extend = |stored: &mut WaitingSignUp| stored.expires_at = expires_at;
        self.0.codes.change_sign_up(id, extend);
        Ok(())
    }

    fn complete_sign_up(&mut self, id: SignUpId, entrant: EntrantId, is_new: bool) -> Result<(), StoreError> {
        self.0.codes.change_sign_up(id, |stored| {
            stored.sign_up = None;
            stored.entered = Some((entrant, is_new));
        });
        Ok(())
    }

    fn forget_sign_ups(&mut self, now: DateTime<Utc>, kept_since: DateTime<Utc>) -> Result<i64, StoreError> {
        let sign_ups = &mut self.0.codes.sign_ups;
        let mut changed = 0;
        for (stored, _) in sign_ups.iter_mut() {
            if stored.expires_at <= now && stored.sign_up.take().is_some() {
                changed += 1;
            }
        }
        let before = sign_ups.len();
        sign_ups.retain(|(_, at)| *at >= kept_since);
        let deleted = before - sign_ups.len();
        Ok(changed + i64::try_from(deleted).unwrap_or(i64::MAX))
    }
}
