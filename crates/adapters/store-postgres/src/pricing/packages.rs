use crate::PgTx;
use crate::schema::entry_packages;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_types::Bool;
use kernel::{Money, PageRequest, StoreError};
use pricing::{EntryCount, NewPackage, Package, PackageId, PackageText, Packages};

#[derive(Queryable, Selectable)]
#[diesel(table_name = entry_packages)]
struct Row {
    id: i64,
    name: String,
    entries: i64,
    price: i64,
    is_popular: bool,
    is_active: bool,
    description: String,
    sort_order: i64,
    created_at: DateTime<Utc>,
}

#[derive(Insertable, AsChangeset)]
#[diesel(table_name = entry_packages)]
struct OfferRow<'a> {
    name: &'a str,
    entries: i64,
    price: i64,
    is_popular: bool,
    is_active: bool,
    description: &'a str,
    sort_order: i64,
}

impl<'a> From<&'a NewPackage> for OfferRow<'a> {
    fn from(offer: &'a NewPackage) -> Self {
        Self {
            name: offer.name.as_str(),
            entries: offer.entries.get(),
            price: offer.price.cents(),
            is_popular: offer.is_popular,
            is_active: offer.is_active,
            description: offer.description.as_str(),
            sort_order: offer.sort_order.into(),
        }
    }
}

impl TryFrom<Row> for Package {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let corrupt = |column| StoreError::corrupt("entry_packages", column, row.id);
        let name = PackageText::parse(&row.name, PackageText::NAME_CHARS);
        let description = PackageText::parse(&row.description, PackageText::DESCRIPTION_CHARS);
        let offer = NewPackage {
            name: name.ok_or_else(|| corrupt("name"))?,
            description: description.ok_or_else(|| corrupt("description"))?,
            entries: EntryCount::new(row.entries).ok_or_else(|| corrupt("entries"))?,
            price: Money::from_cents(row.price).ok_or_else(|| corrupt("price"))?,
            is_popular: row.is_popular,
            is_active: row.is_active,
            sort_order: u32::try_from(row.sort_order).map_err(|_| corrupt("sort_order"))?,
        };
        Ok(Self {
            id: PackageId::new(row.id),
            offer,
            created_at: row.created_at,
        })
    }
}

impl Packages for PgTx {
    fn add_package(&mut self, offer: &NewPackage, at: DateTime<Utc>) -> Result<PackageId, StoreError> {
        let row = (OfferRow::from(offer), entry_packages::created_at.eq(at));
        let insert = diesel::insert_into(entry_packages::table)
            .values(row)
            .returning(entry_packages::id);
        self.query(|connection| insert.get_result(connection))
            .map(PackageId::new)
    }

    fn change_package(&mut self, id: PackageId, offer: &NewPackage) -> Result<bool, StoreError> {
        let update = diesel::update(entry_packages::table.find(id.get())).set(OfferRow::from(offer));
        let changed = self.query(|connection| update.execute(connection))?;
        Ok(changed > 0)
    }

    fn delete_package(&mut self, id: PackageId) -> Result<bool, StoreError> {
        let row = entry_packages::table.find(id.get());
        let deleted = self.query(|connection| diesel::delete(row).execute(connection))?;
        Ok(deleted > 0)
    }

    fn find_package(&self, id: PackageId) -> Result<Option<Package>, StoreError> {
        let query = entry_packages::table.find(id.get()).select(Row::as_select());
        self.query(|connection| query.first(connection).optional())?
            .map(Package::try_from)
            .transpose()
    }

    fn list_packages(&self, only_active: bool, page: PageRequest) -> Result<Vec<Package>, StoreError> {
        let query = entry_packages::table
            .filter(entry_packages::is_active.or((!only_active).into_sql::<Bool>()))
            .order((entry_packages::sort_order, entry_packages::id))
            .limit(page.limit.into())
            .offset(page.offset.into())
            .select(Row::as_select());
        let rows: Vec<Row> = self.query(|connection| query.load(connection))?;
        rows.into_iter().map(Package::try_from).collect()
    }

    fn count_packages(&self) -> Result<i64, StoreError> {
        let query = entry_packages::table.count();
        self.query(|connection| query.get_result(connection))
    }
}
