//! A global allocator that counts what the calling thread asks for.
#![allow(dead_code, unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    // `const` and without a destructor: reading them allocates nothing.
    static REQUESTS: Cell<u64> = const { Cell::new(0) };
    static LIVE: Cell<i64> = const { Cell::new(0) };
    static PEAK: Cell<i64> = const { Cell::new(0) };
}

/// The system's allocator with counters. A request is an allocation or a change of size.
pub struct Counting;

/// Number of requests of this thread while `action` runs.
pub fn requests(action: impl FnOnce()) -> u64 {
    let before = REQUESTS.get();
    action();
    REQUESTS.get() - before
}

/// Bytes that this thread holds after `action` and did not hold before, with its result.
pub fn held<T>(action: impl FnOnce() -> T) -> (i64, T) {
    let before = LIVE.get();
    let result = action();
    (LIVE.get() - before, result)
}

/// Most bytes that this thread held at a time while `action` ran, beyond those before, with its result.
pub fn peak<T>(action: impl FnOnce() -> T) -> (i64, T) {
    let before = LIVE.get();
    PEAK.set(before);
    let result = action();
    (PEAK.get() - before, result)
}

fn count(requests: u64, bytes: i64) {
    // A thread that is being torn down has no counters any more.
    let _ = REQUESTS.try_with(|r| r.set(r.get() + requests));
    let live = LIVE.try_with(|l| {
        l.set(l.get() + bytes);
        l.get()
    });
    let _ = PEAK.try_with(|p| p.set(p.get().max(live.unwrap_or(0))));
}

// SAFETY: every call goes to the system's allocator with the arguments as they came; the counters
// are plain cells of the thread and never allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(1, layout.size() as i64);
        // SAFETY: as required of our caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(1, layout.size() as i64);
        // SAFETY: as required of our caller.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(0, -(layout.size() as i64));
        // SAFETY: as required of our caller.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(1, size as i64 - layout.size() as i64);
        // SAFETY: as required of our caller.
        unsafe { System.realloc(block, layout, size) }
    }
}
