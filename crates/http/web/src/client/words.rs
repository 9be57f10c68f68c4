//! What templates of pages can name.

use super::escape::escape;
use super::manifest::{Early, Scene};
use minijinja::Value;
use raffle::pictures::PictureSummary;
use raffle::{Content, KitItem, ShareValues, TrackingPage, share_text};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use usecases::raffles::{ShownRaffle, ShownRaffles};

/// What the build has for every raffle.
#[derive(Default)]
pub(super) struct Built {
    /// The pictures by name.
    pub(super) scenes: HashMap<String, Scene>,
    pub(super) early: Early,
}

/// What every template can name.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Words {
    /// The raffle whose words a page has, if it has any.
    pub(super) raffle: Option<Value>,
    /// Those that can be entered.
    raffles: Vec<Value>,
    /// How many there are, such as `Four raffles`.
    count: String,
    /// Palette and scene of every raffle, and the HTML of its picture if it has one, as JSON.
    looks: Value,
    /// All raffles by name, as JSON.
    names: Value,
}

impl Words {
    pub(super) fn new(shown: &ShownRaffles, built: &Built) -> Self {
        let open = shown.raffles.iter().filter(|raffle| raffle.is_open);
        let raffles: Vec<_> = open
            .map(|raffle| words_in(raffle, shown, built, Place::Card))
            .collect();
        let looks = shown.raffles.iter().map(|raffle| {
            let content = &raffle.content;
            let mut look = vec![
                content.palette.as_str().to_owned(),
                content.picture.scene.as_str().to_owned(),
            ];
            look.extend(photo_of(raffle, Place::Any));
            (raffle.key.as_str(), look)
        });
        let names = shown.raffles.iter().map(|raffle| NamedRaffle {
            key: raffle.key.as_str(),
            name: &raffle.content.name,
            is_open: raffle.is_open,
        });
        Self {
            raffle: None,
            names: json(&names.collect::<Vec<_>>()),
            count: count_in_words(raffles.len()),
            raffles,
            looks: json(&looks.collect::<BTreeMap<_, _>>()),
        }
    }
}

fn count_in_words(count: usize) -> String {
    let words = [
        "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten",
    ];
    match (count, count.checked_sub(2).and_then(|place| words.get(place))) {
        (0, _) => "Our raffles".to_owned(),
        (1, _) => "One raffle".to_owned(),
        (_, Some(word)) => format!("{word} raffles"),
        _ => format!("{count} raffles"),
    }
}

/// A raffle as pages list it that are about all of them.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct NamedRaffle<'a> {
    key: &'a str,
    name: &'a str,
    is_open: bool,
}

/// The words of a raffle's pages.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RaffleWords<'a> {
    #[serde(flatten)]
    content: &'a Content,
    key: &'a str,
    /// What the prize is worth.
    value: String,
    /// The parts, each with what it is worth in words.
    parts: Vec<Part<'a>>,
    /// The HTML of its picture: an upload, or else the scene.
    scene: Value,
    /// The same for the page where people enter.
    offer_scene: Value,
    /// The path of the image for link previews.
    image: String,
    share_heading: &'a str,
    waits_for_user: bool,
    is_open: bool,
    tracking_name: &'a str,
    /// What people share, as far as the server knows it.
    email_subject: &'a str,
    email_body: String,
    text_body: String,
    package: Package<'a>,
    /// All that React needs to show the same.
    json: Value,
}

#[derive(Serialize)]
struct Part<'a> {
    item: &'a str,
    detail: &'a str,
    value: String,
}

impl<'a> Part<'a> {
    fn of(part: &'a KitItem) -> Self {
        Self {
            item: &part.item,
            detail: &part.detail,
            value: part.value_in_words(),
        }
    }
}

/// What the page behind links in texts shows.
#[derive(Serialize)]
struct Package<'a> {
    thanks: &'a str,
    name: &'a str,
    description: &'a str,
    parts: Vec<Part<'a>>,
    value: String,
    /// The day of each year on which it is drawn, and in words; without it, it is the raffle's next drawing that counts.
    day: Option<&'a str>,
    date: &'a str,
}

/// What React needs of a raffle.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RaffleJson<'a> {
    key: &'a str,
    #[serde(flatten)]
    content: &'a Content,
    share_heading: &'a str,
    masks_numbers: bool,
    waits_for_user: bool,
    is_open: bool,
    /// Where a raffle leads that has ended; empty while it is open.
    open_raffles: Vec<OpenRaffle<'a>>,
}

/// A raffle that can be entered, as pages of another lead to it.
#[derive(Serialize)]
struct OpenRaffle<'a> {
    key: &'a str,
    name: &'a str,
}

const SHARE_HEADING: &str = "Double Your Chances";
const THANKS: &str = "Thank you for being with us";

/// Where an uploaded picture is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// On the page where people enter, beside the words on a phone.
    Offer,
    /// On another page of the raffle.
    Page,
    /// In the list of raffles, which can have fifty: a browser loads it when it comes near the screen.
    Card,
    /// On a page that learns later which raffle it is about.
    Any,
}

