//! Newton's method on the equations of an instant,
//!
//! ```text
//! M q̈ + Gᵀ λ = f(q, q̇, t),    Φ(q, t) = 0
//! ```
//!
//! where [q̈ follows q](kinetics): in a stage of the time integration, in statics, or by springs that stand for masses on the way to an equilibrium.

mod augmentation;
mod branches;
mod bristles;
mod criteria;
mod error;
mod failure;
mod keep;
pub mod kinetics;
mod load;
mod positions;
mod sharing;
mod tolerances;
mod trail;

pub(crate) use augmentation::faces_come;
pub(crate) use bristles::slipped;
pub(crate) use criteria::{
    balanced, disagreeing_sliders, friction_agrees, largest_change, rounding_of_forces, unmet,
};
pub use failure::Failure;
pub(crate) use failure::fault;
pub(crate) use tolerances::{POSITION_ROUNDING, SHRINKS};
pub use trail::Trail;

use fearless_simd::dispatch;

use crate::numerics::lanes::level;
use crate::surfaces::layer::Touch;
use crate::system::{Branch, Iterate, MassFactor, System, Workspace};
use branches::{stops_change, update_stops};
use bristles::Bristles;
use criteria::{Unmet, worst_correction};
use kinetics::Kinetics;
use sharing::Sharing;
use tolerances::{
    HOLD_AFTER, KEEP_ELEMENT_AFTER, NEGLIGIBLE, RENEWALS, SETTLED, SHRINKS_QUICKLY, SKEW_AFTER,
    STAYS,
};

/// Newton's method with its iterate, and what the assembly finds there: scratch space, which holds nothing that a result depends on.
#[derive(Debug, Clone)]
pub(crate) struct Newton {
    pub at: Iterate,
    pub work: Workspace,
    pub corrections: Corrections,
}

impl Newton {
    /// Scratch space for `system`.
    pub fn new(system: &System) -> Newton {
        Newton {
            at: Iterate::new(system),
            work: Workspace::new(system),
            corrections: Corrections::new(system),
        }
    }

    /// [`Corrections::solve`] from the iterate.
    ///
    /// # Errors
    /// [`Failure`]; the iterate is then not a solution.
    pub fn solve(
        &mut self, system: &System, kinetics: &mut impl Kinetics,
    ) -> Result<usize, Failure> {
        self.corrections.solve(system, kinetics, &mut self.at, &mut self.work)
    }
}

/// Room for the corrections.
#[derive(Debug, Clone)]
pub struct Corrections {
    interior: Vec<f64>,
    border: Vec<f64>,
    /// A correction of positions, and M times that.
    shift: Vec<f64>,
    carried: Vec<f64>,
    /// What constraints lack, less what their rates do; zero in other rows of the border.
    open: Vec<f64>,
    /// The branches that the sliders were on when the matrix was factored.
    branches: Vec<Branch>,
    /// What the points of contacts did there.
    touches: Vec<Touch>,
    /// That matrix, where later stages may go on with it.
    factored: Option<Factored>,
    /// The corrections with which later stages may do so; none where matrices do not serve long enough.
    keeps: Option<usize>,
    /// Sliders that stay on their path element from some iteration on.
    kept: Vec<bool>,
    bristles: Bristles,
    sharing: Sharing,
    /// Whether to go on while the corrections still shrink, down to rounding: for differences of solutions.
    pub to_rounding: bool,
    /// What derivatives have to know of the corrections of positions; kept only where it is wanted.
    pub trail: Option<Box<Trail>>,
    /// Size of the first correction relative to the mechanism's: what the change of loads and
    /// motions would move if the mechanism were linear.
    pub first: f64,
    /// A slider whose redundant constraints have contradicted others since the beginning of the step.
    pub contradicts: Option<u32>,
    /// Linear solutions since the last accepted step.
    pub solutions: u64,
}

/// A factored matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Factored {
    version: u64,
    mass_factor: MassFactor,
    /// ∂q̇/∂q of dampers, 1/s.
    rate: f64,
}

impl Factored {
    fn of(kinetics: &impl Kinetics, at: &Iterate, work: &Workspace) -> Factored {
        Factored {
            version: work.matrix.version(),
            mass_factor: kinetics.mass_factor(),
            rate: at.flow.factor,
        }
    }
}

