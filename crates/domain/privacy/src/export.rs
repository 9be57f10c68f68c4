use kernel::{EntrantId, StoreError};

/// What a table holds about a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedTable {
    /// The name of the table.
    pub name: &'static str,
    /// What the table is about, in a sentence for the person.
    pub about: &'static str,
    /// The rows, each one a JSON object (RFC 8259) whose names are columns. Secrets, and numbers and addresses of other
    /// people, are left out.
    pub rows: Vec<String>,
}

/// Copies of everything that is stored about a person.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Exports {
    /// All tables that can hold something about an entrant, those without a row too. `None` if there is no such entrant, or
    /// if they are erased.
    fn export_person(&self, entrant: EntrantId) -> Result<Option<Vec<ExportedTable>>, StoreError>;
}
