//! Requests for data in memory.

use crate::mem_store::MemTx;
use chrono::{DateTime, Utc};
use kernel::{EntrantId, StoreError};
use privacy::{
    DataRequest, DataRequestId, DataRequests, ExportPart, ExportedTable, Exports, NewDataRequest,
    RequestStatus, RequestTokenHash,
};

impl DataRequests for MemTx {
    fn lock_requester(&mut self, entrant: EntrantId) -> Result<bool, StoreError> {
        Ok(self.0.entrants.iter().any(|known| known.id == entrant))
    }

    fn add_data_request(&mut self, new: &NewDataRequest) -> Result<DataRequest, StoreError> {
        let last = self.0.requests.0.last().map_or(0, |each| each.id.get());
        let request = DataRequest {
            id: DataRequestId::new(last + 1),
            entrant: new.entrant,
            kind: new.kind,
            asker: new.asker,
            status: RequestStatus::Pending,
            created_at: new.at,
            expires_at: None,
            completed_at: None,
            token: None,
        };
        self.0.requests.0.push(request.clone());
        Ok(request)
    }

    fn save_data_request(&mut self, request: &DataRequest) -> Result<(), StoreError> {
        let mut stored = self.0.requests.0.iter_mut();
        if let Some(stored) = stored.find(|each| each.id == request.id) {
            *stored = request.clone();
        }
        Ok(())
    }

    fn list_data_requests(&self, entrant: EntrantId) -> Result<Vec<DataRequest>, StoreError> {
        let newest_first = self.0.requests.0.iter().rev();
        Ok(newest_first
            .filter(|each| each.entrant == entrant)
            .cloned()
            .collect())
    }

    fn find_data_request(&self, id: DataRequestId) -> Result<Option<DataRequest>, StoreError> {
        Ok(self.0.requests.0.iter().find(|each| each.id == id).cloned())
    }

    fn find_export(&self, token: &RequestTokenHash) -> Result<Option<DataRequest>, StoreError> {
        let mut requests = self.0.requests.0.iter();
        Ok(requests.find(|each| each.token == Some(*token)).cloned())
    }

    fn expire_data_requests(&mut self, now: DateTime<Utc>) -> Result<u64, StoreError> {
        let mut expired = 0;
        for request in &mut self.0.requests.0 {
            let is_over = request.expires_at.is_some_and(|end| end <= now);
            if request.status == RequestStatus::Pending && is_over {
                request.status = RequestStatus::Expired;
                expired += 1;
            }
        }
        Ok(expired)
    }
}

impl Exports for MemTx {
    /// The sign-up and the ledger. PostgreSQL has a test of all tables.
    fn export_person(&self, entrant: EntrantId) -> Result<Option<Vec<ExportedTable>>, StoreError> {
        let Some(person) = self.0.entrants.iter().find(|known| known.id == entrant) else {
            return Ok(None);
        };
        let (id, number) = (entrant.get(), person.phone.as_e164());
        let ledger = self.0.rows_of(entrant).map(|row| {
            let (kind, delta) = (row.kind.as_str(), row.delta);
            format!(r#"{{"kind": "{kind}", "delta": {delta}, "user_id": {id}}}"#)
        });
        let claims = self.0.claims.of_entrant(entrant).map(|claim| {
            let details = claim.sealed_details.as_deref().map(hex::encode);
            let details = details.map_or_else(|| "null".to_owned(), |hex| format!(r#""\\x{hex}""#));
            format!(r#"{{"id": {}, "verification_data": {details}}}"#, claim.id)
        });
        Ok(Some(vec![
            ExportedTable {
                part: ExportPart::Entry,
                name: "users",
                about: "Your sign-up and your entries.",
                rows: vec![format!(r#"{{"id": {id}, "phone_number": "{number}"}}"#)],
            },
            ExportedTable {
                part: ExportPart::Entry,
                name: "entry_ledger",
                about: "Every change of your entries.",
                rows: ledger.collect(),
            },
            ExportedTable {
                part: ExportPart::Drawings,
                name: "winner_verification",
                about: "Your claims to prizes.",
                rows: claims.collect(),
            },
        ]))
    }
}
