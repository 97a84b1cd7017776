//! How far the sections of an element have turned at its Gauss points.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f64x4};

use super::{Place, QuadraturePoint};
use crate::numerics::lagrange::MAX_NODES;
use crate::numerics::lanes::{LANES, Real};
use crate::numerics::sin_cos::sin_cos;

/// Sine and cosine of a rotation.
pub(super) type Turn<T> = [T; 2];

pub(super) const NOT_TURNED: Turn<f64> = [0.0, 1.0];

/// Gauss points whose rotations are taken together.
const TURNS: usize = MAX_NODES.next_multiple_of(LANES);

/// How far each Gauss point has turned.
#[inline(always)]
pub(super) fn turns<S: Simd, T: Turning<S>, const N: usize>(
    simd: S, points: &[QuadraturePoint], [.., r]: &Place<T>,
) -> [Turn<T>; TURNS] {
    let zero = r[0].all(0.0);
    let mut rotations = [zero; TURNS];
    for (point, rotation) in points.iter().zip(&mut rotations) {
        for (value, r) in point.value.iter().zip(r).take(N) {
            *rotation += *r * *value;
        }
    }
    let mut turns = [[zero; 2]; TURNS];
    T::turn(simd, &rotations, &mut turns, points.len());
    turns
}

/// Rotations of which sine and cosine are found.
pub(crate) trait Turning<S: Simd>: Real {
    /// Finds those of the first `count`.
    fn turn(simd: S, rotations: &[Self; TURNS], turns: &mut [Turn<Self>; TURNS], count: usize);
}

/// Of one element, several points together.
impl<S: Simd> Turning<S> for f64 {
    #[inline(always)]
    fn turn(simd: S, rotations: &[f64; TURNS], turns: &mut [Turn<f64>; TURNS], count: usize) {
        let (rotations, turns) = (rotations.as_chunks().0, turns.as_chunks_mut::<LANES>().0);
        for (rotations, turns) in rotations.iter().zip(turns).take(count.div_ceil(LANES)) {
            let [sines, cosines] = sin_cos(simd, *rotations);
            for ((turn, sine), cosine) in turns.iter_mut().zip(sines).zip(cosines) {
                *turn = [sine, cosine];
            }
        }
    }
}

/// Of several elements, point by point.
impl<S: Simd> Turning<S> for f64x4<S> {
    #[inline(always)]
    fn turn(
        simd: S, rotations: &[f64x4<S>; TURNS], turns: &mut [Turn<f64x4<S>>; TURNS], count: usize,
    ) {
        for (rotation, turn) in rotations.iter().zip(turns).take(count) {
            let [sine, cosine] = sin_cos(simd, (*rotation).into());
            *turn = [f64x4::simd_from(simd, sine), f64x4::simd_from(simd, cosine)];
        }
    }
}
