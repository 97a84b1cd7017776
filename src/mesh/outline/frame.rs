//! The frame in which triangles are decided about.

/// Digits of rounded coordinates: multiples of 2⁻⁴⁰ of the body.
const GRID: f64 = (1_u64 << 40) as f64;

/// Coordinates between −1 and 1, rounded to a grid, so that the last bits of sines decide nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Frame {
    middle: [f64; 2],
    /// A power of two, m.
    scale: f64,
}

impl Frame {
    /// Around places, of which there is one at least.
    pub fn around(places: &[[f64; 2]]) -> Frame {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for place in places {
            for i in 0..2 {
                low[i] = low[i].min(place[i]);
                high[i] = high[i].max(place[i]);
            }
        }
        // A little more, so that no last bit decides whether a width is a power of two.
        let width = (high[0] - low[0]).max(high[1] - low[1]) * (1.0 + 1e-6);
        let mut scale = f64::MIN_POSITIVE;
        while scale < width && scale < f64::MAX / 2.0 {
            scale *= 2.0;
        }
        let middle = [0, 1].map(|i| scale * round(0.5 * (low[i] / scale + high[i] / scale)));
        Frame { middle, scale }
    }

    pub fn of(&self, place: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|i| round((place[i] - self.middle[i]) / self.scale))
    }

    /// A length, m.
    pub fn length(&self, length: f64) -> f64 {
        length / self.scale
    }

    pub fn place(&self, at: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|i| self.middle[i] + self.scale * at[i])
    }
}

fn round(x: f64) -> f64 {
    (x * GRID).round() / GRID
}
