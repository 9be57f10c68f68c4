/// What the winner of a drawing is told (D24): the prize, the entry that won, and where the proof is.
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
    fn a_winner_is_told_what_why_and_how_to_check_it() {
        let text = winner_message("Garden Bag Essentials", 412, "https://example.org/drawings/7");
        for part in [
            "Garden Bag Essentials",
            "#412",
            "https://example.org/drawings/7",
            "STOP",
        ] {
            assert!(text.contains(part), "{text}");
        }
        assert!(text.is_ascii(), "so that it is sent in as few parts as can be");
    }
}
