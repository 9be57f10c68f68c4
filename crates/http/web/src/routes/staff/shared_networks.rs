//! The networks that many people share.

use super::Store;
use crate::ApiError;
use crate::callers::admin::{Admin, may};
use crate::http::body::{Body, JsonBody};
use crate::http::field::{Field, WithExample, text, texts};
use crate::http::fields::{REQUIRED, message, no_phone_number};
use crate::http::path_id::PathId;
use crate::http::query::{PageQuery, Params};
use crate::http::responses::{Created, Listed, page_of};
use crate::http::views::SuccessView;
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, staff_routes};
use actix_web::http::StatusCode;
use actix_web::web::Json;
use chrono::{DateTime, Utc};
use fraud::{NewSharedNetwork, SharedNetwork, SharedNetworkId};
use kernel::{Network, StoredText, StoredTextError};
use serde::{Deserialize, Serialize};
use usecases::shared_networks::SharedNetworksError;
use utoipa::ToSchema;
use validator::Validate;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); list::<S>, add::<S>, remove::<S>]
}

impl From<SharedNetworksError> for ApiError {
    fn from(error: SharedNetworksError) -> Self {
        match error {
            SharedNetworksError::AlreadyListed => Self::new(
                StatusCode::CONFLICT,
                "network_listed",
                "This network is on the list already.",
            ),
            SharedNetworksError::Unknown => Self::not_found(),
            SharedNetworksError::Store(error) => error.into(),
        }
    }
}

/// A network that many people share.
#[derive(Deserialize, Validate, ToSchema)]
pub(crate) struct SharedNetworkBody {
    /// An address, or a network that is not wider than /20, or /40 for IPv6. It is stored as the network's first address and
    /// its prefix; an IPv6 address stands for its /64.
    #[schema(inline)]
    #[validate(nested)]
    network: NetworkField,
    /// What it is called.
    #[schema(inline)]
    #[validate(nested)]
    label: LabelField,
}

impl JsonBody for SharedNetworkBody {}

impl SharedNetworkBody {
    fn new_network(self) -> Result<NewSharedNetwork, ApiError> {
        Ok(NewSharedNetwork::new(
            self.network.value()?,
            self.label.value()?.0,
        ))
    }
}

type NetworkField = Field<Network>;
type LabelField = Field<NetworkLabel>;

texts! {
    Network: text().min_length(Some(1)).max_length(Some(64)).with_example("198.51.100.0/24"),
        |sent| NewSharedNetwork::read_network(&sent).map_err(|error| message(error.to_string()));
}

struct NetworkLabel(StoredText);

texts! {
    NetworkLabel: text().min_length(Some(1)).max_length(Some(80)).with_example("Springfield University"),
        |sent| {
            no_phone_number(&sent)?;
            match NewSharedNetwork::read_label(&sent) {
                Ok(label) => Ok(Self(label)),
                Err(StoredTextError::Blank) => Err(message(REQUIRED)),
                Err(StoredTextError::TooLong | StoredTextError::ControlCharacter) => {
                    Err(message("Must be one line of at most 80 characters"))
                }
            }
        };
}

/// A network that many people share.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SharedNetworkView {
    id: i64,
    /// An IPv4 address, or a network in CIDR form.
    #[schema(example = "198.51.100.0/24")]
    network: String,
    label: String,
    created_at: DateTime<Utc>,
}

impl From<SharedNetwork> for SharedNetworkView {
    fn from(shared: SharedNetwork) -> Self {
        Self {
            id: shared.id.get(),
            network: shared.network.to_string(),
            label: shared.label,
            created_at: shared.created_at,
        }
    }
}

/// A page of shared networks.
#[derive(Serialize, ToSchema)]
pub(crate) struct SharedNetworksView {
    networks: Vec<SharedNetworkView>,
}

/// Lists the networks that many people share, newest first. `X-Total-Count` has their number.
#[utoipa::path(
    get,
    path = "/api/admin/fraud/networks",
    operation_id = "list_shared_networks"
)]
pub(crate) async fn list<S: Store>(
    admin: Admin<S, may::ViewPeople>,
    Params(page): Params<PageQuery>,
) -> Result<Listed<SharedNetworksView>, ApiError> {
    let (networks, total) = admin
        .run(move |call| usecases::shared_networks::list(call.store, page))
        .await?;
    let networks = networks.into_iter().map(Into::into).collect();
    Ok(page_of(total, SharedNetworksView { networks }))
}

/// Lists a network that many people share. Fraud detection then flags nobody only for being on it; flags that exist stay.
#[utoipa::path(
    post, path = "/api/admin/fraud/networks", operation_id = "add_shared_network",
    responses((status = 409, description = "`network_listed`: the network is on the list already"))
)]
pub(crate) async fn add<S: Store>(
    admin: Admin<S, may::ManageFlags>,
    body: Body<SharedNetworkBody>,
) -> Result<Created<SharedNetworkView>, ApiError> {
    let new = body.valid()?.new_network()?;
    let added = admin
        .run(move |call| usecases::shared_networks::add(call.store, call.clock, call.actor, &new))
        .await?;
    Ok(Created(SharedNetworkView::from(added)))
}

/// Removes a network from the list. The next fraud detection checks its accounts again.
#[utoipa::path(
    delete,
    path = "/api/admin/fraud/networks/{id}",
    operation_id = "remove_shared_network"
)]
pub(crate) async fn remove<S: Store>(
    admin: Admin<S, may::ManageFlags>,
    PathId(id): PathId<SharedNetworkId>,
) -> Result<Json<SuccessView>, ApiError> {
    admin
        .run(move |call| usecases::shared_networks::remove(call.store, call.clock, call.actor, id))
        .await?;
    Ok(Json(SuccessView::new()))
}
