//! What the studio computes, behind one call: a request in JSON with bytes behind it, and an answer of the same form.
//!
//! A page asks for room with [`room`], writes the request there, calls [`call`], and reads the answer where [`answer`] says. Request and
//! answer are four bytes with the length of the JSON (little-endian), the JSON, and bytes that it is about: a data file, a library, an FMU.
//! The module imports nothing, so that it runs in a browser, in a worker and in Node.js alike.
// Functions are exported by their names, which the compiler counts as unsafe; no memory is touched by hand.
#![allow(unsafe_code)]

mod analysis;
mod convergence;
mod request;
mod run;
mod session;

use std::cell::RefCell;

use session::Session;

/// Bytes of a request on their way in, or of an answer on their way out.
#[derive(Default)]
struct Exchange {
    request: Vec<u8>,
    answer: Vec<u8>,
    /// Why the module has stopped, after a panic.
    last_words: Vec<u8>,
}

thread_local! {
    static EXCHANGE: RefCell<Exchange> = RefCell::default();
    static SESSION: RefCell<Session> = RefCell::new(Session::new());
}

/// Room for a request of `length` bytes: its address.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    std::panic::set_hook(Box::new(|panic| {
        let words = panic.to_string().into_bytes();
        // A panic within an exchange leaves none.
        let _ = EXCHANGE.try_with(|exchange| {
            exchange.try_borrow_mut().map(|mut exchange| exchange.last_words = words)
        });
    }));
    EXCHANGE.with_borrow_mut(|exchange| {
        exchange.request = vec![0; length];
        exchange.request.as_mut_ptr()
    })
}

/// Performs the request that was written into the [`room`]: the length of its answer.
#[unsafe(no_mangle)]
pub extern "C" fn call() -> usize {
    let request = EXCHANGE.with_borrow_mut(|exchange| std::mem::take(&mut exchange.request));
    let answer = SESSION.with_borrow_mut(|session| request::perform(session, &request));
    EXCHANGE.with_borrow_mut(|exchange| {
        exchange.answer = answer;
        exchange.answer.len()
    })
}

/// Address of the answer of the last [`call`].
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    EXCHANGE.with_borrow(|exchange| exchange.answer.as_ptr())
}

/// Takes the words of a panic for the answer, where a call has not come back: their length.
#[unsafe(no_mangle)]
pub extern "C" fn last_words() -> usize {
    EXCHANGE.with_borrow_mut(|exchange| {
        exchange.answer = std::mem::take(&mut exchange.last_words);
        exchange.answer.len()
    })
}

#[cfg(test)]
mod tests;
