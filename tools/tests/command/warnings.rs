//! What `coulisse check` asks about in a model without faults.

use crate::common::{bundled, call_in, folder, model, ok, text};
use crate::edit::Edit;
use crate::mechanism::Mechanism;

fn frame() -> String {
    Mechanism::new("frame")
        .step(1e-3)
        .points("a = [0.0, 0.0], b = [2.0, 0.0], c = [2.0, 1.0], d = [3.0, 1.0]")
        .steel()
        .rectangle("bar", 0.02, 0.02)
        .member("beam", ["a", "b"], "elements = 8, material = 'steel', section = 'bar'")
        .support("a", "point = 'a', fix = ['x', 'rotation']")
        .motion("a", "point = 'a', direction = 'y', displacement = 0.0")
        .text()
}

/// The warnings of a model.
fn warned(name: &str, model: &str) -> Vec<String> {
    let folder = folder(name);
    let file = folder.join("model.toml");
    std::fs::write(&file, model).unwrap();
    let said = ok(&["check", "--format", "json", text(&file)]);
    let found: Vec<serde_json::Value> = serde_json::from_str(&said).expect("JSON");
    let message = |found: &serde_json::Value| {
        assert_eq!(found["severity"], "warning", "{found}");
        let places = ["line", "column"].map(|key| found[key].as_u64().unwrap_or(0));
        assert!(places.iter().all(|place| *place > 0), "no place: {found}");
        found["message"].as_str().expect("a text").to_owned()
    };
    found.iter().map(message).collect()
}

#[test]
fn what_a_person_would_ask_about_is_asked() {
    assert_eq!(warned("warned_of_nothing", &frame()), [""; 0]);
    let cases = [
        ("2.1e11", "210.0", "softer than rubber; if that is in GPa, write 2.1e11 (Pa)"),
        ("2.1e11", "210e3", "softer than rubber; if that is in MPa, write 2.1e11 (Pa)"),
        ("7850.0", "7.85", "lighter than foam; if that is in g/cm³ or t/m³, write 7850 (kg/m³)"),
        ("7850.0", "0.45", "lighter than foam; if that is in g/cm³ or t/m³, write 450 (kg/m³)"),
        ("7850.0", "7.85e-9", "lighter than foam; if that is in t/mm³, write 7850 (kg/m³)"),
        (
            "[materials.steel]",
            "m = [1.0, 0.0]\n[masses.m]\npoint = \"m\"\nmass = 1.0\n[materials.steel]",
            "point `m` lies on member `beam` and is not connected with it",
        ),
        ("elements = 8", "elements = 8\norder = 1", "times too stiff in bending"),
        (
            "2.1e11",
            "210e17",
            "members.beam: its slowest vibration as a cantilever has 41775.6 Hz, 42 in a step of 0.001 s",
        ),
        (
            "[supports.a]",
            "[members.lost]\nfrom = \"c\"\nto = \"d\"\nelements = 2\nmaterial = \"steel\"\nsection = \"bar\"\n[supports.a]",
            "member `lost` is connected with nothing that is supported or moved",
        ),
        (
            "{ height = 0.02, width = 0.02 }",
            "{ height = 20.0, width = 20.0 }",
            "members.beam.section is about 20 m deep, with an area of 400 m²; lengths are in m: divide numbers in mm by 1000",
        ),
        (
            "b = [2.0, 0.0]",
            "b = [2000.0, 0.0]",
            "members.beam: it is 2000 m long and 0.02 m deep; lengths are in m, so if points are given in mm",
        ),
        (
            "{ height = 0.02, width = 0.02 }",
            "{ height = 0.8, width = 0.02 }",
            "members.beam is 2 m long and about 0.8 m deep, with an area of 0.016 m²: beams are at least three times as long as deep",
        ),
        (
            "2.1e11",
            "210e6",
            "softer than plastics, and its density is that of stone or metal; moduli are in Pa, so if that is in kN/m² (kPa), write 2.1e11 (Pa)",
        ),
        (
            "[sections.bar]\nrectangle = { height = 0.02, width = 0.02 }",
            "[parameters]\ndepth = 0.02  # mm, of the bar\n[sections.bar]\nrectangle = { height = \"depth\", width = 0.02 }",
            "parameters.depth is 0.02 mm by its comment, but the numbers that use it are in SI units (m), and nothing is converted",
        ),
        (
            "displacement = 0.0",
            "amplitude = 1e-3\nhistory.sine = { frequency = 150.0 }\n[damping.beam]\nstiffness_coefficient = 1e-5",
            "motions.a has a period of 0.00667 s, and a step of 0.001 s is more than a tenth of it; write solver.step = 0.0001",
        ),
    ];
    for (k, (old, new, expected)) in cases.iter().enumerate() {
        let said = warned(&format!("warned_{k}"), &frame().edit(old, new));
        assert!(said.len() == 1 && said[0].contains(expected), "{said:?}");
    }
}

