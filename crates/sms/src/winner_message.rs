/// The message to the winner of a drawing (D24): the prize, the winning entry, and the link to the proof.
pub fn winner_message(prize: &str, winning_entry_number: u64, proof: &str) -> String {
    format!(
        "You won! Entry #{winning_entry_number} was drawn in our free {prize} raffle, and it is yours. \
         We will call this number within 14 days. How it was drawn: {proof} Reply STOP to get no more texts."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(text.is_ascii(), "so that it takes as few segments as possible");
    }
}
