mod api;
mod control;
mod program;

use stand_ins::drand::Config;
use stand_ins::kit::testing::TestStandIn;

/// A stand-in and the hash of its chain.
async fn start(config: Config) -> (TestStandIn, String) {
    let chain = config.chain_file(&[]).unwrap();
    let chain_hash = chain["chainHash"].as_str().unwrap().to_owned();
    (TestStandIn::start(config).await, chain_hash)
}

/// The status and the text at a path.
async fn text(stand_in: &TestStandIn, path: &str) -> (u16, String) {
    let response = stand_in.http.get(stand_in.url(path)).send().await.unwrap();
    (response.status().as_u16(), response.text().await.unwrap())
}
