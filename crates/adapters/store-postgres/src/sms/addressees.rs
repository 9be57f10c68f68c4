use crate::rows::rows;
use sms::{AddressedEntrant, Addressee, ConsentAnswer, ConsentId};

rows! {
    /// The entrant with a number and the entrant's newest answer about campaign messages. All columns are null if there is no
    /// entrant, and those of the answer if there is none.
    pub(crate) struct EntrantColumns {
        is_flagged: Option<bool>,
        answer_id: Option<i64>,
        granted: Option<bool>,
        is_revoked: Option<bool>,
    }
}

impl EntrantColumns {
    /// The same, as the recipient of a campaign.
    pub(crate) fn addressee(&self, is_of_entrants: bool) -> Addressee {
        let entrant = self.is_flagged.map(|is_flagged| AddressedEntrant {
            is_flagged,
            newest_answer: self.newest_answer(),
        });
        Addressee {
            is_of_entrants,
            entrant,
        }
    }

    fn newest_answer(&self) -> Option<ConsentAnswer> {
        Some(ConsentAnswer {
            id: ConsentId::new(self.answer_id?),
            granted: self.granted?,
            is_revoked: self.is_revoked?,
        })
    }
}
