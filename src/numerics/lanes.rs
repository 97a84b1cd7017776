//! Innermost loops over columns of numbers, four at a time in the widest registers that the processor has.
//!
//! A kernel is compiled for each [`Level`] of instructions and chosen when it is called: `dispatch!(level(), simd => …)`. It rounds as it
//! does on every other machine: the order of all sums is fixed, and no product is fused with a sum.

use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};
use std::sync::OnceLock;

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, f64x4};

/// Numbers that are taken together.
pub const LANES: usize = 4;

/// A square of numbers, column by column.
pub type Tile = [[f64; LANES]; LANES];

/// An empty one.
pub const ZERO: Tile = [[0.0; LANES]; LANES];

static LEVEL: OnceLock<Level> = OnceLock::new();

/// The instructions that kernels use: the best ones that the processor has.
#[inline(always)]
pub fn level() -> Level {
    *LEVEL.get_or_init(Level::new)
}

/// Lets kernels use these instructions, which tests hold against others; whether none had been chosen yet.
pub fn use_level(level: Level) -> bool {
    LEVEL.set(level).is_ok()
}

/// Each of the `numbers` in all lanes. Closures in methods of arrays would be compiled without the level of instructions.
#[inline(always)]
pub fn splat<S: Simd, const N: usize>(simd: S, numbers: [f64; N]) -> [f64x4<S>; N] {
    let mut all = [f64x4::splat(simd, 0.0); N];
    for (all, number) in all.iter_mut().zip(numbers) {
        *all = f64x4::splat(simd, number);
    }
    all
}

/// The `columns` of a few numbers each.
#[inline(always)]
pub fn load<S: Simd, const N: usize>(simd: S, columns: &[[f64; LANES]; N]) -> [f64x4<S>; N] {
    let mut all = [f64x4::splat(simd, 0.0); N];
    for (all, column) in all.iter_mut().zip(columns) {
        *all = f64x4::simd_from(simd, *column);
    }
    all
}

/// Puts `columns` into a tile.
#[inline(always)]
pub fn store<S: Simd>(columns: [f64x4<S>; LANES], tile: &mut Tile) {
    for (target, column) in tile.iter_mut().zip(columns) {
        *target = column.into();
    }
}

/// A number, or several that are taken together.
pub trait Real:
    Copy
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
    + Div<f64, Output = Self>
    + AddAssign
{
    /// What stands for it in memory.
    type Stored: Copy + Default;

    /// This number in place of each of them.
    fn all(self, number: f64) -> Self;

    /// The smaller one; `self` where `other` is no number.
    fn smaller(self, other: Self) -> Self;

    fn store(self) -> Self::Stored;
}

impl Real for f64 {
    type Stored = f64;

    #[inline(always)]
    fn all(self, number: f64) -> f64 {
        number
    }

    #[inline(always)]
    fn smaller(self, other: f64) -> f64 {
        if other < self { other } else { self }
    }

    #[inline(always)]
    fn store(self) -> f64 {
        self
    }
}

impl<S: Simd> Real for f64x4<S> {
    type Stored = [f64; LANES];

    #[inline(always)]
    fn all(self, number: f64) -> f64x4<S> {
        f64x4::splat(self.simd, number)
    }

    #[inline(always)]
    fn smaller(self, other: f64x4<S>) -> f64x4<S> {
        other.simd_lt(self).select(other, self)
    }

    #[inline(always)]
    fn store(self) -> [f64; LANES] {
        self.into()
    }
}

/// The larger of two numbers; where `b` is none, `a`.
#[inline(always)]
pub fn larger(a: f64, b: f64) -> f64 {
    // One instruction, which `f64::max` is not.
    if b > a { b } else { a }
}

/// The product of two vectors. Four running sums: the compiler may not reorder a single one, and the order must not depend
/// on the machine.
#[inline(always)]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (left, right) = (a.chunks_exact(4), b.chunks_exact(4));
    let tail: f64 = left.remainder().iter().zip(right.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in left.zip(right) {
        for k in 0..4 {
            sums[k] += x[k] * y[k];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + tail
}
