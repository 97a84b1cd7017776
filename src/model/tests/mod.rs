//! Mechanisms that only a file can describe: forces and tangents of the plan made of them, against energies and differences.

mod groups;
mod rough;
mod surface_contact;
mod terms;
mod written;

/// Numbers without a pattern in [−1, 1].
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}
