//! Numbers, addresses and winners' details in answers (D63). What is written in full takes the right of its reader. This module's
//! siblings grant rights, because they know who calls. A test looks for other ways.

use kernel::Phone;
use serde::Serialize;
use std::fmt;

/// The right to read a person's number, address or details in full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Right(());

impl Right {
    /// For the siblings, which have looked at who calls.
    pub(super) const fn granted() -> Self {
        Self(())
    }

    /// Of whoever has just entered with the number: the answer repeats it.
    pub(crate) const fn of_sender() -> Self {
        Self(())
    }
}

/// A person's phone number in an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct ShownNumber(String);

impl ShownNumber {
    /// In full.
    pub(crate) fn full(phone: &Phone, _: Right) -> Self {
        Self(phone.as_e164().to_owned())
    }

    /// The last four digits.
    pub(crate) fn masked(phone: &Phone) -> Self {
        Self(phone.masked())
    }

    /// In full for whoever has the right, else the last four digits.
    pub(crate) fn to(right: Option<Right>, phone: &Phone) -> Self {
        match right {
            Some(right) => Self::full(phone, right),
            None => Self::masked(phone),
        }
    }

    /// As [`Self::to`], or the word that stands for the number of an erased person.
    pub(crate) fn or_erased(right: Option<Right>, phone: Option<&Phone>) -> Self {
        phone.map_or_else(|| Self("erased".to_owned()), |phone| Self::to(right, phone))
    }
}

impl fmt::Display for ShownNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A person's IP address, or their network, in an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct ShownAddress(String);

impl ShownAddress {
    /// In full; there is no other way.
    pub(crate) fn full(address: impl fmt::Display, _: Right) -> Self {
        Self(address.to_string())
    }
}

/// A number that the site texts from. It is nobody's.
pub(crate) fn site_number(phone: &Phone) -> String {
    phone.as_e164().to_owned()
}
