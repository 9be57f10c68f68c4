/// The message to the winner of a drawing (D24): the prize, the winning entry, and the link to the proof. Whether the winner
/// is eligible is checked after it, so it promises nothing.
pub fn winner_message(prize: &str, winning_entry_number: u64, proof: &str) -> String {
    format!(
        "You may have won! Entry #{winning_entry_number} was drawn in our free {prize} raffle, and it is one of yours. \
         We contact winners by phone at this number. How it was drawn: {proof} Reply STOP to get no more texts."
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segments;

    fn longest() -> String {
        winner_message(
            "Sustainable Living Starter Kit",
            9_999_999,
            "https://raffles.example.org/drawings/1234",
        )
    }

    #[test]
    fn the_message_names_the_prize_the_entry_and_the_proof() {
        let text = winner_message("Garden Bag Essentials", 412, "https://example.org/drawings/7");
        for part in [
            "Garden Bag Essentials",
            "#412",
            "https://example.org/drawings/7",
            "STOP",
        ] {
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn the_message_takes_two_segments() {
        assert_eq!(segments(&longest()).count, 2);
    }

    #[test]
    fn the_message_promises_no_prize_and_no_date_before_the_winner_is_checked() {
        for promise in ["You won", "prize is yours", "within", "will call", "days"] {
            assert!(!longest().contains(promise), "{promise}");
        }
    }
}
