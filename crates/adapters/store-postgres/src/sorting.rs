//! `ORDER BY` of the lists that staff sort.

use kernel::SortOrder;

/// By this column and then by id, so that pages neither repeat nor skip a row.
pub(crate) fn order_by(column: &str, id: &str, order: SortOrder) -> String {
    let direction = match order {
        SortOrder::Descending => "DESC",
        SortOrder::Ascending => "ASC",
    };
    format!("ORDER BY {column} {direction}, {id} {direction}")
}
