//! The client: prerendered pages, whose heads, tokens and words are filled in here, and the files that they load.
//!
//! The build writes each kind of page once, as a template with places for the words of a raffle, and `pages.json`, which
//! maps paths to templates and holds the content of their heads. The program contains the built client or reads a folder
//! at the start, and fills the pages in when the words of a raffle change, so no request reaches the file system.

mod built;
mod demo;
pub(crate) mod escape;
mod files;
mod head;
mod last_winner;
mod manifest;
mod route;
pub(crate) mod site_identity;
mod templates;
#[cfg(test)]
mod tests;
mod tokens;
mod words;

use crate::SiteIdentity;
use crate::http::headers::Sources;
use crate::http::negotiation::Variants;
use actix_web::http::StatusCode;
use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
pub use built::BuiltClient;
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use files::Files;
use head::{HeadSettings, PageText};
use manifest::{Manifest, Of, Page};
use raffle::{RaffleKey, RaffleList};
use route::Route;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use templates::{PageName, Template, Templates};
use tokens::Tokens;
use usecases::claims::LastWinner;
use usecases::raffles::ShownRaffles;
use words::Built;

/// Settings that the pages show.
#[derive(Debug, Clone)]
pub struct ClientSettings {
    /// The site's origin, such as `https://example.org`.
    pub origin: String,
    /// The time zone in which dates are shown.
    pub time_zone: Tz,
    /// Who runs the site.
    pub site: SiteIdentity,
    /// The name of the cookie that binds a browser to its entrant, for the privacy page.
    pub visitor_cookie: &'static str,
    /// After how many days addresses of visitors are erased, for the privacy page.
    pub retention_days: String,
    /// The account of the ads pixel, if there is one.
    pub ads_pixel: Option<String>,
    /// In a demo, the origin whose script replaces the payment provider's. Every page says then that it is a demo.
    pub stand_in: Option<String>,
    /// In a demo whose sign-ups need a code, the page with the texts that were sent.
    pub inbox: Option<String>,
    /// Whether sign-ups need a code.
    pub phone_verification: bool,
}

impl ClientSettings {
    /// The values of the tokens that the build leaves in the text of pages.
    fn tokens(&self) -> Vec<(&'static str, &str)> {
        let mut tokens = self.site.tokens().to_vec();
        tokens.extend([
            ("SITE_TIME_ZONE", self.time_zone.name()),
            ("VISITOR_COOKIE", self.visitor_cookie),
            ("RETENTION_DAYS", self.retention_days.as_str()),
        ]);
        tokens
    }
}

