//! The C interfaces of FMI 2.0 and 3.0: the only `unsafe` code of the library.
//!
//! [`fmi2`] and [`fmi3`] list the exported functions; each hands its arguments to [`boundary`], which checks
//! pointers and the handle and never lets a panic or a reentrant call through. All meaning is in
//! [`crate::fmu`]. [`lists`] is what an interface in front of them, whose arrays know their lengths, asks beside.
#![allow(unsafe_code)]

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
