//! Model Exchange: what sampling costs, against closed forms. What hosts may do is in `tests/abi`.

use std::f64::consts::PI;

use coulisse::fmu::{Category, Instance, Kind, Log, Protocol, Sink, Status};

use crate::common::edit::Edit;
use crate::common::rig::blueprint;

/// 2 kg on a smooth plane; the host pushes.
const BLOCK: &str = r#"
name = "Block"

[experiment]
communication_step = 1e-2

[solver]
step = 5e-5

[points]
left = [-5.0, 0.0]
right = [5.0, 0.0]
block = [1.0, 0.0]

[members.plane]
from = "left"
to = "right"
elements = 1

[supports.plane]
member = "plane"
fix = ["x", "y", "rotation"]

[masses.block]
point = "block"
mass = 2.0

[joints.block]
cylindrical = { slider = "block", path = ["plane"], ends = "continue" }

[loads.push]
point = "block"
fx = 0.0

[interface]
inputs = ["loads.push.fx"]
outputs = ["points.block.x"]
"#;

struct Silent;

impl Sink for Silent {
    fn message(&self, _: Status, _: Category, text: &str) {
        println!("{text}");
    }
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

/// A spring of the host, F = −m ω² x with the sampled x, held until the next instant: exactly,
/// [x; v]′ = [1 − ω²H²/2, H; −ω²H, 1] [x; v], whose eigenvalues have the size √(1 + ω²H²/2). That is
/// a delay of H/2 in the loop, or a damping ratio of −ωH/4.
#[test]
fn a_loop_through_a_host_lags_by_half_a_sampling_step() {
    for (frequency, step) in [(1.0, 1e-2), (1.0, 2.5e-3), (4.0, 2.5e-3)] {
        let omega = 2.0 * PI * frequency;
        let text = format!("communication_step = {step:?}\n");
        let model = BLOCK.edit("communication_step = 1e-2\n", &text);
        let spring = |host: &mut Host| {
            let x = host.get("points.block.x");
            host.set("loads.push.fx", -2.0 * omega * omega * x);
        };
        let mut host = Host::start(&model, Some(("loads.push.fx", -2.0 * omega * omega)));
        let steps = (10.0 / frequency / step).round();
        let mut peaks = [0.0_f64; 2];
        for k in 0..steps as usize {
            host.event(|_| {}, spring);
            let x = host.get("points.block.x").abs();
            // The first and the last period.
            if ((k + 1) as f64) < steps / 10.0 {
                peaks[0] = peaks[0].max(x);
            } else if (k as f64) >= steps * 0.9 {
                peaks[1] = peaks[1].max(x);
            }
        }
        let growth = (peaks[1] / peaks[0]).ln();
        // From the end of the first period to that of the last, where |x| is largest.
        let expected = 0.5 * (omega * step).powi(2).mul_add(0.5, 1.0).ln() * steps * 0.9;
        println!(
            "{frequency} Hz sampled every {step} s: damping ratio {:.5}, -ωH/4 = {:.5}",
            -growth / (omega * step * steps * 0.9),
            -omega * step / 4.0
        );
        assert!(
            (growth - expected).abs() < 0.03 * expected,
            "{growth} {expected}"
        );
    }
}

/// An input that is reconstructed runs to the value set at the event, so a source is followed to the
/// last bit of what the mechanism can: x(t_k) = u(t_k), not u(t_(k−1)).
#[test]
fn a_reconstructed_input_is_not_late() {
    let model = include_str!("../abi/belt.toml")
        .edit("velocity = 0.5\n", "displacement = 0.0\n")
        .edit("\"motions.belt.velocity\"", "\"motions.belt.displacement\"")
        .edit(
            "\"points.block.x\"",
            "\"points.block.x\", \"points.belt_start.x\"",
        );
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
