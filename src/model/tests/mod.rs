//! Mechanisms that only a file can describe: forces and tangents of the plan made of them, against energies and differences.

mod groups;
mod rough;
mod surface_contact;
