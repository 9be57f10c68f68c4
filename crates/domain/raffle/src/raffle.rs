use crate::{KitItem, Openings, RaffleKey, RaffleStatus};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// A raffle (D56). What its pages say is in its versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Raffle {
    /// Its number. It is used once.
    pub number: i64,
    /// Its key, which never changes once the raffle was open.
    pub key: RaffleKey,
    /// When it was, is or will be open.
    pub openings: Openings,
    /// Whether it is the default raffle while it is open.
    pub is_default: bool,
    /// How ids of its links begin, without the dash; `None` for `r{number}`.
    pub link_prefix: Option<String>,
    /// Words by which an id in an address shows this raffle, if it has none of a number.
    pub link_words: Vec<String>,
    /// The name under which views of its tracking page are counted; `None` for `planter-{key}`.
    pub tracking_name: Option<String>,
}

impl Raffle {
    /// Whether it can be entered at a moment.
    pub fn status_at(&self, moment: DateTime<Utc>) -> RaffleStatus {
        self.openings.status_at(moment)
    }

    /// Whether it can be entered at a moment.
    pub fn is_open_at(&self, moment: DateTime<Utc>) -> bool {
        self.status_at(moment) == RaffleStatus::Open
    }

    /// How the ids of its links begin, without the dash.
    pub fn link_prefix(&self) -> String {
        self.link_prefix
            .clone()
            .unwrap_or_else(|| format!("r{}", self.number))
    }

    /// The name under which views of the page behind its links are counted.
    pub fn tracking_name(&self) -> String {
        self.tracking_name
            .clone()
            .unwrap_or_else(|| format!("planter-{}", self.key))
    }
}

/// How the pages of a raffle differ from those of others, beside their content. Only the first four differ.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PageDifferences {
    /// The heading over the ways to share; `None` for the usual one.
    pub share_heading: Option<String>,
    /// Whether the success page masks the numbers of friends that the server sends in full.
    pub masks_numbers: bool,
    /// Whether the success page shows nothing before the figures are there.
    pub waits_for_user: bool,
    /// What the page behind links in texts shows; `None` for the kit and the next drawing.
    pub tracking_page: Option<TrackingPage>,
}

/// What the page behind links in texts shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TrackingPage {
    /// The page's heading.
    pub thanks: String,
    /// The name of an example of a prize.
    pub name: String,
    /// What it is.
    pub description: String,
    /// Its parts.
    pub prizes: Vec<KitItem>,
    /// What it is worth, in words.
    pub total_value: String,
    /// When it is drawn.
    pub drawing: YearlyDrawing,
}

impl TrackingPage {
    /// Reads what a store has.
    ///
    /// # Errors
    /// When it is not JSON of these fields.
    pub fn read(json: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(json)
    }
}

/// A day of each year.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct YearlyDrawing {
    /// As `12-31`.
    pub day: String,
    /// As people say it.
    pub words: String,
}

/// All raffles in the order in which they are shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RaffleList(pub Vec<Raffle>);

