//! Reproducible random numbers.

/// A small generator (xorshift64*).
pub struct Dice(pub u64);

impl Dice {
    /// The generator number `seed`: neighbours have nothing in common.
    pub fn seeded(seed: u64) -> Dice {
        let mut x = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        Dice((x ^ (x >> 31)) | 1)
    }

    /// Uniform in [low, high).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11;
        low + (high - low) * bits as f64 / (1_u64 << 53) as f64
    }

    /// Uniform in its logarithm, in [low, high), with six digits.
    pub fn scale(&mut self, low: f64, high: f64) -> f64 {
        let value = self.between(low.ln(), high.ln()).exp();
        format!("{value:.5e}").parse().unwrap_or(value)
    }

    /// A whole number from `low` to `high`.
    pub fn whole(&mut self, low: usize, high: usize) -> usize {
        low + self.between(0.0, (high + 1 - low) as f64) as usize
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.between(0.0, 1.0) < probability
    }

    /// +1 or −1.
    pub fn sign(&mut self) -> f64 {
        if self.chance(0.5) { 1.0 } else { -1.0 }
    }

    pub fn choose<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.whole(0, list.len() - 1)]
    }
}
