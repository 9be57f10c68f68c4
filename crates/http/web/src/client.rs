//! The client: prerendered pages, whose heads and tokens are filled in here, and the files that they load.
//!
//! The build writes `pages.json`, which maps paths to pages and holds the content of their heads. The program contains the
//! built client or reads a folder at the start, so no request reaches the file system.

mod built;
mod demo;
pub(crate) mod escape;
mod files;
mod head;
mod last_winner;
mod manifest;
pub(crate) mod site_identity;
mod tokens;

use crate::SiteIdentity;
use crate::http::headers::Sources;
use crate::http::negotiation::Variants;
use actix_web::http::StatusCode;
use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
pub use built::BuiltClient;
use chrono_tz::Tz;
use files::Files;
use head::{HeadSettings, PageText};
use manifest::{Manifest, Page};
use sha2::{Digest, Sha256};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use tokens::Tokens;
use usecases::claims::LastWinner;

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
    pages: Vec<ServedPage>,
    not_found: Option<ServedPage>,
    files: Files,
    time_zone: Tz,
    /// Whom the pages name.
    last_winner: Mutex<Option<LastWinner>>,
    /// Hashes of inline scripts, for the Content-Security-Policy.
    pub script_hashes: Vec<String>,
    /// Hashes of inline styles, for the Content-Security-Policy.
    pub style_hashes: Vec<String>,
}

struct ServedPage {
    route: Vec<Segment>,
    /// The page as it is before it names the last winner, if it has a place for the name.
    template: Option<String>,
    html: RwLock<Arc<Variants>>,
    sources: Sources,
}

/// One part of a page's route.
enum Segment {
    Exactly(String),
    /// `{userId}`, `{drawingId}`: a number.
    Number,
    /// `{trackingId}`: any text with one of these words in it, or any text at all if there are none.
    TrackingId(Vec<String>),
    /// `{code}`: any text.
    Anything,
}

impl Client {
    /// No client: every page is a plain 404. For tests of the API, and for a server without a built client.
    pub fn absent() -> Self {
        let (pages, files) = (Vec::new(), Files::default());
        Self {
            pages,
            not_found: None,
            files,
            time_zone: Tz::UTC,
            last_winner: Mutex::default(),
            script_hashes: Vec::new(),
            style_hashes: Vec::new(),
        }
    }

    /// Prepares the pages and files of a built client.
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
        let serve = |page: &Page| -> Result<ServedPage, ClientError> {
            let html = built.file(&page.file)?;
            let html = tokens.fill_html(&page.file, &String::from_utf8_lossy(&html))?;
            let text = PageText {
                title: tokens.fill_text(&page.file, &page.title)?,
                description: tokens.fill_text(&page.file, &page.description)?,
            };
            let html = head
                .fill(&html, page, &text)
                .ok_or_else(|| ClientError::NoPlace(page.file.clone()))?;
            Ok(ServedPage {
                route: segments(page),
                template: html.contains(last_winner::PLACE).then(|| html.clone()),
                html: RwLock::new(Arc::new(Variants::new(html.into()))),
                sources: page.sources,
            })
        };
        let mut style_hashes = manifest.csp.style;
        style_hashes.extend(settings.stand_in.as_ref().map(|_| sha256_source(demo::STYLE)));
        Ok(Self {
            pages: manifest.pages.iter().map(serve).collect::<Result<_, _>>()?,
            not_found: Some(serve(&manifest.not_found)?),
            files: Files::of(built, &tokens)?,
            time_zone: settings.time_zone,
            last_winner: Mutex::default(),
            script_hashes: manifest.csp.script,
            style_hashes,
        })
    }

    /// Compresses every page now, so that no visitor waits for it.
    pub fn compress_pages(&self) {
        for page in self.pages.iter().chain(&self.not_found) {
            page.html().compress();
        }
    }

    /// Names the last winner on sign-up pages. It does nothing unless somebody else is named there.
    pub fn name_last_winner(&self, winner: Option<LastWinner>) {
        let mut named = self.last_winner.lock().unwrap_or_else(PoisonError::into_inner);
        if *named == winner {
            return;
        }
        *named = winner;
        for page in &self.pages {
            page.name(named.as_ref(), self.time_zone);
        }
    }

    /// The file or page at a path, or the page for unknown paths.
    pub(crate) fn answer(&self, request: &HttpRequest) -> HttpResponse {
        let path = request.path();
        if let Some(file) = self.files.get(path) {
            return file
                .variants
                .answer(request, StatusCode::OK, file.mime, file.cache_control);
        }
        let found = self.page(path);
        if found.is_none()
            && let Some(path) = self.meant(path)
        {
            let query = request.uri().query();
            let location = query.map_or_else(|| path.clone(), |query| format!("{path}?{query}"));
            return HttpResponse::PermanentRedirect()
                .insert_header((header::LOCATION, location))
                .finish();
        }
        let (page, status) = match found {
            Some(page) => (Some(page), StatusCode::OK),
            None => (self.not_found.as_ref(), StatusCode::NOT_FOUND),
        };
        match page {
            Some(page) => page.answer(request, status),
            None => HttpResponse::NotFound()
                .content_type("text/plain; charset=utf-8")
                .body("404 Page Not Found"),
        }
    }

    fn page(&self, path: &str) -> Option<&ServedPage> {
        let parts: Vec<&str> = path.strip_prefix('/')?.split('/').collect();
        self.pages.iter().find(|page| {
            page.route.len() == parts.len() && page.parts(&parts).all(|(segment, part)| segment.is(part))
        })
    }

    /// The path of the page that a path with a slash at its end, or in capitals, means (D76). Ids and tokens keep theirs.
    fn meant(&self, path: &str) -> Option<String> {
        let parts: Vec<&str> = path
            .strip_suffix('/')
            .unwrap_or(path)
            .strip_prefix('/')?
            .split('/')
            .collect();
        let means = |page: &&ServedPage| {
            page.route.len() == parts.len()
                && page
                    .parts(&parts)
                    .all(|(segment, part)| segment.spelled(part).is_some())
        };
        let page = self.pages.iter().find(means)?;
        let spelled = page
            .parts(&parts)
            .filter_map(|(segment, part)| segment.spelled(part));
        Some(spelled.fold(String::new(), |path, part| path + "/" + part))
    }
}

