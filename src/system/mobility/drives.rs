//! What imposed motions move: mobility of the mechanism with all members rigid, and motions that only strain allows.
//!
//! The rates of the motions are unknowns beside the rigid motions here, and friction holds nothing. A rank at the initial
//! configuration alone would deceive: at a dead centre a slider cannot move at first order, and where a crank stands upright a locked rod can.
//! So the rank is that at a place a little along the rigid motions of the initial configuration, where only what
//! moves on is left.

use super::super::bodies::Bodies;
use super::{Holding, RigidMotions};
use crate::checked::PointId;
use crate::checked::history::MotionLaw;
use crate::numerics::positions::Positions;
use crate::system::{Motion, System};

/// How far the mechanism is moved for its rank, as a share of its size and in rad.
const MOVED: f64 = 2e-3;
/// Conditions that are a combination of others up to this share say nothing new: more than [`MOVED`] squared, by which a redundant condition
/// is off, and less than [`MOVED`], by which one that locks is.
const SAME: f64 = 1e-4;
/// A motion whose rate is less than this share of what it moves is locked.
const STILL: f64 = 1e-5;
/// Most columns for which cures of a locked motion are looked for: each takes a rank.
const MAX_COLUMNS_OF_CURES: usize = 300;
/// Most pairs of cures that are tried.
const MAX_PAIRS: usize = 64;
/// A motion whose rate is a share of what it moves that has fallen by this factor since the initial configuration stands at a dead position: within
/// a thousandth of a step, 1e-6 of a turn before it, it is 1e-3.
const DEAD: f64 = 0.03;
/// Conditions that are a combination of others up to this share, far above what joints of a solution are open by.
const CLOSED: f64 = 1e-6;
/// Travel of a motion, as a share of the mechanism's size and in rad, below which it may well be meant to bend something.
const TRAVEL: [f64; 2] = [0.1, 0.3];
/// Instants of a run at which a motion is looked at.
const INSTANTS: usize = 200;

/// Mobility of a mechanism whose members and bodies are rigid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mobility {
    /// Independent motions that supports and joints leave; neither imposed motions nor friction nor springs hold anything.
    pub all: usize,
    /// How many of them the imposed motions prescribe.
    pub driven: usize,
    /// Motions of the file that can move the mechanism by bending members only.
    pub locked: Vec<Locked>,
}

/// An imposed motion that locks, by a large travel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locked {
    /// Its index among the motions of the model.
    pub motion: usize,
    /// Each of these changes alone would free it; or all of them `together`.
    pub cures: Vec<Cure>,
    pub together: bool,
}

/// A change of a mechanism that may free it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cure {
    /// A hinge at this point, where members are rigidly connected.
    Hinge(PointId),
    /// A cylindrical joint in place of this prismatic one, an index among the sliders.
    Cylindrical(usize),
}

impl System {
    /// Mobility of the mechanism with all members rigid; `None` where that would take too long.
    pub fn mobility(&self) -> Option<Mobility> {
        let own = RigidMotions::driven(self, &[], None);
        if own.columns() > super::MOST_COLUMNS {
            return None;
        }
        let motions = own.lasting();
        let rates = own.rates(&motions);
        let locks = |m: &usize| {
            rates.iter().all(|rates| rates[*m].abs() <= STILL)
                && self.travels_far(&self.motions[*m])
        };
        let locked = (0..self.motions.len()).filter(|m| !self.motions[*m].unknowns.is_empty());
        let locked: Vec<usize> = locked.filter(locks).collect();
        let curable = own.columns() <= MAX_COLUMNS_OF_CURES;
        let locked = locked.into_iter().filter(|_| curable).filter_map(|m| self.cures_of(m));
        Some(Mobility { all: motions.len(), driven: rank(rates.clone()), locked: locked.collect() })
    }

