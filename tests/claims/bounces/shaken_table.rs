//! A ball with e = ½ on a table that shakes, from impact to impact, and one that only just touches a table.

use super::G;
use crate::common::mechanism::Mechanism;
use crate::common::reach::reached;
use crate::common::{Simulation, rigid_member};

const RESTITUTION: f64 = 0.5;
const FREQUENCY: f64 = 5.0;
const HEIGHT: f64 = 0.1;

fn on_a_table(step: f64, height: f64, support: &str, more: &str) -> Simulation {
    Mechanism::new("table")
        .step(step)
        .points(format!("a = [-1.0, 0.0], b = [1.0, 0.0], ball = [0.0, {height:?}]"))
        .add(support)
        .mass("ball", 1.0)
        .joint("ball", "cylindrical.slider = 'ball', cylindrical.path = ['table']")
        .and("cylindrical.contact = 'unilateral'")
        .and(format!("cylindrical.restitution = {RESTITUTION:?}"))
        .add(more)
        .outputs("points.ball.* energy.*")
        .simulation()
}

/// The ball falls on a table y = A sin ωt with Aω² = `share` g.
fn shaken(step: f64, share: f64) -> Simulation {
    let omega = std::f64::consts::TAU * FREQUENCY;
    let support = &Mechanism::part()
        .member("table", ["a", "b"], "elements = 1, order = 1")
        .support("table", "member = 'table', fix = ['x', 'rotation']")
        .text();
    let more = Mechanism::part()
        .motion("table", "member = 'table', direction = 'y'")
        .and(format!("amplitude = {:?}", share * G / (omega * omega)))
        .and(format!("history.sine = {{ frequency = {FREQUENCY:?} }}"))
        .gravity(-G)
        .text();
    on_a_table(step, HEIGHT, support, &more)
}

/// The exact ball: it flies from (t, y, v), or rides.
struct Ball {
    share: f64,
    flies: Option<[f64; 3]>,
    now: f64,
}

impl Ball {
    /// y, ẏ and ÿ of the table.
    fn table(&self, t: f64) -> [f64; 3] {
        let omega = std::f64::consts::TAU * FREQUENCY;
        let (sin, cos) = (omega * t).sin_cos();
        let a = self.share * G;
        [a / (omega * omega) * sin, a / omega * cos, -a * sin]
    }

    fn flight([begin, y, v]: [f64; 3], t: f64) -> [f64; 2] {
        let t = t - begin;
        [y + v * t - 0.5 * G * t * t, v - G * t]
    }

    fn ends(&self, t: f64) -> bool {
        match self.flies {
            Some(from) => Ball::flight(from, t)[0] < self.table(t)[0],
            None => self.table(t)[2] < -G,
        }
    }

    /// y at `end`, which is no earlier than those before.
    fn advance(&mut self, end: f64) -> f64 {
        while self.now < end {
            // A twentieth of a flight after an impact.
            let step = self.flies.map_or(1e-4, |[begin, _, v]| {
                let [_, speed, a] = self.table(begin);
                let flight = 2.0 * (v - speed).abs() / (G + a).abs();
                if flight > 0.0 { (flight / 20.0).min(1e-4) } else { 1e-4 }
            });
            let next = (self.now + step).min(end);
            if !self.ends(next) {
                self.now = next;
                continue;
            }
            let (mut low, mut high) = (self.now, next);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if self.ends(middle) {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            let [y, speed, a] = self.table(high);
            let leaves = match self.flies {
                Some(from) => RESTITUTION * (speed - Ball::flight(from, high)[1]),
                None => 0.0,
            };
            // What is left of flights of less than a nanometre is rest.
            let rests = leaves < 1e-6 && a > -G;
            self.flies = (!rests).then_some([high, y, speed + leaves]);
            // The gap begins with the third power of the time where the table falls away.
            self.now = if leaves == 0.0 && !rests { high + 2e-3 } else { high };
        }
        self.flies.map_or(self.table(end)[0], |from| Ball::flight(from, end)[0])
    }
}

#[test]
fn a_ball_on_a_shaken_table_chatters_to_rest_and_is_thrown_again_as_the_exact_one() {
    // Below g it stays once it rests; above it leaves in each cycle, a little early, by what a step resolves.
    for (share, reach, most) in [(0.5, Some(7e-12), [1e-11; 3]), (1.3, None, [2e-4, 3e-5, 2e-6])] {
        for (step, most) in [4e-3, 2e-3, 1e-3].into_iter().zip(most) {
            let mut sim = shaken(step, share);
            let mut exact = Ball { share, flies: Some([0.0, HEIGHT, 0.0]), now: 0.0 };
            let mut farthest = 0.0_f64;
            sim.run(2.0, step, |sim| {
                assert!(sim.get("joints.ball.gap") >= 0.0);
                let off = sim.get("points.ball.y") - exact.advance(sim.time());
                farthest = farthest.max(off.abs());
            });
            let what = format!("table with {share} g, e = ½, {} ms: height over 2 s", 1e3 * step);
            reached("9 shaken table", &what, reach, farthest, "m");
            assert!(farthest < most, "{what}: {farthest:e}");
        }
    }
}

/// A ball that a pull of 10 m/s² turns round `miss` (m) above the table at `turns` (s): how far it is off the exact one within
/// the second after.
fn graze(miss: f64, turns: f64, step: f64) -> f64 {
    let pull = 10.0_f64;
    let speed = -pull * turns;
    let more = format!("[initial.points.ball]\nvy = {speed:?}\n[gravity]\ny = {pull:?}");
    let height = miss + 0.5 * pull * turns * turns;
    let mut sim = on_a_table(step, height, &rigid_member("table", ["a", "b"], 1), &more);
    let early = (-2.0 * miss / pull).max(0.0).sqrt();
    let mut farthest = 0.0_f64;
    sim.run(1.5, step, |sim| {
        let t = sim.time() - turns;
        let exact = if miss < 0.0 && t > -early {
            RESTITUTION * pull * early * (t + early) + 0.5 * pull * (t + early).powi(2)
        } else {
            miss + 0.5 * pull * t * t
        };
        farthest = farthest.max((sim.get("points.ball.y") - exact).abs());
    });
    farthest
}

#[test]
fn a_ball_that_grazes_a_table_goes_on_as_it_would() {
    let problem = "9 graze";
    // Turning back at the end of a step, where it is looked. The place has there the rounding δ of all steps before, 2e-12 m,
    // and what is deeper than 0 by δ is an impact of √(2gδ).
    for (miss, reach, most) in
        [(1e-3, 1e-12, 2e-11), (1e-6, 1e-10, 4e-11), (0.0, 1e-13, 3e-5), (-1e-9, 1e-13, 1e-6)]
    {
        let off = graze(miss, 0.5, 1e-3);
        reached(
            problem,
            &format!("passes by {miss:?} m at the end of a step of 1 ms: position 1 s later"),
            Some(reach),
            off,
            "m",
        );
        assert!(off < most, "{miss:e}: {off:e}");
    }
    // Inside a step the cubic of the gap shows it.
    let off = graze(-1e-6, 0.4963, 1e-2);
    assert!(off < 1e-6, "10 ms: {off:e}");
    let off = graze(-1e-9, 0.5003, 1e-3);
    reached(problem, "1e-9 m deep inside a step of 1 ms: position 1 s later", Some(5e-5), off, "m");
    assert!(off < 1e-6, "{off:e}");
}
