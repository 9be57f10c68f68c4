//! What makes a content refused, and what it lacks.

use super::amounts::amounts;
use super::share::{LINK, is_placeholder, placeholders};
use super::words::{holds_invisible, holds_number, holds_web_address};
use super::{Content, KitItem, Picture, ShareTexts, with_commas};

/// What makes a content refused, even as a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentFault {
    /// The path of the field in JSON, such as `kit[2].item`.
    pub field: String,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with a field. As text, it is a sentence for people.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It has more characters than this.
    #[error("At most {} characters", with_commas(.0))]
    TooLong(usize),
    /// It has a line break.
    #[error("Must not hold line breaks")]
    LineBreak,
    /// It has a character that nobody sees, or that sets the direction of others.
    #[error("Must not hold invisible characters")]
    Invisible,
    /// It has a phone number.
    #[error("Must not hold a phone number")]
    PhoneNumber,
    /// It has a web address.
    #[error("Must not hold a web address")]
    WebAddress,
    /// It has a placeholder that there is not.
    #[error("Unknown placeholder {0}")]
    UnknownPlaceholder(String),
    /// It has a placeholder that is filled in elsewhere.
    #[error("{0} is filled in only in the mail and in the message")]
    MisplacedPlaceholder(String),
    /// It has an amount that the prize and its parts are not worth.
    #[error("The amount {0} is neither the total value nor the value of a part")]
    OtherAmount(String),
    /// It is a negative value.
    #[error("Must not be negative")]
    Negative,
    /// There are more than [`Content::MAX_PARTS`] parts.
    #[error("At most {} parts", Content::MAX_PARTS)]
    TooManyParts,
    /// The parts add up to more than [`Content::MAX_DOLLARS`].
    #[error(
        "The parts are worth more than ${}, which some states want registered",
        with_commas(Content::MAX_DOLLARS)
    )]
    WorthMore,
    /// The total value is above [`Content::MAX_DOLLARS`].
    #[error("At most ${}", with_commas(Content::MAX_DOLLARS))]
    TooMuch,
}

/// What a content lacks before it can be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentGap {
    /// The path of the field in JSON, such as `kit[2].item`.
    pub field: String,
    /// What is missing.
    pub gap: Gap,
}

/// What a field lacks. As text, it is a sentence for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Gap {
    /// Anything.
    #[error("Required")]
    Required,
    /// The placeholder for the link.
    #[error("Must hold {LINK}")]
    Link,
    /// Parts that add up to the total value.
    #[error("The parts are worth less than the total value")]
    WorthLess,
}

/// What a text may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// One line.
    Line,
    /// One line without a web address.
    Name,
    /// Lines.
    Lines,
    /// One line, where placeholders would stay as they are.
    Subject,
    /// Lines with placeholders.
    Mail,
    /// One line with placeholders.
    Message,
    /// One line, which only an upload requires.
    Alt,
}

/// A text of a content.
struct Field<'a> {
    path: String,
    text: &'a str,
    most: usize,
    rule: Rule,
}

impl<'a> Field<'a> {
    fn new(path: impl Into<String>, text: &'a str, most: usize, rule: Rule) -> Self {
        Self {
            path: path.into(),
            text,
            most,
            rule,
        }
    }

    /// What is wrong with the text in a content. Where it is too long, that is all that is said, so that no text takes long
    /// to read.
    fn faults(&self, content: &Content) -> Vec<Fault> {
        if self.text.chars().count() > self.most {
            return vec![Fault::TooLong(self.most)];
        }
        let amounts = content.other_amounts(self.text);
        let found = self.word_faults().chain(self.placeholder_faults());
        found.chain(amounts).collect()
    }

    fn word_faults(&self) -> impl Iterator<Item = Fault> {
        let (text, rule) = (self.text, self.rule);
        let has_lines = matches!(rule, Rule::Lines | Rule::Mail);
        let checks = [
            (!has_lines && text.contains(['\r', '\n']), Fault::LineBreak),
            (holds_invisible(text), Fault::Invisible),
            (holds_number(text), Fault::PhoneNumber),
            (rule == Rule::Name && holds_web_address(text), Fault::WebAddress),
        ];
        of_checks(checks)
    }

    fn placeholder_faults(&self) -> impl Iterator<Item = Fault> {
        placeholders(self.text).filter_map(|placeholder| match (self.rule, is_placeholder(placeholder)) {
            (Rule::Subject | Rule::Mail | Rule::Message, false) => {
                Some(Fault::UnknownPlaceholder(placeholder.to_owned()))
            }
            (Rule::Subject, true) => Some(Fault::MisplacedPlaceholder(placeholder.to_owned())),
            _ => None,
        })
    }

    fn gap(&self) -> Option<Gap> {
        match self.rule {
            _ if self.text.trim().is_empty() => Some(Gap::Required),
            Rule::Mail | Rule::Message if !self.text.contains(LINK) => Some(Gap::Link),
            _ => None,
        }
    }
}

impl Content {
    /// What makes a content refused, even as a draft, once it is [`Content::normalized`].
    pub fn faults(&self) -> Vec<ContentFault> {
        let mut faults = Vec::new();
        for field in self.fields() {
            add_faults(&mut faults, &field.path, field.faults(self));
        }
        for (n, part) in self.kit.iter().enumerate() {
            let negative = (part.value_in_cents < 0).then_some(Fault::Negative);
            add_faults(&mut faults, &value_path(n), negative);
        }
        add_faults(&mut faults, "kit", self.kit_faults());
        add_faults(&mut faults, "totalValue", self.total_faults());
        faults
    }

