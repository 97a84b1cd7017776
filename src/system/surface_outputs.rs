//! What a host reads of contacts of surfaces.

use super::numbers::Numbers;
use super::surface_contact::Standing;
use super::{State, System};
use crate::model::checked::OfContact;
use crate::surfaces::lining::Touch;
use crate::surfaces::local::{Local, Locals, MOST};

/// A point of a contact that is looked at.
struct Look<'a> {
    /// Its number among all points.
    i: usize,
    standing: Standing,
    locals: &'a Locals,
    firsts: &'a [[f64; 2]; MOST],
}

impl Look<'_> {
    /// Changes of d, s by that of the unknowns.
    fn moved(&self, by: &[f64]) -> [f64; 2] {
        let pairs = self.locals.as_slice().iter().zip(self.firsts);
        pairs.fold([0.0; 2], |sum, (local, first)| {
            [0, 1].map(|k| sum[k] + first[k] * by[local.unknown])
        })
    }

    /// Change of N.
    fn normal_change(&self, by: &State) -> f64 {
        let ([distance, s], pressed) = (self.moved(&by.q), &self.standing.pressed);
        let deeper = self.standing.side * distance + by.points[self.i].advance;
        pressed.by_depth * deeper + pressed.along[1] * s
    }

    /// The force on the path under the friction `rubs`, N.
    fn force(&self, rubs: f64) -> [f64; 2] {
        let (foot, pressed) = (&self.standing.foot, &self.standing.pressed);
        let across = self.standing.side * pressed.force;
        let along = rubs + pressed.along[0];
        translations().map(|local| {
            let [by_distance, by_s] = foot.first(&local);
            across * by_distance + along * by_s
        })
    }

    /// Its change by that of the unknowns and of friction.
    fn force_change(&self, rubs: f64, by: &State, rubs_by: f64) -> [f64; 2] {
        let (foot, pressed) = (&self.standing.foot, &self.standing.pressed);
        let side = self.standing.side;
        let [distance, s] = self.moved(&by.q);
        let across = side * pressed.force;
        let across_by = side * self.normal_change(by);
        let along = rubs + pressed.along[0];
        let along_by = rubs_by
            + pressed.along[1] * side * distance
            + pressed.along[2] * s
            + pressed.by_advance[0] * by.points[self.i].advance;
        let mut locals = self.locals.clone();
        let count = locals.as_slice().len();
        translations().map(|local| {
            let first = foot.first(&local);
            locals.truncate(count);
            locals.push(local);
            let mut change = across_by * first[0] + along_by * first[1];
            for (j, other) in self.locals.as_slice().iter().enumerate() {
                let firsts = [first, self.firsts[j]];
                let [d, s] = foot.second(&locals, count, j, firsts);
                change += (across * d + along * s) * by.q[other.unknown];
            }
            change
        })
    }
}

/// Motions of a point along x and y.
fn translations() -> [Local; 2] {
    [[1.0, 0.0], [0.0, 1.0]].map(|place| Local {
        place,
        ..Local::default()
    })
}

