//! Whether friction gives energy.

use super::Simulation;

/// Solver steps in which friction gives energy.
#[derive(Debug, Default)]
pub struct Given {
    /// The largest of these energies and their sum, J.
    pub most: f64,
    pub sum: f64,
    /// What friction has dissipated in all, J.
    pub taken: f64,
}

/// Runs solver step by solver step; `drive` sets the inputs of the next one, `giving` looks at
/// those in which friction gives.
pub fn observe(
    sim: &mut Simulation, end: f64, mut drive: impl FnMut(&mut Simulation),
    mut giving: impl FnMut(&Simulation, f64),
) -> Given {
    let h = sim.system.model().solver.step;
    let mut given = Given::default();
    for i in 0..(end / h).round() as u64 {
        drive(sim);
        sim.try_step(i as f64 * h, h).unwrap_or_else(|fault| panic!("{fault}"));
        // What bristles hold is not lost yet.
        let journal = sim.state.journal.iter();
        let now = journal.map(|joint| joint.work - joint.stored).sum();
        let gift = given.taken - now;
        if gift > 0.0 {
            given.most = given.most.max(gift);
            given.sum += gift;
            giving(sim, gift);
        }
        given.taken = now;
    }
    given
}
