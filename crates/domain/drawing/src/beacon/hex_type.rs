/// Declares a value of `$bytes` bytes that is written as lower-case hexadecimal digits.
macro_rules! hex_type {
    ($(#[$doc:meta])* pub struct $name:ident([u8; $bytes:literal])) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $name([u8; $bytes]);

        impl $name {
            /// The value with these bytes.
            pub const fn new(bytes: [u8; $bytes]) -> Self {
                Self(bytes)
            }

            /// Its bytes.
            pub const fn as_bytes(&self) -> &[u8; $bytes] {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&hex::encode(self.0))
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}({self})", stringify!($name))
            }
        }

        impl std::str::FromStr for $name {
            type Err = crate::InvalidHex;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                crate::hash::bytes_from_hex(text).map(Self)
            }
        }
    };
}

pub(super) use hex_type;

/// The bytes of a constant in lower-case hexadecimal digits. Anything else does not compile where it is used in a constant.
#[expect(
    clippy::indexing_slicing,
    reason = "it is evaluated when the program is compiled"
)]
pub(super) const fn literal<const N: usize>(text: &str) -> [u8; N] {
    let digits = text.as_bytes();
    assert!(digits.len() == 2 * N, "the constant has another length");
    let (mut bytes, mut at) = ([0; N], 0);
    while at < N {
        bytes[at] = value(digits[2 * at]) << 4 | value(digits[2 * at + 1]);
        at += 1;
    }
    bytes
}

const fn value(digit: u8) -> u8 {
    assert!(
        matches!(digit, b'0'..=b'9' | b'a'..=b'f'),
        "not a lower-case digit"
    );
    match digit {
        b'0'..=b'9' => digit - b'0',
        _ => digit - b'a' + 10,
    }
}
