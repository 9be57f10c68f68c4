kernel::id_type! {
    /// The id of a drawing.
    pub struct DrawingId
}

kernel::id_type! {
    /// The id of a commitment.
    pub struct CommitmentId
}
