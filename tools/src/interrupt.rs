//! Ctrl-C and the signals that end a program: a run stops at its next step and keeps what it has.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, Once, PoisonError};

/// The signal by which the user wants an end; 0 before.
static WANTED: AtomicI32 = AtomicI32::new(0);
/// Folders that nobody needs after this process.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// An end that the user has asked for by a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted {
    signal: i32,
}

impl Interrupted {
    /// The exit status of a process that a signal ends, as shells count: 130 after Ctrl-C.
    pub fn status(self) -> u8 {
        u8::try_from(128 + self.signal).unwrap_or(u8::MAX)
    }
}

/// From now on the first signal is only noted, for [`check`]; a second one, for what does not come
/// back from its step, ends the process and leaves no folder of [`remove_when_forced`].
pub fn watch() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if let Err(error) = on_signal(note) {
            eprintln!("warning: Ctrl-C will not keep the rows of this run: {error}");
        }
    });
}

fn note(signal: i32) {
    if WANTED.swap(signal, Ordering::Relaxed) != 0 {
        let folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
        for folder in folders.iter() {
            // Nobody is left to be told.
            let _ = std::fs::remove_dir_all(folder);
        }
        std::process::exit(Interrupted { signal }.status().into());
    }
}

/// Calls `handler` in a thread of its own with each signal that ends a program.
#[cfg(unix)]
fn on_signal(handler: fn(i32)) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    std::thread::Builder::new().spawn(move || signals.forever().for_each(handler)).map(|_| ())
}

/// Calls `handler` at Ctrl-C, which is all that there is.
#[cfg(not(unix))]
fn on_signal(handler: fn(i32)) -> Result<(), ctrlc::Error> {
    const SIGINT: i32 = 2;
    ctrlc::set_handler(move || handler(SIGINT))
}

/// An error once an end is wanted.
///
/// # Errors
/// After a signal.
pub fn check() -> Result<(), Interrupted> {
    match WANTED.load(Ordering::Relaxed) {
        0 => Ok(()),
        signal => Err(Interrupted { signal }),
    }
}

/// Names a temporary folder that goes even where this process is ended by force.
pub fn remove_when_forced(folder: &Path) {
    let mut folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    folders.push(folder.to_owned());
}
