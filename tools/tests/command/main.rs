//! The command `coulisse`, by what is asked of it.
//!
//! One program: it links once. A theme runs alone by its name,
//! `cargo test -p coulisse-tools --test command pictures::`.

mod bodies;
mod bundled;
mod calls;
mod check;
mod columns;
mod common;
mod contacts;
mod converge;
mod dependencies;
mod descriptions;
mod diagrams;
mod drawn_runs;
#[path = "../../../tests/claims/common/edit.rs"]
mod edit;
mod editor;
mod files;
mod fit;
mod fmi3;
mod friction;
#[cfg(unix)]
mod help;
mod interrupts;
mod linear;
#[allow(dead_code)] // of the claims
#[path = "../../../tests/claims/common/mechanism.rs"]
mod mechanism;
mod meshes;
mod modes;
mod options;
mod packed;
mod pictures;
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
mod platforms;
mod profile;
mod questions;
mod reference;
mod single_runs;
mod statics;
mod studio;
mod sweep;
mod warnings;
mod written;
