//! What the domain `fraud` stores.

mod appeals;
mod detection;
mod evidence;
mod flags;
mod shared_networks;
