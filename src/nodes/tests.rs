//! Numbering of unknowns.

use super::*;

/// Two members in line, of three nodes each; a hinge parts their rotations in the middle.
fn hinged() -> Nodes {
    let turning =
        |members: Vec<MemberId>, carrier: Option<BodyId>| PlacedRotation { members, carrier };
    let point = |x: f64, rotations: Vec<Vec<MemberId>>| PlacedPoint {
        position: [x, 0.0],
        rotations: (rotations.into_iter()).map(|members| turning(members, None)).collect(),
    };
    let member = |ends: [PointId; 2]| PlacedMember {
        ends,
        apart: [false; 2],
        carrier: None,
        nodes: PlacedNodes::Own([0.0, 0.5, 1.0].map(|x| [ends[0] as f64 + x, 0.0]).to_vec()),
    };
    Nodes::number(
        vec![
            point(0.0, vec![vec![0]]),
            point(1.0, vec![vec![0], vec![1]]),
            point(2.0, vec![vec![1]]),
            point(3.0, vec![]),
            PlacedPoint { position: [5.0, 0.0], rotations: vec![turning(vec![], Some(1))] },
        ],
        vec![member([0, 1]), member([1, 2])],
        vec![
            PlacedBody::Elastic(PlacedMesh {
                nodes: vec![[3.0, 0.0], [4.0, 0.0], [3.0, 1.0]],
                points: vec![(0, 3)],
                edges: vec![vec![0, 1, 2, 0]],
            }),
            PlacedBody::Rigid([5.0, 0.5]),
        ],
    )
}

#[test]
fn members_share_the_place_of_a_hinge_and_not_its_rotation() {
    let nodes = hinged();
    let (end, begin) = (nodes.of_member(0)[2], nodes.of_member(1)[0]);
    assert_eq!(end.position, begin.position);
    assert_ne!(end.rotation, begin.rotation);
    assert_eq!(nodes.rotation(1, None), None);
    assert_eq!(nodes.of_point(3, None, Direction::Rotation), None);
}

#[test]
fn a_body_shares_its_nodes_with_points_and_an_edge_has_each_once() {
    let nodes = hinged();
    assert_eq!(nodes.of_body(0)[0], nodes.of_place(3));
    let edge = Target::Edge(EdgeId { body: 0, edge: 0 });
    let along: Vec<usize> = nodes.of_target(edge, Direction::X).collect();
    assert_eq!(along, [0, 1, 2].map(|k: usize| nodes.of_body(0)[k][0]));
    let mut sorted: Vec<[usize; 2]> = nodes.positions().collect();
    sorted.dedup();
    assert!(sorted.is_sorted() && sorted.len() == nodes.positions().count());
}

#[test]
fn every_unknown_has_one_owner_which_finds_it_again() {
    let nodes = hinged();
    for u in 0..nodes.initial.len() {
        let found = match nodes.owner(u).expect("an owner") {
            Owner::Point(id, direction) => nodes.of_point(id, None, direction),
            Owner::Rotation(id, members) => nodes.rotation(id, members.first().copied()),
            Owner::Member(id, direction, share) => {
                Some(nodes.of_member(id)[(2.0 * share) as usize].unknown(direction))
            }
            Owner::RigidBody(id, direction) => {
                nodes.of_rigid_body(id).map(|node| node.unknown(direction))
            }
            Owner::Drive(coupling) => nodes.of_drive(coupling),
            Owner::Travel(way, k) => Some(nodes.of_travel(way)[k]),
            Owner::Body(id, direction, node) => Some(nodes.of_body(id)[node][direction as usize]),
        };
        assert_eq!(found, Some(u));
    }
    assert_eq!(nodes.owner(nodes.initial.len()), None);
}

#[test]
fn a_point_of_a_rigid_body_has_the_rotation_of_the_body_and_a_place_of_its_own() {
    let nodes = hinged();
    let body = nodes.of_rigid_body(1).expect("the second body");
    assert_eq!(nodes.rotation(4, None), Some(body.rotation));
    assert_ne!(nodes.of_place(4), body.position);
    let turned = nodes.of_target(Target::Body(1), Direction::Rotation);
    assert_eq!(turned.collect::<Vec<_>>(), [body.rotation]);
}