/// A drawer on two sliders of one rail, 0.3 m apart, that is pulled 0.4 m beside it.
fn drawer() -> String {
    Mechanism::new("drawer")
        .step(1e-3)
        .points("rear = [-1.0, 0.0], front = [3.0, 0.0], a = [0.0, 0.0], b = [0.3, 0.0]")
        .and("knob = [0.3, 0.4], corner = [0.0, 0.4]")
        .steel()
        .guide("rail", ["rear", "front"], "elements = 1")
        .body("drawer", "material = 'steel', thickness = 0.01, rigid = true")
        .and("points = ['a', 'b', 'knob']")
        .patch("drawer", [3, 4], "sole: a, front: b, top: knob, back: corner")
        .slider("a", "a", "rail", "")
        .and("friction.coulomb = { coefficient = 0.4 }")
        .slider("b", "b", "rail", "")
        .and("friction.coulomb = { coefficient = 0.4 }")
        .load("pull", "point = 'knob', fx = 10.0")
        .text()
}

#[test]
fn a_guide_that_jams_under_its_load_is_asked_about() {
    let said = warned("warned_jam", &drawer());
    assert!(
        said.len() == 1
            && said[0].contains("loads.pull drives body `drawer` 0.4 m off its path")
            && said[0].contains("from L/(2e) = 0.375 on that jams"),
        "{said:?}"
    );
    assert_eq!(warned("warned_no_jam", &drawer().edit("0.4 }", "0.35 }")), [""; 0]);
}

#[test]
fn mass_proportional_damping_of_what_slides_is_asked_about() {
    let damped = drawer()
        .edit("0.4 }\n[", "0.1 }\n[")
        .edit("rigid = true", "state = \"plane_stress\"\norder = 2")
        + "[damping.drawer]\nmass_coefficient = 0.5\nstiffness_coefficient = 1e-5\n";
    let said = warned("warned_dragged", &damped);
    assert!(
        said.len() == 1
            && said[0].contains("damping.drawer: body `drawer` slides as a whole")
            && said[0].contains("takes 39 % of its velocity"),
        "{said:?}"
    );
    let by_stiffness = damped.edit("mass_coefficient = 0.5\n", "");
    assert_eq!(warned("warned_not_dragged", &by_stiffness), [""; 0]);
}

#[test]
fn bundled_models_give_no_reason_but_those_of_their_headers() {
    for name in bundled() {
        let said = ok(&["check", &model(&name)]);
        println!("{said}");
        // These are as stiff as the papers have them.
        let of_paper = ["quick_return", "doubly_bent_beams"].iter().any(|of| name.starts_with(of));
        // Its header says what its damping does to the sliding frame.
        let isolated = name.starts_with("isolated_building");
        let known = |line: &str| {
            of_paper && line.contains("slowest vibration")
                || isolated && line.contains("damping.frame: member `column_l1` slides as a whole")
        };
        let asked = said.lines().filter(|line| line.starts_with("warning: "));
        assert_eq!(asked.filter(|line| !known(line)).count(), 0, "{said}");
    }
}

/// A rigid block, 0.2 m high, between faces 0.402 m apart.
fn block() -> String {
    Mechanism::new("block")
        .step(1e-3)
        .points("left = [-1.5, 0.1], right = [1.5, 0.1]")
        .and("a = [-0.25, 0.0], b = [0.25, 0.0], c = [0.25, 0.2], d = [-0.25, 0.2]")
        .body("block", "rigid = true, mass = 8.0, inertia = 0.2")
        .patch("block", [1, 1], "lower: a, front: b, upper: c, rear: d")
        .guide("guide", ["left", "right"], "elements = 3")
        .contact("guide", "surface = ['block.lower', 'block.upper'], path = ['guide']")
        .and("width = 0.4, clearance = 1e-3, rigid = true")
        .text()
}

