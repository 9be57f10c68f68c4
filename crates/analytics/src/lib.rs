//! Page views, the conversion funnel, fraud signals and their aggregates (D11, D12, D26 to D28).
//!
//! Figures are folded from events and can always be counted again from them. It has no work until views are collected.
