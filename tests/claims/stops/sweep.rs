//! Speeds, steps, forces and dissipation of the method: in no run does a slider leave its stop faster than its
//! restitution allows.

use crate::common::Simulation;
use crate::common::mechanism::Mechanism;

/// What acts on the bead.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Case {
    Free,
    Pushed,
    Spring,
    Friction(&'static str),
    /// Contact that can open, on the upper side of a hollow.
    Arc,
    Spline,
}

const CASES: [Case; 7] = [
    Case::Free,
    Case::Pushed,
    Case::Spring,
    Case::Friction("set_valued"),
    Case::Friction("siqueira_coda_2023"),
    Case::Arc,
    Case::Spline,
];

/// N, towards the stop.
const PUSH: f64 = 5.0;

/// N/m, of a spring of 1 m at rest where the bead begins.
const STIFFNESS: f64 = 100.0;

/// Depth of the hollow, m.
const DEPTH: f64 = 0.3;

/// Steps from the start to the stop, and at least in all.
const STEPS_TO_STOP: f64 = 7.3;
const STEPS: usize = 40;

/// A bead of 1 kg that runs towards the stop at the end (1, 0) of its path.
#[derive(Debug, Clone, Copy)]
struct Run {
    case: Case,
    speed: f64,
    step: f64,
    spectral_radius: f64,
    restitution: f64,
}

impl Run {
    fn way(&self) -> f64 {
        match self.case {
            // The curve passes through the place of the bead.
            Case::Spline => 0.05,
            _ => (self.speed * self.step * STEPS_TO_STOP).min(1.5),
        }
    }

    fn steps(&self) -> usize {
        STEPS.max(2 * (self.way() / (self.speed * self.step)) as usize)
    }

    fn place(&self) -> [f64; 2] {
        let way = self.way();
        match self.case {
            Case::Arc => {
                let radius = (1.0 + DEPTH * DEPTH) / (2.0 * DEPTH);
                let angle = (1.0 / radius).asin() - way / radius;
                [radius * angle.sin(), radius - DEPTH - radius * angle.cos()]
            }
            Case::Spline => [1.0 - way, -DEPTH * way],
            _ => [1.0 - way, 0.0],
        }
    }

    /// The largest acceleration away from the stop that anything but the stop gives the bead, m/s².
    fn pull(&self) -> f64 {
        match self.case {
            // A spring of the frame element: its force grows a little faster than its way.
            Case::Spring => 2.0 * STIFFNESS * self.way(),
            Case::Arc | Case::Spline => 9.81,
            _ => 0.0,
        }
    }

    fn text(&self) -> String {
        let Run { case, speed, step, spectral_radius, restitution } = *self;
        let [x, y] = self.place();
        let path = match case {
            Case::Arc => {
                format!("elements = 12\norder = 3\narc.through = [0.0, {:?}]", -DEPTH)
            }
            Case::Spline => {
                let points = format!("[[-0.4, -0.2], [0.2, -0.2], [{x:?}, {y:?}]]");
                format!("elements = 12\norder = 3\nspline = {points}")
            }
            _ => "elements = 1".into(),
        };
        let contact = match case {
            Case::Arc | Case::Spline => ", cylindrical.contact = \"unilateral\"",
            _ => "",
        };
        let friction = match case {
            Case::Friction(transition) => format!(
                "friction.coulomb = {{ coefficient = 0.3, static_coefficient = 0.4, \
                 transition = \"{transition}\" }}"
            ),
            _ => String::new(),
        };
        let push = if case == Case::Pushed { PUSH } else { 0.0 };
        let (wall, spring) = if case == Case::Spring {
            (format!("wall = [{:?}, 0.0]", x - 1.0), spring())
        } else {
            (String::new(), String::new())
        };
        Mechanism::new("stop")
            .step(step)
            .solver(format!("spectral_radius = {spectral_radius:?}"))
            .points(format!("l = [-1.0, 0.0], r = [1.0, 0.0], b = [{x:?}, {y:?}], {wall}"))
            .member("p", ["l", "r"], path)
            .support("p", "member = 'p', fix = ['x', 'y', 'rotation']")
            .add(spring)
            .mass("b", 1.0)
            .joint("b", "cylindrical.slider = 'b', cylindrical.path = ['p']")
            .and("cylindrical.ends = 'stop'")
            .and(format!("cylindrical.restitution = {restitution:?}{contact}, {friction}"))
            .start("b", format!("vx = {speed:?}"))
            .load("f", format!("point = 'b', fx = {push:?}"))
            .gravity(-9.81)
            .outputs("points.b.* joints.b.* energy.*")
            .text()
    }

