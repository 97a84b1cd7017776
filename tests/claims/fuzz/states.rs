//! Saved states: bytes that a host hands back, altered.

use coulisse::fmu::{Call, Status};
use twox_hash::XxHash3_128;

use super::damage::of_bytes;
use super::fuzz;
use crate::common::bundled;
use crate::common::rig::{Rig, Step, blueprint};
use crate::faults::damage::Chance;

#[test]
fn altered_states_are_refused_or_taken() {
    let plan = blueprint(&bundled("slider_crank_with_clearance"));
    let step = Step { length: 1e-3, inputs: Vec::new() };
    let (mut rig, starts) = Rig::started(&plan, &[]);
    assert!(starts);
    let seeds: Vec<Vec<u8>> = (0..3)
        .map(|_| {
            rig.step(&step);
            rig.save().to_bytes().expect("bytes")
        })
        .collect();
    let make = |chance: &mut Chance| {
        let mut bytes = of_bytes(&seeds, chance);
        // With the right length and sum, which no accident gives, what is inside is read.
        if chance.below(4) > 0 && bytes.len() > 40 {
            let all = bytes.len() as u64;
            bytes[12..20].copy_from_slice(&all.to_le_bytes());
            let body = bytes.len() - 16;
            let sum = XxHash3_128::oneshot(&bytes[..body]).to_le_bytes();
            bytes[body..].copy_from_slice(&sum);
        }
        bytes
    };
    fuzz("states", make, |bytes| {
        let (mut rig, _) = Rig::started(&plan, &[]);
        let Ok(snapshot) = rig.0.read_snapshot(bytes) else {
            return false;
        };
        let taken = rig.0.perform(Call::SetFMUstate, |i| i.restore(&snapshot));
        let time = rig.0.time();
        rig.0.perform(Call::DoStep, |i| i.do_step(time, 1e-3));
        taken == Status::Ok
    });
}
