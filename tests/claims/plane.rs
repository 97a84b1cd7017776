//! Plane solids: the element's tests as bodies of some triangles, against closed forms and an independent
//! finite-element solution.

mod body;
mod convergence;
mod statics;
mod vibrations;
