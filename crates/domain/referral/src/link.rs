use kernel::ReferralCode;
use raffle::RaffleKey;

/// The link that an entrant of this raffle shares. `origin` is the origin of the site, such as `https://example.org`.
pub fn referral_link(origin: &str, raffle: RaffleKey, code: &ReferralCode) -> String {
    format!("{origin}/{raffle}/ref/{code}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use raffle::fixtures::{GARDEN_BAG, SUSTAINABLE_LIVING};

    #[test]
    fn a_link_has_the_raffle_and_the_code() {
        let code = ReferralCode::parse("CDFG3467").unwrap();
        let link = |page| referral_link("https://example.org", page, &code);
        assert_eq!(link(GARDEN_BAG), "https://example.org/garden-bag/ref/CDFG3467");
        assert_eq!(
            link(SUSTAINABLE_LIVING),
            "https://example.org/sustainable-living/ref/CDFG3467"
        );
    }
}