impl Corrections {
    /// Room for the equations of `system`.
    pub fn new(system: &System) -> Corrections {
        Corrections {
            interior: vec![0.0; system.equations()],
            border: vec![0.0; system.border()],
            shift: vec![0.0; system.initial.len()],
            carried: vec![0.0; system.nodal],
            open: vec![0.0; system.border()],
            branches: vec![Branch::default(); system.sliders.len()],
            touches: vec![Touch::Open; system.surfaces.points.len()],
            factored: None,
            keeps: None,
            kept: vec![false; system.sliders.len()],
            bristles: Bristles::new(system),
            sharing: Sharing::new(system),
            to_rounding: false,
            trail: None,
            first: 0.0,
            contradicts: None,
            solutions: 0,
        }
    }

    /// Right-hand side and solution of one more linear system: interior and border.
    pub fn room(&mut self) -> (&mut [f64], &mut [f64]) {
        (&mut self.interior, &mut self.border)
    }

    /// Iterates from `at` until both criteria hold and leaves the solution in `at` and its
    /// residual (with the reactions) in `work`; returns the number of linear solutions. Where contacts of surfaces limit how deep
    /// they are pressed in, faces come towards what they bear between one solution and the next until that holds.
    ///
    /// # Errors
    /// [`Failure`]; `at` is then not a solution.
    pub fn solve(
        &mut self, system: &System, kinetics: &mut impl Kinetics, at: &mut Iterate,
        work: &mut Workspace,
    ) -> Result<usize, Failure> {
        let mut spent = self.converge(system, kinetics, at, work)?;
        let first = self.first;
        while faces_come(system, at)? {
            spent += self.converge(system, kinetics, at, work)?;
        }
        self.first = first;
        Ok(spent)
    }

    /// Iterates from `at`, the faces of contacts of surfaces where they are, until both criteria hold, and leaves the solution in `at`.
    ///
    /// The last correction must be small, max |Δq|/size ≤ position tolerance, and after it every
    /// force must balance within the force tolerance times the largest acting force. What a
    /// rounding error of the position does to a stiff member's force is not counted as imbalance.
    ///
    /// # Errors
    /// [`Failure`]; `at` is then not a solution.
    pub fn converge(
        &mut self, system: &System, kinetics: &mut impl Kinetics, at: &mut Iterate,
        work: &mut Workspace,
    ) -> Result<usize, Failure> {
        at.together = true;
        let kept = self.serves(kinetics, at, work).then_some(self.factored);
        let outcome = self.iterate(system, kinetics, at, work);
        self.keeps = match (kept, self.keeps, &outcome) {
            (None, Some(_), Ok(spent)) => Some(spent + 1),
            (Some(matrix), Some(most), Ok(spent)) if self.factored == matrix && *spent <= most => {
                Some(most)
            }
            _ => None,
        };
        (at.together, at.rises, at.guessed) = (false, false, false);
        at.predicted.clear();
        outcome
    }