#[test]
fn rigid_surfaces_that_meet_their_guide_elsewhere_than_with_their_corners_are_asked_about() {
    assert_eq!(warned("warned_of_no_block", &block()), [""; 0]);
    // The sagitta of 0.5 m under a radius of 20 m − 0.201 m: 0.5²/(8·19.799) m.
    let bent = block().edit("elements = 3", "elements = 3\narc.radius = 20.0");
    assert_eq!(
        warned("warned_of_a_bulge", &bent),
        [
            "contacts.guide takes the corners of a rigid surface only, and a face of its guide bulges towards it: the middle of an edge would be \
             0.00158 m within that face (the clearance is 0.001 m) before its corners touch; divide the edge of the body, or write `stiffness` \
             instead of `rigid`, which takes the whole edge"
        ]
    );
    // 0.361 m from corner to corner.
    let short = block().edit("-0.25", "-0.15").edit("0.25, ", "0.15, ");
    assert_eq!(
        warned("warned_of_turning_over", &short),
        [
            "contacts.guide has corners at most 0.361 m apart between faces 0.402 m apart: the surface can turn over, and each corner meets \
             only the face on its side of the initial configuration; where it may turn so far, write joints with `contact = \"unilateral\"` for the \
             other face, too"
        ]
    );
}

#[test]
fn surfaces_that_wedge_or_have_far_too_wide_a_guide_are_asked_about() {
    // Its diagonal is 0.539 m long, and its faces are 0.202 m apart: 0.499 m along them.
    let block = block().edit("width = 0.4", "width = 0.2");
    let rubs = |text: &str, coefficient: &str| {
        text.edit(
            "clearance = 1e-3\n",
            &format!("clearance = 1e-3\nfriction.coulomb = {{ coefficient = {coefficient} }}\n"),
        )
    };
    let layer = block
        .edit(
            "rigid = true\nmass = 8.0\ninertia = 0.2",
            "material = \"steel\"\nthickness = 0.1\nstate = \"plane_stress\"",
        )
        .edit("rigid = true", "stiffness = 1e9")
        .edit(
            "[points]",
            "[materials.steel]\nyoung_modulus = 210e9\ndensity = 7850.0\npoisson_ratio = 0.3\n[damping.block]\nstiffness_coefficient = 1e-5\naxes = \"initial\"\n[points]",
        );
    for (name, text) in [("corners", &block), ("lining", &layer)] {
        assert_eq!(warned(&format!("warned_of_no_wedge_{name}"), &rubs(text, "2.46")), [""; 0]);
        assert_eq!(
            warned(&format!("warned_of_a_wedge_{name}"), &rubs(text, "2.48")),
            [
                "contacts.guide has friction with a coefficient of up to 2.48 between faces 0.202 m apart, and its opposite corners touch them \
                 0.499 m apart along the path: from a coefficient of 2.47 on it wedges, and friction supports it without any load; take less friction, \
                 or a surface that is longer along the path"
            ]
        );
        let wide = text.edit("width = 0.2", "width = 2.0");
        let said = warned(&format!("warned_of_a_width_{name}"), &wide);
        assert!(
            said.iter().any(|line| line
                == "contacts.guide: its guide has a width of 2 m, and what is between the faces is 0.2 m high; write `width` = 0.2 m if it is \
                    meant to fit: the distance of the faces without the clearance"),
            "{said:?}"
        );
    }
    // One that stands on one face wedges nowhere.
    let sole = rubs(&layer, "2.6").edit(", \"block.upper\"", "");
    assert_eq!(warned("warned_of_no_wedge_sole", &sole), [""; 0]);
}

#[test]
fn contacts_are_counted_with_their_points_and_corners() {
    let folder = folder("counts_corners");
    let file = folder.join("model.toml");
    std::fs::write(&file, block()).unwrap();
    let rigid = ok(&["check", text(&file)]);
    let said = "0 sliding joints, 1 contact of surfaces with 4 corners, ";
    assert!(rigid.contains(said), "{rigid}");
    let bears = ok(&["check", &model("slider_in_guide")]);
    assert!(
        bears.contains("1 contact of surfaces with ") && bears.contains(" points, "),
        "{bears}"
    );
}

