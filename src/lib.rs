//! Planar flexible mechanisms with sliding joints and friction, as FMI 2.0 units for co-simulation and Model Exchange.
//!
//! A mechanism is described in one TOML file. The library reads it, checks it, builds the equations
//! and advances them in time: as a Rust crate, and as the native library inside an FMU.
//!
//! # Equation of motion
//!
//! The unknowns are the positions Y and section rotations r of the nodes (together q), the sliding
//! coordinate s of every slider, and the multipliers λ of the sliding joints:
//!
//! ```text
//! M q̈ + D q̇ + F_int(q) + (∂c/∂q)ᵀ λ = F_ext(t)  nodes
//! F_f(ṡ, F_N, F_R) − λ·∂Y/∂s   = 0           each sliding coordinate
//! c(q, s)                      = 0           each sliding joint
//! ```
//!
//! (Siqueira & Coda 2023, Eq. 25). Friction F_f stands on the left: it is positive where it resists
//! a positive ṡ, so that F_f ṡ ≥ 0 is dissipated. λ is the force that the slider exerts on its
//! path. `docs/theory` derives each equation and names the function that implements it.
//!
//! # Conventions
//!
//! * SI units throughout: m, s, kg, N, rad. Only columns of data files whose headings state units are converted.
//! * x points to the right, y up; angles, rotations and moments are positive counter-clockwise.
//! * A member's axis angle is 0 along +x. The rotation r of a section is counted from its initial
//!   direction and is not reduced to one turn.
//! * s is the arc length of the path's *initial* configuration from its first end. On a stretched
//!   path ṡ is therefore not the speed that a ruler in space would show.
//! * The normal force is F_N = |λ·n| ≥ 0; joints hold both ways unless their contact is unilateral.
//! * A reaction is what the support or the drive exerts on the structure.
//!
//! # Rooms
//!
//! Each names only rooms below it; `docs/design.md` draws which.
//!
//! | room | what lives there |
//! | --- | --- |
//! | [`abi`] | the C functions of FMI 2.0; the only `unsafe` |
//! | [`fmu`] | variable table, model description, life of an instance, in safe Rust |
//! | [`linearization`] | linear models about a state: A, B, C, D, poles, frequency responses |
//! | [`sensitivity`] | how a step, the start and a whole run change with numbers of the model |
//! | [`sliding`] | steady sliding of a surface in its guide, and whether it is stable |
//! | [`modes`] | vibrations about a state, damping by ratios of modes, a step where the file gives none |
//! | [`continuation`] | paths of equilibria |
//! | [`start`] | the first state: the initial configuration or an equilibrium, with consistent velocities, accelerations and forces |
//! | [`solve`] | time integration, quasi-static steps, Newton's method, events |
//! | [`newton`] | Newton's method on the equations of an instant: corrections, and when they have led to a solution |
//! | [`model`] | the file: types as written, expressions, collected faults |
//! | [`system`] | the mechanism in numbered unknowns, assembly, [`system::State`], outputs |
//! | [`checked`] | [`checked::Checked`], the model with every name resolved and every number in range |
//! | [`surfaces`] | contact of surfaces with paths, point by point |
//! | [`joints`] | paths, sliders and their constraint |
//! | [`elements`] | kinds of elements, and groups of any kind: energy, internal force, tangent, mass |
//! | [`mesh`] | triangles of plane bodies and their named edges, and what makes them |
//! | [`laws`] | friction: force and tangent on plain numbers; Rayleigh damping |
//! | [`records`] | records of ground motion: formats, baselines, integrals |
//! | [`columns`] | columns of numbers in text, and units |
//! | [`nodes`] | the numbered unknowns of points and members |
//! | [`quantity`] | what numbers measure and the ranges they may have |
//! | [`axis`] | the curves of members |
//! | [`linear`] | solvers of sparse and dense linear systems and of eigenvalues |
//! | [`numerics`] | quadrature, polynomials, splines, roots |
//! | [`message`] | names and numbers as messages show them |
//!
//! Two sentences keep them together. A [`system::System`] never changes, and a
//! [`system::State`] is the only memory: [`solve::Stepper::advance`] is a pure function of both and
//! of the inputs, so that a clone of the state is a snapshot. And a [`checked::Checked`] can only come
//! out of [`model::Model::check`], so that nothing behind it has to doubt a name or a number.
//!
//! # Example
//!
//! A block on an incline of 35° slides with a = g (sin α − μ cos α) = 2.412 m/s²:
//!
//! ```
//! use std::path::Path;
//!
//! use coulisse::model::Model;
//! use coulisse::solve::Stepper;
//! use coulisse::start::start;
//! use coulisse::system::System;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let model = Model::load(Path::new("resources/models/incline.toml"))?;
//! let checked = model.check()?;
//! let system = System::build(&checked)?;
//!
//! let inputs: Vec<f64> = checked.inputs.iter().map(|input| input.start).collect();
//! let mut state = start(&system, &inputs)?;
//! let mut stepper = Stepper::new(&system);
//! stepper.advance(&system, &mut state, 0.0, 1.0)?;
//!
//! let velocity = checked.outputs.iter().find(|o| o.path == "joints.block.velocity");
//! let velocity = system.read(&state, velocity.expect("every joint has it").output);
//! let (sin, cos) = 35.0_f64.to_radians().sin_cos();
//! let exact = 9.81 * (sin - 0.4 * cos);
//! // It leaves rest against the higher static friction, which costs about a millimetre per second.
//! assert!((velocity - exact).abs() < 2e-3, "{velocity} {exact}");
//! # Ok(())
//! # }
//! ```

// A browser loads no library, and exports keep all that they call; tools/component calls those of FMI 3.0.
#[cfg(any(not(target_family = "wasm"), target_os = "wasi"))]
pub mod abi;
pub mod axis;
pub mod checked;
pub mod columns;
pub mod continuation;
pub mod elements;
pub mod fmu;
pub mod joints;
pub mod laws;
pub mod linear;
pub mod linearization;
pub mod mesh;
pub mod message;
pub mod model;
pub mod modes;
pub mod newton;
pub mod nodes;
pub mod numerics;
pub mod quantity;
pub mod records;
pub mod sensitivity;
pub mod sliding;
pub mod solve;
pub mod start;
pub mod surfaces;
pub mod system;