    fn iterate(
        &mut self, system: &System, kinetics: &mut impl Kinetics, at: &mut Iterate,
        work: &mut Workspace,
    ) -> Result<usize, Failure> {
        let solver = &system.model.solver;
        for slider in &mut at.sliders {
            slider.decided.element = None;
            slider.decided.reverses = false;
        }
        at.turns_back.fill(false);
        at.guessed = kinetics.mass_factor().is_some();
        self.kept.fill(false);
        kinetics.update(system, at);
        system.sliders.stay_before_kinks(at);
        let mut factored = self.serves(kinetics, at, work);
        let (mut fresh, mut may_stay);
        let (mut small, mut last) = (false, f64::INFINITY);
        let mut shrinks = self.to_rounding;
        let mut changes = false;
        for iteration in 0..=solver.max_iterations {
            if iteration == KEEP_ELEMENT_AFTER {
                self.keep_elements(system, at);
                (at.rises, factored) = (true, false);
            }
            may_stay = false;
            // The first guess is one step's change away from the solution: one factorisation serves this step and the next ones as long as
            // the corrections shrink quickly and no slider changes its element, its stop or its branch of friction.
            if factored || small {
                system.residual(at, work);
                let same = self.same_branches(work);
                // What a correction leaves on other branches than it was found on is no rounding.
                let shrinks = shrinks || self.to_rounding && !same;
                let goes_on = shrinks && iteration < solver.max_iterations;
                factored = factored
                    && same
                    && !small
                    && (iteration > 0 || self.closed(system, kinetics, at, work));
                let judged = small || factored && iteration > 0 && self.may_stay(system);
                let balanced =
                    judged && !goes_on && !stops_change(system, at) && balanced(system, at, work);
                if small && balanced {
                    match self.accept(system, kinetics, at, work, iteration) {
                        Some(outcome) => return outcome,
                        None => changes = true,
                    }
                } else {
                    changes = false;
                    may_stay = balanced;
                }
            }
            if iteration == solver.max_iterations {
                break;
            }
            fresh = !factored;
            if fresh {
                system.residual_and_tangent(at, work, kinetics.mass_factor());
                if iteration >= HOLD_AFTER && self.hold_reversing(system, at, work) {
                    system.residual_and_tangent(at, work, kinetics.mass_factor());
                    (at.sliders.iter_mut()).for_each(|slider| slider.decided.reverses = false);
                }
                if iteration >= SKEW_AFTER
                    && let Some(damped) = system.damped(at.flow.factor)
                {
                    damped.add_skew_tangent(&system.equation, at, work);
                }
                self.keep_branches(work);
                if let (0, Some(trail)) = (iteration, &mut self.trail) {
                    trail.begin(at);
                }
                if let Err(singular) = self.factor(work) {
                    if system.regularise(at, kinetics.mass_factor()) {
                        if kinetics.stabilised().is_some() {
                            system.sliders.begin_redundant(at);
                        }
                        continue;
                    }
                    return Err(singular);
                }
                if let (0, Some(trail)) = (iteration, &mut self.trail) {
                    trail.version = Some(work.matrix.version());
                }
                let gives = at.sliders.iter().any(|own| own.compliance != [0.0; 3]);
                self.factored = (!gives).then(|| Factored::of(kinetics, at, work));
            }
            let negligible = if may_stay { NEGLIGIBLE * solver.position_tolerance } else { 0.0 };
            let Some(size) = self.correct(system, kinetics, at, work, negligible)? else {
                match self.accept(system, kinetics, at, work, iteration + 1) {
                    Some(outcome) => return outcome,
                    None => (changes, factored) = (true, false),
                }
                continue;
            };
            if !size.is_finite() {
                return Err(Failure::Diverged { iterations: iteration + 1 });
            }
            if iteration == 0 {
                self.first = size;
            }
            kinetics.update(system, at);
            update_stops(system, at);
            if iteration < KEEP_ELEMENT_AFTER {
                system.sliders.stay_before_kinks(at);
            }
            let left = match size / last {
                _ if fresh => 0.0,
                _ if iteration == 0 => size,
                rate if rate < 1.0 => size * rate / (1.0 - rate),
                _ => f64::INFINITY,
            };
            small =
                size <= solver.position_tolerance && left <= SETTLED * solver.position_tolerance;
            let quickly = match kinetics.stabilised() {
                Some(_) => SHRINKS,
                None => SHRINKS_QUICKLY,
            };
            factored = size <= quickly * last && self.touches_stay(work);
            shrinks = self.to_rounding && !(small && size >= STAYS * last);
            last = size;
        }
        system.residual(at, work);
        let mut left = unmet(system, at, work);
        left.moved = worst_correction(system, &self.interior, &self.border);
        if changes || left == Unmet::default() {
            let now = work.sliders.iter().map(|slider| &slider.branch);
            let changed = (self.branches.iter().zip(now)).position(|(a, b)| a != b);
            left = Unmet::regime(changed.map(|j| j as u32));
        }
        Err(Failure::NotConverged { iterations: solver.max_iterations, left })
    }

    /// Whether the matrix factored last, in a stage before, is one of this stage, too. Differences of solutions and derivatives ask for the own.
    fn serves(&self, kinetics: &impl Kinetics, at: &Iterate, work: &Workspace) -> bool {
        let own = self.to_rounding || self.trail.is_some() || self.keeps.is_none();
        !own && self.factored == Some(Factored::of(kinetics, at, work))
    }

    /// Lets the next stage factor its own matrix: what a communication step finds does not depend on what was computed before it.
    pub fn begin(&mut self) {
        (self.factored, self.keeps) = (None, Some(0));
    }

    /// Factors the matrix.
    pub fn factor(&mut self, work: &mut Workspace) -> Result<(), Failure> {
        (work.matrix.factor()).map_err(|_| Failure::singular(work))?;
        self.bristles.renew();
        Ok(())
    }

    /// Whether an iterate that satisfies all equations may stay as it is where its correction is found to be negligible: nothing but the
    /// iterate depends on that correction.
    fn may_stay(&self, system: &System) -> bool {
        !self.to_rounding && system.surfaces.contacts.is_empty() && self.bristles.is_empty()
    }

