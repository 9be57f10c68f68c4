kernel::id_type! {
    /// The id of an entry package.
    pub struct PackageId
}

kernel::id_type! {
    /// The id of a purchase.
    pub struct PurchaseId
}
