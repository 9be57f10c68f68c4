use std::fmt;

kernel::id_type! {
    /// The id of an entry package.
    pub struct PackageId
}

kernel::id_type! {
    /// The id of a purchase.
    pub struct PurchaseId
}

/// Whether this is an id of the provider: 1 to 255 ASCII letters, digits and underscores.
fn is_provider_id(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    (1..=255).contains(&text.len()) && text.bytes().all(is_allowed)
}

/// Defines the provider's id of a kind of object.
macro_rules! provider_id {
    ($(#[$doc:meta])* pub struct $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// Parses an id: 1 to 255 ASCII letters, digits and underscores.
            pub fn parse(text: &str) -> Option<Self> {
                is_provider_id(text).then(|| Self(text.to_owned()))
            }

            /// The id.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

provider_id! {
    /// The provider's id of a payment intent.
    pub struct IntentId
}

provider_id! {
    /// The provider's id of a customer.
    pub struct CustomerId
}

provider_id! {
    /// The provider's id of a refund.
    pub struct RefundId
}

provider_id! {
    /// The provider's id of a dispute.
    pub struct DisputeId
}
