//! What must hold for any body: thrown, shaken and rubbed quadrangles of every order, material and step.

use std::cell::Cell;

use proptest::array::{uniform2, uniform4};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::common::mechanism::Mechanism;
use crate::common::{self, Simulation};

/// A quadrangle that lies on a guide by its lower side, with friction, or flies.
#[derive(Debug, Clone)]
struct Scene {
    order: usize,
    cells: [usize; 2],
    /// How far each corner is off that of a unit square, m.
    shift: [[f64; 2]; 4],
    /// Logarithm to the base 10 of Young's modulus, Pa.
    stiffness: f64,
    poisson: f64,
    strain: bool,
    /// Logarithm of the step, s.
    step: f64,
    speed: [f64; 2],
    /// μ where it lies on the guide.
    friction: Option<f64>,
    place: f64,
    /// Which nodes of its side lie on the guide.
    nodes: &'static str,
}

prop_compose! {
    fn scenes()(
        order in 1..=4_usize,
        cells in [1..=3_usize, 1..=3_usize],
        shift in uniform4(uniform2(-0.2..0.2_f64)),
        stiffness in 3.0..8.0_f64,
        poisson in -0.4..0.45_f64,
        strain in any::<bool>(),
        step in -5.0..-2.0_f64,
        speed in [-2.0..2.0_f64, -2.0..2.0_f64],
        friction in proptest::option::of(0.0..0.8_f64),
        place in prop_oneof![Just(0.0), Just(1000.0)],
        nodes in prop_oneof![Just("ends"), Just("mean"), Just("all")],
    ) -> Scene {
        Scene {
            order, cells, shift, stiffness, poisson, strain, step, speed, friction, place, nodes,
        }
    }
}

impl Scene {
    fn text(&self) -> String {
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let corner = |k: usize| {
            let [x, y] = [0, 1].map(|i| square[k][i] + self.shift[k][i] + self.place);
            // On the guide its lower corners stand.
            match self.friction {
                Some(_) if k < 2 => [x, self.place],
                _ => [x, y],
            }
        };
        let (step, place, end) = (10.0_f64.powf(self.step), self.place, self.place + 50.0);
        let [vx, vy] = self.speed;
        let state = ["plane_stress", "plane_strain"][usize::from(self.strain)];
        let lies = match self.friction {
            None => format!("initial.bodies.a = {{ vx = {vx:?}, vy = {vy:?} }}"),
            Some(mu) => Mechanism::part()
                .entry("initial.bodies.a", format!("vx = {vx:?}"))
                .points(format!("left = [{:?}, {place:?}]", place - 50.0))
                .and(format!("right = [{end:?}, {place:?}]"))
                .guide("guide", ["left", "right"], "elements = 1, order = 1")
                .joint(
                    "sole",
                    format!(
                        "sliding = {{ edge = 'block.bottom', path = ['guide'], \
                         nodes = '{}' }}",
                        self.nodes
                    ),
                )
                .and(format!("friction.coulomb = {{ coefficient = {mu:?} }}"))
                .text(),
        };
        Mechanism::new("any")
            .step(step)
            .points(format!("a = {:?}, b = {:?}, c = {:?}", corner(0), corner(1), corner(2)))
            .and(format!("d = {:?}", corner(3)))
            .material("any", 10.0_f64.powf(self.stiffness), self.poisson, 1000.0)
            .gravity(-9.81)
            .add(lies)
            .outputs("energy.* points.a.*")
            .body("block", format!("material = 'any', thickness = 0.1, state = '{state}'"))
            .and(format!("order = {}", self.order))
            .patch("block", self.cells, "bottom: a, right: b, top: c, left: d")
            .text()
    }
}

/// How many of `cases` random scenes hold to their end, as `holds` says.
pub fn come_through<S: Strategy>(
    cases: u32, scenes: &S, holds: impl Fn(S::Value) -> Result<bool, TestCaseError>,
) -> u32 {
    let through = Cell::new(0);
    let outcome = TestRunner::new(common::random_cases(cases)).run(scenes, |scene| {
        through.set(through.get() + u32::from(holds(scene)?));
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
    println!("{} of {} hold to the end", through.get(), common::tier::share(cases));
    through.get()
}

/// Whether so many steps are taken: one that cannot be solved is refused in words. Friction gives nothing, and the energies balance.
pub fn keeps_its_energy(
    run: &mut Simulation, step: f64, count: usize,
) -> Result<bool, TestCaseError> {
    let (mut friction, mut largest) = (0.0, 0.0_f64);
    for _ in 0..count {
        let time = run.time();
        if run.try_step(time, step).is_err() {
            return Ok(false);
        }
        let work = run.get("energy.friction_work");
        prop_assert!(work >= friction, "friction gives {work} {friction}");
        friction = work;
        largest = largest.max(run.energy(&["kinetic", "strain"]));
    }
    let error = run.get("energy.balance").abs();
    let noise = run.noise();
    prop_assert!(error <= 1e-2 * largest.max(friction) + noise, "{error} of {largest}");
    Ok(true)
}

#[test]
fn bodies_of_any_shape_order_and_material_keep_their_energy_or_say_so() {
    let through = come_through(400, &scenes(), |scene| {
        let mut run = Simulation::of(&scene.text());
        let whole = keeps_its_energy(&mut run, 10.0_f64.powf(scene.step), 30)?;
        prop_assert!(!whole || run.get("points.a.x").is_finite());
        Ok(whole)
    });
    assert!(8 * through >= 7 * common::tier::share(400), "only {through}");
}
