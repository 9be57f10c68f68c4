use crate::StoreError;

/// A write that stores nothing, to find out whether the store can be written.
pub trait WriteProbe {
    /// Makes the transaction's commit as durable as any other, without changing what is stored.
    fn probe_write(&mut self) -> Result<(), StoreError>;
}
