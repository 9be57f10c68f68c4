//! The security headers of every response (D34).

use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use serde::Deserialize;

/// Settings that the headers depend on.
#[derive(Debug, Clone, Default)]
pub struct HeaderSettings {
    /// Whether browsers must use TLS only.
    pub production: bool,
    /// Whether visitors can pay by card: then Stripe's script, frames and calls are allowed.
    pub stripe: bool,
    /// In a demo, the origin whose script, frames and calls take the place of Stripe's.
    pub stand_in: Option<String>,
    /// Whether the ads pixel may load and report once a visitor consents.
    pub ads_pixel: bool,
    /// Hashes of the pages' inline scripts, `sha256-…`.
    pub script_hashes: Vec<String>,
    /// Hashes of the pages' inline styles, `sha256-…`.
    pub style_hashes: Vec<String>,
}

/// What a page may load from other sites. Its entry, the script that it starts with, decides: an entry shows other screens
/// without loading a document, so all of its pages need the same policy. The build writes it into `pages.json`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Sources {
    /// The payment provider and the ads pixel: where people enter and buy.
    Payments,
    /// The ads pixel.
    Ads,
    /// Nothing: pages without a script, the console, whose token lies in the browser's storage, and all that is no page.
    #[default]
    Own,
}

/// The headers, computed once.
#[derive(Debug, Clone)]
pub struct SecurityHeaders {
    common: Vec<(HeaderName, HeaderValue)>,
    payments: HeaderValue,
    ads: HeaderValue,
    own: HeaderValue,
}

impl SecurityHeaders {
    /// The headers for these settings.
    pub fn new(settings: &HeaderSettings) -> Self {
        let fixed =
            |name: &'static str, value| (HeaderName::from_static(name), HeaderValue::from_static(value));
        let mut headers = vec![
            fixed("x-content-type-options", "nosniff"),
            fixed("x-frame-options", "DENY"),
            fixed("referrer-policy", "strict-origin-when-cross-origin"),
            fixed("cross-origin-opener-policy", opener_policy(settings)),
            fixed("cross-origin-resource-policy", "same-origin"),
            fixed(
                "permissions-policy",
                "camera=(), geolocation=(), microphone=(), usb=()",
            ),
        ];
        if settings.production {
            headers.push(fixed(
                "strict-transport-security",
                "max-age=63072000; includeSubDomains",
            ));
        }
        let policy = |sources| {
            let policy = content_security_policy(&with_sources(settings, sources));
            HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'self'"))
        };
        Self {
            common: headers,
            payments: policy(Sources::Payments),
            ads: policy(Sources::Ads),
            own: policy(Sources::Own),
        }
    }

    /// Adds the headers of a response that may load these sources.
    pub(crate) fn apply(&self, sources: Sources, headers: &mut HeaderMap) {
        for (name, value) in &self.common {
            headers.insert(name.clone(), value.clone());
        }
        headers.insert(header::CONTENT_SECURITY_POLICY, self.policy(sources).clone());
    }

    const fn policy(&self, sources: Sources) -> &HeaderValue {
        match sources {
            Sources::Payments => &self.payments,
            Sources::Ads => &self.ads,
            Sources::Own => &self.own,
        }
    }
}

/// Pages of other sites that open ours get no reference to it. Google Pay and similar methods open a window that reports
/// back, which `same-origin` would block. The policy is the same on every page, because the client moves to the success page
/// without loading a document.
fn opener_policy(settings: &HeaderSettings) -> &'static str {
    match settings.stripe {
        true => "same-origin-allow-popups",
        false => "same-origin",
    }
}

/// The settings without the sources that the page does not need.
fn with_sources(settings: &HeaderSettings, sources: Sources) -> HeaderSettings {
    HeaderSettings {
        stripe: settings.stripe && sources == Sources::Payments,
        ads_pixel: settings.ads_pixel && sources != Sources::Own,
        ..settings.clone()
    }
}

