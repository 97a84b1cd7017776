//! What an evaluation of the equations leaves.

use super::surfaces::ContactWorkspace;
use super::{Along, Constraint, ElementId, InertiaRoom, SliderState, System};
use crate::elements::group::TangentRoom;
use crate::joints::path::PathPoint;
use crate::joints::regime::Regime;
use crate::joints::slider::Kinematics;
use crate::laws::friction::Bounded;
use crate::laws::spring::Answer;
use crate::linear::{Bordered, Layout};
use crate::surfaces::layer::PointMemory;

/// Results of an evaluation and the matrix of the linear system.
#[derive(Debug, Clone)]
pub struct Workspace {
    /// Residual of the nodal unknowns; on prescribed and driven ones it is the reaction.
    pub residual: Vec<f64>,
    /// Residual of sliding coordinates and constraints.
    pub border: Vec<f64>,
    pub matrix: Bordered,
    /// The multiple of M that stands beside K in it, 1/s².
    pub(super) mass_factor: f64,
    /// Per equation, what a rounding error of a position does to a force: the diagonal of the tangent, with a small share of that of
    /// inertia.
    pub stiffness: Vec<f64>,
    /// The largest of those of the rows on which joints act: their forces bring it the rounding of the others.
    pub borne: Vec<f64>,
    /// Largest acting force, N.
    pub force_scale: f64,
    /// Largest force of loads and springs, N.
    pub load_scale: f64,
    pub sliders: Vec<Slid>,
    /// Where an evaluation finds sliders on their paths.
    pub(crate) placed: Vec<Kinematics>,
    /// What an evaluation finds of the points of contacts.
    pub points: Vec<FoundPoint>,
    /// What it finds of springs.
    pub springs: Vec<Answer>,
    /// The most crushed element, where one is below the
    /// [least stretch](crate::elements::kernel::Kernel::LEAST_STRETCH) of its kind.
    pub crushed: Option<ElementId>,
    /// M q̈.
    pub(crate) inertia_forces: Vec<f64>,
    /// Forces of members and bodies.
    pub(crate) elastic: Vec<f64>,
    /// Those, of dampers, springs and contacts of surfaces, less loads: what positions and velocities determine; and the largest of them, N.
    pub(super) passive: Vec<f64>,
    pub(super) passive_scale: f64,
    /// q̇, where there is damping.
    pub(crate) velocity: Vec<f64>,
    /// Where the work of inertia is found.
    pub(crate) inertia: InertiaRoom,
    /// Where elements find their tangents.
    pub(crate) tangents: TangentRoom,
    /// Where contacts of surfaces are assembled.
    pub(crate) contacts: Vec<ContactWorkspace>,
}

/// What an evaluation finds of one slider.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Slid {
    /// Its state at the end of the step.
    pub state: SliderState,
    /// Work that its friction takes over the step under a law with memory, J.
    pub work: f64,
    /// Energy in its friction at the end of the step, J.
    pub stored: f64,
    pub branch: Branch,
    /// Bounded bristles; zeros under other laws.
    pub bristles: Bounded<f64>,
}

/// What an evaluation finds of a point.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FoundPoint {
    pub memory: PointMemory,
    /// N.
    pub normal: f64,
    /// What rounding of its depth makes of it, N.
    pub rounding: f64,
    /// Energy across the contact layer, J.
    pub stored: f64,
    /// Energy along it, J.
    pub stored_along: f64,
    /// T Δs_a over the step, J, and by T at its end.
    pub dissipated: f64,
    pub dissipated_at_end: f64,
}

/// Which branch of its equations a slider is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Branch {
    /// Path element.
    pub element: usize,
    pub regime: Regime,
    pub constraint: Constraint,
    pub along: Along,
}

impl Workspace {
    /// Whether no force acts in the evaluation, and no stiffness or mass of the last tangent could give one.
    pub fn is_forceless(&self) -> bool {
        self.force_scale == 0.0 && self.stiffness.iter().all(|stiffness| *stiffness == 0.0)
    }

    /// Room for the equations of `system`.
    pub fn new(system: &System) -> Workspace {
        let layout: Layout = system.layout.clone();
        let (followers, passing) =
            (system.followers.clone(), system.surfaces.passing(&system.equation));
        let matrix = Bordered::new(layout, [system.border, system.floating], followers, passing);
        Workspace {
            residual: vec![0.0; system.nodal],
            border: vec![0.0; system.border],
            matrix: matrix.with_beside(system.beside),
            mass_factor: 0.0,
            stiffness: vec![0.0; system.equations()],
            borne: vec![0.0; system.equations()],
            force_scale: 0.0,
            load_scale: 0.0,
            sliders: vec![Slid::default(); system.sliders.len()],
            placed: vec![
                Kinematics::along_line(PathPoint::without_nodes(0.0), 0.0);
                system.sliders.len()
            ],
            points: vec![FoundPoint::default(); system.surfaces.points.len()],
            springs: vec![Answer::default(); system.springs.list.len()],
            crushed: None,
            inertia_forces: vec![0.0; system.nodal],
            elastic: vec![0.0; system.nodal],
            passive: vec![0.0; system.nodal],
            passive_scale: 0.0,
            velocity: vec![0.0; system.nodal],
            inertia: InertiaRoom::new(system),
            tangents: TangentRoom::default(),
            contacts: (system.surfaces.contacts.iter())
                .map(|contact| ContactWorkspace::new(system.nodal, contact))
                .collect(),
        }
    }
}
