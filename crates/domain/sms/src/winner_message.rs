//! The texts that tell a drawn entrant about the claim (D41). Nobody has won before staff have approved the claim, so no
//! text says so. `link` is the claim's secret link, so the bodies are stored encrypted.

use crate::segments;

/// The longest that a text about a claim may be.
const MOST_SEGMENTS: usize = 2;
/// The end of each text. Frauds ask winners for a fee.
const END: &str = "We never ask for a fee or a card. Reply STOP to get no more texts.";

/// The first text of a claim.
pub fn winner_message(site_name: &str, prize: &str, winning_entry_number: u64, link: &str) -> String {
    fitting(prize, |raffle| {
        format!(
            "{site_name}: you may have won our free {raffle}! Entry #{winning_entry_number} was drawn, and it is one of yours. \
             To claim the prize, open {link} {END}"
        )
    })
}

/// A reminder of a claim. `day` is the day on which the winner's time ends, such as `December 12`.
pub fn claim_reminder(site_name: &str, prize: &str, day: &str, link: &str) -> String {
    fitting(prize, |raffle| {
        format!(
            "{site_name} reminder: you may have won our free {raffle}, and the prize is not claimed yet. \
             You have until {day}: {link} {END}"
        )
    })
}

/// The text of an approval: only now is the prize promised.
pub fn claim_approved(site_name: &str, prize: &str, link: &str) -> String {
    fitting(prize, |raffle| {
        format!(
            "{site_name}: you won our free {raffle}! We checked your claim and approved it. What comes next: {link} {END}"
        )
    })
}

/// The text of a rejection. The reason is on the page: a text can be read by others.
pub fn claim_rejected(site_name: &str, prize: &str, link: &str) -> String {
    fitting(prize, |raffle| {
        format!(
            "{site_name}: we could not approve your claim in our free {raffle}. Why, and how to object: {link} {END}"
        )
    })
}

/// The text with the prize, or without it when the prize makes it too long.
fn fitting(prize: &str, text: impl Fn(&str) -> String) -> String {
    let named = text(&format!("{prize} raffle"));
    match segments(&named).count <= MOST_SEGMENTS {
        true => named,
        false => text("raffle"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: &str = "https://raffles.example.org/claim/5218e40a28825123942bea525201e358";

    /// As long as a name may be.
    const SITE: &str = "The Monthly Prizes of Our Town";

    fn texts(prize: &str) -> [String; 4] {
        let [first, reminder] = texts_before_approval(prize);
        let approved = claim_approved(SITE, prize, LINK);
        [first, reminder, approved, claim_rejected(SITE, prize, LINK)]
    }

    fn texts_before_approval(prize: &str) -> [String; 2] {
        [
            winner_message(SITE, prize, 9_999_999, LINK),
            claim_reminder(SITE, prize, "September 30", LINK),
        ]
    }

    #[test]
    fn the_first_text_names_the_prize_and_the_entry() {
        let text = winner_message(SITE, "Garden Bag Essentials", 412, LINK);
        assert!(
            text.contains("Garden Bag Essentials") && text.contains("#412"),
            "{text}"
        );
    }

    #[test]
    fn a_reminder_names_the_prize_and_the_day() {
        let text = claim_reminder(SITE, "Garden Bag Essentials", "December 12", LINK);
        assert!(
            text.contains("Garden Bag Essentials") && text.contains("December 12"),
            "{text}"
        );
    }

    #[test]
    fn each_text_has_the_link_asks_for_no_fee_and_says_how_to_stop() {
        for text in texts("Sustainable Living Starter Kit") {
            for part in [
                SITE,
                LINK,
                "never ask for a fee",
                "STOP",
                "Sustainable Living Starter Kit raffle",
            ] {
                assert!(text.contains(part), "{text}");
            }
        }
    }

    #[test]
    fn each_text_takes_two_segments_at_most_whatever_the_prize_is_called() {
        let longest = "A prize ".repeat(15);
        for prize in ["Sustainable Living Starter Kit", &longest, "Сад и огород"] {
            for text in texts(prize) {
                assert!(segments(&text).count <= MOST_SEGMENTS, "{text}");
                assert!(text.contains(LINK), "{text}");
            }
        }
    }

    #[test]
    fn no_text_promises_the_prize_before_the_winner_is_checked() {
        for text in texts_before_approval("Garden Bag Essentials") {
            for promise in [
                "ou won",
                "You have won",
                "prize is yours",
                "will call",
                "Congratulations",
            ] {
                assert!(!text.contains(promise), "{promise}");
            }
        }
    }
}
