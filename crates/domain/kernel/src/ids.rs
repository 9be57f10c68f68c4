use crate::Entropy;

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

        impl ::std::convert::From<i64> for $name {
            fn from(number: i64) -> Self {
                Self(number)
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(&self.0, f)
            }
        }
    };
}

/// Defines a hash of 32 bytes, as SHA-256 and HMAC-SHA256 give it.
///
/// ```
/// kernel::hash_type! {
///     /// The hash of a ticket.
///     pub struct TicketHash
/// }
/// assert_eq!(TicketHash::new([7; 32]).as_bytes(), &[7; 32]);
/// ```
#[macro_export]
macro_rules! hash_type {
    ($(#[$attribute:meta])* pub struct $name:ident) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $name([u8; 32]);

        impl $name {
            /// The hash with these bytes, such as a stored one.
            pub const fn new(bytes: [u8; 32]) -> Self {
                Self(bytes)
            }

            /// Its bytes.
            pub const fn as_bytes(&self) -> &[u8; 32] {
                &self.0
            }
        }
    };
}

id_type! {
    /// The id of an entrant. It is not secret, and knowing it grants nothing (D1), but it is random: whoever knows one id
    /// finds no other one by counting (D35).
    pub struct EntrantId
}

id_type! {
    /// The id of a drawing.
    pub struct DrawingId
}

id_type! {
    /// The id of a text message.
    pub struct MessageId
}

impl EntrantId {
    /// The largest id: 52 bits, so that a JavaScript number holds every id exactly.
    pub const MAX: Self = Self((1 << 52) - 1);

    /// A random id from 1 to [`EntrantId::MAX`], each equally likely.
    pub fn random(entropy: &dyn Entropy) -> Self {
        loop {
            let number = i64::from_be_bytes(entropy.bytes()) & Self::MAX.0;
            if number != 0 {
                return Self(number);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::sync::Mutex;

    /// Returns these numbers one after the other, and counts up after the last one.
    struct Numbers(Mutex<Vec<u64>>);

    impl Numbers {
        fn new(numbers: &[u64]) -> Self {
            Self(Mutex::new(numbers.iter().rev().copied().collect()))
        }
    }

    impl Entropy for Numbers {
        fn fill(&self, bytes: &mut [u8]) {
            let mut numbers = self.0.lock().unwrap();
            let next = numbers.pop().unwrap();
            if numbers.is_empty() {
                numbers.push(next.wrapping_add(1));
            }
            bytes.copy_from_slice(&next.to_be_bytes());
        }
    }

    fn draw(numbers: &[u64]) -> i64 {
        EntrantId::random(&Numbers::new(numbers)).get()
    }

    proptest! {
        #[test]
        fn an_id_is_the_lowest_52_bits(number: u64) {
            let id = draw(&[number, 1]);
            prop_assert!((1..1 << 52).contains(&id));
            prop_assert_eq!(id.unsigned_abs(), (number % (1 << 52)).max(1));
        }
    }

    #[test]
    fn each_id_is_drawn_by_as_many_numbers() {
        // 2^64 numbers fall into 2^52 classes of 2^12 each; that of 0 is drawn again.
        for high in [0, 1, 0x7ff, 0x800, 0xfff] {
            assert_eq!(draw(&[high << 52 | 1]), 1);
            assert_eq!(draw(&[high << 52 | ((1 << 52) - 1)]), EntrantId::MAX.get());
            assert_eq!(draw(&[high << 52, high << 52, 5]), 5, "0 is drawn again");
        }
    }

    #[test]
    fn numbers_that_count_up_give_each_id_once() {
        let entropy = Numbers::new(&[0]);
        let ids: Vec<i64> = (0..1_000).map(|_| EntrantId::random(&entropy).get()).collect();
        assert_eq!(ids, (1..=1_000).collect::<Vec<_>>());
    }

    #[test]
    fn the_largest_id_is_exact_in_javascript() {
        assert_eq!(EntrantId::MAX.get(), 4_503_599_627_370_495);
        assert!(EntrantId::MAX.get() < 1 << 53);
    }
}