impl Place {
    /// How wide it is there at most, for `sizes`.
    const fn sizes(self) -> &'static str {
        match self {
            Self::Offer => "(min-width: 1024px) 400px, (min-width: 600px) 256px, 128px",
            Self::Page => "(min-width: 1024px) 400px, (min-width: 600px) 320px, 256px",
            Self::Card | Self::Any => "(min-width: 1024px) 400px, 320px",
        }
    }
}

/// The words of one of these raffles, for its own pages.
pub(super) fn words_of(raffle: &ShownRaffle, shown: &ShownRaffles, built: &Built) -> Value {
    words_in(raffle, shown, built, Place::Page)
}

fn words_in(
    raffle: &ShownRaffle,
    shown: &ShownRaffles,
    Built { scenes, early }: &Built,
    place: Place,
) -> Value {
    let (key, content, differences) = (raffle.key.as_str(), &raffle.content, &raffle.differences);
    let share_heading = differences.share_heading.as_deref().unwrap_or(SHARE_HEADING);
    let scene = scenes.get(content.picture.scene.as_str());
    let picture = |place| {
        let photo = photo_of(raffle, place).or_else(|| scene.map(|scene| scene.svg.clone()));
        Value::from_safe_string(photo.unwrap_or_default())
    };
    let value = content.value_in_words();
    let values = ShareValues {
        link: &format!("{}/{key}/ref/{}", early.origin, early.code),
        next_drawing: &early.next_drawing,
        prize: &content.name,
        value: &value,
    };
    Value::from_serialize(RaffleWords {
        content,
        key,
        parts: parts_of(&content.kit),
        scene: picture(place),
        offer_scene: picture(Place::Offer),
        image: match &raffle.picture {
            Some(picture) => format!("/media/{}", picture.link_preview.hash),
            None => scene.map(|scene| scene.image.clone()).unwrap_or_default(),
        },
        share_heading,
        waits_for_user: differences.waits_for_user,
        is_open: raffle.is_open,
        tracking_name: &raffle.tracking_name,
        email_subject: &content.share.email_subject,
        // Lines of a mail end as RFC 6068 says.
        email_body: share_text(&content.share.email_body, &values).replace('\n', "\r\n"),
        text_body: share_text(&content.share.text_body, &values),
        package: package_of(content, differences.tracking_page.as_ref(), &value),
        json: json(&RaffleJson {
            key,
            content,
            share_heading,
            masks_numbers: differences.masks_numbers,
            waits_for_user: differences.waits_for_user,
            is_open: raffle.is_open,
            open_raffles: if raffle.is_open {
                Vec::new()
            } else {
                open_raffles(shown)
            },
        }),
        value: value.clone(),
    })
}

/// The HTML of the uploaded picture. Its width and its height keep its room free until it has arrived.
fn photo_of(raffle: &ShownRaffle, place: Place) -> Option<String> {
    let PictureSummary {
        pages: pages @ [large, medium, _],
        ..
    } = raffle.picture?;
    let sources = pages.map(|made| format!("/media/{} {}w", made.hash, made.size.width));
    let loading = match place {
        Place::Offer | Place::Page => " fetchpriority=\"high\"",
        Place::Card => " loading=\"lazy\"",
        Place::Any => "",
    };
    Some(format!(
        "<img src=\"/media/{}\" srcset=\"{}\" sizes=\"{}\" width=\"{}\" height=\"{}\" alt=\"{}\"{loading} decoding=\"async\">",
        medium.hash,
        sources.join(", "),
        place.sizes(),
        large.size.width,
        large.size.height,
        escape(&raffle.content.picture.alt),
    ))
}

fn open_raffles(shown: &ShownRaffles) -> Vec<OpenRaffle<'_>> {
    let open = shown.raffles.iter().filter(|raffle| raffle.is_open);
    open.map(|ShownRaffle { key, content, .. }| OpenRaffle {
        key: key.as_str(),
        name: &content.name,
    })
    .collect()
}

fn parts_of(kit: &[KitItem]) -> Vec<Part<'_>> {
    kit.iter().map(Part::of).collect()
}

fn package_of<'a>(content: &'a Content, page: Option<&'a TrackingPage>, value: &str) -> Package<'a> {
    match page {
        Some(page) => Package {
            thanks: &page.thanks,
            name: &page.name,
            description: &page.description,
            parts: parts_of(&page.prizes),
            value: page.total_value.clone(),
            day: Some(&page.drawing.day),
            date: &page.drawing.words,
        },
        None => Package {
            thanks: THANKS,
            name: &content.name,
            description: &content.description,
            parts: parts_of(&content.kit),
            value: value.to_owned(),
            day: None,
            date: "",
        },
    }
}

/// JSON that can stand in a `script` element, which ends nowhere in it.
fn json(value: &impl Serialize) -> Value {
    let text = serde_json::to_string(value).unwrap_or_default();
    Value::from_safe_string(text.replace('<', "\\u003c"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_raffles_are_counted_in_words() {
        for (count, words) in [
            (0, "Our raffles"),
            (1, "One raffle"),
            (2, "Two raffles"),
            (4, "Four raffles"),
            (10, "Ten raffles"),
            (11, "11 raffles"),
        ] {
            assert_eq!(count_in_words(count), words);
        }
    }
}
