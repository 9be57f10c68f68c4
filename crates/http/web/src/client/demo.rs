//! The banner of a demo. The server inserts it, so that no built page contains it.

use super::escape::escape;

/// The first element of the page. It is there at the first paint, so that nothing moves later.
pub(super) const BANNER: &str = "<aside class=\"demo-banner\" aria-label=\"Demo\"><b>This is a demo.</b> Nothing here is real: \
    no card is charged, no text is sent and nothing can be won.</aside>";

/// The banner where sign-ups need a code: it says where the code is.
fn banner_with_inbox(inbox: &str) -> String {
    let link = format!(
        " <a href=\"{}\" target=\"_blank\" rel=\"noopener\">Codes arrive here</a>.</aside>",
        escape(inbox)
    );
    BANNER.replace("</aside>", &link)
}

/// The banner's colors: the same in light and dark mode, for visitors and for staff.
pub(super) const STYLE: &str = ".demo-banner{margin:0;padding:8px 16px;border-bottom:2px dashed #f2c14e;color:#fdf3dc;\
    background:#2a2016;font:14px/1.45 system-ui,'Segoe UI',Roboto,sans-serif;text-align:center;text-wrap:balance}\
    .demo-banner b,.demo-banner a{color:#f2c14e}";

/// The banner goes before this element: React owns its content.
const ROOT: &str = "<div id=\"root\">";

/// The script that replaces the payment provider's, served by `crates/testing/stand-ins/src/stripe`.
pub(super) fn script(stand_in: &str) -> String {
    format!("<script defer src=\"{stand_in}/browser/stripe.js\"></script>")
}

/// The page with the banner, or `None` if the page has no `#root`. `inbox` is the address of the texts that were sent.
pub(super) fn with_banner(html: &str, inbox: Option<&str>) -> Option<String> {
    let (before, after) = html.split_once(ROOT)?;
    let banner = inbox.map_or_else(|| BANNER.to_owned(), banner_with_inbox);
    Some(format!("{before}{banner}{ROOT}{after}"))
}
