use crate::{Audience, NewCampaign};
use sha2::{Digest, Sha256};

/// The SHA-256 of the request to schedule a campaign: equal requests have equal hashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestHash([u8; 32]);

impl RequestHash {
    /// A hash that was stored.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The hash.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl NewCampaign {
    /// The hash of what staff requested: without the time of the request, its key, and the secret. A campaign that starts when
    /// it is requested is the same one, whenever that is.
    pub fn request_hash(&self) -> RequestHash {
        let mut hash = Sha256::new();
        hash.update(b"tombola campaign request 1");
        let mut add = |part: &[u8]| {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        };
        add(self.name.as_str().as_bytes());
        add(&self.template.get().to_be_bytes());
        match self.scheduled_at == self.at {
            true => add(b"now"),
            false => add(&self.scheduled_at.timestamp_micros().to_be_bytes()),
        }
        add(self.link_base.as_str().as_bytes());
        add(self.audience.as_str().as_bytes());
        match &self.audience {
            Audience::All => {}
            Audience::Raffle(raffle) => add(raffle.as_str().as_bytes()),
            Audience::Custom(phones) => phones.iter().for_each(|phone| add(phone.as_e164().as_bytes())),
        }
        if let Some(basis) = &self.consent_basis {
            add(b"consent basis");
            add(basis.as_str().as_bytes());
        }
        RequestHash(hash.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CampaignSecret, Label, LinkBase, TemplateId};
    use chrono::{DateTime, TimeDelta};
    use kernel::{IdempotencyKey, Phone};
    use raffle::fixtures::{FRESH_SIPS, GARDEN_BAG};

    fn request() -> NewCampaign {
        NewCampaign {
            name: Label::parse("Summer").unwrap(),
            template: TemplateId::new(1),
            scheduled_at: DateTime::UNIX_EPOCH + TimeDelta::days(1),
            audience: Audience::All,
            consent_basis: None,
            link_base: LinkBase::parse("https://example.org").unwrap(),
            secret: CampaignSecret::new([1; 32]),
            idempotency_key: IdempotencyKey::parse("one"),
            created_by: None,
            at: DateTime::UNIX_EPOCH,
        }
    }

    fn list(numbers: &[&str]) -> Audience {
        Audience::Custom(
            numbers
                .iter()
                .map(|number| Phone::from_e164(number).unwrap())
                .collect(),
        )
    }

    #[test]
    fn now_is_the_same_start_at_any_time() {
        let now = |at| NewCampaign {
            scheduled_at: at,
            at,
            ..request()
        };
        let later = DateTime::UNIX_EPOCH + TimeDelta::hours(1);
        let first = now(DateTime::UNIX_EPOCH).request_hash();
        assert_eq!(now(later).request_hash(), first);
        assert_ne!(request().request_hash(), first);
    }

    #[test]
    fn only_what_staff_requested_is_hashed() {
        let again = NewCampaign {
            secret: CampaignSecret::new([2; 32]),
            idempotency_key: None,
            at: DateTime::UNIX_EPOCH + TimeDelta::hours(1),
            ..request()
        };
        assert_eq!(again.request_hash(), request().request_hash());
        let changes: [fn(&mut NewCampaign); 9] = [
            |new| new.name = Label::parse("Autumn").unwrap(),
            |new| new.template = TemplateId::new(2),
            |new| new.scheduled_at += TimeDelta::microseconds(1),
            |new| new.link_base = LinkBase::parse("https://example.com").unwrap(),
            |new| new.audience = Audience::Raffle(GARDEN_BAG),
            |new| new.audience = Audience::Raffle(FRESH_SIPS),
            |new| new.audience = list(&[]),
            |new| new.audience = list(&["+15550000001"]),
            |new| new.audience = list(&["+15550000001", "+15550000002"]),
        ];
        let mut hashes = vec![request().request_hash()];
        for change in changes {
            let mut other = request();
            change(&mut other);
            assert!(!hashes.contains(&other.request_hash()), "{other:?}");
            hashes.push(other.request_hash());
        }
    }
}
