//! Steps of a quasi-static analysis, from one equilibrium to the next.

pub(crate) mod descent;
mod snap_through;
mod stability;
