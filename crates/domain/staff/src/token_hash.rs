/// The SHA-256 of the token of a session or an invitation.
pub type TokenHash = [u8; 32];
