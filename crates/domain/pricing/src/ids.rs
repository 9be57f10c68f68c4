kernel::id_type! {
    /// The id of an entry package.
    pub struct PackageId
}

kernel::id_type! {
    /// The id of a purchase.
    pub struct PurchaseId
}

/// Whether this is an id of the provider: 1 to 255 ASCII letters, digits and underscores.
pub(crate) fn is_provider_id(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    (1..=255).contains(&text.len()) && text.bytes().all(is_allowed)
}
