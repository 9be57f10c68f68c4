//! Entry packages, purchases and their states, and the `Payments` gateway port (D7 to D9).
//!
//! Prices are the server's, in whole cents; a purchase is credited exactly once. It has no work until packages are sold.