impl ServedPage {
    fn html(&self) -> Arc<Variants> {
        Arc::clone(&self.html.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Compresses the page before it is served, so that no visitor waits for it.
    fn name(&self, winner: Option<&LastWinner>, zone: Tz) {
        let Some(template) = &self.template else {
            return;
        };
        let html = Variants::new(last_winner::filled(template, winner, zone).into());
        html.compress();
        *self.html.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(html);
    }

    fn parts<'a>(&'a self, parts: &'a [&'a str]) -> impl Iterator<Item = (&'a Segment, &'a str)> {
        self.route.iter().zip(parts.iter().copied())
    }

    /// The page. The response carries its [`Sources`] to the middleware that writes the headers.
    fn answer(&self, request: &HttpRequest, status: StatusCode) -> HttpResponse {
        let mime = "text/html; charset=utf-8";
        let mut response = self.html().answer(request, status, mime, "no-cache");
        response.extensions_mut().insert(self.sources);
        response
    }
}

impl Segment {
    fn is(&self, part: &str) -> bool {
        match self {
            Self::Exactly(text) => text == part,
            Self::Number => part.parse::<i64>().is_ok(),
            Self::TrackingId(words) => {
                !part.is_empty() && (words.is_empty() || words.iter().any(|word| part.contains(word)))
            }
            Self::Anything => !part.is_empty(),
        }
    }

    /// The part as the page has it, whatever its capitals.
    fn spelled<'a>(&'a self, part: &'a str) -> Option<&'a str> {
        match self {
            Self::Exactly(text) => text.eq_ignore_ascii_case(part).then_some(text.as_str()),
            other => other.is(part).then_some(part),
        }
    }
}

fn segments(page: &Page) -> Vec<Segment> {
    let segment = |part: &str| match part {
        "{userId}" | "{drawingId}" => Segment::Number,
        "{trackingId}" => Segment::TrackingId(page.tracking_id_words.clone()),
        placeholder if placeholder.starts_with('{') => Segment::Anything,
        text => Segment::Exactly(text.to_owned()),
    };
    page.route
        .trim_start_matches('/')
        .split('/')
        .map(segment)
        .collect()
}

/// The hash of an inline style, as a Content-Security-Policy writes it.
fn sha256_source(inline: &str) -> String {
    format!("sha256-{}", BASE64.encode(Sha256::digest(inline)))
}
