//! What sampling does in Model Exchange: an output between events, and a spring that the host computes.

use std::f64::consts::PI;
use std::sync::Arc;

use anyhow::{Result, anyhow};
use coulisse::fmu::{Blueprint, Category, Instance, Kind, Log, Protocol, Refusal, Sink, Status};
use coulisse::model::Model;

use crate::svg::{Curve, Plot};

/// 2 kg on a smooth plane, 1 m from the middle at rest.
const BLOCK: &str = r#"
name = "Block"
[experiment]
communication_step = STEP
extrapolation_order = ORDER
[solver]
step = 1e-3
[points]
left = [-20.0, 0.0]
right = [20.0, 0.0]
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
[loads.pull]
point = "block"
fx = "-8*pi^2"
"#;

/// A force that makes the block swing by itself.
const BY_ITSELF: &str = r#"history.sine = { frequency = 1.0, phase = "pi/2" }
[interface]
outputs = ["points.block.x"]
"#;

/// One that the host sets.
const BY_THE_HOST: &str = r#"[interface]
inputs = ["loads.pull.fx"]
HOW = ["loads.pull.fx"]
outputs = ["points.block.x"]
"#;

/// m ω² of the block at 1 Hz, N/m.
const STIFFNESS: f64 = 8.0 * PI * PI;

struct Silent;

impl Sink for Silent {
    fn message(&self, _: Status, _: Category, _: &str) {}
}

/// The figure with its name.
///
/// # Errors
/// When the model is wrong or a run does not come to its end.
pub fn figures() -> Result<Vec<(String, Vec<Plot>)>> {
    let curve = |label: &str, points: Vec<(f64, f64)>, dashed: bool| Curve {
        label: label.to_owned(),
        points,
        dashed,
    };
    let exact = |end: f64| {
        let times = (0..=400).map(|k| end * f64::from(k) / 400.0);
        times.map(|t| (t, (2.0 * PI * t).cos())).collect()
    };
    let shown = |order| run(BY_ITSELF, 0.1, order, 6, |_| Ok(()));
    let drawn = |how: &str, order| {
        run(&BY_THE_HOST.replace("HOW", how), 0.02, order, 300, |block| {
            let x = get(block)?;
            set(block, "loads.pull.fx", -STIFFNESS * x)
        })
    };
    let plot = |title: &str, curves| Plot {
        to_scale: false,
        title: title.to_owned(),
        x: "s".to_owned(),
        y: "m".to_owned(),
        curves,
    };
    Ok(vec![(
        "sampling".to_owned(),
        vec![
            plot(
                "An output between events, every 0.1 s",
                vec![
                    curve("exact", exact(0.6), true),
                    curve("holds", shown(0)?, false),
                    curve("runs on", shown(1)?, false),
                ],
            ),
            plot(
                "A spring of the host, 1 Hz, every 20 ms",
                vec![
                    curve("exact", exact(6.0), true),
                    curve("hold, holds", drawn("hold", 0)?, false),
                    curve("linear, runs on", drawn("linear", 1)?, false),
                ],
            ),
        ],
    )])
}

/// Time and place, four times in each of `count` intervals of `step` and at both of its ends; the host sets its inputs
/// when the time of an event has come and again after it.
fn run(
    driven: &str, step: f64, order: u8, count: u32, host: impl Fn(&mut Instance) -> Result<()>,
) -> Result<Vec<(f64, f64)>> {
    let text =
        BLOCK.replace("STEP", &format!("{step:?}")).replace("ORDER", &order.to_string()) + driven;
    let none = |name: &str| Err::<String, _>(std::io::Error::other(format!("no file {name}")));
    let model = Model::parse(&text, "block.toml", &none).map_err(|faults| anyhow!("{faults}"))?;
    let blueprint = Blueprint::of(model)?;
    let log = Log::new(Box::new(Silent), false);
    let mut block = Instance::of(Protocol::ModelExchange, Arc::new(blueprint), log);
    block.enter_initialization().map_err(told)?;
    block.exit_initialization().map_err(told)?;
    host(&mut block)?;
    block.new_discrete_states().map_err(told)?;
    block.enter_continuous_time_mode().map_err(told)?;
    let mut rows = vec![(0.0, get(&mut block)?)];
    for k in 0..count {
        for part in 1..=4 {
            let time = (f64::from(k) + 0.25 * f64::from(part)) * step;
            block.set_time(time).map_err(told)?;
            rows.push((time, get(&mut block)?));
        }
        host(&mut block)?;
        block.enter_event_mode().map_err(told)?;
        block.new_discrete_states().map_err(told)?;
        host(&mut block)?;
        block.enter_continuous_time_mode().map_err(told)?;
        rows.push((f64::from(k + 1) * step, get(&mut block)?));
    }
    Ok(rows)
}

fn reference(block: &Instance, name: &str) -> Result<[u32; 1]> {
    let found = block.blueprint().interface().find(name);
    Ok([found.ok_or_else(|| anyhow!("no variable {name}"))?])
}

fn set(block: &mut Instance, name: &str, value: f64) -> Result<()> {
    let reference = reference(block, name)?;
    block.set(Kind::Real, &reference, |_| value).map_err(told)
}

fn get(block: &mut Instance) -> Result<f64> {
    let reference = reference(block, "points.block.x")?;
    let mut place = f64::NAN;
    block.get(Kind::Real, &reference, |_, x| place = x).map_err(told)?;
    Ok(place)
}

fn told(refusal: Refusal) -> anyhow::Error {
    anyhow!(refusal.message)
}
