//! Laws that the model writes as expressions, against closed forms and against laws of the program.

mod branches;
mod friction;
mod memory;
mod springs;