/// The client cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// A file cannot be read.
    #[error("cannot read {path}")]
    Read {
        /// The path of the file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// `pages.json` cannot be parsed.
    #[error("pages.json is not as expected")]
    Manifest(#[from] serde_json::Error),
    /// A page is no template, or has a place for something that this server does not know.
    #[error("a page does not fit this server")]
    Template(#[from] minijinja::Error),
    /// A page lacks the marker for its head or for its body.
    #[error("{0} has no `<!--head-->`, or no `<div id=\"root\">`")]
    NoPlace(String),
    /// A page shows a setting that this server does not have, so it was built for another version.
    #[error("{file} has %{token}%, which this server does not know")]
    UnknownToken {
        /// The page's file.
        file: String,
        /// The token's name.
        token: String,
    },
}

/// Everything that is served besides the API.
pub struct Client {
    templates: Templates,
    /// What the pages say. Whoever changes it holds it until they say it.
    said: Mutex<Said>,
    pages: RwLock<Arc<Pages>>,
    files: Files,
    time_zone: Tz,
    /// Hashes of inline scripts, for the Content-Security-Policy.
    pub script_hashes: Vec<String>,
    /// Hashes of inline styles, for the Content-Security-Policy.
    pub style_hashes: Vec<String>,
}

/// What the pages say and the build does not know.
#[derive(Clone, PartialEq, Default)]
struct Said {
    raffles: ShownRaffles,
    /// Whom sign-up pages name.
    last_winner: Option<LastWinner>,
}

/// The pages as they are served.
#[derive(Default)]
struct Pages {
    raffles: RaffleList,
    /// The raffle of whoever names none.
    default: Option<RaffleKey>,
    by_name: HashMap<PageName, Arc<ServedPage>>,
    /// Those that are compressed as well as possible.
    first: Vec<Arc<ServedPage>>,
}

struct ServedPage {
    html: Variants,
    sources: Sources,
}

/// How many pages are compressed as well as possible: those of about twelve raffles. That takes 50 ms for each of them, and all
/// pages together get at most five seconds.
const COMPRESSED_BEST: usize = 80;

/// The page that stands in for those of a raffle when none is open.
const WITHOUT_A_RAFFLE: &str = "/welcome";

impl Client {
    /// No client: every page is a plain 404. For tests of the API, and for a server without a built client.
    pub fn absent() -> Self {
        Self::new(Templates::new(Built::default()), Files::default(), Tz::UTC)
    }

    fn new(templates: Templates, files: Files, time_zone: Tz) -> Self {
        Self {
            templates,
            said: Mutex::default(),
            pages: RwLock::default(),
            files,
            time_zone,
            script_hashes: Vec::new(),
            style_hashes: Vec::new(),
        }
    }

    /// Prepares the pages and files of a built client. Pages of raffles are there once they are shown.
    ///
    /// # Errors
    /// When a file is missing or cannot be parsed.
    pub fn load(built: &BuiltClient, settings: &ClientSettings) -> Result<Self, ClientError> {
        let manifest: Manifest = serde_json::from_slice(&built.file("pages.json")?)?;
        let head = HeadSettings {
            origin: &settings.origin,
            site_name: &settings.site.name,
            time_zone: settings.time_zone.name(),
            ads_pixel: settings.ads_pixel.as_deref(),
            stand_in: settings.stand_in.as_deref(),
            inbox: settings.inbox.as_deref(),
            phone_verification: settings.phone_verification,
        };
        let tokens = Tokens(settings.tokens());
        let mut templates = Templates::new(Built {
            scenes: manifest.scenes,
            early: manifest.early,
        });
        for page in manifest.pages.iter().chain([&manifest.not_found]) {
            let html = prepared(page, built, &tokens, &head)?;
            let template = Template {
                name: page.route.clone(),
                route: Route::new(&page.route),
                of: page.of,
                sources: page.sources,
            };
            templates.add(template, html)?;
        }
        let mut style_hashes = manifest.csp.style;
        style_hashes.extend(settings.stand_in.as_ref().map(|_| sha256_source(demo::STYLE)));
        let client = Self {
            script_hashes: manifest.csp.script,
            style_hashes,
            ..Self::new(templates, Files::of(built, &tokens)?, settings.time_zone)
        };
        client.fill(&Said::default(), false)?;
        Ok(client)
    }

    /// Shows raffles for the first time. [`Client::compress_pages`] comes after.
    ///
    /// # Errors
    /// When a page was built for another server.
    pub fn start_showing(&self, raffles: ShownRaffles) -> Result<(), ClientError> {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        said.raffles = raffles;
        self.fill(&said, false)
    }

    /// Compresses every page now, so that no visitor waits for it, and then the first ones better. It does nothing where that is
    /// done, and ends early once `goes_on` is false.
    pub fn compress_pages(&self, goes_on: impl Fn() -> bool) {
        let pages = self.pages();
        for page in pages.by_name.values().take_while(|_| goes_on()) {
            page.html.compress();
        }
        for page in pages.first.iter().take_while(|_| goes_on()) {
            page.html.compress_best();
        }
    }

    /// Shows these raffles from now on. It does nothing unless they differ from what is shown.
    pub fn show(&self, raffles: ShownRaffles) {
        self.say(|said| said.raffles = raffles);
    }

    /// Names the last winner on sign-up pages. It does nothing unless somebody else is named there.
    pub fn name_last_winner(&self, winner: Option<LastWinner>) {
        self.say(|said| said.last_winner = winner);
    }

    fn say(&self, change: impl FnOnce(&mut Said)) {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let before = said.clone();
        change(&mut said);
        if *said == before {
            return;
        }
        if let Err(error) = self.fill(&said, true) {
            tracing::error!(%error, "the pages stay as they are");
        }
    }

    /// Fills all pages in. Those that stay as they are are kept; the others are compressed before they are served, if anybody
    /// may ask for them by now.
    fn fill(&self, said: &Said, is_serving: bool) -> Result<(), ClientError> {
        let before = self.pages();
        let mut by_name = HashMap::new();
        let mut first = Vec::new();
        for (name, sources, html) in self.templates.fill(&said.raffles)? {
            let html = last_winner::filled(&html, said.last_winner.as_ref(), self.time_zone);
            let kept = before.by_name.get(&name);
            let page = match kept.filter(|page| page.html.plain() == &html) {
                Some(page) => Arc::clone(page),
                None => {
                    let html = Variants::new(html.into());
                    if is_serving {
                        html.compress();
                    }
                    Arc::new(ServedPage { html, sources })
                }
            };
            if first.len() < COMPRESSED_BEST {
                first.push(Arc::clone(&page));
            }
            by_name.insert(name, page);
        }
        let pages = Pages {
            raffles: said.raffles.list.clone(),
            default: said.raffles.default,
            by_name,
            first,
        };
        *self.pages.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(pages);
        Ok(())
    }

    fn pages(&self) -> Arc<Pages> {
        Arc::clone(&self.pages.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The file or page at a path, or the page for unknown paths.
    pub(crate) fn answer(&self, request: &HttpRequest, now: DateTime<Utc>) -> HttpResponse {
        let path = request.path();
        if let Some(file) = self.files.get(path) {
            return file
                .variants
                .answer(request, StatusCode::OK, file.mime, file.cache_control);
        }
        let pages = self.pages();
        let found = self.page(&pages, path, now);
        if found.is_none()
            && let Some(path) = self.meant(&pages, path, now)
        {
            let query = request.uri().query();
            let location = query.map_or_else(|| path.clone(), |query| format!("{path}?{query}"));
            return HttpResponse::PermanentRedirect()
                .insert_header((header::LOCATION, location))
                .finish();
        }
        let (page, status) = match found {
            Some(page) => (Some(page), StatusCode::OK),
            None => (pages.named("", None), StatusCode::NOT_FOUND),
        };
        match page {
            Some(page) => page.answer(request, status),
            None => HttpResponse::NotFound()
                .content_type("text/plain; charset=utf-8")
                .body("404 Page Not Found"),
        }
    }

    fn page<'a>(&self, pages: &'a Pages, path: &str, now: DateTime<Utc>) -> Option<&'a ServedPage> {
        let parts: Vec<&str> = path.strip_prefix('/')?.split('/').collect();
        let templates = self.templates.pages.iter();
        let mut routed = templates.filter(|template| !template.name.is_empty() && template.route.is(&parts));
        routed.find_map(|template| pages.of(template, &parts, now))
    }

    /// The path of the page that a path with a slash at its end, or in capitals, means (D76). Ids and tokens keep theirs.
    fn meant(&self, pages: &Pages, path: &str, now: DateTime<Utc>) -> Option<String> {
        let path = path.strip_suffix('/').unwrap_or(path);
        let parts: Vec<&str> = path.strip_prefix('/')?.split('/').collect();
        let templates = self.templates.pages.iter();
        let mut spelled = templates
            .filter(|template| !template.name.is_empty())
            .filter_map(|template| Some(format!("/{}", template.route.spelled(&parts)?)));
        spelled.find(|path| self.page(pages, path, now).is_some())
    }
}

impl Pages {
    fn named(&self, name: &str, raffle: Option<RaffleKey>) -> Option<&ServedPage> {
        self.by_name.get(&(name.to_owned(), raffle)).map(Arc::as_ref)
    }

    /// The page of a template at a path. Those of the default raffle are the page of all raffles when none is open.
    fn of(&self, template: &Template, parts: &[&str], now: DateTime<Utc>) -> Option<&ServedPage> {
        let raffle = match template.of {
            Of::Site => return self.named(&template.name, None),
            Of::Raffle => return self.named(&template.name, Some(parts.first()?.parse().ok()?)),
            Of::Default => self.default,
            Of::Link => self.raffles.of_link(parts.last()?, now).map(|raffle| raffle.key),
        };
        raffle
            .and_then(|raffle| self.named(&template.name, Some(raffle)))
            .or_else(|| self.named(WITHOUT_A_RAFFLE, None))
    }
}

impl ServedPage {
    /// The page. The response carries its [`Sources`] to the middleware that writes the headers.
    fn answer(&self, request: &HttpRequest, status: StatusCode) -> HttpResponse {
        let mime = "text/html; charset=utf-8";
        let mut response = self.html.answer(request, status, mime, "no-cache");
        response.extensions_mut().insert(self.sources);
        response
    }
}

/// The template of a page, with the settings and the head in it.
fn prepared(
    page: &Page,
    built: &BuiltClient,
    tokens: &Tokens<'_>,
    head: &HeadSettings<'_>,
) -> Result<String, ClientError> {
    let html = built.file(&page.file)?;
    let html = tokens.fill_html(&page.file, &String::from_utf8_lossy(&html))?;
    let text = PageText {
        title: tokens.fill_text(&page.file, &page.title)?,
        description: tokens.fill_text(&page.file, &page.description)?,
    };
    head.fill(&html, page, &text)
        .ok_or_else(|| ClientError::NoPlace(page.file.clone()))
}

/// The hash of an inline style, as a Content-Security-Policy writes it.
fn sha256_source(inline: &str) -> String {
    format!("sha256-{}", BASE64.encode(Sha256::digest(inline)))
}
