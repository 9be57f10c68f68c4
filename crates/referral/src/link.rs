use kernel::{Raffle, ReferralCode};

/// The link that an entrant of this raffle shares. `origin` is the origin of the site, such as `https://example.org`.
pub fn referral_link(origin: &str, raffle: Raffle, code: &ReferralCode) -> String {
    format!("{origin}/{raffle}/ref/{code}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_have_the_sites_shapes() {
        let code = ReferralCode::parse("CDFG3467").unwrap();
        let link = |page| referral_link("https://example.org", page, &code);
        assert_eq!(
            link(Raffle::GardenBag),
            "https://example.org/garden-bag/ref/CDFG3467"
        );
        assert_eq!(
            link(Raffle::SustainableLiving),
            "https://example.org/sustainable-living/ref/CDFG3467"
        );
    }
}
