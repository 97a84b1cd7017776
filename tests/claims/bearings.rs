//! What of a prismatic slider bears: its ends or a contact layer, with friction at its faces. Against the rigid closed forms of a
//! translational joint with two-sided contact.

use crate::common::Simulation;
use crate::common::mechanism::Mechanism;
use crate::random_mechanisms::Dice;

const GRAVITY: f64 = 9.81;

/// A slider in a guide along x that hardly bends.
#[derive(Debug, Clone, Copy)]
struct Block {
    length: f64,
    height: f64,
    layer: bool,
    mass: f64,
    static_coefficient: f64,
    coefficient: f64,
    gravity: f64,
}

/// Zhang and Wang's slider.
const SLIDER: Block = Block {
    length: 2.0,
    height: 0.8,
    layer: false,
    mass: 125.6,
    static_coefficient: 0.31,
    coefficient: 0.3,
    gravity: GRAVITY,
};

impl Block {
    /// Pulled with `force` at `arm` from its centre, after a ramp of 0.1 s.
    fn pulled(&self, force: [f64; 2], arm: [f64; 2]) -> Simulation {
        let [fx, fy] = force;
        let moment = arm[0] * fy - arm[1] * fx;
        let bearing = if self.layer { "layer" } else { "ends" };
        let height = match self.height {
            0.0 => String::new(),
            height => format!("height = {height:?}, "),
        };
        Mechanism::new("block")
            .step(1e-3)
            .points("left = [-1.0, 0.0], right = [1.0, 0.0], block = [0.0, 0.0]")
            .material("stiff", 210e13, 0.3, 0.0)
            .rectangle("bar", 0.2, 0.2)
            .member("guide", ["left", "right"], "elements = 3, material = 'stiff'")
            .and("section = 'bar'")
            .clamp("left")
            .clamp("right")
            .wheel("block", self.mass, 10.0)
            .load("pull", format!("point = 'block', fx = {fx:?}, fy = {fy:?}"))
            .and(format!("moment = {moment:?}, history.ramp = {{ duration = 0.1 }}"))
            .joint(
                "block",
                format!(
                    "prismatic = {{ slider = 'block', path = ['guide'], \
                     length = {:?}, {height}bearing = '{bearing}' }}",
                    self.length
                ),
            )
            .and(format!("friction.coulomb.static_coefficient = {:?}", self.static_coefficient))
            .and(format!("friction.coulomb.coefficient = {:?}", self.coefficient))
            .gravity(-self.gravity)
            .simulation()
    }

    /// N, towards the right of the path, and M' under `force` at `arm` when it slides with the sign `sense` and `coefficient`.
    fn carried(&self, force: [f64; 2], arm: [f64; 2], sense: f64, coefficient: f64) -> [f64; 2] {
        let normal = self.mass * self.gravity - force[1];
        let moment = arm[0] * force[1] - arm[1] * force[0];
        [normal, moment - sense * coefficient * self.height / 2.0 * normal]
    }

    /// S of the closed forms.
    fn pressed(&self, [normal, moment]: [f64; 2]) -> f64 {
        let (n, m) = (normal.abs(), moment.abs());
        if !self.layer {
            return n.max(2.0 * m / self.length);
        }
        let r = 6.0 * m / (n * self.length);
        match n {
            0.0 => 3.0 * m / self.length,
            _ if r <= 1.0 => n,
            _ => n * (r + 1.0 / r) / 2.0,
        }
    }
}

/// The acceleration after the ramp of the pull, m/s².
fn acceleration(mut sim: Simulation) -> f64 {
    sim.run(0.11, 1e-2, |_| ());
    let before = sim.get("joints.block.velocity");
    sim.run(0.16, 1e-2, |_| ());
    (sim.get("joints.block.velocity") - before) / 0.05
}

/// Accelerations of the two rigid models of a public comparison.
#[test]
fn zhang_and_wangs_slider_accelerates_as_the_rigid_models_do() {
    for (offset, force, corners, layer) in [
        (1.2, 800.0, 3.4264, 1.8547),
        (1.2, 1106.0, 5.2825, 3.1112),
        (1.2, 1500.0, 7.2902, 4.6536),
        (2.0, 5000.0, 15.5704, 3.3916),
    ] {
        for (is_layer, printed) in [(false, corners), (true, layer)] {
            let block = Block { layer: is_layer, ..SLIDER };
            let seen = acceleration(block.pulled([force, 0.0], [1.0, offset]));
            let pressed = block.pressed(block.carried([force, 0.0], [1.0, offset], 1.0, 0.3));
            let exact = (force - 0.3 * pressed) / block.mass;
            assert!((seen / exact - 1.0).abs() < 1e-6, "{force} N: {seen}, {exact}");
            // Four digits are printed.
            assert!((seen - printed).abs() < 1e-4, "{force} N: {seen}, {printed}");
        }
    }
}