    /// What it lacks before it can be published, or before its raffle can open.
    pub fn missing(&self) -> Vec<ContentGap> {
        let has_upload = self.picture.upload.is_some();
        let texts = self.fields().into_iter().filter_map(|field| {
            let gap = field.gap().filter(|_| has_upload || field.rule != Rule::Alt)?;
            Some((field.path, gap))
        });
        let parts = self.kit.iter().enumerate();
        let worthless = parts.filter(|(_, part)| part.value_in_cents < 1);
        let values = worthless.map(|(n, _)| (value_path(n), Gap::Required));
        let kit = self.kit.is_empty().then(|| ("kit".to_owned(), Gap::Required));
        let total = self.total_gap().map(|gap| ("totalValue".to_owned(), gap));
        let gaps = texts.chain(values).chain(kit).chain(total);
        gaps.map(|(field, gap)| ContentGap { field, gap }).collect()
    }

    fn total_gap(&self) -> Option<Gap> {
        match self.total_value.cents() {
            ..1 => Some(Gap::Required),
            cents => (self.kit_value_in_cents() < cents && !self.kit.is_empty()).then_some(Gap::WorthLess),
        }
    }

    /// All texts, in the order of the form.
    fn fields(&self) -> Vec<Field<'_>> {
        let share = &self.share;
        let mut fields = vec![
            Field::new("name", &self.name, Self::NAME_CHARS, Rule::Name),
            Field::new("title", &self.title, Self::TITLE_CHARS, Rule::Line),
            Field::new("tagline", &self.tagline, Self::TAGLINE_CHARS, Rule::Line),
            Field::new(
                "description",
                &self.description,
                Self::DESCRIPTION_CHARS,
                Rule::Lines,
            ),
        ];
        fields.extend(self.kit.iter().enumerate().flat_map(|(n, part)| part.fields(n)));
        fields.extend([
            Field::new("metaTitle", &self.meta_title, Self::META_TITLE_CHARS, Rule::Line),
            Field::new(
                "metaDescription",
                &self.meta_description,
                Self::META_DESCRIPTION_CHARS,
                Rule::Line,
            ),
            Field::new(
                "successTitle",
                &self.success_title,
                Self::SUCCESS_TITLE_CHARS,
                Rule::Name,
            ),
            Field::new(
                "share.emailSubject",
                &share.email_subject,
                ShareTexts::EMAIL_SUBJECT_CHARS,
                Rule::Subject,
            ),
            Field::new(
                "share.emailBody",
                &share.email_body,
                ShareTexts::EMAIL_BODY_CHARS,
                Rule::Mail,
            ),
            Field::new(
                "share.textBody",
                &share.text_body,
                ShareTexts::TEXT_BODY_CHARS,
                Rule::Message,
            ),
            Field::new("picture.alt", &self.picture.alt, Picture::ALT_CHARS, Rule::Alt),
        ]);
        fields
    }

    /// The amounts of a text that neither the prize nor a part is worth.
    fn other_amounts(&self, text: &str) -> impl Iterator<Item = Fault> {
        let is_of_prize = |cents: i64| {
            let mut parts = self.kit.iter();
            cents == self.total_value.cents() || parts.any(|part| part.value_in_cents == cents)
        };
        amounts(text)
            .into_iter()
            .filter(move |amount| !amount.cents.is_some_and(is_of_prize))
            .map(|amount| Fault::OtherAmount(amount.words))
    }

    fn kit_faults(&self) -> impl Iterator<Item = Fault> {
        let too_many = self.kit.len() > Self::MAX_PARTS;
        let too_much = self.kit_value_in_cents() > Self::MAX_DOLLARS * 100;
        of_checks([(too_many, Fault::TooManyParts), (too_much, Fault::WorthMore)])
    }

    fn total_faults(&self) -> impl Iterator<Item = Fault> {
        let total = self.total_value;
        of_checks([
            (total.dollars < 0, Fault::Negative),
            (total.dollars > Self::MAX_DOLLARS, Fault::TooMuch),
        ])
    }
}

impl KitItem {
    fn fields(&self, n: usize) -> [Field<'_>; 2] {
        [
            Field::new(
                format!("kit[{n}].item"),
                &self.item,
                Content::ITEM_CHARS,
                Rule::Name,
            ),
            Field::new(
                format!("kit[{n}].detail"),
                &self.detail,
                Content::DETAIL_CHARS,
                Rule::Name,
            ),
        ]
    }
}

fn value_path(n: usize) -> String {
    format!("kit[{n}].valueInCents")
}

fn of_checks<const N: usize>(checks: [(bool, Fault); N]) -> impl Iterator<Item = Fault> {
    let wrong = checks.into_iter().filter(|(is_wrong, _)| *is_wrong);
    wrong.map(|(_, fault)| fault)
}

/// Adds the faults of a field, each once.
fn add_faults(faults: &mut Vec<ContentFault>, path: &str, found: impl IntoIterator<Item = Fault>) {
    for fault in found {
        let field = path.to_owned();
        let fault = ContentFault { field, fault };
        if !faults.contains(&fault) {
            faults.push(fault);
        }
    }
}
