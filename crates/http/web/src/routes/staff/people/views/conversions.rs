//! How what the store knows becomes the answers about people.

use super::{
    DuplicateView, LedgerLineView, LedgerLinesView, PeopleView, PersonAppealView, PersonClaimView,
    PersonFlagView, PersonMoveView, PersonNotesView, PersonProfileView, PersonPurchaseView,
    PersonPurchasesView, PersonRefView, PersonReferralView, PersonReferralsView, PersonRepliesView,
    PersonReplyView, PersonRowView, PersonTextView, PersonTextsView, PersonView,
};
use crate::callers::right::{Right, ShownAddress, ShownNumber};
use crate::routes::staff::evidence;
use fraud::{AppealCase, AppealStatus, FlaggedEntrant};
use kernel::Phone;
use people::{
    ClaimLine, DuplicateRef, LedgerLine, Newest, Notes, PersonRef, PersonRow, Profile, PurchaseLine,
    ReferralLine, ReplyLine, TextLine,
};
use raffle::RaffleMove;
use usecases::people::{PeopleList, PersonFile};

fn number(phone: Option<&Phone>, right: Right) -> Option<ShownNumber> {
    phone.map(|phone| ShownNumber::full(phone, right))
}

/// Rows with personal data, for a reader with the right.
fn with<T, V: From<(T, Right)>>(rows: Vec<T>, right: Right) -> Vec<V> {
    rows.into_iter().map(|row| V::from((row, right))).collect()
}

fn views<T, V: From<T>>(rows: Vec<T>) -> Vec<V> {
    rows.into_iter().map(V::from).collect()
}

impl From<(PersonRow, Right)> for PersonRowView {
    fn from((row, right): (PersonRow, Right)) -> Self {
        Self {
            id: row.id.get(),
            phone_number: number(row.phone.as_ref(), right),
            referral_code: row.referral_code.to_string(),
            landing_page: row.raffle.into(),
            total_entries: row.total_entries,
            is_flagged: row.is_flagged,
            is_duplicate: row.is_duplicate,
            tags: row.tags,
            created_at: row.created_at,
        }
    }
}

impl From<(PeopleList, Right)> for PeopleView {
    fn from((list, right): (PeopleList, Right)) -> Self {
        Self {
            people: with(list.people, right),
            total: list.total,
            is_total_exact: list.is_total_exact,
        }
    }
}

impl From<Notes> for PersonNotesView {
    fn from(noted: Notes) -> Self {
        Self {
            tags: noted.tags,
            notes: noted.notes,
        }
    }
}

impl From<(Profile, Right)> for PersonProfileView {
    fn from((profile, right): (Profile, Right)) -> Self {
        Self {
            id: profile.row.id.get(),
            phone_number: number(profile.row.phone.as_ref(), right),
            referral_code: profile.row.referral_code.to_string(),
            landing_page: profile.row.raffle.into(),
            created_at: profile.row.created_at,
            ip_address: profile.address.map(|address| ShownAddress::full(address, right)),
            user_agent: profile.user_agent,
            is_flagged: profile.row.is_flagged,
            total_entries: profile.row.total_entries,
            base_entries: profile.base_entries,
            bonus_entries: profile.bonus_entries,
            paid_entries: profile.paid_entries,
            held_entries: profile.held_entries,
            has_opted_out: profile.has_opted_out,
            sms_campaigns: profile.sms_campaigns,
            data_source: profile.data_source.into(),
            import_batch_id: profile.import_batch,
            consent_basis: profile.consent_basis,
            erased_at: profile.erased_at,
        }
    }
}

impl From<(PersonRef, Right)> for PersonRefView {
    fn from((person, right): (PersonRef, Right)) -> Self {
        Self {
            id: person.id.get(),
            phone_number: number(person.phone.as_ref(), right),
        }
    }
}

impl From<(DuplicateRef, Right)> for DuplicateView {
    fn from((mark, right): (DuplicateRef, Right)) -> Self {
        Self {
            id: mark.person.id.get(),
            phone_number: number(mark.person.phone.as_ref(), right),
            reason: mark.reason,
            merged_at: mark.merged_at,
        }
    }
}

impl From<LedgerLine> for LedgerLineView {
    fn from(line: LedgerLine) -> Self {
        Self {
            id: line.id,
            kind: line.kind,
            delta: line.delta,
            cause_id: line.cause,
            created_at: line.created_at,
        }
    }
}

impl From<(ReferralLine, Right)> for PersonReferralView {
    fn from((line, right): (ReferralLine, Right)) -> Self {
        Self {
            id: line.friend.id.get(),
            phone_number: number(line.friend.phone.as_ref(), right),
            is_reversed: line.is_reversed,
            created_at: line.created_at,
        }
    }
}

