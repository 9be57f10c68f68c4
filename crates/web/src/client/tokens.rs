//! Tokens in the HTML of a page, such as `%CONTACT_EMAIL%`, which stand for settings that the build does not know.

use super::head::escape;

/// Shorter names are not tokens: `%EF%BB` is a percent-encoded URL.
const SHORTEST_NAME: usize = 3;

/// Replaces each token by its value, escaped for text and attributes.
///
/// # Errors
/// The name of a token that has no value.
pub(super) fn replace(html: &str, values: &[(&str, &str)]) -> Result<String, String> {
    let mut replaced = String::with_capacity(html.len());
    let mut rest = html;
    while let Some((before, after)) = rest.split_once('%') {
        replaced.push_str(before);
        let Some((name, after_token)) = token(after) else {
            replaced.push('%');
            rest = after;
            continue;
        };
        let value = values.iter().find(|(known, _)| *known == name);
        let (_, value) = value.ok_or_else(|| name.to_owned())?;
        replaced.push_str(&escape(value));
        rest = after_token;
    }
    replaced.push_str(rest);
    Ok(replaced)
}

/// The name of the token whose first `%` was just read, and what follows the token.
fn token(text: &str) -> Option<(&str, &str)> {
    let (name, after) = text.split_once('%')?;
    let is_name =
        name.len() >= SHORTEST_NAME && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    is_name.then_some((name, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUES: [(&str, &str); 2] = [("ZONE", "Asia/Tokyo"), ("MAIL", "a&\"<b>\"@c")];

    #[test]
    fn every_token_is_replaced_and_escaped() {
        assert_eq!(
            replace("%ZONE%<a href=\"mailto:%MAIL%\">%MAIL%</a>%ZONE%%ZONE%", &VALUES).unwrap(),
            "Asia/Tokyo<a href=\"mailto:a&amp;&quot;&lt;b&gt;&quot;@c\">\
             a&amp;&quot;&lt;b&gt;&quot;@c</a>Asia/TokyoAsia/Tokyo"
        );
    }

    #[test]
    fn other_percent_signs_stay() {
        for html in [
            "",
            "100%",
            "width:100%;height:50%}",
            "50% off, 20%",
            "%EF%BB%BF",
            "%zone%",
            "%%",
            "% ZONE%",
        ] {
            assert_eq!(replace(html, &VALUES).unwrap(), html);
        }
        assert_eq!(replace("100%%ZONE%%", &VALUES).unwrap(), "100%Asia/Tokyo%");
    }

    #[test]
    fn a_value_is_not_searched_for_tokens() {
        assert_eq!(replace("%ONE%", &[("ONE", "%TWO%")]).unwrap(), "%TWO%");
    }

    #[test]
    fn an_unknown_token_is_an_error() {
        assert_eq!(
            replace("<p>%ZONE% %SITE_NAME%", &VALUES),
            Err("SITE_NAME".to_owned())
        );
    }
}
