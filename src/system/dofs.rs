//! From points and members to numbered unknowns.

use crate::model::checked::{Checked, Direction, MemberId, Motion, Moved, PointId, Target};

/// Unknowns of points and of member nodes.
#[derive(Debug, Clone)]
pub struct Nodes {
    /// Y₁, Y₂ of each point.
    points: Vec<[usize; 2]>,
    /// Rotations of each point, each with the members that share it (empty for a lone one).
    rotations: Vec<Vec<(usize, Vec<MemberId>)>>,
    /// (Y₁, Y₂, r) of every node of each member, from `from` to `to`.
    members: Vec<Vec<[usize; 3]>>,
    /// Initial value of every nodal unknown.
    pub initial: Vec<f64>,
    pub is_rotation: Vec<bool>,
}

impl Nodes {
    /// Numbers the unknowns: points first, then the inner nodes of the members.
    pub fn of(model: &Checked) -> Nodes {
        let mut nodes = Nodes {
            points: Vec::new(),
            rotations: vec![Vec::new(); model.points.len()],
            members: Vec::new(),
            initial: Vec::new(),
            is_rotation: Vec::new(),
        };
        for (id, point) in model.points.iter().enumerate() {
            let x = nodes.add(point.position[0], false);
            let y = nodes.add(point.position[1], false);
            nodes.points.push([x, y]);
            nodes.add_rotations(model, id);
        }
        for (id, member) in model.members.iter().enumerate() {
            let last = member.elements * member.order;
            let mut list = Vec::with_capacity(last + 1);
            for (k, place) in member.axis.places(last).into_iter().enumerate() {
                if k == 0 || k == last {
                    let point = if k == 0 { member.from } else { member.to };
                    let [x, y] = nodes.points[point];
                    // Every member that ends at a point was given a rotation there.
                    let r = nodes.rotation(point, Some(id)).unwrap_or(x);
                    list.push([x, y, r]);
                } else {
                    let [x, y] = place.position.map(|value| nodes.add(value, false));
                    let r = nodes.add(0.0, true);
                    list.push([x, y, r]);
                }
            }
            nodes.members.push(list);
        }
        nodes
    }

    fn add(&mut self, value: f64, rotation: bool) -> usize {
        self.initial.push(value);
        self.is_rotation.push(rotation);
        self.initial.len() - 1
    }

    fn add_rotations(&mut self, model: &Checked, point: PointId) {
        for members in model.rotation_groups(point) {
            let r = self.add(0.0, true);
            self.rotations[point].push((r, members));
        }
    }

    /// The rotation of `member`'s end at `point`, or the point's only one.
    pub fn rotation(&self, point: PointId, member: Option<MemberId>) -> Option<usize> {
        let list = &self.rotations[point];
        match member {
            Some(m) => list.iter().find(|(_, on)| on.contains(&m)).map(|(r, _)| *r),
            None if list.len() == 1 => Some(list[0].0),
            None => None,
        }
    }

    /// The unknown of a point in a direction.
    pub fn of_point(
        &self,
        point: PointId,
        member: Option<MemberId>,
        direction: Direction,
    ) -> Option<usize> {
        match direction {
            Direction::X => Some(self.points[point][0]),
            Direction::Y => Some(self.points[point][1]),
            Direction::Rotation => self.rotation(point, member),
        }
    }

    /// (Y₁, Y₂, r) of every node of a member.
    pub fn of_member(&self, member: MemberId) -> &[[usize; 3]] {
        &self.members[member]
    }

    /// All unknowns of a support's or motion's target in a direction.
    pub fn of_target(
        &self,
        target: Target,
        direction: Direction,
    ) -> impl Iterator<Item = usize> + '_ {
        let (point, member) = match target {
            Target::Point { point, member } => (self.of_point(point, member, direction), &[][..]),
            Target::Member(member) => (None, self.of_member(member)),
        };
        let nodes = member.iter().map(move |node| node[direction as usize]);
        point.into_iter().chain(nodes)
    }

    /// All unknowns that a motion prescribes, each once.
    pub fn of_motion(&self, model: &Checked, motion: &Motion) -> Vec<usize> {
        match &motion.moved {
            Moved::Target(target) => self.of_target(*target, motion.direction).collect(),
            Moved::Supports(list) => {
                let mut all: Vec<usize> = (list.iter())
                    .flat_map(|&s| self.of_target(model.supports[s].target, motion.direction))
                    .collect();
                all.sort_unstable();
                all.dedup();
                all
            }
        }
    }

    /// Y₁, Y₂ of a point.
    pub fn of_place(&self, point: PointId) -> [usize; 2] {
        self.points[point]
    }

    /// Rotations of a point, each with the members that share it.
    pub fn rotations_of(&self, point: PointId) -> &[(usize, Vec<MemberId>)] {
        &self.rotations[point]
    }

    /// A nodal unknown in the words of the model file.
    pub fn describe(&self, model: &Checked, unknown: usize) -> String {
        for (id, point) in model.points.iter().enumerate() {
            for (i, axis) in ["x", "y"].iter().enumerate() {
                if self.points[id][i] == unknown {
                    return format!("{axis} of point `{}`", point.name);
                }
            }
            for (r, members) in &self.rotations[id] {
                if *r == unknown {
                    return match members.first() {
                        Some(&m) => format!(
                            "the rotation of member `{}` at point `{}`",
                            model.members[m].name, point.name
                        ),
                        None => format!("the rotation of point `{}`", point.name),
                    };
                }
            }
        }
        for (id, nodes) in self.members.iter().enumerate() {
            for (k, node) in nodes.iter().enumerate() {
                if let Some(d) = node.iter().position(|&u| u == unknown) {
                    let what = ["x", "y", "the rotation"][d];
                    let share = 100.0 * k as f64 / (nodes.len() - 1) as f64;
                    return format!(
                        "{what} of member `{}` at {share:.0} % of its length",
                        model.members[id].name
                    );
                }
            }
        }
        "an unknown".to_string()
    }
}
