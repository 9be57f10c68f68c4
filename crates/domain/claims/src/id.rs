kernel::id_type! {
    /// The id of a claim.
    pub struct ClaimId
}
