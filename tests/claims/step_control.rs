//! Steps whose length follows from `solver.tolerance`, beside equal steps of the same cost.

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::sensitivity::{check, sharp};
use crate::common::{Simulation, runge_kutta};

const GRAVITY: f64 = 9.81;

/// Largest errors of positions (m) and forces (N) of a run, and what it cost.
#[derive(Debug, Clone, Copy)]
struct Outcome {
    place: f64,
    force: f64,
    iterations: f64,
}

impl Outcome {
    /// The errors that equal steps with this outcome would have at another cost: they are of second order.
    fn at(self, iterations: f64) -> [f64; 2] {
        let share = (self.iterations / iterations).powi(2);
        [self.place * share, self.force * share]
    }
}

/// A problem with the angles of its rods by a differential equation of its own.
struct Problem {
    model: fn(&str) -> String,
    end: f64,
    /// Rates and accelerations of the angles and rates.
    slope: fn(&[f64; 4]) -> [f64; 4],
    /// Tip and force of the support.
    read: fn(&[f64; 4]) -> [f64; 4],
}

const TICK: f64 = 0.05;

impl Problem {
    fn run(&self, solver: &str) -> Outcome {
        let mut sim = Simulation::of(&(self.model)(solver));
        let mut truth = [0.0; 4];
        let mut found = [0.0_f64; 2];
        sim.run(self.end, TICK, |sim| {
            truth = runge_kutta(truth, 0.0, TICK, 10000, |_, y| (self.slope)(y));
            let names = ["points.tip.x", "points.tip.y", "supports.o.fx", "supports.o.fy"];
            let off = (names.iter().zip((self.read)(&truth)))
                .map(|(name, right)| (sim.get(name) - right).abs());
            for (i, off) in off.enumerate() {
                found[i / 2] = found[i / 2].max(off);
            }
        });
        let [place, force] = found;
        let iterations = sim.get("solver.iterations");
        Outcome { place, force, iterations }
    }
}

/// A rod of 1 m and 1 kg, released horizontally, and what else acts on its tip; the third number of its state is the time.
macro_rules! rod {
    ($more:expr, $push:path) => {
        Problem {
            model: |solver| rod(solver, $more),
            end: 3.0,
            slope: |&[angle, rate, time, _]| {
                let moment = -0.5 * GRAVITY * angle.cos() - $push(angle, time) * angle.sin();
                [rate, 3.0 * moment, 1.0, 0.0]
            },
            read: |&[angle, rate, time, _]| {
                let push = $push(angle, time);
                let (sin, cos) = angle.sin_cos();
                let second = 3.0 * (-0.5 * GRAVITY * cos - push * sin);
                let x = -0.5 * (sin * second + cos * rate * rate);
                let y = 0.5 * (cos * second - sin * rate * rate);
                [cos, sin, x - push, y + GRAVITY]
            },
        }
    };
}

fn rod(solver: &str, more: &str) -> String {
    Mechanism::new("Rod")
        .solver(solver)
        .points("o = [0.0, 0.0], tip = [1.0, 0.0], wall = [-0.6, 0.0]")
        .member("rod", ["o", "tip"], "rigid = true, mass = 1.0")
        .and(format!("inertia = {}", 1.0 / 12.0))
        .pin("o")
        .add(more)
        .gravity(-GRAVITY)
        .outputs("points.tip.* supports.o.* solver.*")
        .text()
}

/// An elastic stop of `K` N/m.
fn stop<const K: u32>() -> String {
    Mechanism::part()
        .spring("stop", "to = 'tip', ground = 'wall', direction = 'x'")
        .and(format!("stop = {{ least = 0.0, stiffness = {K} }}"))
        .text()
}

/// Force of such a stop on the tip.
fn push<const K: u32>(angle: f64, _: f64) -> f64 {
    f64::from(K) * (-0.6 - angle.cos()).max(0.0)
}

const TIMES: [f64; 11] = [0.0, 0.137, 0.31, 0.333, 0.71, 0.93, 1.4, 1.41, 2.03, 2.222, 3.1];
const FORCES: [f64; 11] = [0.0, 50.0, -70.0, 80.0, 80.0, -30.0, -30.0, 60.0, 0.0, 40.0, 40.0];

/// A force along x by a table of straight lines.
fn table() -> String {
    format!(
        "[loads.tip]\npoint = \"tip\"\nfx = 1.0\nhistory.table = {{ times = {TIMES:?}, values = {FORCES:?} }}\n"
    )
}

fn tabled(_: f64, time: f64) -> f64 {
    let i = TIMES.partition_point(|t| *t <= time).clamp(1, 10);
    let share = (time - TIMES[i - 1]) / (TIMES[i] - TIMES[i - 1]);
    FORCES[i - 1] + share * (FORCES[i] - FORCES[i - 1])
}

