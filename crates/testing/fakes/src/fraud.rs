//! Flags, detection, appeals and shared networks in memory.

mod appeals;
mod flags;
mod shared_networks;
