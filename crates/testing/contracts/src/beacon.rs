//! What every gateway to a randomness beacon must do. The fake and the drand adapter run the same functions.

use drawing::beacon::{Asked, Beacon, BeaconSignature, BeaconVerifier, HostAnswer, Round};

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
            what_hosts_answer_is_named_while_a_beacon_is_away
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

/// The signature of a round that is published.
async fn signature(beacon: &dyn Beacon, round: Round) -> BeaconSignature {
    match beacon.ask(round).await {
        Asked::Published(signature) => signature,
        Asked::Missing(answers) => panic!("{answers:?}"),
    }
}

fn answers(asked: Asked) -> Vec<HostAnswer> {
    match asked {
        Asked::Published(signature) => panic!("it is published: {signature}"),
        Asked::Missing(answers) => answers,
    }
}

pub async fn a_published_round_has_one_signature_which_verifies(network: &impl BeaconNetwork) {
    let (beacon, [round, _]) = (network.beacon(), network.published());
    let signature = signature(beacon, round).await;
    assert!(network.verifier().verifies(beacon.chain(), round, &signature));
    assert_eq!(beacon.ask(round).await, Asked::Published(signature));
}

pub async fn a_signature_is_valid_for_no_other_round(network: &impl BeaconNetwork) {
    let (beacon, [round, other]) = (network.beacon(), network.published());
    let signature = signature(beacon, round).await;
    assert_ne!(beacon.ask(other).await, Asked::Published(signature));
    assert!(!network.verifier().verifies(beacon.chain(), other, &signature));
}

pub async fn a_round_of_the_future_is_not_there_yet(network: &impl BeaconNetwork) {
    let answers = answers(network.beacon().ask(network.future()).await);
    assert!(!answers.is_empty());
    let early = answers.iter().all(|one| one.answer == HostAnswer::NOT_PUBLISHED);
    assert!(early, "{answers:?}");
}

pub async fn what_hosts_answer_is_named_while_a_beacon_is_away(network: &impl BeaconNetwork) {
    let (beacon, [round, _]) = (network.beacon(), network.published());
    network.go_away().await;
    let answers = answers(beacon.ask(round).await);
    assert!(!answers.is_empty());
    for one in &answers {
        assert!(
            !one.host.is_empty() && one.answer != HostAnswer::NOT_PUBLISHED,
            "{one:?}"
        );
    }
    network.come_back().await;
    signature(beacon, round).await;
}