fn content_security_policy(settings: &HeaderSettings) -> String {
    let hashes = |hashes: &[String]| hashes.iter().map(|hash| format!(" '{hash}'")).collect::<String>();
    // The hosts that Stripe's documentation lists for its script, frames and calls.
    let stripe = |hosts: &str| match &settings.stand_in {
        _ if !settings.stripe => String::new(),
        Some(stand_in) => format!(" {stand_in}"),
        None => format!(" {hosts}"),
    };
    let pixel = |hosts: &'static str| if settings.ads_pixel { hosts } else { "" };
    [
        "default-src 'self'".to_owned(),
        format!(
            "script-src 'self'{}{}{}",
            hashes(&settings.script_hashes),
            stripe("https://js.stripe.com https://*.js.stripe.com"),
            pixel(" https://connect.facebook.net")
        ),
        format!("style-src 'self'{}", hashes(&settings.style_hashes)),
        format!(
            "img-src 'self' data:{}{}",
            stripe("https://*.stripe.com"),
            pixel(" https://www.facebook.com")
        ),
        format!(
            "connect-src 'self'{}{}",
            stripe("https://api.stripe.com"),
            pixel(" https://www.facebook.com")
        ),
        format!(
            "frame-src{}",
            if settings.stripe {
                stripe("https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com")
            } else {
                " 'none'".to_owned()
            }
        ),
        "object-src 'none'".to_owned(),
        "base-uri 'none'".to_owned(),
        "form-action 'self'".to_owned(),
        "frame-ancestors 'none'".to_owned(),
    ]
    .join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inline_code_runs_only_if_the_build_made_it() {
        let settings = HeaderSettings {
            script_hashes: vec!["sha256-boot".to_owned()],
            style_hashes: vec!["sha256-page".to_owned()],
            ..HeaderSettings::default()
        };
        let policy = content_security_policy(&settings);
        assert!(policy.contains("script-src 'self' 'sha256-boot';"), "{policy}");
        assert!(policy.contains("style-src 'self' 'sha256-page';"), "{policy}");
        for weak in ["unsafe-inline", "unsafe-eval", "stripe", "facebook", "http:", "*"] {
            assert!(!policy.contains(weak), "{policy}");
        }
        for strict in [
            "object-src 'none'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
            "frame-src 'none'",
        ] {
            assert!(policy.contains(strict), "{policy}");
        }
    }

    #[test]
    fn stripes_hosts_are_allowed_when_people_can_pay_by_card() {
        let policy = content_security_policy(&HeaderSettings {
            stripe: true,
            ..HeaderSettings::default()
        });
        assert!(
            policy.contains("script-src 'self' https://js.stripe.com https://*.js.stripe.com;"),
            "{policy}"
        );
        assert!(
            policy.contains("connect-src 'self' https://api.stripe.com;"),
            "{policy}"
        );
        assert!(policy.contains("frame-src https://js.stripe.com"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
    }

    #[test]
    fn in_a_demo_the_stand_ins_origin_takes_the_place_of_stripes_hosts() {
        let policy = content_security_policy(&HeaderSettings {
            stripe: true,
            stand_in: Some("http://127.0.0.1:12111".to_owned()),
            ..HeaderSettings::default()
        });
        for part in [
            "script-src 'self' http://127.0.0.1:12111;",
            "connect-src 'self' http://127.0.0.1:12111;",
            "frame-src http://127.0.0.1:12111;",
        ] {
            assert!(policy.contains(part), "{policy}");
        }
        assert!(!policy.contains("stripe.com"), "{policy}");
    }

    #[test]
    fn the_ads_pixels_hosts_are_allowed_when_there_is_one() {
        let policy = content_security_policy(&HeaderSettings {
            ads_pixel: true,
            ..HeaderSettings::default()
        });
        for part in [
            "script-src 'self' https://connect.facebook.net;",
            "img-src 'self' data: https://www.facebook.com;",
            "connect-src 'self' https://www.facebook.com;",
            "frame-src 'none';",
        ] {
            assert!(policy.contains(part), "{policy}");
        }
    }

    #[test]
    fn each_policy_has_only_its_sources() {
        let headers = SecurityHeaders::new(&HeaderSettings {
            stripe: true,
            ads_pixel: true,
            ..HeaderSettings::default()
        });
        let found = |sources| {
            let policy = headers.policy(sources).to_str().unwrap();
            (policy.contains("stripe.com"), policy.contains("facebook"))
        };
        assert_eq!(found(Sources::Payments), (true, true));
        assert_eq!(found(Sources::Ads), (false, true));
        assert_eq!(found(Sources::Own), (false, false));
        assert!(headers.own.to_str().unwrap().contains("frame-src 'none'"));
    }

    #[test]
    fn payment_windows_may_report_back_and_other_pages_get_no_reference() {
        let policy = |stripe| {
            let settings = HeaderSettings {
                stripe,
                ..HeaderSettings::default()
            };
            let headers = SecurityHeaders::new(&settings).common;
            let found = headers
                .into_iter()
                .find(|(name, _)| name == "cross-origin-opener-policy");
            found.map(|(_, value)| value)
        };
        assert_eq!(policy(true).unwrap(), "same-origin-allow-popups");
        assert_eq!(policy(false).unwrap(), "same-origin");
    }

    #[test]
    fn tls_is_required_in_production_only() {
        let has_hsts = |production| {
            let headers = SecurityHeaders::new(&HeaderSettings {
                production,
                ..HeaderSettings::default()
            });
            headers
                .common
                .iter()
                .any(|(name, _)| name == "strict-transport-security")
        };
        assert_eq!((has_hsts(true), has_hsts(false)), (true, false));
    }
}
