//! What the host's `fmi2FMUstate` stands for.
//!
//! Hosts hand a state to another instance than the one it came from, free it through a third, use
//! it after that. So a handle is no address but a number that never comes twice, kept in one table
//! for the process: a handle that is foreign or freed is always noticed and never followed. It is
//! odd, and so never the address of a variable that holds one: a host that passes the state where
//! its variable's address is wanted is noticed, too.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::types::FmuState;
use crate::fmu::{Refusal, Saved};

/// The first handle: no number that a host has by accident, and in the 64 bits of common machines
/// no address. Every FMU in a process has a library and a table of its own, whose place makes the
/// handles of one unknown to the others.
fn first() -> usize {
    let place = (&raw const TABLE).addr();
    ((0x6373 << (usize::BITS - 16)) ^ (place << 16)) | 1
}

struct Table {
    next: usize,
    live: BTreeMap<usize, Arc<Saved>>,
}

static TABLE: Mutex<Table> = Mutex::new(Table { next: 0, live: BTreeMap::new() });

fn table() -> MutexGuard<'static, Table> {
    // Nothing in this module can panic half-way through a change.
    TABLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A new handle for a snapshot.
pub(super) fn keep(snapshot: Saved) -> FmuState {
    let snapshot = Arc::new(snapshot);
    let mut table = table();
    table.next = table.next.wrapping_add(2);
    let handle = first().wrapping_add(table.next);
    table.live.insert(handle, snapshot);
    std::ptr::without_provenance_mut(handle)
}

/// Puts another snapshot behind a live handle.
///
/// # Errors
/// When the handle is not live.
pub(super) fn replace(handle: FmuState, snapshot: Saved) -> Result<(), Refusal> {
    let snapshot = Arc::new(snapshot);
    let old = match table().live.get_mut(&handle.addr()) {
        Some(place) => std::mem::replace(place, snapshot),
        None => return Err(unknown(handle)),
    };
    // After the table is free again: this may be long.
    drop(old);
    Ok(())
}

/// The snapshot behind a handle.
///
/// # Errors
/// When the handle is not live.
pub(super) fn find(handle: FmuState) -> Result<Arc<Saved>, Refusal> {
    let found = table().live.get(&handle.addr()).map(Arc::clone);
    found.ok_or_else(|| unknown(handle))
}

/// Whether a handle is live.
pub(super) fn is_live(handle: FmuState) -> bool {
    table().live.contains_key(&handle.addr())
}

/// Frees a handle.
///
/// # Errors
/// When the handle is not live.
pub(super) fn forget(handle: FmuState) -> Result<(), Refusal> {
    let mut table = table();
    let old = table.live.remove(&handle.addr());
    if table.live.is_empty() {
        // An empty map keeps memory, which a host that unloads the library would lose.
        table.live = BTreeMap::new();
    }
    // After the table is free again: this may be long.
    drop(table);
    old.map(drop).ok_or_else(|| unknown(handle))
}

fn unknown(handle: FmuState) -> Refusal {
    Refusal::error(if handle.is_null() {
        "the state is NULL; allowed: a state from fmi2GetFMUstate or fmi2DeSerializeFMUstate"
            .to_owned()
    } else {
        format!(
            "{handle:p} is no state of this FMU, or one that was freed; \
             allowed: a state from fmi2GetFMUstate or fmi2DeSerializeFMUstate \
             (initialize the variable for a new one with NULL)"
        )
    })
}
