//! The C interfaces of FMI 2.0 and 3.0: the only `unsafe` code of the library.
//!
//! [`fmi2`] and [`fmi3`] list the exported functions; each hands its arguments to [`boundary`], which checks
//! pointers and the handle and never lets a panic or a reentrant call through. All meaning is in
//! [`crate::fmu`]. [`lists`] is what an interface in front of them, whose arrays know their lengths, asks beside.
#![allow(unsafe_code)]

/// A function that only passes the door: name, call, further arguments, action.
macro_rules! through_the_door {
    ($($(#[$doc:meta])* $name:ident($call:ident $(, $arg:ident: $type:ty)*) = $action:expr;)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(c: Component $(, $arg: $type)*) -> Status {
            // SAFETY: the promises of this module.
            unsafe { enter(c, Call::$call, $action) }
        }
    )*};
}

/// A function that this FMU does not offer.
macro_rules! refused {
    ($($name:ident($call:ident $(, $type:ty)*);)*) => {$(
        /// Refused with an error that names the capability.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(c: Component $(, _: $type)*) -> Status {
            // SAFETY: the promises of this module.
            unsafe { refuse(c, Call::$call) }
        }
    )*};
}

mod arguments;
pub mod boundary;
mod floating_point;
pub mod fmi2;
pub mod fmi3;
pub mod lists;
mod logger;
mod states;
pub mod types;

pub use crate::fmu::SOURCES;
