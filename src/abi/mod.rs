//! The C interface of FMI 2.0: the only `unsafe` code of the library.
//!
//! [`fmi2`] lists the exported functions; each hands its arguments to [`boundary`], which checks
//! pointers and the handle and never lets a panic or a reentrant call through. All meaning is in
//! [`crate::fmu`].
#![allow(unsafe_code)]

pub mod boundary;
mod floating_point;
pub mod fmi2;
mod states;
pub mod types;

pub use crate::fmu::SOURCES;
