//! Whether the loops of an outline are loops, as they are drawn.

use std::collections::BTreeSet;
use std::f64::consts::{FRAC_PI_2, PI};

use super::{Outline, OutlineFault, Side};
use crate::axis::turn;
use crate::mesh::{Flaw, HIGHEST_ORDER};
use crate::numerics::hypot::hypot;
use crate::numerics::plane::extent;

/// Largest gap between sides and least length of one, beside the outline.
const GAP: f64 = 1e-9;

/// Least angle at which two sides meet, rad: 5 degrees.
const SHARPEST: f64 = PI / 36.0;

pub(super) fn check(outline: &Outline) -> Result<(), OutlineFault> {
    if !(1..=HIGHEST_ORDER).contains(&outline.order) {
        return Err(Flaw::Order(outline.order).into());
    }
    let turn = outline.largest_turn;
    // A little above a right angle, for who computes one.
    if !(turn > 0.0 && turn <= FRAC_PI_2 * (1.0 + 1e-12)) {
        return Err(OutlineFault::Turn(turn));
    }
    if let Some(empty) = outline.loops().position(<[Side]>::is_empty) {
        return Err(OutlineFault::Empty(empty));
    }
    let places = |side: &Side| [0.0, 0.25, 0.5, 0.75].map(|share| side.curve.at(share).position);
    let extent = extent(outline.loops().flatten().flat_map(places));
    for side in outline.loops().flatten() {
        let length = side.curve.length();
        if !(length > GAP * extent && length.is_finite()) {
            let (side, at) = (side.name.clone(), side.curve.at(0.0).position);
            return Err(OutlineFault::NoLength { side, at });
        }
    }
    let own = outline.loops().flatten();
    let sizes = own.filter_map(|side| Some((side.size?, Some(side.name.clone()))));
    for (size, side) in std::iter::once((outline.size, None)).chain(sizes) {
        if !(size > 0.0 && size <= extent) {
            return Err(OutlineFault::Size { size, side, extent });
        }
    }
    for sides in outline.loops() {
        for (i, side) in sides.iter().enumerate() {
            meet(side, &sides[(i + 1) % sides.len()], extent)?;
        }
    }
    names(outline)
}

/// That a side begins where the one before ends, and does not turn back.
fn meet(side: &Side, next: &Side, extent: f64) -> Result<(), OutlineFault> {
    let (end, begin) = (side.curve.at(1.0), next.curve.at(0.0));
    let (ends, begins) = (end.position, begin.position);
    let sides = [side, next].map(|side| side.name.clone());
    let gap = hypot(begins[0] - ends[0], begins[1] - ends[1]);
    let closed = gap <= GAP * extent;
    if !closed {
        let [side, next] = sides;
        return Err(OutlineFault::Open { side, next, ends, begins });
    }
    let angle = PI - turn(end.angle, begin.angle).abs();
    if angle < SHARPEST {
        let at = begins;
        return Err(OutlineFault::Sharp { sides, at, angle });
    }
    Ok(())
}

/// That the sides of each name follow each other.
fn names(outline: &Outline) -> Result<(), OutlineFault> {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for sides in outline.loops() {
        let name = |i: usize| sides[i % sides.len()].name.as_str();
        // Where the first edge begins; 0 where one goes all the way round.
        let first = (0..sides.len()).find(|&i| name(i) != name(i + sides.len() - 1)).unwrap_or(0);
        let mut before = None;
        for i in first..first + sides.len() {
            if before != Some(name(i)) && !seen.insert(name(i)) {
                return Err(OutlineFault::Twice(name(i).to_string()));
            }
            before = Some(name(i));
        }
    }
    Ok(())
}
