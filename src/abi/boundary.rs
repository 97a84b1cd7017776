//! The door between C and Rust: handles, pointers, the host's logger.

use std::cell::UnsafeCell;
use std::ffi::CStr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use super::floating_point::HostSettings;
use super::logger::HostLogger;
use super::types::{Bool, Component, Environment, IntermediateUpdate, Real, Text};
use crate::fmu::guard::panic_text;
use crate::fmu::{Call, Category, Host, Log, Mode, Plan, Protocol, Refusal, Status, Unit};

/// Marks a live handle; anything else behind the pointer is not ours.
const MAGIC: u64 = 0x636f_756c_6973_7365;

/// What the host's `fmi2Component` or `fmi3Instance` points to.
struct Handle {
    magic: u64,
    /// Set during a call: the host's logger may call back into the same instance, and a careless
    /// host may use it from two threads.
    busy: AtomicBool,
    logger: HostLogger,
    /// What a host of FMI 3.0 wants to be called back with.
    update: UnsafeCell<Option<CallBack>>,
    instance: UnsafeCell<Unit>,
}

/// What a host asks for when it makes an instance.
pub(super) struct Asked<'a> {
    /// The function that it calls.
    pub call: &'static str,
    pub logger: HostLogger,
    pub logging_on: bool,
    pub name: Option<&'a str>,
    pub guid: Option<&'a str>,
    pub host: Host,
}

/// Makes an instance; NULL with a message in the host's log if that is not possible. `ready` gives what the instance is made for, and the
/// folder of the model.
pub(super) fn instantiate(
    asked: Asked<'_>, ready: impl FnOnce() -> Result<(Protocol, PathBuf), Refusal>,
) -> Component {
    let _host = HostSettings::set_aside();
    let Asked { logger, logging_on, host, .. } = &asked;
    let made = catch_unwind(AssertUnwindSafe(|| {
        let log = Log::new(Box::new(logger.clone()), *logging_on);
        let (protocol, plan) = prepare(&asked, ready)?;
        Ok(plan.start(*host, protocol, log))
    }))
    .unwrap_or_else(|panic| {
        Err(Refusal::error(format!(
            "a defect of coulisse, not of the model: {}; please report it with the model file",
            panic_text(panic.as_ref())
        )))
    });
    match made {
        Ok(instance) => Box::into_raw(Box::new(Handle {
            magic: MAGIC,
            busy: AtomicBool::new(false),
            logger: asked.logger,
            update: UnsafeCell::new(None),
            instance: UnsafeCell::new(instance),
        }))
        .cast(),
        Err(refusal) => {
            logger.say(Status::Error, Category::Error, &refusal.message);
            std::ptr::null_mut()
        }
    }
}

/// Checks what is asked for, and reads the model.
fn prepare(
    asked: &Asked<'_>, ready: impl FnOnce() -> Result<(Protocol, PathBuf), Refusal>,
) -> Result<(Protocol, Plan), Refusal> {
    let call = asked.call;
    if asked.name.is_none_or(|name| name.trim().is_empty()) {
        return Err(Refusal::error(format!(
            "{call}: the instance name is missing or not UTF-8; allowed: any text that is not empty"
        )));
    }
    let named = if asked.host.version_3 { "instantiation token" } else { "guid" };
    let guid = asked.guid.ok_or_else(|| {
        Refusal::error(format!(
            "{call}: the {named} is missing or not UTF-8; pass that of modelDescription.xml"
        ))
    })?;
    let (protocol, folder) = ready()?;
    let plan = Plan::load(&folder)?;
    if guid.trim() == plan.guid() {
        return Ok((protocol, plan));
    }
    Err(Refusal::error(format!(
        "{call}: the host passed the {named} {guid}, but resources/{} with this library has {}; pass the {named} of the FMU's \
         modelDescription.xml; where that is the one that was passed, the description, the model file and the library were made \
         separately: pack the model again ({})",
        plan.file(),
        plan.guid(),
        super::SOURCES
    )))
}

/// Frees an instance; NULL is allowed.
///
/// # Safety
/// `component` is NULL or came from [`instantiate`] and was not freed.
pub(super) unsafe fn free(component: Component) {
    // SAFETY: the caller's promise.
    let Some(handle) = (unsafe { live(component) }) else {
        return;
    };
    if handle.busy.swap(true, Ordering::Acquire) {
        handle.logger.say(
            Status::Error,
            Category::Error,
            "fmi2FreeInstance: another call on this instance has not returned; not freed",
        );
        return;
    }
    // SAFETY: `busy` was clear and is ours now.
    if unsafe { &*handle.instance.get() }.mode() == Mode::Intermediate {
        handle.logger.say(
            Status::Error,
            Category::Error,
            "fmi2FreeInstance: a communication step is under way; not freed",
        );
        handle.busy.store(false, Ordering::Release);
        return;
    }
    let handle: *mut Handle = component.cast();
    // SAFETY: live and not busy, so this is the only use of it; made by `Box::into_raw`. The mark
    // goes first, so that a second free is likely to be noticed.
    let handle = unsafe {
        (*handle).magic = 0;
        Box::from_raw(handle)
    };
    // A panic in a destructor has no one left to report to.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(handle)));
}

/// The handle behind a component, if it is one.
///
/// # Safety
/// `component` is NULL, or readable memory for the size of a handle.
unsafe fn live<'a>(component: Component) -> Option<&'a Handle> {
    let handle: *const Handle = component.cast();
    if handle.is_null() || !handle.is_aligned() {
        return None;
    }
    // SAFETY: not null, aligned, readable by the caller's promise; volatile, so that the mark of a
    // freed handle is not assumed from what was there before.
    let magic = unsafe { (&raw const (*handle).magic).read_volatile() };
    // SAFETY: the mark says that `instantiate` made it and `free` did not take it.
    (magic == MAGIC).then(|| unsafe { &*handle })
}

