/// Defines the id of a kind of row: a 64-bit number that no other kind of id is mistaken for.
///
/// ```
/// kernel::id_type! {
///     /// The id of a prize.
///     pub struct PrizeId
/// }
/// assert_eq!(PrizeId::new(7).get(), 7);
/// assert_eq!(PrizeId::new(7).to_string(), "7");
/// ```
#[macro_export]
macro_rules! id_type {
    ($(#[$attribute:meta])* pub struct $name:ident) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(i64);

        impl $name {
            /// The id with this number.
            pub const fn new(number: i64) -> Self {
                Self(number)
            }

            /// The number, as it is stored and sent.
            pub const fn get(self) -> i64 {
                self.0
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(&self.0, f)
            }
        }
    };
}

id_type! {
    /// The id of an entrant. It is not secret, and knowing it grants nothing (D1).
    pub struct EntrantId
}
