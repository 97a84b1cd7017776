//! What instances hold in memory.

use std::path::Path;
use std::sync::Arc;

use crate::common::blocks::blocks_on_a_bar;
use crate::common::rig::{self, Rig, Step};
use crate::counting::{held, peak};
use coulisse::fmu::Blueprint;
use coulisse::model::Model;

/// Solver step of the blocks, s.
const STEP: f64 = 1e-4;

/// One line: the plan, which all instances of a model in a process share, one instance after its first step, the most
/// that it took from its start until then, and one saved state.
fn line(name: &str, blueprint: impl FnOnce() -> Arc<Blueprint>) {
    let (plan, blueprint) = held(|| {
        let blueprint = blueprint();
        blueprint.built().expect("a mechanism");
        blueprint
    });
    let built = blueprint.built().expect("a mechanism");
    let (unknowns, length) = (built.system.equations() + built.system.border(), built.step);
    let inputs = built.inputs.clone();
    let (most, (instance, mut rig)) = peak(|| {
        held(|| {
            let (mut rig, started) = Rig::started(&blueprint, &[]);
            assert!(started, "{name} does not start");
            rig.step(&Step { length, inputs });
            rig
        })
    });
    let (state, _saved) = held(|| rig.save());
    let [plan, instance, most] = [plan, instance, most].map(|bytes| bytes as f64 / 1e6);
    println!(
        "{name:>20} {unknowns:9} {plan:9.1} {instance:12.1} {most:8.1} {:15.0}",
        state as f64 / 1e3
    );
}

/// Memory of bundled models and of blocks of solids.
pub fn table() {
    println!("memory");
    println!(
        "{:>20} {:>9} {:>9} {:>12} {:>8} {:>15}",
        "", "unknowns", "plan, MB", "instance, MB", "most, MB", "saved state, kB"
    );
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("resources/models");
    for name in ["quick_return", "vehicle_on_bridge", "isolated_building", "quick_return_solid"] {
        line(name, || {
            let model = Model::load(&models.join(format!("{name}.toml"))).expect("bundled");
            Arc::new(Blueprint::of(model).expect("bundled"))
        });
    }
    for cells in [3, 5] {
        let name = format!("blocks, {cells} cells high");
        line(&name, || rig::blueprint(&blocks_on_a_bar(cells, STEP)));
    }
    println!();
}