#[test]
fn random_blocks_accelerate_as_the_closed_form_says() {
    let mut dice = Dice::seeded(15);
    let (mut slid, mut held) = (0, 0);
    for _ in 0..200 {
        let coefficient = dice.between(0.05, 0.6);
        let length = dice.between(0.2, 2.0);
        let block = Block {
            length,
            height: dice.between(0.0, 1.0) * length,
            layer: dice.chance(0.5),
            mass: dice.scale(1.0, 100.0),
            static_coefficient: coefficient,
            coefficient,
            gravity: GRAVITY * dice.between(-1.0, 1.0),
        };
        let weight = block.mass * GRAVITY;
        let force = [weight * dice.between(-3.0, 3.0), weight * dice.between(-1.0, 1.0)];
        let arm = [length * dice.between(-0.5, 0.5), length * dice.between(-0.7, 0.7)];
        let sense = force[0].signum();
        let pressed = block.pressed(block.carried(force, arm, sense, coefficient));
        let exact = (force[0] - sense * coefficient * pressed) / block.mass;
        // Near its threshold the ramp decides how long it slides.
        if (exact * block.mass / force[0]).abs() < 0.02 {
            continue;
        }
        let seen = acceleration(block.pulled(force, arm));
        if exact * sense > 0.0 {
            slid += 1;
            assert!(
                (seen / exact - 1.0).abs() < 1e-5,
                "{block:?} {force:?} {arm:?}: {seen}, {exact}"
            );
        } else {
            held += 1;
            assert!(seen.abs() < 1e-6, "{block:?} {force:?} {arm:?}: {seen}");
        }
    }
    assert!(slid > 100 && held > 10, "{slid} {held}");
}

#[test]
fn a_layer_jams_from_two_thirds_of_the_offset_of_ends_on() {
    for (layer, share) in [(false, 2.0), (true, 3.0)] {
        for height in [0.0, 0.8] {
            let block = Block { layer, height, gravity: 0.0, static_coefficient: 0.3, ..SLIDER };
            let threshold = block.length / (share * block.coefficient);
            let moved = |factor: f64| {
                let mut sim = block.pulled([1500.0, 0.0], [0.0, threshold * factor]);
                let start = sim.get("joints.block.position");
                sim.run(0.3, 1e-2, |_| ());
                sim.get("joints.block.position") - start
            };
            assert!(moved(1.001).abs() < 1e-7, "{layer} {height}");
            assert!(moved(0.999) > 1e-5, "{layer} {height}");
        }
    }
}

#[test]
fn a_heavy_slider_starts_where_static_friction_at_its_faces_does_not_suffice() {
    for layer in [false, true] {
        let block = Block { layer, ..SLIDER };
        let offset = 0.9;
        // σ F = μ' S(μ') at the threshold.
        let excess = |force: f64| {
            let carried = block.carried([force, 0.0], [0.0, offset], 1.0, block.static_coefficient);
            force - block.static_coefficient * block.pressed(carried)
        };
        let (mut low, mut high) = (0.0, 1e5);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if excess(middle) > 0.0 { high = middle } else { low = middle }
        }
        for (factor, slides) in [(0.999, false), (1.001, true)] {
            let mut sim = block.pulled([high * factor, 0.0], [0.0, offset]);
            sim.run(0.3, 1e-2, |_| ());
            assert_eq!(sim.get("joints.block.velocity") > 1e-3, slides, "{layer} {factor}");
        }
    }
}

#[test]
fn what_bears_is_reported() {
    let (force, arm) = ([1500.0, 0.0], [1.0, 1.2]);
    let told = |block: Block| {
        let mut sim = block.pulled(force, arm);
        sim.run(0.15, 1e-2, |_| ());
        sim
    };
    let [normal, moment] = SLIDER.carried(force, arm, 1.0, 0.3);
    let sim = told(SLIDER);
    // The path is pushed to its right by the weight.
    for (name, end) in [("front", 1.0), ("rear", -1.0)] {
        let exact = -normal / 2.0 + end * moment / SLIDER.length;
        let seen = sim.get(&format!("joints.block.{name}_force"));
        assert!((seen / exact - 1.0).abs() < 1e-5, "{name}: {seen}, {exact}");
    }
    let layer = Block { layer: true, ..SLIDER };
    let sim = told(layer);
    let r = 6.0 * moment.abs() / (normal * SLIDER.length);
    for (name, exact) in [
        ("contact_length", SLIDER.length / 2.0 * (1.0 + 1.0 / r)),
        ("line_pressure", normal / SLIDER.length * (1.0 + r)),
        ("normal_force", normal * (r + 1.0 / r) / 2.0),
    ] {
        let seen = sim.get(&format!("joints.block.{name}"));
        assert!((seen / exact - 1.0).abs() < 1e-5, "{name}: {seen}, {exact}");
    }
}
