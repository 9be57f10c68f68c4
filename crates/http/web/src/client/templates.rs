//! The pages as the build writes them: templates with places for the words of raffles.

use super::ClientError;
use super::escape::escape;
use super::manifest::Of;
use super::route::Route;
use super::words::{Built, Words, words_of};
use crate::http::headers::Sources;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value};
use raffle::RaffleKey;
use usecases::raffles::ShownRaffles;

/// The templates of all pages.
pub(super) struct Templates {
    environment: Environment<'static>,
    pub(super) pages: Vec<Template>,
    built: Built,
}

/// A kind of page. Its name is its route, which is empty for the page for unknown paths.
pub(super) struct Template {
    pub(super) name: String,
    pub(super) route: Route,
    pub(super) of: Of,
    pub(super) sources: Sources,
}

/// A page, by the name of its template and the raffle whose words it has.
pub(super) type PageName = (String, Option<RaffleKey>);

impl Templates {
    pub(super) fn new(built: Built) -> Self {
        let mut environment = Environment::empty();
        environment.set_keep_trailing_newline(true);
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| AutoEscape::Html);
        environment.set_formatter(|out, _, value| {
            let text = value.to_string();
            let is_html = value.is_safe();
            Ok(out.write_str(&if is_html { text } else { escape(&text) })?)
        });
        environment.add_filter("encoded", encoded);
        let pages = Vec::new();
        Self {
            environment,
            pages,
            built,
        }
    }

    pub(super) fn add(&mut self, template: Template, html: String) -> Result<(), ClientError> {
        self.environment.add_template_owned(template.name.clone(), html)?;
        self.pages.push(template);
        Ok(())
    }

    /// Every page with the words of these raffles; those of raffles that have ended come last.
    pub(super) fn fill(&self, shown: &ShownRaffles) -> Result<Vec<(PageName, Sources, String)>, ClientError> {
        let mut words = Words::new(shown, &self.built);
        let mut pages = Vec::new();
        let mut fill = |of: &[Of], raffle: Option<RaffleKey>, words: &Words| -> Result<(), ClientError> {
            for template in self.pages.iter().filter(|template| of.contains(&template.of)) {
                let html = self.environment.get_template(&template.name)?.render(words)?;
                pages.push(((template.name.clone(), raffle), template.sources, html));
            }
            Ok(())
        };
        fill(&[Of::Site], None, &words)?;
        let (open, ended): (Vec<_>, Vec<_>) = shown.raffles.iter().partition(|raffle| raffle.is_open);
        for raffle in open.into_iter().chain(ended) {
            words.raffle = Some(words_of(raffle, shown, &self.built));
            fill(&[Of::Raffle, Of::Link], Some(raffle.key), &words)?;
            if shown.default == Some(raffle.key) {
                fill(&[Of::Default], Some(raffle.key), &words)?;
            }
        }
        Ok(pages)
    }
}

/// Text as JavaScript's `encodeURIComponent` writes it.
fn encoded(value: &Value) -> String {
    let encoded = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' => char::from(byte).to_string(),
        b'-' | b'_' | b'.' | b'!' | b'~' | b'*' | b'\'' | b'(' | b')' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    value.to_string().bytes().map(encoded).collect()
}
