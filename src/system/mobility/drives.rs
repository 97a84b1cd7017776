//! What imposed motions move: mobility of the mechanism with all members rigid, and motions that only strain allows.
//!
//! The rates of the motions are unknowns beside the rigid motions here, and friction locks nothing. A rank at the initial
//! configuration alone would deceive: at a dead centre a slider cannot move at first order, and where a crank stands upright a locked rod can.
//! So the rank is that at a place a little along the rigid motions of the initial configuration, where only what
//! moves on is left.

use super::super::bodies::Bodies;
use super::{Holding, RigidMotions};
use crate::checked::PointId;
use crate::checked::history::MotionLaw;
use crate::joints::regime::Side;
use crate::numerics::positions::Positions;
use crate::system::{Motion, System};

/// How far the mechanism is moved for its rank, as a share of its size and in rad.
const MOVED: f64 = 2e-3;
/// Conditions that are a combination of others up to this share say nothing new: more than [`MOVED`] squared, by which a redundant condition
/// is off, and less than [`MOVED`], by which one that locks is.
const SAME: f64 = 1e-4;
/// A motion whose rate is less than this share of what it moves is locked.
pub(super) const STILL: f64 = 1e-5;
/// Most columns for which cures of a locked motion are looked for: each takes a rank.
pub(super) const MAX_COLUMNS_OF_CURES: usize = 300;
/// Most pairs of cures that are tried.
const MAX_PAIRS: usize = 64;
/// A motion whose rate is a share of what it moves that has fallen by this factor since the initial configuration stands at a dead position: within
/// a thousandth of a step, 1e-6 of a turn before it, it is 1e-3.
const DEAD: f64 = 0.03;
/// Conditions that are a combination of others up to this share, far above what joints of a solution are open by.
pub(super) const CLOSED: f64 = 1e-6;
/// Travel of a motion, as a share of the mechanism's size and in rad, below which it may well be meant to bend something.
const TRAVEL: [f64; 2] = [0.1, 0.3];
/// Share of such a travel up to which the clearance of a guide holds what is between its faces.
const NARROW: f64 = 0.1;
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
    /// Motions of the file that prescribe what others among them prescribe already, those included.
    pub contending: Vec<usize>,
}

