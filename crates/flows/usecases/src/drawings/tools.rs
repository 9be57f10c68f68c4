use crate::claims::ClaimNotices;
use chrono::TimeDelta;
use chrono_tz::Tz;
use drawing::beacon::Chain;
use drawing::{BeaconChoice, Schedule, Secrets, Seeds};
use kernel::{Entropy, Sealer};

/// Everything that drawings need besides the store. Times come from the store.
#[derive(Clone, Copy)]
pub struct DrawingTools<'a> {
    /// Random bytes for the salts.
    pub entropy: &'a dyn Entropy,
    /// The source of seeds.
    pub seeds: &'a dyn Seeds,
    /// Seals seeds until they are used.
    pub sealer: &'a dyn Sealer<Secrets>,
    /// What the winner's text is made with.
    pub claims: ClaimNotices<'a>,
    /// The site's time zone, in which months begin and end.
    pub time_zone: Tz,
    /// Who announces drawings.
    pub schedule: Schedule,
    /// The chain of the beacon for new drawings; `None` when the beacon is off.
    pub beacon: Option<&'a Chain>,
    /// How long after the announcement the round is, when staff ask for a drawing.
    pub delay: TimeDelta,
    /// Whether the site is in production, where an additional drawing needs a reason and is announced a day before its seal.
    pub production: bool,
}

impl DrawingTools<'_> {
    /// The beacon of new drawings.
    pub fn beacon_choice(&self) -> BeaconChoice {
        match self.beacon {
            None => BeaconChoice::Off,
            Some(chain) => BeaconChoice::Chain(chain.chain_hash),
        }
    }

    /// The chain that a drawing was announced with, if it is the configured one or quicknet.
    pub(super) fn chain_of(&self, choice: BeaconChoice) -> Option<Chain> {
        let BeaconChoice::Chain(hash) = choice else {
            return None;
        };
        let configured = self.beacon.cloned();
        let mut known = configured.into_iter().chain([Chain::quicknet()]);
        known.find(|chain| chain.chain_hash == hash)
    }
}
