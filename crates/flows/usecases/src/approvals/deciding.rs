//! Stores around a store: one that approves a proposal in the transaction that carries it out, and one that carries nothing
//! out.

use super::{Decider, decision_entry};
use chrono::{DateTime, Utc};
use kernel::{StoreError, UnitOfWork};
use staff::{Action, Approval, ApprovalStatus, Approvals, AuditLog};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A store whose first transaction also approves a proposal.
#[derive(Clone)]
pub(super) struct Deciding<S> {
    store: S,
    decider: Decider,
    approval: Arc<Approval>,
    at: DateTime<Utc>,
    is_decided: Arc<AtomicBool>,
}

impl<S: UnitOfWork<Tx: Approvals + AuditLog>> Deciding<S> {
    pub(super) fn new(store: &S, decider: Decider, approval: &Approval, at: DateTime<Utc>) -> Self {
        Self {
            store: store.clone(),
            decider,
            approval: Arc::new(approval.clone()),
            at,
            is_decided: Arc::default(),
        }
    }

    /// Whether a transaction has committed, and the approval with it.
    pub(super) fn has_decided(&self) -> bool {
        self.is_decided.load(Ordering::Relaxed)
    }

    /// Last in the transaction, because some flows begin theirs with a statement of their own.
    fn decide(&self, tx: &mut S::Tx) -> Result<(), StoreError> {
        if self.has_decided() {
            return Ok(());
        }
        let entry = decision_entry(self.decider, &self.approval, Action::ApproveProposal, self.at);
        tx.record_audit(&entry)?;
        let approved = self.decider.decision(ApprovalStatus::Approved, self.at);
        match tx.decide_approval(self.approval.id, approved, None)? {
            true => Ok(()),
            false => Err(StoreError::Conflict),
        }
    }

    fn note<T, E>(&self, result: Result<T, E>) -> Result<T, E> {
        if result.is_ok() {
            self.is_decided.store(true, Ordering::Relaxed);
        }
        result
    }
}

impl<S: UnitOfWork<Tx: Approvals + AuditLog>> UnitOfWork for Deciding<S> {
    type Tx = S::Tx;

    fn transaction<T, E: From<StoreError>>(
        &self,
        mut work: impl FnMut(&mut Self::Tx) -> Result<T, E>,
    ) -> Result<T, E> {
        self.note(self.store.transaction(|tx| {
            let value = work(tx)?;
            self.decide(tx)?;
            Ok(value)
        }))
    }

    fn serializable<T, E: From<StoreError>>(
        &self,
        mut work: impl FnMut(&mut Self::Tx) -> Result<T, E>,
    ) -> Result<T, E> {
        self.note(self.store.serializable(|tx| {
            let value = work(tx)?;
            self.decide(tx)?;
            Ok(value)
        }))
    }

    fn snapshot<T, E: From<StoreError>>(&self, work: impl FnMut(&Self::Tx) -> Result<T, E>) -> Result<T, E> {
        self.store.snapshot(work)
    }

    fn read<T, E: From<StoreError>>(&self, work: impl FnMut(&Self::Tx) -> Result<T, E>) -> Result<T, E> {
        self.store.read(work)
    }
}

/// A store that rolls every transaction back and returns what it would have returned: to check whether a call could be made.
#[derive(Clone)]
pub(super) struct Rehearsing<S>(pub(super) S);

/// Both are errors of the transaction, so that it is rolled back.
enum Rehearsed<T, E> {
    Done(T),
    Failed(E),
}

impl<T, E: From<StoreError>> From<StoreError> for Rehearsed<T, E> {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.into())
    }
}

fn rehearse<Tx, T, E>(
    work: &mut impl FnMut(&mut Tx) -> Result<T, E>,
    tx: &mut Tx,
) -> Result<(), Rehearsed<T, E>> {
    match work(tx) {
        Ok(value) => Err(Rehearsed::Done(value)),
        Err(error) => Err(Rehearsed::Failed(error)),
    }
}

fn result<T, E: From<StoreError>>(rehearsed: Result<(), Rehearsed<T, E>>) -> Result<T, E> {
    match rehearsed {
        Err(Rehearsed::Done(value)) => Ok(value),
        Err(Rehearsed::Failed(error)) => Err(error),
        Ok(()) => Err(StoreError::Conflict.into()),
    }
}

impl<S: UnitOfWork> UnitOfWork for Rehearsing<S> {
    type Tx = S::Tx;

    fn transaction<T, E: From<StoreError>>(
        &self,
        mut work: impl FnMut(&mut Self::Tx) -> Result<T, E>,
    ) -> Result<T, E> {
        result(self.0.transaction(|tx| rehearse(&mut work, tx)))
    }

    fn serializable<T, E: From<StoreError>>(
        &self,
        mut work: impl FnMut(&mut Self::Tx) -> Result<T, E>,
    ) -> Result<T, E> {
        result(self.0.serializable(|tx| rehearse(&mut work, tx)))
    }

    fn snapshot<T, E: From<StoreError>>(&self, work: impl FnMut(&Self::Tx) -> Result<T, E>) -> Result<T, E> {
        self.0.snapshot(work)
    }

    fn read<T, E: From<StoreError>>(&self, work: impl FnMut(&Self::Tx) -> Result<T, E>) -> Result<T, E> {
        self.0.read(work)
    }
}
