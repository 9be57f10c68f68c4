//! Who may do what in the console (D49): one closed table.

/// What a member of staff is.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum Role {
    /// May do everything.
    Owner,
    /// May do everything but staff, credentials, clearing, claim details and approval.
    Manager,
    /// Looks after people, appeals and claims.
    Support,
    /// Reads figures.
    Viewer,
}

impl Role {
    /// The name in rows and responses.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether this role may do this.
    pub const fn allows(self, permission: Permission) -> bool {
        match permission.least() {
            Least::Viewer => true,
            Least::Support => matches!(self, Self::Owner | Self::Manager | Self::Support),
            Least::Manager => matches!(self, Self::Owner | Self::Manager),
            Least::Owner => matches!(self, Self::Owner),
        }
    }

    /// Whether `STAFF_TOTP=required` asks this role for a second factor.
    pub const fn needs_second_factor(self) -> bool {
        matches!(self, Self::Owner | Self::Manager)
    }
}

/// The roles that have a permission: this one and those above it.
#[derive(Clone, Copy)]
enum Least {
    Viewer,
    Support,
    Manager,
    Owner,
}

/// What a call of the console does. Each call needs one permission.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum Permission {
    /// Manage one's own account: sessions, password and second factor.
    OwnAccount,
    /// Read figures, settings and what waits. Phone numbers are masked.
    ViewFigures,
    /// Read lists and files of people, their texts and their replies.
    ViewPeople,
    /// Change tags and notes, make copies of a person's data, and stop texts.
    EditPeople,
    /// Read and decide appeals.
    DecideAppeals,
    /// Read claims without the winners' names and addresses.
    ViewClaims,
    /// Text winners again and note calls.
    FollowUpClaims,
    /// Approve and reject claims, deliver prizes, confirm numbers and give up winners.
    DecideClaims,
    /// Flag entrants, remove flags, and list shared networks.
    ManageFlags,
    /// Mark entries as the same person's.
    MarkDuplicates,
    /// Import people from a file.
    ImportPeople,
    /// Erase people.
    ErasePeople,
    /// Announce, perform and void drawings.
    ManageDrawings,
    /// Open and close raffles, and upload pictures.
    ManageRaffles,
    /// Write templates, and send campaigns and test messages.
    ManageTexts,
    /// Change packages.
    ManagePackages,
    /// Read purchases and what was sold.
    ViewSales,
    /// Change settings.
    ManageSettings,
    /// Download lists with phone numbers.
    ExportLists,
    /// Read the audit log, with addresses.
    ViewAuditLog,
    /// Read proposals and reject them.
    ViewApprovals,
    /// Approve what somebody else proposed.
    Approve,
    /// Read the names and addresses of winners.
    ViewClaimDetails,
    /// Save the credentials of the SMS provider.
    SaveCredentials,
    /// Clear data.
    ClearData,
    /// Withdraw pictures of raffles.
    WithdrawPictures,
    /// Invite, change and disable members of staff.
    ManageStaff,
}

impl Permission {
    /// The name in documents and logs.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    const fn least(self) -> Least {
        match self {
            Self::OwnAccount | Self::ViewFigures => Least::Viewer,
            Self::ViewPeople
            | Self::EditPeople
            | Self::DecideAppeals
            | Self::ViewClaims
            | Self::FollowUpClaims => Least::Support,
            Self::DecideClaims
            | Self::ManageFlags
            | Self::MarkDuplicates
            | Self::ImportPeople
            | Self::ErasePeople
            | Self::ManageDrawings
            | Self::ManageRaffles
            | Self::ManageTexts
            | Self::ManagePackages
            | Self::ViewSales
            | Self::ManageSettings
            | Self::ExportLists
            | Self::ViewAuditLog
            | Self::ViewApprovals => Least::Manager,
            Self::Approve
            | Self::ViewClaimDetails
            | Self::SaveCredentials
            | Self::ClearData
            | Self::WithdrawPictures
            | Self::ManageStaff => Least::Owner,
        }
    }

    /// Whether whoever has a second factor must have given a code lately. An erasure of a winner needs one too.
    pub const fn needs_step_up(self) -> bool {
        matches!(
            self,
            Self::ManageStaff
                | Self::SaveCredentials
                | Self::ClearData
                | Self::ViewClaimDetails
                | Self::Approve
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::IntoEnumIterator;

    #[test]
    fn an_owner_may_do_everything() {
        assert!(Permission::iter().all(|permission| Role::Owner.allows(permission)));
    }

    #[test]
    fn a_manager_may_do_everything_but_what_only_owners_may() {
        let refused: Vec<_> = Permission::iter()
            .filter(|permission| !Role::Manager.allows(*permission))
            .collect();
        let owners = [
            Permission::Approve,
            Permission::ViewClaimDetails,
            Permission::SaveCredentials,
            Permission::ClearData,
            Permission::WithdrawPictures,
            Permission::ManageStaff,
        ];
        assert_eq!(refused, owners);
    }

    #[test]
    fn support_looks_after_people_appeals_and_claims() {
        let allowed: Vec<_> = Permission::iter()
            .filter(|permission| Role::Support.allows(*permission))
            .collect();
        let expected = [
            Permission::OwnAccount,
            Permission::ViewFigures,
            Permission::ViewPeople,
            Permission::EditPeople,
            Permission::DecideAppeals,
            Permission::ViewClaims,
            Permission::FollowUpClaims,
        ];
        assert_eq!(allowed, expected);
    }

    #[test]
    fn a_viewer_reads_figures() {
        let allowed: Vec<_> = Permission::iter()
            .filter(|permission| Role::Viewer.allows(*permission))
            .collect();
        assert_eq!(allowed, [Permission::OwnAccount, Permission::ViewFigures]);
    }
}
