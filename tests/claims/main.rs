//! What the mechanics, the model file, the FMU and the documents claim, by theme.
//!
//! All claims in one program: it links once, and its tests share the cores to the end. A theme runs
//! alone by its name, `cargo test --test claims statics::`.

mod common;

mod abi;
mod assembly;
mod bounces;
mod bristle_wheel;
mod closed_form;
mod complementarity;
mod convergence;
mod crushed;
mod curved_members;
mod curved_paths;
mod damping;
mod dependencies;
mod derivatives;
mod descriptions;
mod element;
mod energy;
mod energy_watch;
mod equilibrium;
mod faults;
mod fixed_paths;
mod friction;
mod ground_motion;
mod impulses;
mod isolation;
mod joint_outputs;
mod lift_off;
mod line_loads;
mod lists;
mod long_steps;
mod memory;
mod model_file_doc;
mod modes;
mod motions;
mod numerical_dissipation;
mod papers;
mod paths;
mod pressure;
mod random_mechanisms;
mod records;
mod redundant;
mod release;
mod roads;
mod rollback;
mod rooms;
mod roughness;
mod section_forces;
mod sensitivity;
mod set_valued;
mod slow_pull;
mod smooth_paths;
mod snaps;
mod start;
mod start_derivatives;
mod statics;
mod steps;
mod stops;
mod theory_doc;
mod tuning;
mod two_sided;
mod unilateral;
mod vehicle;