    /// Takes the iterate as the solution after so many iterations; `None` where a slider changes its regime instead.
    fn accept(
        &mut self, system: &System, kinetics: &impl Kinetics, at: &mut Iterate,
        work: &mut Workspace, iterations: usize,
    ) -> Option<Result<usize, Failure>> {
        let sliders = &system.sliders;
        sliders.find_closest_points(at);
        if kinetics.mass_factor().is_some() {
            self.share(system, at, work);
        }
        if sliders.change_static_friction(at, work) || sliders.change_contacts(at, work) {
            return None;
        }
        let tolerance = system.model.solver.position_tolerance * system.size;
        if kinetics.mass_factor().is_some()
            && let Some(slider) = sliders.renew_references(at, tolerance)
        {
            let slider = slider as u32;
            at.renewals += 1;
            if at.renewals > 1 {
                self.contradicts = Some(slider);
            }
            return (at.renewals > RENEWALS).then_some(Err(Failure::Contradiction { slider }));
        }
        Some(match (work.crushed, self.beside_its_path(system, at)) {
            (Some(element), _) => Err(Failure::Crushed { element }),
            (None, Some(j)) => {
                Err(Failure::NotConverged { iterations, left: Unmet::regime(Some(j)) })
            }
            (None, None) => Ok(iterations),
        })
    }

    /// Solves for the correction and applies it; returns its size relative to the mechanism's, or nothing where it would be below what is
    /// `negligible`: it is then not applied. Where constraints hold for velocities, too, positions are corrected first.
    fn correct(
        &mut self, system: &System, kinetics: &mut impl Kinetics, at: &mut Iterate,
        work: &mut Workspace, negligible: f64,
    ) -> Result<Option<f64>, Failure> {
        let mut moved = 0.0;
        if let Some(motion) = kinetics.stabilised() {
            moved = self.correct_positions(system, motion, at, work)?;
        }
        self.find(system, at, work)?;
        let size = self.size(system);
        if moved == 0.0 && size < negligible {
            return Ok(None);
        }
        let share = match system.surfaces.contacts.is_empty() {
            true => 1.0,
            false => {
                let slope = self.slope_of(system, at, work);
                let by = system.correction(&self.interior, size);
                system.surfaces.predict_points(at, work, &by, slope)
            }
        };
        self.move_along(system, at, share);
        Ok(Some(if moved > size { moved } else { size }))
    }

    /// Puts into the room the right-hand side of a correction: what the equations lack.
    pub fn load(&mut self, system: &System, at: &Iterate, work: &Workspace) {
        self.load_nodal(system, at, &work.residual);
        (self.border.iter_mut().zip(&work.border)).for_each(|(y, r)| *y = -r);
    }

    /// That of the `forces` on nodal unknowns.
    pub fn load_nodal(&mut self, system: &System, at: &Iterate, forces: &[f64]) {
        for run in system.equation.runs() {
            let forces = forces[run.unknowns()].iter();
            let rows = self.interior[run.equations()].iter_mut();
            rows.zip(forces).for_each(|(x, force)| *x = -force);
        }
        let driven = at.driven.unknowns().iter().filter_map(|&u| system.equation.of(u));
        driven.for_each(|equation| self.interior[equation] = 0.0);
    }

    /// Solves for the correction with the factored matrix; it is then in the [room](Corrections::room).
    pub fn find(
        &mut self, system: &System, at: &mut Iterate, work: &mut Workspace,
    ) -> Result<(), Failure> {
        self.load(system, at, work);
        let (x, y) = (&mut self.interior, &mut self.border);
        self.bristles.solve(at, work, x, y)?;
        self.leave_out_rounding(system, work);
        Ok(())
    }

    /// Work of the residual along the correction in the room.
    fn slope_of(&self, system: &System, at: &Iterate, work: &Workspace) -> f64 {
        let each = self.interior.iter().zip(&system.unknown);
        let free = each.filter(|&(_, &u)| at.driven[u].is_none());
        free.map(|(x, &u)| x * work.residual[u]).sum()
    }

    /// Applies what is in the room; returns its size relative to the mechanism's, no number where it has none.
    pub fn apply(&self, system: &System, at: &mut Iterate) -> f64 {
        self.move_along(system, at, 1.0);
        self.size(system)
    }

    /// Size of what is in the room relative to the mechanism's, no number where it has none.
    fn size(&self, system: &System) -> f64 {
        let is_finite = self.border.iter().all(|y| y.is_finite());
        if is_finite { largest_change(system, &self.interior, &self.border) } else { f64::NAN }
    }

    /// Moves the iterate by a `share` of the correction in the room.
    fn move_along(&self, system: &System, at: &mut Iterate, share: f64) {
        dispatch!(level(), _ => for run in system.equation.runs() {
            let ways = self.interior[run.equations()].iter().map(|x| share * x);
            at.q.add_each(run.unknowns(), ways);
        });
        for slider in &system.sliders {
            match slider.kept_place(at) {
                Some(place) => at.q.set(slider.coordinate, place),
                None => at.q.add(slider.coordinate, share * self.border[slider.border]),
            }
        }
        at.add_forces(system, share, &self.border);
    }
}