    /// A motion that can go on no further at the positions `q`, with what moves there while it stands still: the mechanism is at a dead position.
    ///
    /// On the way there the motion loses the rest: its rate becomes a smaller and smaller share of the largest one.
    pub(crate) fn dead_position(&self, q: &Positions) -> Option<String> {
        let own = RigidMotions::driven(self, &[], None);
        if own.columns() > super::MOST_COLUMNS {
            return None;
        }
        let there = own.at(q.clone());
        let [before, now] = [&own, &there].map(|motions| motions.free_to(CLOSED, CLOSED));
        let share = |motions: &RigidMotions<'_>, free: &[Vec<f64>], m: usize| {
            let rates = motions.rates(free).into_iter();
            rates.map(|rates| rates[m].abs()).fold(0.0, f64::max)
        };
        let dead = |m: &usize| share(&there, &now, *m) < DEAD * share(&own, &before, *m);
        let motion = (0..self.motions.len()).find(dead)?;
        let moves = now.first().map(|free| there.moving(free)).filter(|names| !names.is_empty());
        let moves = moves.map_or(String::new(), |names| {
            format!(", where {} can move without it", names.join(" and "))
        });
        Some(format!(
            "the mechanism has reached a dead position{moves}: `motions.{}` asks for positions beyond it, which are out of reach, as where two bars \
             are in line. Change lengths, let the motion turn back before, or drive another part",
            self.motions[motion].name
        ))
    }

    /// Whether a motion moves by so much that no member is meant to bend by it; one that the host moves may.
    fn travels_far(&self, motion: &Motion) -> bool {
        let end = self.model.experiment.stop_time;
        let least = if motion.turns { TRAVEL[1] } else { TRAVEL[0] * self.size };
        let at = |t: f64| match &motion.law {
            MotionLaw::Position(value) => *value,
            MotionLaw::Rate(rate) => rate * t,
            MotionLaw::Acceleration(acceleration) => 0.5 * acceleration * t * t,
            MotionLaw::Scaled { value, history } => value * history.at(t)[0],
            MotionLaw::Record { ground, scale, start } => scale * ground.at(t - start)[0],
        };
        let times = (0..=INSTANTS).map(|k| end * k as f64 / INSTANTS as f64);
        motion.input.is_some() || times.map(at).any(|way| way.abs() >= least)
    }

    /// Changes that free motion `m`; `None` where there is none, as in a structure that is meant to bend.
    fn cures_of(&self, m: usize) -> Option<Locked> {
        let bodies = 0..self.model.bodies.len();
        let rigid: Vec<usize> =
            bodies.filter_map(|body| Some(self.nodes.of_rigid_body(body)?.rotation)).collect();
        let hinges: Vec<(PointId, usize)> = (0..self.model.points.len())
            .flat_map(|point| {
                let shared = self.nodes.rotations_of(point).iter().filter(|(r, members)| {
                    let free = members.len() > 1 && self.equation.has(*r);
                    (rigid.contains(r) && !members.is_empty()) || free
                });
                shared.map(move |(r, _)| (point, *r))
            })
            .collect();
        let sliders = self.sliders.iter().enumerate();
        let sliders = sliders.filter(|(_, slider)| slider.unknowns.len() > 2);
        let sliders: Vec<usize> = sliders.map(|(j, _)| j).collect();
        let frees = |hinges: &[(PointId, usize)], turning: Option<usize>| {
            let changed = RigidMotions::driven(self, hinges, turning);
            let rates = changed.rates(&changed.lasting());
            rates.iter().any(|rates| rates[m].abs() > STILL)
        };
        let alone = hinges.iter().filter(|hinge| frees(&[**hinge], None));
        let mut cures: Vec<Cure> = alone.map(|(point, _)| Cure::Hinge(*point)).collect();
        cures.extend(
            sliders.iter().filter(|j| frees(&[], Some(**j))).map(|j| Cure::Cylindrical(*j)),
        );
        if !cures.is_empty() {
            return Some(Locked { motion: m, cures, together: false });
        }
        let pairs = hinges.iter().flat_map(|hinge| sliders.iter().map(move |j| (*hinge, *j)));
        let mut pairs = pairs.take(MAX_PAIRS);
        let both = pairs.find(|(hinge, j)| frees(&[*hinge], Some(*j)));
        let both = both.map(|(hinge, j)| vec![Cure::Hinge(hinge.0), Cure::Cylindrical(j)]);
        let two = || {
            let first = hinges.iter().enumerate();
            let pairs =
                first.flat_map(|(k, one)| hinges[k + 1..].iter().map(|other| [*one, *other]));
            let found = pairs.take(MAX_PAIRS).find(|pair| frees(pair, None));
            found.map(|pair| pair.map(|(point, _)| Cure::Hinge(point)).to_vec())
        };
        Some(Locked { motion: m, cures: both.or_else(two)?, together: true })
    }
}