impl System {
    /// Calls `look` with the points of a contact.
    fn each_point(&self, contact: usize, state: &State, mut look: impl FnMut(Look<'_>)) {
        let (mut locals, mut firsts) = (Locals::default(), [[0.0; 2]; MOST]);
        for i in self.contacts[contact].points.clone() {
            let mut standing = self.standing(i, &state.q, &state.points[i]);
            let path = &self.contacts[contact].path;
            (standing.foot).look_up_third(path, &state.q, &standing.placed);
            self.locals_of(i, &standing, &mut locals, &mut firsts);
            look(Look {
                i,
                standing,
                locals: &locals,
                firsts: &firsts,
            });
        }
    }

    /// Σ over the points of a contact.
    fn sum_over(&self, contact: usize, state: &State, term: impl Fn(Look<'_>) -> f64) -> f64 {
        let mut sum = 0.0;
        self.each_point(contact, state, |look| sum += term(look));
        sum
    }

    /// The point with the largest value, and that; none where there is none above −∞.
    fn largest_of(
        &self,
        contact: usize,
        state: &State,
        value: impl Fn(&Look<'_>) -> f64,
    ) -> (usize, f64) {
        let mut best = (self.contacts[contact].points.start, f64::NEG_INFINITY);
        self.each_point(contact, state, |look| {
            let value = value(&look);
            if value > best.1 {
                best = (look.i, value);
            }
        });
        best
    }

    /// Whether something holds of a point of a contact.
    fn any_of(&self, contact: usize, state: &State, holds: impl Fn(&Look<'_>) -> bool) -> bool {
        let mut any = false;
        self.each_point(contact, state, |look| any |= holds(&look));
        any
    }

    /// Sum of the sizes of the normal forces of a contact, N.
    pub fn pressing_on(&self, contact: usize, state: &State) -> f64 {
        self.sum_over(contact, state, |look| look.standing.pressed.force)
    }

    /// The value of an output of a contact.
    pub(super) fn value_of_contact<N: Numbers<State>>(
        &self,
        state: &N,
        contact: usize,
        of: OfContact,
    ) -> N::Number {
        let now = state.now();
        let whole = |value: f64| N::Number::from(value);
        let normal = |look: Look<'_>| look.standing.pressed.force;
        let length = |i: usize| self.points[i].surface.length;
        match of {
            OfContact::NormalForce => state.with(self.sum_over(contact, now, normal), |by| {
                self.sum_over(contact, now, |look| look.normal_change(by))
            }),
            OfContact::ForceX => self.force_of_contact(state, contact)[0],
            OfContact::ForceY => self.force_of_contact(state, contact)[1],
            OfContact::Moment => self.moment_of_contact(state, contact),
            OfContact::FrictionForce => {
                let points = self.contacts[contact].points.clone();
                state.get(|s| s.points[points.clone()].iter().map(|p| p.friction).sum())
            }
            OfContact::LinePressure | OfContact::Pressure => {
                let by_force = |i: usize| match of {
                    OfContact::Pressure => {
                        1.0 / (length(i) * self.points[i].thickness.unwrap_or(1.0))
                    }
                    _ => 1.0 / length(i),
                };
                let value = |look: &Look<'_>| look.standing.pressed.force * by_force(look.i);
                let (most, value) = self.largest_of(contact, now, value);
                state.with(value.max(0.0), |by| {
                    self.sum_over(contact, now, |look| match look.i == most {
                        true => look.normal_change(by) * by_force(most),
                        false => 0.0,
                    })
                })
            }
            OfContact::ContactLength => whole(self.touching_length(now, contact, |_| true)),
            OfContact::Sticking => {
                let sticks = self.touching_length(now, contact, |touch| touch == Touch::Sticks);
                let touches = self.touching_length(now, contact, |_| true);
                whole(if touches > 0.0 { sticks / touches } else { 0.0 })
            }
            OfContact::Sides => {
                let mut sides = [false; 2];
                self.each_point(contact, now, |look| {
                    if look.standing.pressed.force > 0.0 {
                        sides[usize::from(look.standing.side > 0.0)] = true;
                    }
                });
                whole(sides.iter().map(|&side| f64::from(u8::from(side))).sum())
            }
            OfContact::Gap => {
                // Beyond the ends of the path there is no face, unless all of it is there.
                let some = self.any_of(contact, now, |look| look.standing.beside > 0.0);
                let depth = |look: &Look<'_>| match look.standing.beside > 0.0 || !some {
                    true => look.standing.depth,
                    false => f64::NEG_INFINITY,
                };
                let (most, depth) = self.largest_of(contact, now, depth);
                state.with(-depth, |by| {
                    self.sum_over(contact, now, |look| match look.i == most {
                        true => -look.standing.side * look.moved(&by.q)[0],
                        false => 0.0,
                    })
                })
            }
            OfContact::Centre | OfContact::Position => {
                let pressed = self.sum_over(contact, now, normal);
                let loaded = of == OfContact::Centre && pressed > 0.0;
                let weight = |look: &Look<'_>| match loaded {
                    true => look.standing.pressed.force,
                    false => length(look.i),
                };
                let all = self.sum_over(contact, now, |look| weight(&look));
                let sum =
                    self.sum_over(contact, now, |look| weight(&look) * look.standing.foot.s());
                let centre = sum / all;
                state.with(centre, |by| {
                    let change = self.sum_over(contact, now, |look| {
                        let change = match loaded {
                            true => look.normal_change(by),
                            false => 0.0,
                        };
                        weight(&look) * look.moved(&by.q)[1]
                            + change * (look.standing.foot.s() - centre)
                    });
                    change / all
                })
            }
            OfContact::DissipatedEnergy => {
                state.get(|s| s.contacts[contact].work - s.contacts[contact].stored)
            }
            OfContact::StoredEnergy => {
                let across = self.sum_over(contact, now, |look| look.standing.pressed.stored);
                let rate = |by: &State| {
                    self.sum_over(contact, now, |look| {
                        let [distance, s] = look.moved(&by.q);
                        let pressed = &look.standing.pressed;
                        look.standing.side * pressed.force * distance
                            + pressed.along[0] * s
                            + pressed.by_advance[1] * by.points[look.i].advance
                    })
                };
                state.with(across, rate) + state.get(|s| s.contacts[contact].stored)
            }
        }
    }

    /// Length of the surface whose points touch a face and do what `counts`.
    fn touching_length(
        &self,
        state: &State,
        contact: usize,
        counts: impl Fn(Touch) -> bool,
    ) -> f64 {
        let points = self.contacts[contact].points.clone();
        let touching = points.filter(|&i| {
            let touch = state.points[i].touch;
            touch.touches() && counts(touch)
        });
        touching.map(|i| self.points[i].surface.length).sum()
    }

    /// The resultant that a surface exerts on its path.
    fn force_of_contact<N: Numbers<State>>(&self, state: &N, contact: usize) -> [N::Number; 2] {
        let now = state.now();
        let rubs = |state: &State, i: usize| state.points[i].friction;
        [0, 1].map(|axis| {
            let force = self.sum_over(contact, now, |look| look.force(rubs(now, look.i))[axis]);
            state.with(force, |by| {
                self.sum_over(contact, now, |look| {
                    look.force_change(rubs(now, look.i), by, rubs(by, look.i))[axis]
                })
            })
        })
    }

    /// Its moment about the middle of the surface.
    fn moment_of_contact<N: Numbers<State>>(&self, state: &N, contact: usize) -> N::Number {
        let now = state.now();
        let rubs = |state: &State, i: usize| state.points[i].friction;
        let total = self.contacts[contact].length;
        // Places are counted from one of them.
        let from = {
            let first = self.contacts[contact].points.start;
            self.standing(first, &now.q, &now.points[first]).placed.from
        };
        let place = |look: &Look<'_>| {
            let placed = &look.standing.placed;
            [0, 1].map(|k| placed.place[k] + placed.from[k].way_from(from[k]))
        };
        let shift = |look: &Look<'_>, by: &State| {
            let own = look.locals.as_slice().iter();
            let carried = own.filter(|local| local.slope == [0.0; 2] && local.bend == [0.0; 2]);
            let nodes = self.points[look.i].surface.nodes.iter();
            let nodes: Vec<usize> = nodes.flat_map(|node| node.unknowns()).collect();
            let surface = carried.filter(|local| nodes.contains(&local.unknown));
            surface.fold([0.0; 2], |sum, local| {
                [0, 1].map(|k| sum[k] + local.place[k] * by.q[local.unknown])
            })
        };
        let share = |look: &Look<'_>| self.points[look.i].surface.length / total;
        let middle =
            [0, 1].map(|k| self.sum_over(contact, now, |look| share(&look) * place(&look)[k]));
        let moment = self.sum_over(contact, now, |look| {
            let ([x, y], [fx, fy]) = (place(&look), look.force(rubs(now, look.i)));
            (x - middle[0]) * fy - (y - middle[1]) * fx
        });
        state.with(moment, |by| {
            let moved = [0, 1]
                .map(|k| self.sum_over(contact, now, |look| share(&look) * shift(&look, by)[k]));
            self.sum_over(contact, now, |look| {
                let [x, y] = [0, 1].map(|k| place(&look)[k] - middle[k]);
                let [dx, dy] = [0, 1].map(|k| shift(&look, by)[k] - moved[k]);
                let [fx, fy] = look.force(rubs(now, look.i));
                let [gx, gy] = look.force_change(rubs(now, look.i), by, rubs(by, look.i));
                dx * fy - dy * fx + x * gy - y * gx
            })
        })
    }
}