#[test]
fn undamped_members_of_what_swings_are_asked_about() {
    let swinging =
        frame().edit("displacement = 0.0", "amplitude = 1e-4\nhistory.sine = { frequency = 2.0 }");
    let said = warned("warned_of_no_damping", &swinging);
    assert!(said.len() == 1 && said[0].starts_with("members.beam: motions.a swings"), "{said:?}");
    assert!(said[0].contains("`members = [\"beam\"]`"), "{said:?}");
    // What the message proposes, and what makes it needless.
    let ratios = "ratios = [0.01, 0.01]\nmodes = [1, 2]";
    let damped = format!("{swinging}\n[damping.own]\nmembers = [\"beam\"]\n{ratios}\n");
    let dashpot = format!("{swinging}\n[springs.s]\nground = \"d\"\nto = \"b\"\ndamping = 1.0\n");
    let statics = swinging.edit("step = 1e-3", "step = 1e-3\nanalysis = \"quasi_static\"");
    for (k, model) in [damped, dashpot, statics].iter().enumerate() {
        assert_eq!(warned(&format!("warned_of_no_damping_{k}"), model), [""; 0]);
    }
}

#[test]
fn a_crank_that_starts_with_a_jolt_is_asked_about() {
    let crank = frame()
        .edit("fix = [\"x\", \"rotation\"]", "fix = [\"x\", \"y\"]")
        .edit("direction = \"y\"", "direction = \"rotation\"");
    let running = crank.edit("displacement = 0.0", "rate = 2.0");
    let said = warned("warned_of_a_jolt", &running);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(
        said[0].starts_with("motions.a begins with 2 rad/s while everything else is at rest"),
        "{said:?}"
    );
    let moving = format!("{running}\n[initial]\nvelocities = \"rigid_mechanism\"\n");
    assert_eq!(warned("warned_of_no_jolt", &moving), [""; 0]);
    let swinging =
        crank.edit("displacement = 0.0", "amplitude = 0.1\nhistory.sine = { frequency = 2.0 }");
    let swinging = format!("{swinging}\n[damping.beam]\nstiffness_coefficient = 1e-5\n");
    assert_eq!(warned("warned_of_a_sine", &swinging).len(), 1);
    let ramp =
        crank.edit("displacement = 0.0", "amplitude = 0.1\nhistory.ramp = { duration = 1.0 }");
    assert_eq!(warned("warned_of_a_ramp", &ramp), [""; 0]);
}

#[test]
fn a_prismatic_slider_that_leaves_a_curve_for_nothing_is_asked_about() {
    let rail = r#"
name = "rail"
solver = { step = 1e-3 }
points = { a = [0.0, 0.0], b = [1.0, 0.0], c = [2.0, 1.0], d = [2.0, 2.0], u = [0.2, 0.0], v = [0.4, 0.2] }
members.straight = { from = "a", to = "b", elements = 1 }
members.bend = { from = "b", to = "c", elements = 4, arc.angle = 1.5707963267948966 }
members.arm = { from = "u", to = "v", rigid = true, mass = 1.0, inertia = 0.05 }
supports.straight = { member = "straight", fix = ["x", "y", "rotation"] }
supports.bend = { member = "bend", fix = ["x", "y", "rotation"] }
joints.block = { prismatic = { slider = "u", path = ["straight", "bend"], ends = "continue" } }
"#;
    let said = warned("warned_of_a_bend", rail);
    assert_eq!(said.len(), 1, "{said:?}");
    let expected = "joints.block turns with its path, which is curved (radius 1 m) at the end of member `bend`";
    assert!(said[0].starts_with(expected), "{said:?}");
    // What the message proposes.
    let remedy = rail
        .edit(
            "members.arm",
            "members.out = { from = \"c\", to = \"d\", elements = 1 }\nmembers.arm",
        )
        .edit(
            "joints.block",
            "supports.out = { member = \"out\", fix = [\"x\", \"y\", \"rotation\"] }\njoints.block",
        )
        .edit("\"bend\"]", "\"bend\", \"out\"]");
    for model in
        [remedy.as_str(), &rail.edit("continue", "stop"), &rail.edit("prismatic", "cylindrical")]
    {
        assert_eq!(warned("warned_of_no_bend", model), [""; 0]);
    }
}