/// A block of 1 kg between a spring of 200 N/m with a slip element of 1000 N/m that slides at 3 N, and a force of up to 10 N.
/// The last number of its state is the force of the slip element.
const ON_A_SLIP_ELEMENT: Problem = Problem {
    model: |solver| {
        Mechanism::new("OnASlipElement")
            .solver(solver)
            .points("o = [0.0, 0.0], tip = [1.0, 0.0]")
            .mass("tip", 1.0)
            .roller("tip")
            .pin("o")
            .spring("spring", "from = 'o', to = 'tip', stiffness = 200.0")
            .and("friction = { force = 3.0, stiffness = 1000.0 }")
            .load("tip", "point = 'tip', fx = '10*sin(9*t)'")
            .outputs("points.tip.* supports.o.* solver.*")
            .text()
    },
    end: 3.0,
    slope: |&[x, v, time, slip]| {
        let over = slip.abs() - 3.0;
        let slides = slip * v > 0.0 && over >= 0.0;
        // What the last step before it slides leaves above 3 N fades at once.
        let rate = if slides { -1e5 * over * slip.signum() } else { 1000.0 * v };
        [v, 10.0 * (9.0 * time).sin() - 200.0 * x - slip, 1.0, rate]
    },
    read: |&[x, _, _, slip]| [1.0 + x, 0.0, -200.0 * x - slip, 0.0],
};

/// Two rods of 0.3 m and 0.3 kg, released horizontally.
const DOUBLE_PENDULUM: Problem = Problem {
    model: |solver| {
        let rod = format!("rigid = true, mass = 0.3, inertia = {}", 0.3 * 0.09 / 12.0);
        Mechanism::new("DoublePendulum")
            .solver(solver)
            .points("o = [0.0, 0.0], knee = [0.3, 0.0], tip = [0.6, 0.0]")
            .member("a", ["o", "knee"], &rod)
            .member("b", ["knee", "tip"], &rod)
            .joint("knee", "hinge = { point = 'knee', release = ['b'] }")
            .pin("o")
            .gravity(-GRAVITY)
            .outputs("points.tip.* supports.o.* solver.*")
            .text()
    },
    end: 2.0,
    slope: |&[a, u, b, v]| {
        // Times l/m: 4/3 l u̇ + ½ l cos(a − b) v̇ = −½ l sin(a − b) v² − 3/2 g cos a, and so on.
        let (l, turned) = (0.3, a - b);
        let coupling = 0.5 * l * turned.cos();
        let first = -0.5 * l * turned.sin() * v * v - 1.5 * GRAVITY * a.cos();
        let second = 0.5 * l * turned.sin() * u * u - 0.5 * GRAVITY * b.cos();
        let [m, n] = [4.0 / 3.0 * l, l / 3.0];
        let det = m * n - coupling * coupling;
        [u, (n * first - coupling * second) / det, v, (m * second - coupling * first) / det]
    },
    read: |y| {
        let [_, u_rate, _, v_rate] = (DOUBLE_PENDULUM.slope)(y);
        let [a, u, b, v] = *y;
        let l = 0.3;
        let end = |angle: f64, rate: f64, second: f64| {
            let (sin, cos) = angle.sin_cos();
            [-l * (sin * second + cos * rate * rate), l * (cos * second - sin * rate * rate)]
        };
        let ([px, py], [qx, qy]) = (end(a, u, u_rate), end(b, v, v_rate));
        // Half of the first rod, all of it and half of the second.
        let [fx, fy] = [1.5 * px + 0.5 * qx, 1.5 * py + 0.5 * qy].map(|a| 0.3 * a);
        [l * (a.cos() + b.cos()), l * (a.sin() + b.sin()), fx, fy + 0.6 * GRAVITY]
    },
};

const TOLERANCES: [f64; 4] = [1e-3, 1e-4, 1e-5, 1e-6];

fn controlled(problem: &Problem) -> Vec<Outcome> {
    let runs =
        TOLERANCES.map(|tolerance| problem.run(&format!("step = 0.05\ntolerance = {tolerance}")));
    for (tolerance, run) in TOLERANCES.iter().zip(&runs) {
        println!("tolerance {tolerance:e}: {run:?}");
    }
    runs.to_vec()
}

