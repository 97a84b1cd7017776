//! Model Exchange: what sampling costs, against closed forms. What hosts may do is in `tests/abi`.

use std::f64::consts::PI;

use coulisse::fmu::{Category, Instance, Kind, Log, Protocol, Sink, Status};

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::rig::blueprint;

/// 2 kg on a smooth plane; the host pushes.
fn held_block() -> String {
    Mechanism::new("Block")
        .entry("experiment", "communication_step = 1e-2")
        .step(5e-5)
        .points("left = [-5.0, 0.0], right = [5.0, 0.0], block = [1.0, 0.0]")
        .guide("plane", ["left", "right"], "elements = 1")
        .mass("block", 2.0)
        .slider("block", "block", "plane", "ends = 'continue'")
        .load("push", "point = 'block', fx = 0.0")
        .inputs("loads.push.fx")
        .outputs("points.block.x")
        .text()
}

struct Silent;

impl Sink for Silent {
    fn message(&self, _: Status, _: Category, text: &str) {
        println!("{text}");
    }
}

/// [`held_block`] with another communication step, s, with the push in straight lines or not, and outputs that run on or not.
fn block(step: f64, reconstruction: &str, order: u8) -> String {
    let experiment = format!("communication_step = {step:?}\nextrapolation_order = {order}\n");
    let interface = format!("[interface]\n{reconstruction} = [\"loads.push.fx\"]\n");
    held_block().edit("communication_step = 1e-2\n", &experiment).edit("[interface]\n", &interface)
}

/// A host of Model Exchange that comes to every time event.
struct Host {
    block: Instance,
    next: f64,
}

impl Host {
    /// In Continuous-Time Mode at time 0, with `input` set at the start.
    fn start(model: &str, input: Option<(&str, f64)>) -> Host {
        let blueprint = blueprint(model);
        let log = Log::new(Box::new(Silent), false);
        let mut block = Instance::of(Protocol::ModelExchange, blueprint, log);
        block.setup_experiment(0.0, None).expect("a right start");
        block.enter_initialization().expect("a right start");
        block.exit_initialization().expect("a right start");
        let mut host = Host { block, next: 0.0 };
        if let Some((name, value)) = input {
            host.set(name, value);
        }
        host.next = host.block.new_discrete_states().expect("an event");
        host.block.enter_continuous_time_mode().expect("legal");
        host
    }

    fn reference(&self, name: &str) -> u32 {
        let found = self.block.blueprint().interface().find(name);
        found.unwrap_or_else(|| panic!("no variable {name}"))
    }

    fn set(&mut self, name: &str, value: f64) {
        let reference = [self.reference(name)];
        let set = self.block.set(Kind::Real, &reference, |_| value);
        set.expect("an input");
    }

    fn get(&mut self, name: &str) -> f64 {
        let reference = [self.reference(name)];
        let mut value = f64::NAN;
        let got = self.block.get(Kind::Real, &reference, |_, x| value = x);
        got.expect("an output");
        value
    }

    /// The next event; `before` is called when the time has come, `after` when the outputs are new.
    fn event(&mut self, before: impl FnOnce(&mut Host), after: impl FnOnce(&mut Host)) -> f64 {
        let now = self.next;
        self.block.set_time(now).expect("a right time");
        before(self);
        self.block.enter_event_mode().expect("legal");
        self.next = self.block.new_discrete_states().expect("an event");
        after(self);
        self.block.enter_continuous_time_mode().expect("legal");
        now
    }
}

/// The block pulled by a spring of the host of angular frequency `omega`, from a displacement of 1 m at rest, for ten periods
/// of communication steps `step`: the damping ratio, by the peaks of the first and the last period. The host computes the
/// spring's force when the time of an event has come, `before` the mechanism advances, and again when its outputs are new.
fn damping_ratio(model: &str, omega: f64, step: f64) -> f64 {
    let spring = |host: &mut Host| {
        let x = host.get("points.block.x");
        host.set("loads.push.fx", -2.0 * omega * omega * x);
    };
    let mut host = Host::start(model, Some(("loads.push.fx", -2.0 * omega * omega)));
    let period = 2.0 * PI / omega;
    let steps = (10.0 * period / step).round();
    let mut last = host.get("points.block.x");
    // Peaks above and below by the parabola through three points, with their times.
    let (mut peaks, mut before) = (vec![(0.0, 1.0)], last);
    for k in 0..steps as usize {
        let now = host.event(spring, spring);
        let x = host.get("points.block.x");
        let (up, down) = (last - before, x - last);
        if k > 1 && up * down < 0.0 {
            let shift = 0.5 * (up + down) / (up - down);
            let size = last.abs() + (0.25 * (up + down) * shift).abs();
            peaks.push((now - step + shift * step, size));
        }
        (before, last) = (last, x);
    }
    let ((start, first), (end, size)) = (peaks[1], peaks[peaks.len() - 1]);
    -(size / first).ln() / (omega * (end - start))
}

