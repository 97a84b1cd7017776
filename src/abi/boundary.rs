//! The door between C and Rust: handles, pointers, the host's logger.

use std::cell::UnsafeCell;
use std::ffi::{CStr, CString, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

use super::floating_point::HostSettings;
use super::types::{
    Boolean, CO_SIMULATION, CallbackFunctions, Component, Environment, FmuType, Logger,
    MODEL_EXCHANGE, Text,
};
use crate::fmu::guard::panic_text;
use crate::fmu::{
    Call, Category, Log, Plan, Protocol, Refusal, Sink, Status, Unit, resource_folder,
};

/// Marks a live handle; anything else behind the pointer is not ours.
const MAGIC: u64 = 0x636f_756c_6973_7365;

/// What the host's `fmi2Component` points to.
struct Handle {
    magic: u64,
    /// Set during a call: the host's logger may call back into the same instance, and a careless
    /// host may use it from two threads.
    busy: AtomicBool,
    logger: HostLogger,
    instance: UnsafeCell<Unit>,
}

/// The host's logger with what it wants to be told every time.
#[derive(Debug, Clone)]
struct HostLogger {
    function: Option<Logger>,
    environment: Environment,
    name: CString,
}

impl HostLogger {
    fn say(&self, status: Status, category: Category, text: &str) {
        let Some(function) = self.function else {
            return;
        };
        let category = c_text(category.name());
        let text = c_text(&for_host(text));
        // SAFETY: the function and its environment came together from the host, which keeps both
        // alive as long as the instance; all texts end with a zero byte and outlive the call. The
        // text is the format, without placeholders: `for_host` doubles percent signs.
        unsafe {
            function(
                self.environment,
                self.name.as_ptr(),
                status as c_int,
                category.as_ptr(),
                text.as_ptr(),
            );
        }
    }
}

impl Sink for HostLogger {
    fn message(&self, status: Status, category: Category, text: &str) {
        self.say(status, category, text);
    }
}

/// Longest message, in bytes: there are loggers that print into a buffer of fixed size.
const LONGEST: usize = 4000;

/// A message as the standard wants it: `#` stands for the name of a variable, `##` for itself. It is a format of `printf`, where `%%` is a percent
/// sign; loggers that take no further arguments show it, too.
fn for_host(text: &str) -> String {
    let mut text = text.replace('#', "##");
    if text.len() > LONGEST {
        let end = (0..=LONGEST).rev().find(|&end| text.is_char_boundary(end));
        text.truncate(end.unwrap_or(0));
        text.push_str(" … (cut; `coulisse check` prints all)");
    }
    text.replace('%', "%%")
}

/// The text up to its first zero byte, if it has one.
fn c_text(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(&text[..end]).unwrap_or_default()
}

/// Makes an instance; NULL with a message in the host's log if that is not possible.
///
/// # Safety
/// Each pointer is NULL or what the standard says: texts end with a zero byte, `functions` points
/// to the callbacks.
pub(super) unsafe fn instantiate(
    name: Text, fmu_type: FmuType, guid: Text, location: Text, functions: *const CallbackFunctions,
    logging_on: Boolean,
) -> Component {
    if functions.is_null() || !functions.is_aligned() {
        return std::ptr::null_mut();
    }
    let _host = HostSettings::set_aside();
    // SAFETY: not null, and by the caller's promise the host's callbacks; copied, because hosts
    // exist that build the struct on their stack.
    let functions = unsafe { *functions };
    // SAFETY: the caller's promise about texts.
    let (name, guid, location) = unsafe { (text(name), text(guid), text(location)) };
    let logger = HostLogger {
        function: functions.logger,
        environment: functions.environment,
        // The logger is never handed a NULL name, not even while complaining about it.
        name: c_text(name.unwrap_or("coulisse")),
    };
    let made = catch_unwind(AssertUnwindSafe(|| {
        let log = Log::new(Box::new(logger.clone()), logging_on != 0);
        let (protocol, plan) = prepare(name, fmu_type, guid, location)?;
        Ok(plan.start(protocol, log))
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
            logger,
            instance: UnsafeCell::new(instance),
        }))
        .cast(),
        Err(refusal) => {
            logger.say(Status::Error, Category::Error, &refusal.message);
            std::ptr::null_mut()
        }
    }
}

/// Checks the arguments of `fmi2Instantiate` and reads the model.
fn prepare(
    name: Option<&str>, fmu_type: FmuType, guid: Option<&str>, location: Option<&str>,
) -> Result<(Protocol, Plan), Refusal> {
    let call = "fmi2Instantiate";
    if name.is_none_or(|name| name.trim().is_empty()) {
        return Err(Refusal::error(format!(
            "{call}: the instance name is missing or not UTF-8; allowed: any text that is not empty"
        )));
    }
    let protocol = match fmu_type {
        MODEL_EXCHANGE => Protocol::ModelExchange,
        CO_SIMULATION => Protocol::CoSimulation,
        _ => {
            return Err(Refusal::error(format!(
                "{call}: FMU type {fmu_type} asked for; allowed: {MODEL_EXCHANGE} (Model Exchange) \
                 and {CO_SIMULATION} (co-simulation)"
            )));
        }
    };
    let guid = guid.ok_or_else(|| {
        Refusal::error(format!(
            "{call}: the GUID is missing or not UTF-8; pass the guid of modelDescription.xml"
        ))
    })?;
    let location = location.ok_or_else(|| {
        Refusal::error(format!(
            "{call}: the resource location is missing or not UTF-8; \
             pass the unpacked FMU's `resources` folder as a file URI"
        ))
    })?;
    let folder =
        resource_folder(location).map_err(|text| Refusal::error(format!("{call}: {text}")))?;
    let plan = Plan::load(&folder)?;
    if guid.trim() == plan.guid() {
        return Ok((protocol, plan));
    }
    Err(Refusal::error(format!(
        "{call}: the host passed the guid {guid}, but resources/{} with this library has {}; pass the guid of the FMU's \
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