    /// By how much the bead came back too fast, as a share of its speed; `None` where it met no stop. What a stop
    /// holds does not move.
    fn excess(&self) -> Option<f64> {
        let mut sim = Simulation::of(&self.text());
        let (mut fastest, mut excess, mut met, mut loss) = (0.0_f64, 0.0_f64, None, 0.0);
        for _ in 0..self.steps() {
            let t = sim.time();
            let before = sim.get("joints.b.velocity");
            // In the step of the impact it may have become faster still.
            let gain = self.step * if self.case == Case::Pushed { PUSH } else { self.pull() };
            fastest = fastest.max(before + if met.is_none() { gain } else { 0.0 });
            // One that has left its path flies past the stop, and may crush its spring.
            if sim.try_step(t, self.step).is_err() {
                break;
            }
            let v = sim.get("joints.b.velocity");
            let stopped = sim.get("joints.b.regime") == 4.0;
            assert!(!stopped || v == 0.0, "{self:?}: {v:e}");
            let near = sim.get("points.b.x") > 1.0 - 1.5 * self.speed * self.step;
            let lost = std::mem::replace(&mut loss, sim.get("energy.impact_loss"));
            if met.is_none() && (stopped || loss > lost || (v < 0.0 && before > 0.0 && near)) {
                met = Some(t);
            }
            if let Some(met) = met {
                let own = self.pull() * (sim.time() - met);
                excess = excess.max((-v - self.restitution * fastest - own) / fastest);
            }
        }
        met.map(|_| excess)
    }
}

fn spring() -> String {
    Mechanism::part()
        .material("spring", 100.0, 0.3, 0.0)
        .rectangle("spring", 1.0, 1.0)
        .beam("spring", ["wall", "b"], [1, 1], "spring spring")
        .clamp("wall")
        .text()
}

/// All runs with this many of the numbers.
fn sweep(speeds: &[f64], steps: &[f64]) {
    let (mut runs, mut met) = (0, 0);
    for case in CASES {
        let mut worst = 0.0_f64;
        for &speed in speeds {
            for &step in steps {
                for spectral_radius in [0.0, 0.5, 0.9] {
                    for restitution in [0.0, 0.5, 1.0] {
                        let run = Run { case, speed, step, spectral_radius, restitution };
                        if run.steps() > 3000 {
                            continue;
                        }
                        runs += 1;
                        let Some(excess) = run.excess() else {
                            continue;
                        };
                        met += 1;
                        // Positions round to 2e-16 m, velocities to some of that in a step.
                        let rounding = 1e-14 / (step * speed);
                        assert!(excess < 1e-9 + rounding, "{excess:e} of the speed: {run:?}");
                        worst = worst.max(excess);
                    }
                }
            }
        }
        println!("{case:?}: {worst:e}");
    }
    println!("{runs} runs, {met} met a stop");
    // Friction holds some before they get there.
    assert!(10 * met > 7 * runs);
}

#[test]
fn no_slider_leaves_a_stop_faster_than_its_restitution_allows() {
    if std::env::var("COULISSE_SWEEP").is_ok() {
        let speeds = [1e-4, 3e-4, 1e-3, 1e-2, 0.1, 0.5, 1.0, 2.0, 5.0];
        sweep(&speeds, &[1e-2, 3e-3, 1e-3, 2.3e-4, 2e-5, 4e-6, 1e-6]);
    } else {
        sweep(&[1e-4, 1e-2, 0.5, 5.0], &[1e-2, 2.3e-4, 1e-6]);
    }
}
