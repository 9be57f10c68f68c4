//! Text in HTML and XML.

/// Text as HTML and XML write it, in elements and in attributes; React writes it like this, too.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#x27;")
}
