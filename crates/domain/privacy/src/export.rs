use kernel::{EntrantId, StoreError};

/// A part of the page on which a person reads the copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumIter)]
pub enum ExportPart {
    /// The sign-up, the entries, and how the person shared the link.
    Entry,
    /// Payments.
    Purchases,
    /// Texts and other messages, to the person and from them.
    Texts,
    /// What the browser did on our pages.
    Visits,
    /// Drawings and claims.
    Drawings,
    /// What staff did about the person.
    Staff,
}

impl ExportPart {
    /// What stands above it.
    pub const fn heading(self) -> &'static str {
        match self {
            Self::Entry => "Your entry",
            Self::Purchases => "What you bought",
            Self::Texts => "Messages",
            Self::Visits => "Your visits",
            Self::Drawings => "Drawings and prizes",
            Self::Staff => "What our staff did",
        }
    }
}

/// What a table holds about a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedTable {
    /// Where it stands on the page.
    pub part: ExportPart,
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
