//! What every gateway to a randomness beacon must do. The fake and the drand adapter run the same functions.

use drawing::beacon::{Beacon, BeaconVerifier, Round};

/// A beacon, and what happens to its network.
#[expect(async_fn_in_trait, reason = "tests run it on one thread")]
pub trait BeaconNetwork: Sized {
    /// The gateway under test.
    fn beacon(&self) -> &dyn Beacon;
    /// What verifies its signatures.
    fn verifier(&self) -> &dyn BeaconVerifier;
    /// Two rounds that are published.
    fn published(&self) -> [Round; 2];
    /// A round that will not be published in this test.
    fn future(&self) -> Round;
    /// Nobody can be asked any more.
    async fn go_away(&self);
    /// Everybody can be asked again.
    async fn come_back(&self);
    /// Ends the test.
    async fn finish(self) {}
}

/// Makes a test of every behavior. The expression is a future of a network.
#[macro_export]
macro_rules! beacon_contract {
    ($network:expr) => {
        $crate::beacon_contract!(@ $network,
            a_published_round_has_one_signature_which_verifies
            a_signature_is_valid_for_no_other_round
            a_round_of_the_future_is_not_there_yet
            a_beacon_that_is_away_is_an_error_until_it_comes_back
        );
    };
    (@ $network:expr, $($behavior:ident)+) => {
        $(
            #[tokio::test]
            async fn $behavior() {
                let network = $network.await;
                $crate::beacon::$behavior(&network).await;
                $crate::beacon::BeaconNetwork::finish(network).await;
            }
        )+
    };
}

pub async fn a_published_round_has_one_signature_which_verifies(network: &impl BeaconNetwork) {
    let (beacon, [round, _]) = (network.beacon(), network.published());
    let signature = beacon.signature(round).await.unwrap().unwrap();
    assert!(network.verifier().verifies(beacon.chain(), round, &signature));
    assert_eq!(beacon.signature(round).await.unwrap(), Some(signature));
}

pub async fn a_signature_is_valid_for_no_other_round(network: &impl BeaconNetwork) {
    let (beacon, [round, other]) = (network.beacon(), network.published());
    let signature = beacon.signature(round).await.unwrap().unwrap();
    assert_ne!(beacon.signature(other).await.unwrap(), Some(signature));
    assert!(!network.verifier().verifies(beacon.chain(), other, &signature));
}

pub async fn a_round_of_the_future_is_not_there_yet(network: &impl BeaconNetwork) {
    assert_eq!(network.beacon().signature(network.future()).await.unwrap(), None);
}

pub async fn a_beacon_that_is_away_is_an_error_until_it_comes_back(network: &impl BeaconNetwork) {
    let (beacon, [round, _]) = (network.beacon(), network.published());
    network.go_away().await;
    assert!(beacon.signature(round).await.is_err());
    network.come_back().await;
    assert!(beacon.signature(round).await.unwrap().is_some());
}