/// Each run beside equal steps, whose length is such that they cost nearly the same.
fn equal_beside(problem: &Problem, runs: &[Outcome], steps: &[f64]) -> Vec<[f64; 2]> {
    let equal: Vec<Outcome> =
        (steps.iter()).map(|step| problem.run(&format!("step = {step}"))).collect();
    for (step, run) in steps.iter().zip(&equal) {
        println!("equal steps of {step} s: {run:?}");
    }
    let nearest = |run: &Outcome| {
        let off = |one: &&Outcome| (one.iterations / run.iterations).ln().abs();
        let one = equal.iter().min_by(|a, b| off(a).total_cmp(&off(b))).expect("equal steps");
        one.at(run.iterations)
    };
    runs.iter().map(nearest).collect()
}

#[test]
fn controlled_steps_follow_what_is_much_faster_than_the_rest() {
    follows(&rod!(&stop::<1_000_000>(), push::<1_000_000>), &[1e-3, 5e-4, 2.5e-4, 1.25e-4], 0.1);
}

/// Errors of controlled steps are below this `share` of those of equal `steps` with as many solutions, and each smaller tolerance makes them smaller.
fn follows(problem: &Problem, steps: &[f64], share: f64) {
    let runs = controlled(problem);
    let equal = equal_beside(problem, &runs, steps);
    for (run, equal) in runs.iter().zip(&equal) {
        assert!(run.place < share * equal[0] && run.force < share * equal[1], "{run:?} {equal:?}");
    }
    for pair in runs.windows(2) {
        assert!(pair[1].place < pair[0].place && pair[1].force < pair[0].force, "{pair:?}");
    }
}

/// Contacts of 0.2 and 0.07 s, within which nothing is faster than the swing of the rod.
#[test]
fn controlled_steps_end_where_a_soft_stop_is_met_and_left() {
    let steps = [2.5e-2, 1.25e-2, 6.25e-3, 3.1e-3, 1.6e-3, 8e-4, 4e-4];
    follows(&rod!(&stop::<100>(), push::<100>), &steps, 0.5);
    follows(&rod!(&stop::<1000>(), push::<1000>), &steps, 0.5);
}

/// At a tolerance of 1e-3 as many solutions as in equal steps take half the time, but leave three times the error; below, a fifth and less.
#[test]
fn controlled_steps_end_where_a_slip_element_begins_to_slide_or_turns_back() {
    follows(&ON_A_SLIP_ELEMENT, &[1.25e-2, 6.25e-3, 3.1e-3, 1.6e-3, 8e-4, 4e-4, 2e-4], 4.0);
}

#[test]
fn controlled_steps_end_at_the_corners_of_a_table() {
    follows(&rod!(&table(), tabled), &[1.25e-2, 6.25e-3, 3.1e-3, 1.6e-3, 8e-4, 4e-4], 0.1);
}

#[test]
fn controlled_steps_are_better_than_equal_ones_where_nothing_is_faster() {
    let runs = controlled(&DOUBLE_PENDULUM);
    let equal = equal_beside(&DOUBLE_PENDULUM, &runs, &[5e-3, 2.5e-3, 1.25e-3, 6e-4, 3e-4]);
    for (run, equal) in runs.iter().zip(&equal) {
        println!("{run:?} beside {equal:?}");
        assert!(run.place < equal[0] && run.force < equal[1]);
    }
    for pair in runs.windows(2) {
        assert!(
            pair[1].place < 0.5 * pair[0].place && pair[1].force < 0.5 * pair[0].force,
            "{pair:?}"
        );
    }
}

/// 1 kg on a spring of 100 N/m, at rest until 1 N jumps on it within a communication step.
fn loaded_at_once(solver: &str) -> String {
    Mechanism::new("LoadedAtOnce")
        .solver(solver)
        .points("ground = [0.0, 0.0], block = [1.0, 0.0]")
        .mass("block", 1.0)
        .roller("block")
        .spring("spring", "to = 'block', ground = 'ground', stiffness = 100.0")
        .load("block", "point = 'block', fx = 1.0, history.table.times = [0.0, 0.123]")
        .and("history.table.values = [0.0, 1.0], history.table.interpolation = 'step'")
        .outputs("points.block.x solver.*")
        .text()
}

#[test]
fn a_load_that_jumps_on_what_is_at_rest_is_passed() {
    let mut last = f64::INFINITY;
    for tolerance in [1e-3_f64, 1e-4, 1e-5] {
        let mut sim =
            Simulation::of(&loaded_at_once(&format!("step = 0.05\ntolerance = {tolerance}")));
        let mut off = 0.0_f64;
        sim.run(2.0, 0.05, |sim| {
            let after = (sim.time() - 0.123).max(0.0);
            off = off
                .max((sim.get("points.block.x") - 1.0 - 0.01 * (1.0 - (10.0 * after).cos())).abs());
        });
        println!("tolerance {tolerance:e}: {off:e} m in {} steps", sim.get("solver.steps"));
        assert!(off < 0.5 * last && off < 0.05 * tolerance.powf(2.0 / 3.0));
        last = off;
    }
}

