//! The line about the last winner on sign-up pages, which changes while the server runs.

use super::escape::escape;
use chrono_tz::Tz;
use usecases::claims::LastWinner;

/// Where the line stands in a page that has it.
pub(super) const PLACE: &str = "<div class=\"last-winner\"></div>";

/// The page with the line in its place.
pub(super) fn filled(page: &str, winner: Option<&LastWinner>, zone: Tz) -> String {
    match winner {
        Some(winner) => page.replacen(PLACE, &line(winner, zone), 1),
        None => page.to_owned(),
    }
}

fn line(last: &LastWinner, zone: Tz) -> String {
    let day = last.drawn_at.with_timezone(&zone).format("%B %-d, %Y");
    format!(
        "<div class=\"last-winner\"><p><strong>Our last winner: {}, {}</strong></p>\
         <p>{}, drawn on {day}. <a href=\"/drawings/{}\">See the drawing</a></p></div>",
        escape(&last.winner.first_name),
        escape(&last.winner.state),
        escape(&last.prize),
        last.drawing
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::DateTime;
    use claims::PublicWinner;
    use drawing::DrawingId;

    #[test]
    fn the_line_names_the_winner_as_the_record_does_and_dates_it_where_the_site_is() {
        let last = LastWinner {
            drawing: DrawingId::new(7),
            drawn_at: DateTime::parse_from_rfc3339("2026-12-01T03:00:00Z")
                .unwrap()
                .into(),
            prize: "Tools & <Bags>".to_owned(),
            winner: PublicWinner {
                first_name: "D'Arcy".to_owned(),
                state: "NY".to_owned(),
            },
        };
        let page = format!("<main>{PLACE}</main>");
        let html = filled(&page, Some(&last), chrono_tz::America::New_York);
        assert_eq!(
            html,
            "<main><div class=\"last-winner\"><p><strong>Our last winner: D&#x27;Arcy, NY</strong></p>\
             <p>Tools &amp; &lt;Bags&gt;, drawn on November 30, 2026. \
             <a href=\"/drawings/7\">See the drawing</a></p></div></main>"
        );
        assert_eq!(filled(&page, None, chrono_tz::UTC), page);
    }
}