/// An imposed motion that locks, by a large travel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locked {
    /// Its index among the motions of the model.
    pub motion: usize,
    /// Each of these changes alone would free it; or all of them `together`.
    pub cures: Vec<Cure>,
    pub together: bool,
    /// Contacts of rigid surfaces between two faces, without which it would not lock.
    pub guides: Vec<usize>,
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
        let mut locked = Vec::new();
        if own.columns() <= MAX_COLUMNS_OF_CURES {
            let free = self.still(&rates);
            locked.extend(free.iter().filter_map(|&m| self.cures_of(m, &[])));
            let guides = self.guides();
            let between = own.between(&guides);
            let held = match guides.is_empty() {
                true => Vec::new(),
                false => self.still(&between.rates(&between.lasting())),
            };
            let held = held.into_iter().filter(|m| !free.contains(m));
            locked.extend(held.filter_map(|m| self.cures_of(m, &guides)));
        }
        let contending = contending(&rates);
        Some(Mobility { all: motions.len(), driven: rank(rates), locked, contending })
    }

    /// Motions with a large travel that have none of these `rates`.
    fn still(&self, rates: &[Vec<f64>]) -> Vec<usize> {
        let locks = |m: &usize| {
            let motion = &self.motions[*m];
            let still = rates.iter().all(|rates| rates[*m].abs() <= STILL);
            still && !motion.unknowns.is_empty() && self.travels_far(motion)
        };
        (0..self.motions.len()).filter(locks).collect()
    }

    /// Contacts of rigid surfaces between two faces so close that nothing moves far within the clearance.
    fn guides(&self) -> Vec<usize> {
        let model = &self.model;
        let narrow = |id: &usize| {
            let contact = &model.rigid_contacts[*id];
            let corners = &model.sliders[contact.corners.clone()];
            let on = |side: Side| corners.iter().any(|corner| corner.side == Some(side));
            on(Side::Left)
                && on(Side::Right)
                && contact.guide.clearance <= NARROW * TRAVEL[0] * self.size
        };
        (0..model.rigid_contacts.len()).filter(narrow).collect()
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

    /// Points at which members are rigidly connected with each other or with a rigid body, each with the rotation that they share.
    fn connections(&self) -> Vec<(PointId, usize)> {
        let bodies = 0..self.model.bodies.len();
        let rigid: Vec<usize> =
            bodies.filter_map(|body| Some(self.nodes.of_rigid_body(body)?.rotation)).collect();
        (0..self.model.points.len())
            .flat_map(|point| {
                let shared = self.nodes.rotations_of(point).iter().filter(|(r, members)| {
                    let free = members.len() > 1 && self.equation.has(*r);
                    (rigid.contains(r) && !members.is_empty()) || free
                });
                shared.map(|(r, _)| (point, *r)).collect::<Vec<_>>()
            })
            .collect()
    }

    /// Changes that free motion `m` between these `guides`; `None` where there is none, as in a structure that is meant to bend.
    fn cures_of(&self, m: usize, guides: &[usize]) -> Option<Locked> {
        let hinges = self.connections();
        let sliders = self.sliders.iter().enumerate();
        let sliders = sliders.filter(|(_, slider)| slider.unknowns.len() > 2);
        let sliders: Vec<usize> = sliders.map(|(j, _)| j).collect();
        let frees = |hinges: &[(PointId, usize)], turning: Option<usize>| {
            let changed = RigidMotions::driven(self, hinges, turning).between(guides);
            let rates = changed.rates(&changed.lasting());
            rates.iter().any(|rates| rates[m].abs() > STILL)
        };
        let alone = hinges.iter().filter(|hinge| frees(&[**hinge], None));
        let mut cures: Vec<Cure> = alone.map(|(point, _)| Cure::Hinge(*point)).collect();
        cures.extend(
            sliders.iter().filter(|j| frees(&[], Some(**j))).map(|j| Cure::Cylindrical(*j)),
        );
        if !cures.is_empty() {
            return Some(Locked { motion: m, cures, together: false, guides: guides.to_vec() });
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
        let cures = both.or_else(two)?;
        Some(Locked { motion: m, cures, together: true, guides: guides.to_vec() })
    }
}

impl<'a> RigidMotions<'a> {
    /// The rigid motions with the rates of the imposed motions as unknowns, with `hinges`, each at a point and one of its rotations, and if the
    /// prismatic slider `turning` could turn.
    pub(super) fn driven(
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
            stuck: Vec::new(),
            guides: Vec::new(),
        }
    }

    /// The same with the corners of contacts of rigid surfaces between their faces.
    fn between(&self, guides: &[usize]) -> RigidMotions<'a> {
        RigidMotions { guides: guides.to_vec(), ..self.at(self.place.clone()) }
    }

    /// The same with sliders that friction locks.
    pub(super) fn with_stuck(&self, stuck: &[usize]) -> RigidMotions<'a> {
        RigidMotions { stuck: stuck.to_vec(), ..self.at(self.place.clone()) }
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
    pub(super) fn lasting(&self) -> Vec<Vec<f64>> {
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
    pub(super) fn at(&self, place: Positions) -> RigidMotions<'a> {
        RigidMotions {
            place,
            initial: self.initial.clone(),
            bodies: self.bodies.clone(),
            hinged: self.hinged.clone(),
            stuck: self.stuck.clone(),
            guides: self.guides.clone(),
            ..*self
        }
    }

    /// The rates of all imposed motions in each of the rigid `motions`, as shares of the largest entry there.
    pub(super) fn rates(&self, motions: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let rates = |motion: &Vec<f64>| {
            let largest = motion.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
            motion[self.rate_column(0)..].iter().map(|rate| rate / largest).collect()
        };
        motions.iter().map(rates).collect()
    }
}

/// Columns of these `rates` that move and that the others determine: without one of them the rank is the same.
fn contending(rates: &[Vec<f64>]) -> Vec<usize> {
    let all = rank(rates.to_vec());
    let moves = |m: &usize| rates.iter().any(|rates| rates[*m].abs() > STILL);
    let is_determined = |m: &usize| {
        let mut others = rates.to_vec();
        others.iter_mut().for_each(|rates| rates[*m] = 0.0);
        rank(others) == all
    };
    let columns = 0..rates.first().map_or(0, Vec::len);
    columns.filter(moves).filter(is_determined).collect()
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
