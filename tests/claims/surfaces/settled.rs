//! Random sliders in time against the quasi-static answer: what it says slides comes to slide as fast, what it says sticks stays.

use coulisse::joints::regime::Sense;
use coulisse::sliding::sliding;

use super::guided::{DAMPED, Guided, built};
use super::random::{fate, random_guided, seeds};
use crate::common::Simulation;

/// When the mean acceleration is first looked at, s; loads come within 0.02 s. What has clearance then still bounces from face to face, on
/// contact layers that nothing damps: as long as it is off it is looked at again, each time for twice as long.
const WINDOW: [f64; 2] = [0.06, 0.1];

/// As often at the most: after 6.4 s.
const MOST: usize = 6;

const STEP: f64 = 1e-3;

/// Difference that is none.
const ALIKE: f64 = 0.02;

/// Share of the time without touch with which a slider neither rests nor slides.
const ALOFT: f64 = 0.5;

/// Way within its guide, m: who goes farther leaves it.
const FARTHEST: f64 = 2.0;

/// What a slider did beside the quasi-static answer: mean accelerations along +x by that which all that acts on it would give it; 0 where it
/// sticks.
#[derive(Debug)]
struct Settled {
    expected: f64,
    found: f64,
    /// Share of the time in which it touches neither face.
    aloft: f64,
    /// How far it goes meanwhile, m.
    way: f64,
    /// Until then, s.
    time: f64,
}

impl Settled {
    fn alike(&self) -> bool {
        (self.found - self.expected).abs() < ALIKE
    }

    /// Whether it hops from face to face without end: the hops take all that drives it, and nothing damps them.
    fn hops(&self) -> bool {
        !self.alike() && self.aloft > ALOFT
    }

    /// Whether it has left its guide.
    fn leaves(&self) -> bool {
        self.way.abs() > FARTHEST
    }
}

/// The one of `random_guided` with damping, which lies in its guide when its loads come.
fn in_time(guided: &Guided) -> Guided {
    let lies = match guided.gravity {
        0.0 => "",
        _ => "[initial]\nequilibrium = true\n",
    };
    Guided { more: format!("{lies}{DAMPED}"), ..guided.clone() }
}

/// Slope of a straight line through velocities one step apart.
fn mean_acceleration(velocities: &[f64]) -> f64 {
    let middle = 0.5 * (velocities.len() - 1) as f64;
    let times = |k: usize| (k as f64 - middle) * STEP;
    let pairs = velocities.iter().enumerate();
    let [by_time, squares] =
        pairs.fold([0.0; 2], |[a, b], (k, v)| [a + times(k) * v, b + times(k) * times(k)]);
    by_time / squares
}

fn settle(guided: &Guided) -> Result<Settled, String> {
    let fate = fate(guided)?;
    let [length, height] = guided.size;
    let mass = 7850.0 * guided.thickness * length * height;
    let free = (guided.force.abs() + guided.push.abs()) / mass + guided.gravity;
    let damped = in_time(guided).text();
    let damped = damped.replace("step = 1e-4", &format!("step = {STEP:?}"));
    let steady = |sense: Sense| {
        let found = sliding(&built(&damped), &[], 0, sense, 1.0);
        found.map(|found| found.acceleration).map_err(|fault| fault.to_string())
    };
    let expected = match (fate.forward, fate.backward) {
        (true, _) => steady(Sense::Forward)?,
        (_, true) => steady(Sense::Backward)?,
        _ => 0.0,
    };
    let mut sim = Simulation::of(&damped);
    let u = sim.point("a", 0);
    let mut looked = |[from, to]: [f64; 2]| {
        let (mut velocities, mut aloft) = (Vec::new(), 0);
        while sim.time() < to - 0.5 * STEP {
            let now = sim.time();
            sim.try_step(now, STEP)?;
            if now > from {
                velocities.push(sim.state.velocity[u]);
                aloft += usize::from(sim.get("contacts.guide.gap") > 0.0);
            }
        }
        Ok::<_, String>(Settled {
            expected: expected / free,
            found: mean_acceleration(&velocities) / free,
            aloft: aloft as f64 / velocities.len() as f64,
            way: 0.5 * expected * to * to,
            time: to,
        })
    };
    let [_, mut end] = WINDOW;
    let mut settled = looked(WINDOW)?;
    for _ in 0..MOST {
        if settled.alike() || settled.leaves() {
            break;
        }
        settled = looked([end, 2.0 * end])?;
        end *= 2.0;
    }
    Ok(settled)
}

/// Of 1,000 those in which a point of a stiff contact layer went to and fro between its two ways of sliding (545), and whose points slide only
/// towards each other while its weight spreads it (736).
const HARD: [u64; 2] = [545, 736];

/// Nothing sticks that should slide, and nothing slides that should stick or otherwise than it should. `COULISSE_SETTLED` says how many, or
/// which.
#[test]
fn random_sliders_in_time_do_what_the_quasi_static_answer_says() {
    let (mut slide, mut stick, mut leave, mut bounce) = (0, 0, 0, 0);
    let (mut hop, mut off) = (Vec::new(), Vec::new());
    for seed in seeds("COULISSE_SETTLED", 40).chain(HARD) {
        let guided = random_guided(seed);
        let settled = settle(&guided).unwrap_or_else(|why| panic!("{seed}: {why}"));
        match settled {
            _ if settled.leaves() => leave += 1,
            _ if settled.hops() => hop.push(seed),
            _ if !settled.alike() => off.push(seed),
            Settled { expected: 0.0, .. } => stick += 1,
            _ => slide += 1,
        }
        if settled.time > WINDOW[1] {
            bounce += 1;
            println!("{seed}: {settled:?}, clearance {:e} m", guided.clearance);
        }
    }
    println!(
        "{slide} slide and {stick} stick alike, {bounce} after they have bounced for longer than {} s, {leave} leave their guide, {hop:?} \
         hop on, {off:?} are off",
        WINDOW[1]
    );
    assert!(off.is_empty());
}
