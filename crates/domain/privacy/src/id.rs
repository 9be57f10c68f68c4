kernel::id_type! {
    /// The id of a request for data.
    pub struct DataRequestId
}
