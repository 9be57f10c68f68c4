//! Tokens in the HTML of a page, such as `%CONTACT_EMAIL%`, which stand for settings that the build does not know.

use super::ClientError;
use super::escape::escape;

/// Shorter names are not tokens: `%EF%BB` is a percent-encoded URL.
const SHORTEST_NAME: usize = 3;

/// The names of the tokens and their values.
pub(super) struct Tokens<'a>(pub(super) Vec<(&'static str, &'a str)>);

impl Tokens<'_> {
    /// HTML with every token replaced by its value, escaped for text and attributes. The HTML may be a template: what looks
    /// like a place of one in a value stays text.
    pub(super) fn fill_html(&self, file: &str, html: &str) -> Result<String, ClientError> {
        self.fill(file, html, |value| escape(value).replace('{', "&#123;"))
    }

    /// Plain text with every token replaced by its value as it is.
    pub(super) fn fill_text(&self, file: &str, text: &str) -> Result<String, ClientError> {
        self.fill(file, text, str::to_owned)
    }

    /// JSON whose strings have tokens in them.
    pub(super) fn fill_json(&self, file: &str, json: &str) -> Result<String, ClientError> {
        self.fill(file, json, |value| {
            let string = serde_json::Value::from(value).to_string();
            let inside = string.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
            inside.unwrap_or_default().to_owned()
        })
    }

    fn fill(&self, file: &str, text: &str, escape: fn(&str) -> String) -> Result<String, ClientError> {
        replace(text, &self.0, escape).map_err(|token| ClientError::UnknownToken {
            file: file.to_owned(),
            token,
        })
    }
}

/// Replaces each token by its value, as `escape` writes it.
///
/// # Errors
/// The name of a token that has no value.
fn replace(html: &str, values: &[(&str, &str)], escape: fn(&str) -> String) -> Result<String, String> {
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
            replace(
                "%ZONE%<a href=\"mailto:%MAIL%\">%MAIL%</a>%ZONE%%ZONE%",
                &VALUES,
                escape
            )
            .unwrap(),
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
            assert_eq!(replace(html, &VALUES, escape).unwrap(), html);
        }
        assert_eq!(
            replace("100%%ZONE%%", &VALUES, escape).unwrap(),
            "100%Asia/Tokyo%"
        );
    }

    #[test]
    fn a_value_is_not_searched_for_tokens() {
        assert_eq!(replace("%ONE%", &[("ONE", "%TWO%")], escape).unwrap(), "%TWO%");
    }

    #[test]
    fn an_unknown_token_is_an_error() {
        assert_eq!(
            replace("<p>%ZONE% %OTHER_NAME%", &VALUES, escape),
            Err("OTHER_NAME".to_owned())
        );
    }

    #[test]
    fn a_value_is_no_part_of_a_template() {
        let tokens = Tokens(vec![("SPONSOR", "{{ 1 }} {% if a %} {# b #}")]);
        assert_eq!(
            tokens.fill_html("t", "{{ place }} %SPONSOR%").unwrap(),
            "{{ place }} &#123;&#123; 1 }} &#123;% if a %} &#123;# b #}"
        );
    }

    #[test]
    fn text_and_json_are_written_in_their_own_way() {
        let tokens = Tokens(vec![("MAIL", "a&\"b\"\\")]);
        assert_eq!(tokens.fill_text("t", "%MAIL%").unwrap(), "a&\"b\"\\");
        assert_eq!(
            tokens.fill_json("t", "{\"name\": \"%MAIL%\"}").unwrap(),
            "{\"name\": \"a&\\\"b\\\"\\\\\"}"
        );
    }
}
