use kernel::{LandingPage, Phone};
use raffle::Origin;
use usecases::EnterCommand;

/// The `n`th of ten million numbers that belong to nobody.
///
/// # Panics
/// From ten million on.
#[expect(clippy::expect_used, reason = "a test's own mistake")]
pub fn a_phone(n: u32) -> Phone {
    Phone::from_e164(&format!("+1555{n:07}")).expect("n is less than ten million")
}

/// Somebody with this phone number asks to enter the default raffle, with nothing else said.
pub fn a_command(phone: Phone) -> EnterCommand {
    EnterCommand {
        phone,
        landing_page: LandingPage::default(),
        referral_code: None,
        event_id: None,
        consent: None,
        origin: Origin::default(),
    }
}
