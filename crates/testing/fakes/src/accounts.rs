use crate::mem_store::MemTx;
use crate::state::{next_id, storable};
use kernel::{StaffName, StoreError, UniqueKey};
use staff::{Account, Accounts, MemberId, RecoveryHash, TokenHash};

impl Accounts for MemTx {
    fn add_account(&mut self, account: &Account) -> Result<MemberId, StoreError> {
        storable(Some(account.member.name.as_str()))?;
        self.refuse_taken_name(account)?;
        let accounts = &mut self.0.staff.accounts;
        let mut added = account.clone();
        added.member.id = MemberId::new(next_id(accounts.len()));
        let id = added.member.id;
        accounts.push(added);
        Ok(id)
    }

    fn find_account(&self, id: MemberId) -> Result<Option<Account>, StoreError> {
        Ok(self.account(|account| account.member.id == id))
    }

    fn find_account_by_name(&self, name: &StaffName) -> Result<Option<Account>, StoreError> {
        Ok(self.account(|account| account.member.name == *name))
    }

    fn find_account_by_invitation(&self, token: &TokenHash) -> Result<Option<Account>, StoreError> {
        Ok(self.account(|account| {
            let invitation = account.invitation.as_ref();
            invitation.is_some_and(|invitation| invitation.token_hash == *token)
        }))
    }

    fn list_accounts(&self) -> Result<Vec<Account>, StoreError> {
        Ok(self.0.staff.accounts.clone())
    }

    fn lock_account(&mut self, id: MemberId) -> Result<Option<Account>, StoreError> {
        self.find_account(id)
    }

    fn lock_accounts(&mut self) -> Result<Vec<Account>, StoreError> {
        self.list_accounts()
    }

    fn save_account(&mut self, account: &Account) -> Result<(), StoreError> {
        self.refuse_taken_name(account)?;
        let accounts = self.0.staff.accounts.iter_mut();
        accounts
            .filter(|stored| stored.member.id == account.member.id)
            .for_each(|stored| *stored = account.clone());
        Ok(())
    }

    fn replace_recovery_codes(&mut self, member: MemberId, codes: &[RecoveryHash]) -> Result<(), StoreError> {
        let stored = &mut self.0.staff.recovery_codes;
        stored.retain(|(owner, _)| *owner != member);
        stored.extend(codes.iter().map(|code| (member, *code)));
        Ok(())
    }

    fn take_recovery_code(&mut self, member: MemberId, code: &RecoveryHash) -> Result<bool, StoreError> {
        let stored = &mut self.0.staff.recovery_codes;
        let before = stored.len();
        stored.retain(|(owner, stored)| (owner, stored) != (&member, code));
        Ok(stored.len() < before)
    }

    fn count_recovery_codes(&self, member: MemberId) -> Result<i64, StoreError> {
        let codes = self.0.staff.recovery_codes.iter();
        let count = codes.filter(|(owner, _)| *owner == member).count();
        Ok(i64::try_from(count).unwrap_or(i64::MAX))
    }
}

impl MemTx {
    fn account(&self, which: impl Fn(&Account) -> bool) -> Option<Account> {
        self.0
            .staff
            .accounts
            .iter()
            .find(|account| which(account))
            .cloned()
    }

    fn refuse_taken_name(&self, account: &Account) -> Result<(), StoreError> {
        let others = self.0.staff.accounts.iter().map(|other| &other.member);
        let mut same = others.filter(|other| other.name == account.member.name);
        match same.any(|other| other.id != account.member.id) {
            true => Err(StoreError::Duplicate(UniqueKey::StaffName)),
            false => Ok(()),
        }
    }
}