/// The one door of all functions that take an instance.
///
/// # Safety
/// `component` is NULL or came from [`instantiate`] and was not freed.
pub(super) unsafe fn enter<R: Into<Status>>(
    component: Component, call: Call, action: impl FnOnce(&mut Unit) -> Result<R, Refusal>,
) -> Status {
    // SAFETY: the caller's promise.
    let Some(handle) = (unsafe { live(component) }) else {
        return Status::Error;
    };
    if handle.busy.swap(true, Ordering::Acquire) {
        let text = format!(
            "{}: another call on this instance has not returned; \
             use one instance from one thread at a time, and not from its logger",
            call.name()
        );
        handle.logger.say(Status::Error, Category::Error, &text);
        return Status::Error;
    }
    let _host = HostSettings::set_aside();
    // SAFETY: `busy` was clear and is ours now, so no other reference to the instance exists.
    let instance = unsafe { &mut *handle.instance.get() };
    let status = instance.perform(call, action);
    handle.busy.store(false, Ordering::Release);
    status
}

/// What a host is called back with behind each step of the solver.
#[derive(Debug, Clone, Copy)]
pub(super) struct CallBack {
    pub environment: Environment,
    pub update: IntermediateUpdate,
    /// Whether it may ask for an early return.
    pub early_return: bool,
}

/// Keeps what the host wants to be called back with.
///
/// # Safety
/// `component` is NULL or came from [`instantiate`] just now.
pub(super) unsafe fn call_back(component: Component, update: Option<CallBack>) {
    // SAFETY: the caller's promise.
    if let Some(handle) = unsafe { live(component) } {
        // SAFETY: nobody else has the handle yet.
        unsafe { *handle.update.get() = update };
    }
}

/// Calls the host back in a communication step; the time at which it wants to end it, s, where it does.
///
/// # Safety
/// `component` is NULL or came from [`instantiate`] and was not freed, and no call on it is under way.
pub(super) unsafe fn update(component: Component) -> Option<f64> {
    // SAFETY: the caller's promise.
    let handle = unsafe { live(component) }?;
    // SAFETY: written before the host had the handle.
    let CallBack { environment, update, early_return } = unsafe { *handle.update.get() }?;
    // SAFETY: no call is under way, and the reference is gone before the host is called.
    let time = unsafe { &*handle.instance.get() }.time();
    let (mut wanted, mut at): (Bool, Real) = (0, time);
    // SAFETY: the function and its environment came together from the host; both places outlive the call.
    unsafe {
        update(environment, time, true, true, true, early_return, &raw mut wanted, &raw mut at)
    };
    (wanted != 0 && early_return).then(|| if at.is_nan() { time } else { at })
}

/// A call that is never legal here: its reason goes to the log.
///
/// # Safety
/// As for [`enter`].
pub(super) unsafe fn refuse(component: Component, call: Call) -> Status {
    // SAFETY: the caller's promise. The table of legal calls refuses before the action runs.
    unsafe { enter(component, call, |_| Ok(Status::Error)) }
}

/// A text of the host; `None` for NULL and for what is not UTF-8.
///
/// # Safety
/// `pointer` is NULL or ends with a zero byte and lives as long as it is used.
pub(super) unsafe fn text<'a>(pointer: Text) -> Option<&'a str> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: not null, ends with a zero byte by the caller's promise.
    unsafe { CStr::from_ptr(pointer) }.to_str().ok()
}

/// `length` values that the host hands over.
///
/// # Errors
/// When the pointer is NULL or misaligned although there should be values, or the length is absurd.
///
/// # Safety
/// `pointer` is NULL, or points to `length` values that stay as they are while they are used.
pub(super) unsafe fn values<'a, T>(
    what: &str, pointer: *const T, length: usize,
) -> Result<&'a [T], Refusal> {
    if length == 0 {
        return Ok(&[]);
    }
    usable(what, pointer, length)?;
    // SAFETY: not null, aligned, of a possible length; the rest is the caller's promise.
    Ok(unsafe { std::slice::from_raw_parts(pointer, length) })
}

/// A place in the host's memory that is written, never read: it need not hold values before.
pub(super) struct Place<T> {
    pointer: *mut T,
    length: usize,
}

impl<T> Place<T> {
    /// Room for `length` values at `pointer`.
    ///
    /// # Errors
    /// As for [`values`].
    ///
    /// # Safety
    /// `pointer` is NULL, or room for `length` values as long as the place is used.
    pub(super) unsafe fn new(
        what: &str, pointer: *mut T, length: usize,
    ) -> Result<Place<T>, Refusal> {
        if length > 0 {
            usable(what, pointer, length)?;
        }
        Ok(Place { pointer, length })
    }

    /// Writes one value; a place out of range is left alone.
    pub(super) fn put(&mut self, index: usize, value: T) {
        if index < self.length {
            // SAFETY: within the room that `new` was promised.
            unsafe { self.pointer.add(index).write(value) }
        }
    }
}

fn usable<T>(what: &str, pointer: *const T, length: usize) -> Result<(), Refusal> {
    if pointer.is_null() {
        return Err(Refusal::error(format!("{what} is NULL; allowed: an array of {length}")));
    }
    if !pointer.is_aligned() || length > isize::MAX as usize / size_of::<T>().max(1) {
        return Err(Refusal::error(format!(
            "{what} is no array of {length}: its address or its length is impossible"
        )));
    }
    Ok(())
}
