//! What every page of a demo says. It is put in by the server, so that no built page holds it.

/// Before everything else on the page, which it moves down by its height from the first paint on.
pub(super) const BANNER: &str = "<aside class=\"demo-banner\" aria-label=\"Demo\"><b>This is a demo.</b> Nothing here is real: \
    no card is charged, no text is sent and nothing can be won.</aside>";

/// The banner's own colours, by day and by night, on the pages of visitors and of staff alike.
pub(super) const STYLE: &str = ".demo-banner{margin:0;padding:8px 16px;border-bottom:2px dashed #f2c14e;color:#fdf3dc;\
    background:#2a2016;font:14px/1.45 system-ui,'Segoe UI',Roboto,sans-serif;text-align:center;text-wrap:balance}\
    .demo-banner b{color:#f2c14e}";

/// Where the banner goes: what stands in `#root` belongs to React.
const ROOT: &str = "<div id=\"root\">";

/// The script that plays the payment provider's, as `crates/stripe-stand-in` serves it.
pub(super) fn script(stand_in: &str) -> String {
    format!("<script defer src=\"{stand_in}/browser/stripe.js\"></script>")
}

/// The page with the banner; `None` without a place for it.
pub(super) fn with_banner(html: &str) -> Option<String> {
    let (before, after) = html.split_once(ROOT)?;
    Some(format!("{before}{BANNER}{ROOT}{after}"))
}
