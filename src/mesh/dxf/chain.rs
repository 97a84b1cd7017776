//! Curves joined to closed loops.

use std::collections::BTreeMap;

use super::fault::{Shown, listed};
use super::{Drawn, DxfFault, USUAL_TOLERANCE};
use crate::numerics::hypot::hypot;
use crate::numerics::plane::extent;

/// A closed chain of curves, each from where the one before ends, with the body on the left.
pub(super) struct Loop {
    pub curves: Vec<Drawn>,
}

/// All loops, the outer one first. Ends that are nearer to each other than the tolerance (m) are brought together.
pub(super) fn loops(
    curves: Vec<Drawn>, tolerance: Option<f64>, shown: &Shown,
) -> Result<Vec<Loop>, DxfFault> {
    let shares = [0.0, 0.25, 0.5, 0.75, 1.0];
    let places = |drawn: &Drawn| shares.map(|share| drawn.curve.at(share).position);
    let size = extent(curves.iter().flat_map(places));
    let tolerance = tolerance.unwrap_or(USUAL_TOLERANCE * size);
    let joints = Joints::of(&curves, tolerance);
    // What is no longer than a gap is one.
    let (curves, ends): (Vec<Drawn>, Vec<[usize; 2]>) = (curves.into_iter())
        .zip(joints.ends.iter().copied())
        .filter(|(drawn, [a, b])| a != b || drawn.curve.length() > 2.0 * tolerance)
        .unzip();
    if curves.is_empty() {
        return Err(DxfFault::Open(format!(
            "no curve is longer than what is joined, {}; state a smaller `tolerance`, or the `scale` of the drawing",
            shown.length(tolerance)
        )));
    }
    let graph = Graph { curves, ends, places: joints.places };
    graph.no_doubles(tolerance, shown)?;
    graph.closed(tolerance, shown)?;
    Ok(graph.walk())
}

/// Ends that are one place.
struct Joints {
    /// Of each curve.
    ends: Vec<[usize; 2]>,
    /// The middle of what is brought together, m.
    places: Vec<[f64; 2]>,
}

impl Joints {
    fn of(curves: &[Drawn], tolerance: f64) -> Joints {
        let ends = |drawn: &Drawn| [0.0, 1.0].map(|share| drawn.curve.at(share).position);
        let at: Vec<[f64; 2]> = curves.iter().flat_map(ends).collect();
        let mut order: Vec<usize> = (0..at.len()).collect();
        order.sort_by(|&a, &b| at[a][0].total_cmp(&at[b][0]).then(a.cmp(&b)));
        // Each end leads to another of its joint, the first one to itself.
        let mut leads: Vec<usize> = (0..at.len()).collect();
        for (i, &end) in order.iter().enumerate() {
            for &next in &order[i + 1..] {
                if at[next][0] - at[end][0] > tolerance {
                    break;
                }
                let [x, y] = [0, 1].map(|i| at[next][i] - at[end][i]);
                if hypot(x, y) <= tolerance {
                    let (a, b) = (root(&mut leads, end), root(&mut leads, next));
                    leads[a.max(b)] = a.min(b);
                }
            }
        }
        let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
        let mut joints = Joints { ends: vec![[0; 2]; curves.len()], places: Vec::new() };
        let mut boxes: Vec<[[f64; 2]; 2]> = Vec::new();
        for (end, &place) in at.iter().enumerate() {
            let count = numbers.len();
            let number = *numbers.entry(root(&mut leads, end)).or_insert(count);
            if number == count {
                boxes.push([place; 2]);
            }
            let [low, high] = &mut boxes[number];
            for i in 0..2 {
                low[i] = low[i].min(place[i]);
                high[i] = high[i].max(place[i]);
            }
            joints.ends[end / 2][end % 2] = number;
        }
        let middle =
            |[low, high]: &[[f64; 2]; 2]| [0, 1].map(|i| low[i] + 0.5 * (high[i] - low[i]));
        joints.places = boxes.iter().map(middle).collect();
        joints
    }
}

fn root(leads: &mut [usize], mut end: usize) -> usize {
    while leads[end] != end {
        leads[end] = leads[leads[end]];
        end = leads[end];
    }
    end
}

struct Graph {
    curves: Vec<Drawn>,
    /// Places of each curve's ends.
    ends: Vec<[usize; 2]>,
    places: Vec<[f64; 2]>,
}

impl Graph {
    /// Curves and which of their ends is at each place.
    fn at_places(&self) -> Vec<Vec<[usize; 2]>> {
        let mut at = vec![Vec::new(); self.places.len()];
        for (curve, ends) in self.ends.iter().enumerate() {
            for (k, &place) in ends.iter().enumerate() {
                at[place].push([curve, k]);
            }
        }
        at
    }