impl RaffleList {
    /// All of them, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Raffle> {
        self.0.iter()
    }

    /// The keys of all of them, in order.
    pub fn keys(&self) -> impl Iterator<Item = RaffleKey> {
        self.iter().map(|raffle| raffle.key)
    }

    /// Where a raffle stands in the order.
    pub fn place(&self, key: RaffleKey) -> Option<usize> {
        self.keys().position(|each| each == key)
    }

    /// The raffle with this key.
    pub fn find(&self, key: RaffleKey) -> Option<&Raffle> {
        self.iter().find(|raffle| raffle.key == key)
    }

    /// Those that were ever open: everybody may know of them.
    pub fn public_at(&self, moment: DateTime<Utc>) -> impl Iterator<Item = &Raffle> {
        self.iter()
            .filter(move |raffle| raffle.status_at(moment) != RaffleStatus::Draft)
    }

    /// The raffle of whoever names none: the default one while it is open, else the first that is open. `None` when all are
    /// closed.
    pub fn default_at(&self, moment: DateTime<Utc>) -> Option<&Raffle> {
        let open = || self.iter().filter(|raffle| raffle.is_open_at(moment));
        open().find(|raffle| raffle.is_default).or_else(|| open().next())
    }

    /// The raffle that a link's id shows: that of its number, else the oldest with one of its words in the id, else the
    /// default one. Drafts are shown by no id.
    pub fn of_link(&self, id: &str, moment: DateTime<Utc>) -> Option<&Raffle> {
        let prefix = id.split('-').next().unwrap_or_default();
        let has_number = |raffle: &&Raffle| raffle.link_prefix.is_none() && raffle.link_prefix() == prefix;
        let has_word = |raffle: &&Raffle| raffle.link_words.iter().any(|word| id.contains(word.as_str()));
        let of_word = || {
            self.public_at(moment)
                .filter(has_word)
                .min_by_key(|raffle| raffle.number)
        };
        self.public_at(moment)
            .find(has_number)
            .or_else(of_word)
            .or_else(|| self.default_at(moment))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Opening;
    use chrono::TimeDelta;

    fn at(hour: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::hours(hour)
    }

    fn raffle(number: i64, key: &str, from: i64, until: Option<i64>) -> Raffle {
        let opening = Opening {
            opens_at: at(from),
            closes_at: until.map(at),
        };
        Raffle {
            number,
            key: key.parse().unwrap(),
            openings: Openings::new(vec![opening]).unwrap(),
            is_default: key == "bag",
            link_prefix: (key == "bag").then(|| "garden".to_owned()),
            link_words: match key {
                "bag" => vec!["garden".to_owned()],
                "drinks" => vec!["fresh".to_owned(), "sips".to_owned()],
                _ => Vec::new(),
            },
            tracking_name: None,
        }
    }

    fn list() -> RaffleList {
        RaffleList(vec![
            raffle(2, "drinks", 0, Some(90)),
            raffle(1, "bag", 10, Some(50)),
            raffle(17, "summer-box", 20, None),
        ])
    }

    #[test]
    fn the_default_raffle_is_the_marked_one_while_it_is_open_else_the_first_that_is() {
        let key = |hour| list().default_at(at(hour)).map(|raffle| raffle.key.to_string());
        assert_eq!(key(5).as_deref(), Some("drinks"));
        assert_eq!(key(10).as_deref(), Some("bag"));
        assert_eq!(key(50).as_deref(), Some("drinks"));
        assert_eq!(key(90).as_deref(), Some("summer-box"));
        assert_eq!(RaffleList::default().default_at(at(0)), None);
    }

    #[test]
    fn an_id_shows_the_raffle_of_its_prefix_or_of_a_word_in_it() {
        let key = |id| {
            list()
                .of_link(id, at(30))
                .map(|raffle| raffle.key.to_string())
                .unwrap()
        };
        assert_eq!(key("garden-2345678923456"), "bag");
        assert_eq!(key("r17-2345678923456"), "summer-box");
        assert_eq!(key("r2-2345678923456"), "drinks");
        assert_eq!(key("my-sips-id"), "drinks");
        assert_eq!(key("fresh-garden-id"), "bag", "the older one");
        assert_eq!(key("r99-2345678923456"), "bag");
        assert_eq!(key("anything"), "bag");
    }

    #[test]
    fn a_draft_is_shown_by_no_id() {
        let key = |hour| {
            list()
                .of_link("r17-2345", at(hour))
                .map(|raffle| raffle.key.to_string())
        };
        assert_eq!(key(19).as_deref(), Some("bag"));
        assert_eq!(key(20).as_deref(), Some("summer-box"));
        let public: Vec<_> = RaffleList(list().0)
            .public_at(at(9))
            .map(|raffle| raffle.number)
            .collect();
        assert_eq!(public, [2]);
    }
}
