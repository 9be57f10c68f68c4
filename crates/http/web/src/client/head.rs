use super::demo;
use super::escape::escape;
use super::manifest::Page;
use crate::http::headers::Sources;

const PLACE: &str = "<!--head-->";

pub(super) struct HeadSettings<'a> {
    pub(super) origin: &'a str,
    pub(super) site_name: &'a str,
    pub(super) time_zone: &'a str,
    pub(super) ads_pixel: Option<&'a str>,
    pub(super) stand_in: Option<&'a str>,
    pub(super) inbox: Option<&'a str>,
    pub(super) phone_verification: bool,
}

/// What the head of a page says about it, with the settings filled in.
pub(super) struct PageText {
    pub(super) title: String,
    pub(super) description: String,
}

impl HeadSettings<'_> {
    /// The page with its head, which must be in the HTML because link previews run no JavaScript. `None` if the page has no
    /// marker for the head or for the banner of a demo.
    pub(super) fn fill(&self, html: &str, page: &Page, text: &PageText) -> Option<String> {
        let (before, after) = html.split_once(PLACE)?;
        let filled = format!("{before}{}{after}", self.head(page, text));
        match self.stand_in {
            Some(_) => demo::with_banner(&filled, self.inbox),
            None => Some(filled),
        }
    }

    fn head(&self, page: &Page, text: &PageText) -> String {
        let (title, description) = (escape(&text.title), escape(&text.description));
        let mut head = format!(
            "<title>{title}</title><meta name=\"description\" content=\"{description}\">\
             <meta name=\"site-time-zone\" content=\"{}\">",
            escape(self.time_zone)
        );
        if self.phone_verification {
            head.push_str("<meta name=\"phone-verification\" content=\"on\">");
        }
        // Only where the Content-Security-Policy lets it load. Staff are not tracked.
        if let Some(id) = self.ads_pixel.filter(|_| page.sources != Sources::Own) {
            head.push_str(&format!("<meta name=\"ads-pixel\" content=\"{}\">", escape(id)));
        }
        if let Some(stand_in) = self.stand_in {
            head.push_str(&format!("<style>{}</style>", demo::STYLE));
            if page.sources == Sources::Payments {
                head.push_str(&demo::script(stand_in));
            }
        }
        if !page.index || self.stand_in.is_some() {
            head.push_str("<meta name=\"robots\" content=\"noindex\">");
        }
        let mut property = |name: &str, content: &str| {
            head.push_str(&format!("<meta property=\"{name}\" content=\"{content}\">"));
        };
        property("og:type", "website");
        property("og:site_name", &escape(self.site_name));
        property("og:title", &title);
        property("og:description", &description);
        if let Some(image) = &page.image {
            property("og:image", &self.absolute(image));
            property("og:image:width", "1200");
            property("og:image:height", "630");
            head.push_str("<meta name=\"twitter:card\" content=\"summary_large_image\">");
        }
        if let Some(canonical) = &page.canonical {
            let address = self.absolute(canonical);
            head.push_str(&format!(
                "<meta property=\"og:url\" content=\"{address}\"><link rel=\"canonical\" href=\"{address}\">"
            ));
        }
        head
    }

    fn absolute(&self, path: &str) -> String {
        escape(&format!("{}{path}", self.origin))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::manifest::Of;

    const HTML: &str = "<html><head><!--head--></head></html>";
    const SETTINGS: HeadSettings<'static> = HeadSettings {
        origin: "https://example.org",
        site_name: "Bees & Co",
        time_zone: "America/New_York",
        ads_pixel: None,
        stand_in: None,
        inbox: None,
        phone_verification: false,
    };

    fn page() -> Page {
        Page {
            route: "/garden-bag".to_owned(),
            of: Of::Raffle,
            file: "garden-bag.html".to_owned(),
            title: "%NOT_FILLED_IN%".to_owned(),
            description: "%NOT_FILLED_IN%".to_owned(),
            canonical: Some("/garden-bag".to_owned()),
            image: Some("/assets/og.png".to_owned()),
            index: true,
            sources: Sources::Payments,
        }
    }

    fn text() -> PageText {
        PageText {
            title: "Win \"it\" & more".to_owned(),
            description: "<Free>".to_owned(),
        }
    }

    #[test]
    fn a_page_has_the_tags_for_link_previews() {
        let html = SETTINGS.fill(HTML, &page(), &text()).unwrap();
        for part in [
            "<title>Win &quot;it&quot; &amp; more</title>",
            "<meta name=\"description\" content=\"&lt;Free&gt;\">",
            "<link rel=\"canonical\" href=\"https://example.org/garden-bag\">",
            "<meta property=\"og:url\" content=\"https://example.org/garden-bag\">",
            "<meta property=\"og:site_name\" content=\"Bees &amp; Co\">",
            "<meta property=\"og:image\" content=\"https://example.org/assets/og.png\">",
            "<meta name=\"site-time-zone\" content=\"America/New_York\">",
        ] {
            assert!(html.contains(part), "{part} in {html}");
        }
        assert!(!html.contains("noindex"), "{html}");
    }

    #[test]
    fn a_private_page_is_not_indexed_and_has_no_canonical_url() {
        let html = SETTINGS
            .fill(
                HTML,
                &Page {
                    index: false,
                    canonical: None,
                    ..page()
                },
                &text(),
            )
            .unwrap();
        assert!(
            html.contains("<meta name=\"robots\" content=\"noindex\">"),
            "{html}"
        );
        assert!(!html.contains("canonical") && !html.contains("og:url"), "{html}");
    }

    #[test]
    fn the_ads_pixel_is_on_the_pages_that_may_load_it() {
        let settings = HeadSettings {
            ads_pixel: Some("123456"),
            ..SETTINGS
        };
        let meta = "<meta name=\"ads-pixel\" content=\"123456\">";
        for sources in [Sources::Payments, Sources::Ads] {
            let page = Page { sources, ..page() };
            assert!(
                settings.fill(HTML, &page, &text()).unwrap().contains(meta),
                "{sources:?}"
            );
        }
        let own = Page {
            sources: Sources::Own,
            ..page()
        };
        for without in [
            settings.fill(HTML, &own, &text()),
            SETTINGS.fill(HTML, &page(), &text()),
        ] {
            assert!(!without.unwrap().contains("ads-pixel"));
        }
    }

    #[test]
    fn pages_say_whether_sign_ups_need_a_code() {
        let meta = "<meta name=\"phone-verification\" content=\"on\">";
        let settings = HeadSettings {
            phone_verification: true,
            ..SETTINGS
        };
        assert!(settings.fill(HTML, &page(), &text()).unwrap().contains(meta));
        assert!(
            !SETTINGS
                .fill(HTML, &page(), &text())
                .unwrap()
                .contains("phone-verification")
        );
    }

    #[test]
    fn pages_of_a_demo_have_its_banner_and_those_for_buying_its_payment_script() {
        const WHOLE: &str = "<html><head><!--head--></head><body><div id=\"root\">Hello</div></body></html>";
        let settings = HeadSettings {
            stand_in: Some("http://127.0.0.1:12111"),
            ..SETTINGS
        };
        let script = "<script defer src=\"http://127.0.0.1:12111/browser/stripe.js\"></script>";
        for (sources, pays) in [
            (Sources::Payments, true),
            (Sources::Ads, false),
            (Sources::Own, false),
        ] {
            let page = Page { sources, ..page() };
            let html = settings.fill(WHOLE, &page, &text()).unwrap();
            assert!(
                html.contains(&format!("<body>{}<div id=\"root\">Hello", demo::BANNER)),
                "{html}"
            );
            assert!(html.contains("noindex"), "{html}");
            assert_eq!(html.contains(script), pays, "{html}");
            let plain = SETTINGS.fill(WHOLE, &page, &text()).unwrap();
            assert!(!plain.contains("demo") && !plain.contains("12111"), "{plain}");
        }
        assert_eq!(
            settings.fill(HTML, &page(), &text()),
            None,
            "no page without the banner"
        );
        let with_codes = HeadSettings {
            inbox: Some("http://127.0.0.1:4010/inbox"),
            ..settings
        };
        let html = with_codes.fill(WHOLE, &page(), &text()).unwrap();
        assert!(
            html.contains("<a href=\"http://127.0.0.1:4010/inbox\"")
                && html.contains("Codes arrive here</a>"),
            "{html}"
        );
    }

    #[test]
    fn a_page_without_a_marker_for_its_head_is_rejected() {
        assert_eq!(SETTINGS.fill("<html></html>", &page(), &text()), None);
    }
}