    /// That no two curves lie upon each other.
    fn no_doubles(&self, tolerance: f64, shown: &Shown) -> Result<(), DxfFault> {
        let mut between: BTreeMap<[usize; 2], Vec<usize>> = BTreeMap::new();
        let mut doubles = Vec::new();
        for (curve, &[a, b]) in self.ends.iter().enumerate() {
            let others = between.entry([a.min(b), a.max(b)]).or_default();
            let place = |curve: usize| self.curves[curve].curve.at(0.5).position;
            let same = others.iter().find(|&&other| {
                let ([x, y], [u, v]) = (place(curve), place(other));
                hypot(x - u, y - v) <= tolerance
            });
            match same {
                Some(&other) => doubles.push(format!(
                    "{} and {} around {}",
                    self.curves[other].described(),
                    self.curves[curve].described(),
                    shown.place(place(curve))
                )),
                None => others.push(curve),
            }
        }
        match doubles.is_empty() {
            true => Ok(()),
            false => Err(DxfFault::Double(format!(
                "curves lie upon each other: {}; delete one of them, or choose the layers of the body with `layers`",
                listed(&doubles)
            ))),
        }
    }

    /// That two ends meet at every place.
    fn closed(&self, tolerance: f64, shown: &Shown) -> Result<(), DxfFault> {
        let at = self.at_places();
        let open: Vec<usize> = (0..at.len()).filter(|&place| at[place].len() == 1).collect();
        let distance = |a: usize, b: usize| {
            let [x, y] = [0, 1].map(|i| self.places[a][i] - self.places[b][i]);
            hypot(x, y)
        };
        let gap = |&place: &usize| {
            let curve = &self.curves[at[place][0][0]];
            let others = open.iter().filter(|&&other| other != place);
            let nearest =
                others.min_by(|&&a, &&b| distance(a, place).total_cmp(&distance(b, place)));
            let ends = format!("{} ends at {}", curve.described(), shown.place(self.places[place]));
            match nearest {
                Some(&other) => format!(
                    "{ends}, a gap of {} to the next open end, at {}",
                    shown.length(distance(other, place)),
                    shown.place(self.places[other])
                ),
                None => ends,
            }
        };
        if !open.is_empty() {
            let gaps: Vec<String> = open.iter().map(gap).collect();
            return Err(DxfFault::Open(format!(
                "the outline is open: {}; ends are joined up to {} apart; close it in the drawing, state `tolerance`, or choose the \
                 layers of the body with `layers`",
                listed(&gaps),
                shown.length(tolerance)
            )));
        }
        let branches: Vec<String> = (at.iter().enumerate())
            .filter(|(_, own)| own.len() > 2)
            .map(|(place, own)| {
                let curves: Vec<String> =
                    (own.iter()).map(|[curve, _]| self.curves[*curve].described()).collect();
                let (count, at) = (own.len(), shown.place(self.places[place]));
                format!("{count} ends at {at}, of {}", curves.join(", "))
            })
            .collect();
        match branches.is_empty() {
            true => Ok(()),
            false => Err(DxfFault::Branch(format!(
                "more than two ends meet: {}; allowed: closed loops that do not touch; choose the layers of the body with `layers`",
                listed(&branches)
            ))),
        }
    }

    /// The loops, each from its first curve in the file.
    fn walk(&self) -> Vec<Loop> {
        let at = self.at_places();
        let mut done = vec![false; self.curves.len()];
        let mut loops = Vec::new();
        for first in 0..self.curves.len() {
            if done[first] {
                continue;
            }
            let mut curves = Vec::new();
            let mut next = [first, 0];
            while !done[next[0]] {
                let [curve, begin] = next;
                done[curve] = true;
                curves.push(self.along(curve, begin));
                let end = self.ends[curve][1 - begin];
                let other = at[end].iter().find(|other| **other != [curve, 1 - begin]);
                next = other.copied().unwrap_or(next);
            }
            if let [only] = &curves[..] {
                let half = |shares| Drawn { curve: only.curve.part(shares), ..only.clone() };
                curves = vec![half([0.0, 0.5]), half([0.5, 1.0])];
            }
            loops.push(Loop { curves });
        }
        // The outer one encloses the largest area; the others are holes.
        let areas: Vec<f64> = loops.iter().map(Loop::area).collect();
        let outer = (0..loops.len()).max_by(|&a, &b| areas[a].abs().total_cmp(&areas[b].abs()));
        let outer = outer.unwrap_or(0);
        for (i, (own, area)) in loops.iter_mut().zip(areas).enumerate() {
            if (area > 0.0) != (i == outer) {
                own.turn();
            }
        }
        let hole = loops.split_off(outer + 1);
        let main = loops.pop();
        main.into_iter().chain(loops).chain(hole).collect()
    }

    /// A curve from one of its ends, between the places that are brought together.
    fn along(&self, curve: usize, begin: usize) -> Drawn {
        let mut drawn = self.curves[curve].clone();
        drawn.curve = (drawn.curve).between(self.ends[curve].map(|end| self.places[end]));
        if begin == 1 {
            drawn.curve = drawn.curve.reversed();
        }
        drawn
    }
}

impl Loop {
    /// Positive where it runs counter-clockwise, m².
    fn area(&self) -> f64 {
        let origin = self.curves[0].curve.at(0.0).position;
        let places = self.curves.iter().flat_map(|drawn| drawn.curve.quadrature());
        let part =
            |[[x, y], [dx, dy]]: [[f64; 2]; 2]| 0.5 * ((x - origin[0]) * dy - (y - origin[1]) * dx);
        places.map(part).sum()
    }

    /// Runs the other way round, from the same curve.
    fn turn(&mut self) {
        self.curves.reverse();
        self.curves.rotate_right(1);
        for drawn in &mut self.curves {
            drawn.curve = drawn.curve.reversed();
        }
    }
}