#[test]
fn a_damped_member_that_goes_on_turning_is_asked_about() {
    let turning = frame()
        .edit("fix = [\"x\", \"rotation\"]", "fix = [\"x\", \"y\"]")
        .edit("direction = \"y\"", "direction = \"rotation\"")
        .edit("displacement = 0.0", "rate = 2.0")
        + "\n[initial]\nvelocities = \"rigid_mechanism\"\n[damping.steel]\nmembers = [\"beam\"]\nstiffness_coefficient = 1e-5\naxes = \"initial\"\n";
    let said = warned("warned_of_damping", &turning);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(
        said[0].starts_with("damping.steel damps member `beam`, which goes on turning"),
        "{said:?}"
    );
    let by_mass = turning.edit("stiffness_coefficient = 1e-5", "mass_coefficient = 0.1");
    assert_eq!(warned("warned_of_no_damping", &by_mass), [""; 0]);
    let remedy = turning.edit("\"initial\"", "\"turning\"");
    assert!(said[0].contains("write `axes = \"turning\"`"), "{said:?}");
    assert_eq!(warned("warned_of_turning_damping", &remedy), [""; 0]);
}

#[test]
fn a_table_whose_curve_leaves_the_range_of_its_values_is_asked_about() {
    let load = |table: &str| {
        let load = format!("[loads.f]\npoint = \"b\"\nfy = 10.0\nhistory.table = {{ {table} }}\n");
        frame() + &load + "[experiment]\nstop_time = 4.0\n"
    };
    let switch =
        "times = [0.0, 1.0, 1.01, 3.0, 3.01, 4.0], values = [0.0, 0.0, 1.0, 1.0, 0.0, 0.0]";
    assert_eq!(warned("table_linear", &load(switch)), [""; 0]);
    let monotone = format!("{switch}, interpolation = \"monotone\"");
    assert_eq!(warned("table_monotone", &load(&monotone)), [""; 0]);
    let smooth = format!("{switch}, interpolation = \"smooth\"");
    // The extremes of the natural spline, as scipy.interpolate.CubicSpline finds them.
    let said = warned("table_smooth", &load(&smooth));
    assert!(
        said.len() == 1 && said[0].contains("which go from 0 to 1, reaches 50.8 at t = 2.005 s"),
        "{said:?}"
    );
    let short = "times = [0.0, 1.0], values = [0.0, 1.0]";
    let said = warned("table_short", &load(short));
    assert!(said.len() == 1 && said[0].contains("as a straight line to 4 at t = 4 s"), "{said:?}");
    let held = format!("{short}, beyond = \"hold\"");
    assert_eq!(warned("table_held", &load(&held)), [""; 0]);
    let sine: Vec<String> = (0..=32)
        .map(|k| (0.125 * f64::from(k) * std::f64::consts::TAU).sin().to_string())
        .collect();
    let times: Vec<String> = (0..=32).map(|k| (0.125 * f64::from(k)).to_string()).collect();
    let sine = format!(
        "times = [{}], values = [{}], interpolation = \"smooth\"",
        times.join(", "),
        sine.join(", ")
    );
    assert_eq!(warned("table_sine", &load(&sine)), [""; 0]);
}

#[test]
fn a_spring_along_an_axis_that_is_drawn_backwards_is_asked_about() {
    let spring = |ends: &str, force: &str| {
        frame() + &format!("[springs.s]\n{ends}\ndirection = \"x\"\nstiffness = 10.0\n{force}\n")
    };
    let (forwards, backwards) = ("ground = \"a\"\nto = \"b\"", "ground = \"c\"\nto = \"b\"");
    let lower = "ground = \"d\"\nto = \"b\"";
    for (ends, force) in [(forwards, "preload = 5.0"), (lower, ""), (backwards, "preload = 5.0")] {
        assert_eq!(warned("spring_forwards", &spring(ends, force)), [""; 0]);
    }
    let said = warned("spring_backwards", &spring(lower, "preload = 5.0"));
    assert!(
        said.len() == 1
            && said[0]
                .contains("length along x is -1 m, and its initial force, 5 N, drives both apart"),
        "{said:?}"
    );
}

#[test]
fn a_run_that_fails_asks_about_units_before_it_says_why() {
    let folder = folder("warned_of_a_failing_run");
    let ruler = include_str!("../../../tests/questions/mass_in_grams.toml");
    let soft = ruler.edit("210e9", "210e3").edit("mass = 50.0", "mass = 0.05");
    std::fs::write(folder.join("model.toml"), soft).unwrap();
    let output = call_in(&folder, &["run", "model.toml"]);
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    let unit = said.find("if that is in MPa, write 2.1e11 (Pa)").expect("a unit");
    let failure = said.find("error: ").expect("a failure");
    assert!(!output.status.success() && unit < failure, "{said}");
    assert!(!said.contains("masses.tip"), "{said}");
}
