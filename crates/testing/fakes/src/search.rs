use kernel::{Phone, TextSearch};

/// Whether one of the texts or the number contains what is searched for. Without a search everything does.
pub(crate) fn found(search: Option<&TextSearch>, texts: &[&str], phone: &Phone) -> bool {
    let Some(search) = search else {
        return true;
    };
    let part = search.text.as_str().to_ascii_lowercase();
    let digits = search.digits.as_deref();
    texts.iter().any(|text| text.to_ascii_lowercase().contains(&part))
        || digits.is_some_and(|digits| phone.as_e164().contains(digits))
}
