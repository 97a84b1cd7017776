//! Redundant constraints in the words of the model file.
//!
//! Where nothing moves and multipliers are free, forces of constraints balance each other: Gᵀ λ = 0 on all free unknowns. On the
//! prescribed ones Gᵀ λ are the reactions of supports and motions, so that all constraints of the closed loop of forces are known.
//! Any of them may be removed.

use super::{Cure, System};
use crate::checked::{Direction, PointId, SliderKind};
use crate::message::listed;
use crate::numerics::positions::Positions;

/// Share of the largest force from which a constraint belongs to the loop: moments stand beside forces, by the radius of a hinge.
const TAKES_PART: f64 = 1e-3;

/// Share of the largest force that rounding leaves of forces that balance each other.
const BALANCED: f64 = 1e-6;

/// Names in a message.
const MOST_NAMES: usize = 8;

/// Multipliers that are free in a singular system of equations, with their forces in the initial configuration.
pub(super) struct Redundancy<'a> {
    system: &'a System,
    /// The multipliers, in the border.
    border: &'a [f64],
    /// Their forces on all nodal unknowns.
    forces: Vec<f64>,
}

impl<'a> Redundancy<'a> {
    /// The redundancy of the multipliers in `border`.
    pub fn of(system: &'a System, border: &'a [f64]) -> Redundancy<'a> {
        let (initial, mut forces) = (Positions::from(&system.initial[..]), vec![0.0; system.nodal]);
        for slider in &system.sliders {
            if !slider.carries_friction_of_edge() {
                let own = multipliers_of(border, slider.border + 1, slider.conditions());
                slider.add_forces(&slider.kinematics(&initial, None), &own, &mut forces);
            }
        }
        let pins = system.pins.list.iter().map(|pin| {
            let [x, y, _] = multipliers_of(border, pin.border, pin.rows());
            [x, y]
        });
        system.pins.add_forces(&initial, pins, &mut forces);
        Redundancy { system, border, forces }
    }

    /// Which joints constrain what is constrained already, where nothing moves, but the multipliers are free.
    pub fn describe(&self) -> String {
        if let Some(text) = self.contending_motions() {
            return text;
        }
        let (joints, ends) = self.joints();
        let mut names = self.reactions();
        names.extend(joints.iter().cloned());
        if names.len() < 2 {
            names.extend(ends);
        }
        let more = names.len().saturating_sub(MOST_NAMES);
        names.truncate(MOST_NAMES);
        let constrain = match (names.split_last(), more) {
            (None, _) => "a joint constrains what is constrained already".to_string(),
            (Some((one, [])), _) => format!("{one} constrains what is constrained already"),
            (Some((last, others)), 0) => {
                format!("{} and {last} constrain the same motion", others.join(", "))
            }
            (_, more) => format!("{} and {more} more constrain the same motion", names.join(", ")),
        };
        let cure = self.cure_of_friction(&joints);
        let hinge = self.missing_hinge();
        format!("redundant constraint: {constrain}; remove one of them{hinge}{cure}")
    }

    /// More motions than what they move has independent ones.
    fn contending_motions(&self) -> Option<String> {
        let mobility = self.system.mobility()?;
        let names = mobility.contending.iter().map(|&m| &self.system.model.motions[m].name);
        let names: Vec<String> = names.map(|name| format!("motions.{name}")).collect();
        let [others @ .., last] = &names[..] else {
            return None;
        };
        Some(format!(
            "redundant constraint: {} and {last} drive the same parts, and one of them follows from the rest (mobility with rigid members: \
             {}); remove one of them, or let it drive through a spring",
            others.join(", "),
            mobility.all
        ))
    }

    /// Where a hinge would let a motion move that its members lock.
    fn missing_hinge(&self) -> String {
        let locked = self.system.mobility().map_or(Vec::new(), |mobility| mobility.locked);
        let hinges = locked.iter().flat_map(|one| &one.cures).filter_map(|cure| match cure {
            Cure::Hinge(point) => Some(*point),
            Cure::Cylindrical(_) => None,
        });
        let mut points: Vec<PointId> = hinges.collect();
        if locked.is_empty() {
            points = self.clamps().collect();
        }
        points.dedup();
        let names = points.into_iter().map(|point| self.system.model.points[point].name.as_str());
        match names.collect::<Vec<&str>>()[..] {
            [] => String::new(),
            ref points => format!(
                ". Members that meet without a hinge are rigidly connected: is a hinge missing at {}? A ring of three members that are \
                 to keep their angles is one rigid body",
                listed(points.iter().copied())
            ),
        }
    }

    /// Points at which rigid members are clamped to each other, with a moment.
    fn clamps(&self) -> impl Iterator<Item = PointId> + '_ {
        let largest = self.border.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
        self.system.pins.list.iter().filter_map(move |pin| {
            let moment = self.border.get(pin.border)?.abs() / self.system.size;
            pin.coupled()?.clamps.filter(|_| moment > TAKES_PART * largest)
        })
    }

    /// Whether the multipliers balance each other on all free unknowns, so that they are a redundancy whatever else moves.
    pub fn is_balanced(&self) -> bool {
        let force = |u: usize| self.size_of_force(u);
        let free = self.system.unknown.iter().map(|&u| force(u)).fold(0.0, f64::max);
        free < BALANCED * (0..self.forces.len()).map(force).fold(0.0, f64::max)
    }

    /// Sliders and pins with a force, each name once, and then the ends of rigid members and bodies.
    fn joints(&self) -> (Vec<String>, Vec<String>) {
        let Redundancy { system, border, .. } = self;
        let largest = border.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
        let sliders = system.sliders.iter().map(|slider| {
            (slider.border, 1 + slider.conditions(), system.model.path_of_slider(slider.index))
        });
        let pins = (system.pins.list.iter()).map(|pin| (pin.border, pin.rows(), pin.name.clone()));
        let mut names: Vec<String> = Vec::new();
        for (first, count, name) in sliders.chain(pins) {
            let own = border.iter().skip(first).take(count);
            let force = own.fold(0.0_f64, |a, b| a.max(b.abs()));
            // A hinge with friction is a slider and what leads it.
            if force > TAKES_PART * largest && !names.contains(&name) {
                names.push(name);
            }
        }
        names.into_iter().partition(|name| name.contains('.'))
    }

    /// Supports and motions with a reaction to the multipliers.
    fn reactions(&self) -> Vec<String> {
        let (model, nodes) = (&self.system.model, &self.system.nodes);
        let force = |u: usize| self.size_of_force(u);
        let largest = (0..self.forces.len()).map(force).fold(0.0, f64::max);
        let bears = |u: &usize| force(*u) > TAKES_PART * largest;
        let supports = model.supports.iter().filter_map(|support| {
            let fixed = support.fixed.iter();
            let loaded: Vec<&str> = fixed
                .filter(|direction| nodes.of_target(support.target, **direction).any(|u| bears(&u)))
                .map(|direction| match direction {
                    Direction::X => "x",
                    Direction::Y => "y",
                    Direction::Rotation => "rotation",
                })
                .collect();
            let name = format!("supports.{} ({})", support.name, loaded.join(", "));
            (!loaded.is_empty()).then_some(name)
        });
        let motions = (model.motions.iter())
            .filter(|motion| model.prescribed_by(motion, nodes).iter().any(bears))
            .map(|motion| format!("motions.{}", motion.name));
        supports.chain(motions).collect()
    }

    /// The size of a force; of a moment that at the distance of the mechanism's size.
    fn size_of_force(&self, unknown: usize) -> f64 {
        match self.system.is_rotation[unknown] {
            true => self.forces[unknown].abs() / self.system.size,
            false => self.forces[unknown].abs(),
        }
    }

    /// What else cures it where `joints` stick.
    fn cure_of_friction(&self, joints: &[String]) -> String {
        let system = self.system;
        let stick = (system.sliders.iter().enumerate()).filter(|(j, slider)| {
            let holds = slider.friction.sticks && !slider.friction.remembers;
            holds && joints.contains(&system.model.path_of_slider(*j))
        });
        let kinds: Vec<SliderKind> = stick.map(|(j, _)| system.model.sliders[j].kind).collect();
        let mut cure = match kinds.as_slice() {
            [SliderKind::Hinge] => {
                ". Friction that sticks there constrains what the others constrain, and how they share it is not known: give the \
                 friction a stiffness (`bristle_lcp`), or the stop one"
            }
            [] => "",
            [_] => ". If it is the friction that sticks there, remove the friction",
            _ => {
                ". Where several of them stick on one rigid part, friction at one constrains what friction at the others does, and how \
                 they share it is not known: give them friction with a stiffness (`bristle_lcp`), let the part be elastic, or let one \
                 of them alone have friction"
            }
        }
        .to_string();
        if !kinds.is_empty() && system.model.start.equilibrium.is_some() {
            cure += ", or let sliders slide without friction in the equilibrium of the start (`fixed_sliders = \"none\"`)";
        }
        cure
    }
}

/// The `count` multipliers from `first` on.
fn multipliers_of(border: &[f64], first: usize, count: usize) -> [f64; 3] {
    let mut multipliers = [0.0; 3];
    multipliers[..count].copy_from_slice(&border[first..][..count]);
    multipliers
}