impl<'a> RigidMotions<'a> {
    /// The rigid motions with the rates of the imposed motions as unknowns, with `hinges`, each at a point and one of its rotations, and if the
    /// prismatic slider `turning` could turn.
    fn driven(
        system: &'a System, hinges: &[(PointId, usize)], turning: Option<usize>,
    ) -> RigidMotions<'a> {
        let initial = Positions::from(&system.initial[..]);
        RigidMotions {
            system,
            bodies: Bodies::with_hinges(system, hinges),
            place: initial.clone(),
            initial,
            holding: Holding::Nothing,
            turning,
            hinged: hinges.iter().map(|(point, _)| *point).collect(),
        }
    }

    /// Conditions that motions set where their rates are unknowns.
    pub(super) fn conditions_of_motions(&self) -> Vec<super::Row> {
        if self.holding == Holding::MotionsAndFriction {
            return Vec::new();
        }
        let mut rows = Vec::new();
        for (m, motion) in self.system.motions.iter().enumerate() {
            for &unknown in &motion.unknowns {
                let turns = self.system.is_rotation[unknown];
                let mut row = self.moved(unknown, if turns { self.system.size } else { 1.0 });
                row.push((self.rate_column(m), -1.0));
                rows.push(row);
            }
        }
        rows
    }

    /// A basis of the rigid motions that last: those of a place a little along them.
    fn lasting(&self) -> Vec<Vec<f64>> {
        let free = self.free();
        let Some(first) = free.first() else {
            return Vec::new();
        };
        let mut along = vec![0.0; first.len()];
        for (k, motion) in free.iter().enumerate() {
            // Shares without any pattern, which no mechanism has made special.
            let share = 0.5 + 0.5 * (1.0 + 2.399_963 * k as f64).sin();
            along.iter_mut().zip(motion).for_each(|(sum, value)| *sum += share * value);
        }
        let system = self.system;
        let mut by = self.nodal(&along);
        let first_slider = 3 * self.bodies.list.len();
        by.extend(&along[first_slider..first_slider + system.sliders.len()]);
        let relative = by.iter().enumerate().map(|(u, way)| way.abs() / system.scale(u));
        let largest = relative.fold(0.0, f64::max);
        let mut place = self.initial.clone();
        by.iter().enumerate().for_each(|(u, way)| place.add(u, MOVED * way / largest));
        self.at(place).free_to(SAME, SAME)
    }

    /// The conditions at another place.
    fn at(&self, place: Positions) -> RigidMotions<'a> {
        let (initial, bodies, hinged) =
            (self.initial.clone(), self.bodies.clone(), self.hinged.clone());
        RigidMotions { place, initial, bodies, hinged, ..*self }
    }

    /// The rates of all imposed motions in each of the rigid `motions`, as shares of the largest entry there.
    fn rates(&self, motions: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let rates = |motion: &Vec<f64>| {
            let largest = motion.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
            motion[self.rate_column(0)..].iter().map(|rate| rate / largest).collect()
        };
        motions.iter().map(rates).collect()
    }
}

/// The rank of some rows up to [`STILL`].
fn rank(mut rows: Vec<Vec<f64>>) -> usize {
    let mut rank = 0;
    let width = rows.first().map_or(0, Vec::len);
    for column in 0..width {
        let rest = (rank..rows.len())
            .max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()));
        let Some(best) = rest.filter(|&row| rows[row][column].abs() > STILL) else {
            continue;
        };
        rows.swap(rank, best);
        let Some((pivot, others)) = rows[rank..].split_first_mut() else {
            break;
        };
        for other in others {
            let factor = other[column] / pivot[column];
            super::subtract(other, factor, pivot);
        }
        rank += 1;
    }
    rank
}