/// Positions and forces of the crank at all communication points of ten turns, and the linear solutions that they took.
fn ten_turns(solver: &str) -> (Vec<[f64; 2]>, f64) {
    let text = crank().edit("step = 0.02\ntolerance = 1e-4", solver);
    let mut sim = Simulation::of(&text);
    let mut rows = Vec::new();
    sim.run(4.2, 0.02, |sim| {
        let names = ["points.wrist.x", "supports.axle.fx"];
        rows.push(names.map(|name| sim.get(name)));
    });
    (rows, sim.get("solver.iterations"))
}

/// Steps that are changed within a turn lose that the errors of equal ones cancel each other over it.
#[test]
fn controlled_steps_are_better_than_equal_ones_in_a_machine_that_turns() {
    let (truth, _) = ten_turns("step = 1e-4\ntolerance = 1e-3\nposition_tolerance = 1e-12");
    let outcome = |solver: &str| {
        let (rows, iterations) = ten_turns(solver);
        let [place, force] = [0, 1].map(|i| {
            let off = rows.iter().zip(&truth).map(|(row, right)| (row[i] - right[i]).abs());
            off.fold(0.0, f64::max)
        });
        Outcome { place, force, iterations }
    };
    let equal: Vec<Outcome> =
        (0..8).map(|k| outcome(&format!("step = {}", 0.02 / f64::from(1 << k)))).collect();
    let mut runs = Vec::new();
    for k in 12..=24 {
        let tolerance = 10.0_f64.powf(-f64::from(k) / 4.0);
        let run = outcome(&format!("step = 0.02\ntolerance = {tolerance:e}"));
        let off = |one: &&Outcome| (one.iterations / run.iterations).ln().abs();
        let near = equal.iter().min_by(|a, b| off(a).total_cmp(&off(b)));
        let beside = near.expect("equal steps").at(run.iterations);
        println!("{tolerance:.1e}: {run:?} beside {beside:?}");
        assert!(run.place < beside[0] && run.force < beside[1]);
        runs.push(run);
    }
    // Errors change their sign with the tolerance now and then: beside one that is ten times as large. The largest ones leave all steps
    // at their longest.
    for (large, small) in runs.iter().zip(&runs[4..]) {
        assert!(small.place < 1.25 * large.place && small.force < 1.25 * large.force);
    }
}

/// A slider-crank with a flywheel and a force of the host, whose constraints bend.
fn crank() -> String {
    Mechanism::new("crank")
        .step(0.02)
        .solver("tolerance = 1e-4")
        .points("axle = [0.0, 0.0], knee = [0.06, 0.08], wrist = [0.4, 0.05], left = [-0.5, 0.05]")
        .and("right = [1.0, 0.05]")
        .member("crank", ["axle", "knee"], "rigid = true, mass = 0.6, inertia = 0.03")
        .member("rod", ["knee", "wrist"], "rigid = true, mass = 0.5, inertia = 0.02")
        .guide("guide", ["left", "right"], "elements = 1")
        .pin("axle")
        .mass("wrist", 0.5)
        .joint("knee", "hinge = { point = 'knee', release = ['rod'] }")
        .slider("slider", "wrist", "guide", "")
        .load("push", "point = 'wrist', fx = 0.0")
        .gravity(-9.81)
        .entry("initial", "velocities = 'rigid_mechanism'")
        .start("axle", "rotation_rate = 15.0")
        .inputs("loads.push.fx")
        .outputs(
            "points.wrist.x points.wrist.vx points.wrist.ax points.knee.* supports.axle.* \
             supports.guide.* solver.*",
        )
        .text()
}

#[test]
fn derivatives_of_controlled_steps_agree_with_differences() {
    for tolerance in [1e-3, 1e-4, 1e-6] {
        let text = crank().edit("tolerance = 1e-4", &format!("tolerance = {tolerance:e}"));
        let text = sharp(&text, 1e-13).edit(", \"solver.*\"", "");
        let mut sim = Simulation::of(&text);
        let mut sure = 0;
        for _ in 0..8 {
            sim.set("loads.push.fx", 3.0);
            sim.run(sim.time() + 0.1, 0.02, |_| ());
            sim.set("loads.push.fx", 2.0);
            // One step, and several where the tolerance is small: each an equal part of what is left of the communication step. What
            // closes second derivatives of constraints in a stage may be found with the matrix of the stage before.
            for length in [0.005, 0.02] {
                sure += check(&sim, &text, length, &[("loads.push.fx", 1e-2)], 1e-5);
            }
        }
        println!("tolerance {tolerance:e}: {sure}");
        assert!(sure > 100, "{sure}");
    }
}
