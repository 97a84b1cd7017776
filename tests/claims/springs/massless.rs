//! Points without mass between springs, under supports that hold them in part.

use crate::common::Simulation;
use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;

/// Two springs of 100 N/m in series through a point that only a support along y holds; the far end moves with 1 m/s.
fn series() -> String {
    Mechanism::new("series")
        .step(0.01)
        .solver("analysis = 'quasi_static'")
        .points("anchor = [0.0, 0.0], mid = [1.0, 0.0], head = [2.0, 0.0]")
        .spring("a", "ground = 'anchor', to = 'mid', stiffness = 100.0")
        .spring("b", "from = 'mid', to = 'head', stiffness = 100.0")
        .roller("mid")
        .motion("head", "point = 'head', direction = 'x', velocity = 1.0")
        .roller("head")
        .outputs("motions.* points.mid.x springs.*")
        .text()
}

#[test]
fn a_point_without_mass_that_a_support_holds_across_is_in_equilibrium_between_its_springs() {
    // Along the line, along x, and along a line of 60° to the support, where cos² 60° of the one stiffness is in series with the other.
    let slanted = series()
        .edit("anchor = [0.0, 0.0]", "anchor = [0.5, -0.8660254037844386]")
        .edit("ground = \"anchor\"", "ground = \"anchor\"\ndirection = \"line\"");
    let along_x = series().edit("to = \"mid\"", "to = \"mid\"\ndirection = \"x\"");
    for (text, share, way) in [(&series(), 0.5, 1.0), (&along_x, 0.5, 1.0), (&slanted, 0.2, 1e-4)] {
        for analysis in ["quasi_static", "dynamic"] {
            let text = text
                .edit("quasi_static", analysis)
                .edit("velocity = 1.0", &format!("velocity = {way:?}"));
            let mut sim = Simulation::of(&text);
            sim.run(1.0, 0.1, |_| {});
            let force = 100.0 * share * way;
            let seen = sim.get("motions.head.reaction");
            println!("{analysis}: {seen} N, exact {force} N");
            // The slanted spring turns by 5e-5 rad.
            assert!((seen / force - 1.0).abs() < 2e-4, "{analysis}: {seen} N");
            let x = sim.get("points.mid.x") - 1.0;
            assert!((x / (way * (1.0 - share)) - 1.0).abs() < 2e-4, "{x} m");
        }
    }
}
