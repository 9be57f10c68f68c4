kernel::id_type! {
    /// The id of a commitment.
    pub struct CommitmentId
}