/// A spring of the host, F = −m ω² x with the x of t_k, held until the next instant: exactly,
/// [x; v]′ = [1 − ω²H²/2, H; −ω²H, 1] [x; v], whose eigenvalues have the size √(1 + ω²H²/2). That is
/// a delay of H/2 in the loop, or a damping ratio of −ωH/4. Outputs that run on change nothing of it, because those at the
/// instants are the same.
/// Slow: tens of periods of the loop for each sampling step.
#[test]
fn a_loop_through_a_host_lags_by_half_a_sampling_step() {
    for (frequency, step) in [(1.0, 1e-2), (1.0, 2.5e-3), (4.0, 2.5e-3)] {
        let omega = 2.0 * PI * frequency;
        let ratios = [0, 1].map(|order| damping_ratio(&block(step, "hold", order), omega, step));
        println!(
            "{frequency} Hz sampled every {step} s: damping ratio {:.5}, -ωH/4 = {:.5}",
            ratios[0],
            -omega * step / 4.0
        );
        assert_eq!(ratios[0].to_bits(), ratios[1].to_bits());
        let expected = -0.25 * omega * step;
        assert!((ratios[0] - expected).abs() < 0.03 * -expected, "{ratios:?} {expected}");
    }
}

/// A force that goes in straight lines to the value that the host sets before the mechanism advances, F̂ = −m ω² p: with
/// outputs that run on p_(k+1) = x_k + H v_k, ahead of x_(k+1) by ω²H² (p_k/3 + p_(k+1)/6). That is a spring stiffer by the
/// factor 1 + 5/12 ω²H² whose part ω²H²/2 lags by 2/3 H: a damping ratio of −(ωH)³/6. With outputs that hold p_(k+1) = x_k:
/// late by H, a damping ratio of −ωH/2.
/// Slow: tens of periods of the loop for each sampling step.
#[test]
fn a_loop_with_rates_and_straight_inputs_lags_in_the_third_order_only() {
    for (frequency, step) in [(1.0, 4e-2), (1.0, 2e-2), (1.0, 1e-2), (4.0, 1e-2)] {
        let omega = 2.0 * PI * frequency;
        let [held, run_on] =
            [0, 1].map(|order| damping_ratio(&block(step, "linear", order), omega, step));
        let a = omega * step;
        println!(
            "{frequency} Hz, linear, sampled every {step} s: held {held:.6}, -ωH/2 = {:.6}; with rates {run_on:.6}, -(ωH)³/6 = {:.6}",
            -0.5 * a,
            -a.powi(3) / 6.0
        );
        assert!((held + 0.5 * a).abs() < 0.05 * a, "{held} {a}");
        // Terms of the next order, and the rounding of peaks.
        let expected = -a.powi(3) / 6.0;
        assert!((run_on - expected).abs() < 2.0 * a * a * -expected + 2e-6, "{run_on} {expected}");
    }
}

/// What is never below 0 does not run on below it: a normal force that falls by 4 N in a step from 1 N.
#[test]
fn outputs_that_are_never_negative_stay_so() {
    let model = block(1e-2, "hold", 1)
        .edit("fx = 0.0\n", "fx = 0.0\nfy = 0.0\n")
        .edit("inputs = [", "inputs = [\"loads.push.fy\", ");
    let force = "joints.block.normal_force";
    let mut host = Host::start(&model, Some(("loads.push.fy", -9.0)));
    for down in [-9.0, -5.0, -1.0] {
        host.event(|_| {}, |host| host.set("loads.push.fy", down));
    }
    let now = host.event(|_| {}, |_| {});
    for (share, expected) in [(0.0, 1.0), (0.125, 0.5), (0.25, 0.0), (0.9, 0.0), (0.125, 0.5)] {
        host.block.set_time(now + share * 1e-2).expect("a right time");
        let seen = host.get(force);
        assert!((seen - expected).abs() < 1e-6 && seen >= 0.0, "{share}: {seen}");
    }
}

/// An input that is reconstructed runs to the value set at the event, so a source is followed to the
/// last bit of what the mechanism can: x(t_k) = u(t_k), not u(t_(k−1)).
#[test]
fn a_reconstructed_input_is_not_late() {
    let model = include_str!("../abi/belt.toml")
        .edit("velocity = 0.5\n", "displacement = 0.0\n")
        .edit("\"motions.belt.velocity\"", "\"motions.belt.displacement\"")
        .edit("\"points.block.x\"", "\"points.block.x\", \"points.belt_start.x\"");
    let mut host = Host::start(&model, None);
    for _ in 0..50 {
        let source = |host: &mut Host| {
            let time = host.next;
            host.set("motions.belt.displacement", 0.1 * (3.0 * time).sin());
        };
        let now = host.event(source, |_| {});
        let x = host.get("points.belt_start.x") + 20.0;
        assert!((x - 0.1 * (3.0 * now).sin()).abs() < 1e-12, "{now}: {x}");
    }
}

#[test]
fn a_host_that_passes_more_events_than_it_can_mean_is_refused_and_may_come_back() {
    let mut host = Host::start(&held_block().edit("step = 5e-5", "step = 5e-3"), None);
    let before = host.get("points.block.x");
    for far in [11.1, 1e3, 1e9, 1e300] {
        host.block.set_time(far).expect("a time ahead");
        host.block.enter_event_mode().expect("legal");
        let refusal = host.block.new_discrete_states().expect_err("refused");
        assert_eq!(refusal.status, Status::Error, "{far}");
        assert!(refusal.message.contains("the next event is at 0.01 s"), "{}", refusal.message);
        assert_eq!(host.get("points.block.x"), before);
    }
    // 1000 are missed, and the mechanism is at the one after them.
    host.block.set_time(10.01).expect("a right time");
    let next = host.block.new_discrete_states().expect("an event");
    assert!((next - 10.02).abs() < 1e-9, "{next}");
}
