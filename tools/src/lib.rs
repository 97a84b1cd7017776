//! What the command `coulisse` and the studio share: findings, drawings, runs with their films and pages, packed FMUs.
//!
//! It compiles for browsers too. What loads libraries, unpacks FMUs or writes on a terminal belongs to the command alone, whose modules
//! are in `main.rs`.

pub mod animation;
pub mod archive;
pub mod bundled;
#[cfg(not(target_family = "wasm"))]
pub mod component;
pub mod convergence;
pub mod description;
pub mod documentation;
pub mod drawing;
pub mod equilibria;
pub mod extremes;
pub mod files;
pub mod film;
pub mod findings;
pub mod ground;
pub mod host;
pub mod inventory;
pub mod jamming;
pub mod law;
pub mod library;
pub mod master;
pub mod motion;
pub mod number;
pub mod numpy;
pub mod outline;
pub mod page;
pub mod results;
pub mod rows;
pub mod schema;
pub mod sensitivity;
pub mod shapes;
pub mod svg;
pub mod table;
pub mod template;
pub mod terminals;
mod universal;
pub mod warnings;
pub mod xlsx;

use std::io::{ErrorKind, Write};

use anyhow::{Context, Result};

/// Prints to the terminal or a pipe. A reader that has seen enough, as `head`, is no failure.
///
/// # Errors
/// When it cannot be written.
pub fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    let written = writeln!(out, "{}", text.trim_end()).and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(error).context("cannot print the result")
        }
        _ => Ok(()),
    }
}
