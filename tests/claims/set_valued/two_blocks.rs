//! Two blocks on a belt whose sticking and sliding act on each other.

use crate::common::mechanism::Mechanism;
use crate::common::reach::reached;
use crate::common::{Simulation, runge_kutta};

const BELT: f64 = 0.5;
const MASSES: [f64; 2] = [20.0, 10.0];
const LENGTH: f64 = 1000.0;

/// Two blocks on a belt: one on a spring at the wall, the other on a spring at the first.
fn chain(step: f64) -> Simulation {
    let joint = |name: &str| {
        format!(
            "[joints.{name}]\ncylindrical = {{ slider = \"{name}\", path = [\"belt\"], ends = \"continue\" }}\n\
             friction.stribeck = {{ static_coefficient = 0.6, kinetic_coefficient = 0.5, \
             decay_velocity = 0.05, transition = \"set_valued\" }}\n\
             [masses.{name}]\npoint = \"{name}\"\nmass = {:?}\n\
             [initial.points.{name}]\nvx = 0.5\n",
            MASSES[usize::from(name == "second")]
        )
    };
    Mechanism::new("chain")
        .step(step)
        .points("wall = [-1000.0, 0.0], first = [0.0, 0.0], second = [1000.0, 0.0]")
        .and("rear = [-1000.0, 0.0], front = [2000.0, 0.0]")
        .material("spring", 10e3, 0.0, 0.0)
        .rectangle("unit", 1.0, 1.0)
        .beam("a", ["wall", "first"], [1, 1], "spring unit")
        .beam("b", ["first", "second"], [1, 1], "spring unit")
        .member("belt", ["rear", "front"], "elements = 1, order = 1")
        .clamp("wall")
        .support("belt", "member = 'belt', fix = ['y', 'rotation']")
        .motion("belt", format!("member = 'belt', direction = 'x', velocity = {BELT:?}"))
        .gravity(-9.81)
        .add(joint("first"))
        .add(joint("second"))
        .outputs("points.first.x points.second.x energy.*")
        .simulation()
}

/// The chain integrated on its own: positions, velocities and what sticks, from event to event.
struct Chain {
    time: f64,
    /// x₁, x₂ (displacements), v₁, v₂.
    y: [f64; 4],
    /// 0 where a block sticks, else the sign of its velocity relative to the belt.
    direction: [f64; 2],
}

impl Chain {
    /// Forces of the springs on the blocks: EA/2 ℓ(ℓ² − 1) with ℓ the stretch.
    fn springs(y: &[f64; 4]) -> [f64; 2] {
        let pull = |elongation: f64| {
            let stretch = 1.0 + elongation / LENGTH;
            0.5 * 10e3 * stretch * (stretch * stretch - 1.0)
        };
        let (a, b) = (pull(y[0]), pull(y[1] - y[0]));
        [b - a, -b]
    }

    fn rates(&self, y: &[f64; 4]) -> [f64; 4] {
        let forces = Chain::springs(y);
        let mut rates = [y[2], y[3], 0.0, 0.0];
        for i in 0..2 {
            let direction = self.direction[i];
            if direction == 0.0 {
                rates[i] = BELT;
            } else {
                let slip = (direction * (y[2 + i] - BELT)).max(0.0);
                let mu = 0.5 + 0.1 * (-slip / 0.05).exp();
                rates[2 + i] = forces[i] / MASSES[i] - direction * mu * 9.81;
            }
        }
        rates
    }

    fn after(&self, h: f64) -> [f64; 4] {
        runge_kutta(self.y, 0.0, h, 1, |_, y| self.rates(y))
    }

    fn passed(&self, y: &[f64; 4], i: usize) -> bool {
        if self.direction[i] == 0.0 {
            Chain::springs(y)[i].abs() > 0.6 * 9.81 * MASSES[i]
        } else {
            self.direction[i] * (y[2 + i] - BELT) < 0.0
        }
    }

    fn step(&mut self, h: f64) {
        let mut left = h;
        while left > 0.0 {
            let ends = self.after(left);
            let Some(i) = (0..2).find(|&i| self.passed(&ends, i)) else {
                self.y = ends;
                break;
            };
            let (mut low, mut high) = (0.0, left);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if self.passed(&self.after(middle), i) {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            self.y = self.after(high);
            left -= high;
            let force = Chain::springs(&self.y)[i];
            let holds = force.abs() <= 0.6 * 9.81 * MASSES[i];
            self.direction[i] = if self.direction[i] != 0.0 && holds {
                self.y[2 + i] = BELT;
                0.0
            } else {
                force.signum()
            };
        }
        self.time += h;
    }
}

/// The largest distance of either block from the event-driven solution in 60 s, with the changes between sticking and
/// sliding.
fn distance(sim: &mut Simulation) -> (f64, usize) {
    let mut exact = Chain { time: 0.0, y: [0.0, 0.0, BELT, BELT], direction: [0.0; 2] };
    let (mut largest, mut changes, mut sticks) = (0.0_f64, 0, [1.0; 2]);
    sim.run(60.0, 4e-2, |sim| {
        while exact.time < sim.time() - 1e-9 {
            exact.step(1e-3);
        }
        for (i, name) in ["first", "second"].iter().enumerate() {
            let x = sim.get(&format!("points.{name}.x")) - LENGTH * i as f64;
            largest = largest.max((x - exact.y[i]).abs());
            let now = sim.get(&format!("joints.{name}.sticking"));
            changes += usize::from(now != sticks[i]);
            sticks[i] = now;
        }
    });
    (largest, changes)
}

#[test]
fn two_blocks_that_pull_each_other_follow_the_event_driven_solution() {
    let reach = [7e-5, 2.8e-5, 7.2e-6, 2.6e-6];
    let errors = std::array::from_fn::<f64, 4, _>(|i| {
        let h = [8e-3, 4e-3, 2e-3, 1e-3][i];
        let mut sim = chain(h);
        let (largest, changes) = distance(&mut sim);
        println!("{h} s: {changes} changes between sticking and sliding, {largest:e} m");
        let what = format!("{} ms: positions over 60 s", 1e3 * h);
        reached("8 two blocks", &what, Some(reach[i]), largest, "m");
        assert!(changes >= 8, "{changes}");
        let (work, balance) = (sim.get("energy.friction_work"), sim.get("energy.balance"));
        assert!(balance.abs() < 1e-4 * work, "{balance} of {work} J");
        largest
    });
    assert!(errors[3] < 1e-4 && errors[0] < 2e-3, "{errors:?}");
    assert!((errors[0] / errors[3]).log2() > 1.5 * 3.0, "{errors:?}");
}