impl From<PurchaseLine> for PersonPurchaseView {
    fn from(line: PurchaseLine) -> Self {
        Self {
            id: line.id,
            amount: line.amount,
            entries_added: line.entries,
            status: line.status,
            created_at: line.created_at,
            completed_at: line.completed_at,
            refunded_at: line.refunded_at,
            failed_refunds: line.failed_refunds,
        }
    }
}

impl From<TextLine> for PersonTextView {
    fn from(line: TextLine) -> Self {
        Self {
            id: line.id.get(),
            kind: line.kind,
            campaign_name: line.campaign,
            status: line.status,
            body: line.body,
            created_at: line.created_at,
            sent_at: line.sent_at,
        }
    }
}

impl From<ReplyLine> for PersonReplyView {
    fn from(line: ReplyLine) -> Self {
        Self {
            id: line.id,
            body: line.body,
            keyword: line.keyword,
            created_at: line.created_at,
        }
    }
}

impl From<ClaimLine> for PersonClaimView {
    fn from(line: ClaimLine) -> Self {
        Self {
            id: line.id,
            drawing_id: line.drawing,
            rank: line.rank,
            status: line.status,
            created_at: line.created_at,
        }
    }
}

impl From<&FlaggedEntrant> for PersonFlagView {
    fn from(flagged: &FlaggedEntrant) -> Self {
        Self {
            reason: flagged.reason.clone(),
            evidence: evidence::views(&flagged.evidence),
            flagged_at: flagged.flagged_at,
            unflagged_at: None,
        }
    }
}

impl From<&AppealCase> for PersonFlagView {
    fn from(case: &AppealCase) -> Self {
        Self {
            reason: case.reason.clone(),
            evidence: evidence::views(&case.evidence),
            flagged_at: case.flagged_at,
            unflagged_at: case.appeal.decided_at,
        }
    }
}

impl From<AppealCase> for PersonAppealView {
    fn from(case: AppealCase) -> Self {
        Self {
            id: case.appeal.id.get(),
            message: case.appeal.message,
            status: case.appeal.status.into(),
            note: case.appeal.note,
            created_at: case.appeal.created_at,
            decided_at: case.appeal.decided_at,
        }
    }
}

impl From<Newest<LedgerLine>> for LedgerLinesView {
    fn from(newest: Newest<LedgerLine>) -> Self {
        Self {
            total: newest.total,
            rows: views(newest.rows),
        }
    }
}

impl From<(Newest<ReferralLine>, Right)> for PersonReferralsView {
    fn from((newest, right): (Newest<ReferralLine>, Right)) -> Self {
        Self {
            total: newest.total,
            rows: with(newest.rows, right),
        }
    }
}

impl From<Newest<PurchaseLine>> for PersonPurchasesView {
    fn from(newest: Newest<PurchaseLine>) -> Self {
        Self {
            total: newest.total,
            rows: views(newest.rows),
        }
    }
}

impl From<Newest<TextLine>> for PersonTextsView {
    fn from(newest: Newest<TextLine>) -> Self {
        Self {
            total: newest.total,
            rows: views(newest.rows),
        }
    }
}

impl From<Newest<ReplyLine>> for PersonRepliesView {
    fn from(newest: Newest<ReplyLine>) -> Self {
        Self {
            total: newest.total,
            rows: views(newest.rows),
        }
    }
}

impl From<RaffleMove> for PersonMoveView {
    fn from(moved: RaffleMove) -> Self {
        Self {
            from: moved.from.into(),
            to: moved.to.into(),
            moved_at: moved.at,
        }
    }
}

/// The flag that stands, and those that an accepted appeal ended. Of others only the log of staff's actions knows.
fn flags(file: &PersonFile) -> Vec<PersonFlagView> {
    let ended = file.appeals.iter();
    let ended = ended.filter(|case| case.appeal.status == AppealStatus::Accepted);
    file.flag
        .iter()
        .map(PersonFlagView::from)
        .chain(ended.map(PersonFlagView::from))
        .collect()
}

impl From<(PersonFile, Right)> for PersonView {
    fn from((file, right): (PersonFile, Right)) -> Self {
        let flags = flags(&file);
        let person = file.person;
        Self {
            profile: (person.profile, right).into(),
            referred_by: person.referred_by.map(|by| (by, right).into()),
            duplicate_of: person.duplicate_of.map(|of| (of, right).into()),
            duplicates: with(person.duplicates, right),
            tags: person.notes.tags,
            notes: person.notes.notes,
            ledger: person.ledger.into(),
            referrals: (person.referrals, right).into(),
            purchases: person.purchases.into(),
            texts: person.texts.into(),
            replies: person.replies.into(),
            flags,
            appeals: views(file.appeals),
            claims: views(person.claims),
            moves: views(file.moves),
        }
    }
}
