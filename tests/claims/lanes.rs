//! Kernels round alike whatever instructions the processor has.

use std::process::Command;

use coulisse::numerics::lanes::use_level;
use fearless_simd::Level;

use crate::common::Simulation;

/// Names the instructions to be used, for a process of their own.
const ONLY: &str = "COULISSE_TEST_INSTRUCTIONS";

/// The instructions that this processor has, with their names.
fn levels() -> Vec<(&'static str, Level)> {
    let best = Level::new();
    let mut found = vec![("baseline", Level::baseline()), ("best", best)];
    #[cfg(target_arch = "x86_64")]
    {
        let sse4_2 = best.as_sse4_2().map(|own| ("SSE4.2", Level::Sse4_2(own)));
        let avx2 = best.as_avx2().map(|own| ("AVX2", Level::Avx2(own)));
        found.extend(sse4_2.into_iter().chain(avx2));
    }
    found
}

/// The bits of all outputs after each of some steps of frames, triangles, sliders, pins and contacts.
fn bits() -> String {
    let models = [
        ("quick_return", 1e-4),
        ("quick_return_solid", 1e-4),
        ("isolated_building_frame", 5e-3),
        ("telescope", 1e-3),
        ("half_car", 1e-3),
        ("slider_in_guide", 1e-3),
    ];
    let mut text = String::new();
    for (name, h) in models {
        let mut sim = Simulation::bundled(name, &[]);
        let outputs = sim.system.model().outputs.clone();
        for _ in 0..5 {
            sim.step(h);
            for output in &outputs {
                let value = sim.system.read(&sim.state, output.output);
                text += &format!("{name} {} {:x}\n", output.path, value.to_bits());
            }
        }
    }
    text
}

/// Slow: runs of solids once for each set of instructions.
#[test]
fn all_instructions_give_the_same_bits() {
    if let Ok(only) = std::env::var(ONLY) {
        let (_, level) = levels().into_iter().find(|(name, _)| *name == only).expect("a level");
        assert!(use_level(level), "something has been computed before");
        print!("BITS{}BITS", bits());
        return;
    }
    let run = |name: &str| {
        let program = std::env::current_exe().expect("this program");
        let found = Command::new(program)
            .args(["--exact", "lanes::all_instructions_give_the_same_bits", "--nocapture"])
            .env(ONLY, name)
            .output()
            .expect("it runs");
        let text = String::from_utf8(found.stdout).expect("text");
        text.split("BITS").nth(1).unwrap_or_else(|| panic!("{name}: {text}")).to_string()
    };
    let base = run("baseline");
    assert!(base.lines().count() > 500);
    for (name, level) in levels().into_iter().skip(1) {
        let same = run(name) == base;
        println!("{name} ({level:?}): {} numbers, the same bits: {same}", base.lines().count());
        assert!(same, "{name}");
    }
}
