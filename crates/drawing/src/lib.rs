//! The drawing: the entrants' commitment, the derivation of the winner, the proof.
//!
//! A pure, repeatable function of the frozen entrants and a committed seed (D16, D17): no clock, no store, no
//! randomness of its own. It has no work until the drawing itself is built.
