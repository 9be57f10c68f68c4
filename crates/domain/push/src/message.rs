use chrono::TimeDelta;
use kernel::DrawingId;
use serde_json::json;

/// How long a message about a drawing is worth sending, counted from the result. The push service drops it after the rest of
/// that time.
pub const MESSAGE_LIFE: TimeDelta = TimeDelta::hours(24);

/// What a browser shows when a raffle was drawn, as JSON with `title`, `body` and `url`, a path of this site. It names no
/// winner: the rules have one only once a claim is approved.
pub fn result_message(drawing: DrawingId, prize: &str) -> String {
    json!({
        "title": "The raffle was drawn",
        "body": format!("An entry was drawn for the {prize}. See the result."),
        "url": format!("/drawings/{drawing}"),
    })
    .to_string()
}

/// The topic of the messages about a drawing: a push service keeps only the newest of a topic for a browser that is off.
pub fn topic_of(drawing: DrawingId) -> String {
    format!("drawing-{drawing}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_the_prize_and_leads_to_the_result() {
        assert_eq!(
            result_message(DrawingId::new(12), r#"2 "Sips" kit"#),
            r#"{"body":"An entry was drawn for the 2 \"Sips\" kit. See the result.","title":"The raffle was drawn","url":"/drawings/12"}"#
        );
    }

    #[test]
    fn a_topic_has_at_most_32_characters() {
        assert_eq!(topic_of(DrawingId::new(12)), "drawing-12");
        assert!(topic_of(DrawingId::new(i64::MAX)).len() <= 32);
    }
}
