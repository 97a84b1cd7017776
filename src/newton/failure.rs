//! Why there is no solution, and that in words.

use super::criteria::{Miss, Of, Unmet};
use super::tolerances::NEARLY;
use crate::linear::FreeMotion;
use crate::linear::mlcp::Unsolved;
use crate::message::{listed, rounded};
use crate::system::{ElementId, SingularMotion, System, SystemFault, Workspace};

/// Why Newton's method stopped without a solution.
#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    /// The iterations have ended before all criteria were met.
    NotConverged { iterations: usize, left: Unmet },
    /// The tangent is singular.
    Singular { motion: FreeMotion },
    /// Forces balance, but an element is crushed below its least stretch or turned over: such an
    /// equilibrium is one of the element, not of the member that it stands for.
    Crushed { element: ElementId },
    /// The forces of bounded bristles cannot be found.
    Bristles { reason: Unsolved },
    /// Numbers left the finite range.
    Diverged { iterations: usize },
    /// Constraints that are redundant contradict each other: what this slider does not let move has to move.
    Contradiction { slider: u32 },
    /// A solution in which joints have taken so much energy beside the largest so far, J.
    Energy { taken: f64, largest: f64 },
}

impl Failure {
    /// The matrix in `work` is singular.
    pub fn singular(work: &mut Workspace) -> Failure {
        Failure::Singular { motion: work.matrix.free_motion() }
    }
}

/// Of a start or a static equilibrium: the mechanism that `what`.
pub(crate) fn fault(system: &System, what: &str, failure: &Failure) -> SystemFault {
    let advice = match failure {
        Failure::Singular { motion } if SingularMotion::of(system, motion).is_redundant() => "",
        // What is free in the initial configuration was refused before.
        Failure::Singular { .. } => {
            "; or loads and motions ask for more than it can bear in one step"
        }
        Failure::Bristles { .. } | Failure::Contradiction { .. } | Failure::Energy { .. } => "",
        Failure::NotConverged { .. } | Failure::Crushed { .. } | Failure::Diverged { .. } => {
            "; check that the joints can be closed and that the loads at t = 0 are not a shock \
             (give them a `history.ramp`)"
        }
    };
    let cause = failure.describe(system);
    SystemFault(format!("the mechanism {what}: {cause}{advice}"))
}

impl Failure {
    /// Why Newton's method has found no solution, in words.
    pub(crate) fn describe(&self, system: &System) -> String {
        match self {
            Failure::Singular { motion } => SingularMotion::of(system, motion).describe(),
            Failure::NotConverged { iterations, left } if left.depth.is_some() => format!(
                "after {iterations} steps of the augmented Lagrangian, each of which solves the equations, {}",
                left.describe(system)
            ),
            Failure::NotConverged { iterations, left } => format!(
                "after {iterations} iterations of Newton's method {}",
                left.describe(system)
            ),
            Failure::Crushed { element } => {
                let group = &system.groups[element.group];
                let what = group.describe_crushed(&system.model, element.element);
                format!("in the only equilibrium found {what}")
            }
            Failure::Bristles { reason } => format!(
                "the friction forces of the joints with bounded bristles cannot be found together: \
                 {reason}; if only friction supports the mechanism, it is overloaded"
            ),
            Failure::Contradiction { slider } => {
                let who = system.model.path_of_slider(*slider as usize);
                let motions: Vec<String> = system
                    .model
                    .motions
                    .iter()
                    .map(|motion| format!("motions.{}", motion.name))
                    .collect();
                let against = match motions.is_empty() {
                    true => String::new(),
                    false => format!(" against {}", listed(motions.iter().map(String::as_str))),
                };
                format!(
                    "{who} jams{against}: what its friction locks would have to move, and no force can move it; drive it through a \
                     spring or by a load"
                )
            }
            Failure::Energy { taken, largest } => format!(
                "joints {} {} J in it, which no joint does, and the largest energy so far is {} J",
                if *taken > 0.0 { "take" } else { "give" },
                rounded(taken.abs(), 3),
                rounded(*largest, 3)
            ),
            Failure::Diverged { iterations } => {
                format!("Newton's method has diverged at iteration {iterations}")
            }
        }
    }
}

impl Unmet {
    /// What criteria are not met, and by how much.
    fn describe(&self, system: &System) -> String {
        let all = [self.force, self.gap, self.moved, self.depth];
        let all = all.into_iter().flatten();
        let parts: Vec<String> = all.map(|miss| miss.describe(system)).collect();
        if !parts.is_empty() {
            return parts.join(", ");
        }
        let who =
            self.regime.map_or("a joint".to_string(), |j| system.model.path_of_slider(j as usize));
        format!(
            "{who} still changes between sticking, sliding, touching or leaving its path, and elements of it"
        )
    }
}

impl Miss {
    /// What is off by how much, and what may help.
    fn describe(&self, system: &System) -> String {
        let joint = |slider: u32| system.model.path_of_slider(slider as usize);
        let turns = |u: u32| system.is_rotation.get(u as usize) == Some(&true);
        let (who, turns) = match self.of {
            Of::Nodal(u) | Of::Correction { unknown: u } => (system.name_of(u as usize), turns(u)),
            Of::Along { slider } | Of::Place { slider } => (joint(slider), false),
            Of::Gap { slider, component } => (joint(slider), component == 2),
            Of::Pin { pin } => {
                let pin = &system.pins.list[pin as usize];
                (pin.name.clone(), pin.turns())
            }
            Of::Depth { contact } => {
                let name = &system.model.contacts[contact as usize].name;
                (format!("contacts.{name}"), false)
            }
        };
        let [length, force] = if turns { ["rad", "N·m"] } else { ["m", "N"] };
        let (what, unit) = match self.of {
            Of::Nodal(_) => (format!("the forces on {who} are not in equilibrium"), force),
            Of::Along { .. } => {
                let what = format!("the forces on {who} along its path are not in equilibrium");
                (what, force)
            }
            Of::Place { .. } => {
                let what = format!("{who} is not at the position where it is fixed along its path");
                (what, length)
            }
            Of::Gap { .. } if turns => (format!("{who} is turned from its path"), length),
            Of::Gap { .. } => (format!("{who} is off its path"), length),
            Of::Pin { .. } => (format!("{who} is open"), length),
            Of::Depth { .. } => {
                (format!("{who} is still separated from its face or penetrates it"), length)
            }
            Of::Correction { .. } => (format!("the last iteration moves {who}"), length),
        };
        let cure = match self.of {
            Of::Depth { .. } => format!(
                ": each step leaves about 1/(1 + k C) of this error, with the stiffness k of its contact layer and the compliance C \
                 of what it touches; raise \
                 `{who}.stiffness` or allow a larger `penetration`"
            ),
            _ => String::new(),
        };
        // Where both are nearly the same they have to look different.
        let [more, less] = if self.by < NEARLY * self.allowed { [6, 6] } else { [3, 2] };
        let (by, allowed) = (rounded(self.by, more), rounded(self.allowed, less));
        format!("{what} by {by} {unit} (allowed: {allowed} {unit}){cure}")
    }
}
