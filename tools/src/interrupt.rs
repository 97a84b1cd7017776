//! Ctrl-C and the signals that end a program: a run stops at its next step and keeps what it has.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};

use anyhow::{Result, bail};

/// Whether the user wants an end.
static WANTED: AtomicBool = AtomicBool::new(false);
/// Folders that nobody needs after this process.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// From now on the first signal is only noted, for [`check`]; a second one, for what does not come
/// back from its step, ends the process and leaves no folder of [`remove_when_forced`].
pub fn watch() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let handler = || {
            if WANTED.swap(true, Ordering::Relaxed) {
                let folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
                for folder in folders.iter() {
                    // Nobody is left to be told.
                    let _ = std::fs::remove_dir_all(folder);
                }
                std::process::exit(130);
            }
        };
        if let Err(error) = ctrlc::set_handler(handler) {
            eprintln!("warning: Ctrl-C will not keep the rows of this run: {error}");
        }
    });
}

/// An error once an end is wanted.
///
/// # Errors
/// After a signal.
pub fn check() -> Result<()> {
    if WANTED.load(Ordering::Relaxed) {
        bail!("interrupted");
    }
    Ok(())
}

/// Names a temporary folder that goes even where this process is ended by force.
pub fn remove_when_forced(folder: &Path) {
    let mut folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    folders.push(folder.to_owned());
}
