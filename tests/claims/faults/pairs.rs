//! Every fault at once: none hides another that has nothing to do with it.

use std::path::Path;

use coulisse::model::Model;

use crate::common::{life, tier};

const EVERYTHING: &str = include_str!("../../models/everything.toml");

/// Faults of the model with everything: what is written, what instead, and what must be said.
const FAULTS: &[[&str; 3]] = &[
    [
        "name = \"everything\"",
        "name = \"every thing\"",
        "the model name `every thing` is not allowed",
    ],
    ["author = \"The", "author = 5 # \"The", "author is the number 5"],
    ["[experiment]", "[experimnt]", "unknown section or key `experimnt`"],
    ["step = 1e-3\n", "step = -1e-3\n", "solver.step is -0.001 s"],
    ["spectral_radius = 0.8", "spectral_radius = 1", "solver.spectral_radius is 1"],
    ["\"dynamic\"", "\"dinamic\"", "unknown choice `dinamic`"],
    ["mu = 0.3", "mu = \"nu\"", "unknown name `nu`"],
    ["frame0 = [0.0, 2.0]", "frame0 = [0.0, 2.0, 3.0]", "points.frame0 is a list of 3"],
    ["density = 7850.0", "densty = 7850.0", "unknown key `densty`"],
    ["density = 2700.0", "density = -1.0", "materials.alloy.density is -1 kg/m3"],
    ["young_modulus = 70e9", "young_modulus = true", "materials.alloy.young_modulus is true"],
    ["height = 0.02, ", "height = -0.02, ", "sections.rectangle.rectangle.height is -0.02 m"],
    ["thickness = 0.002", "thickness = 0.2", "sections.tube.tube.thickness is 0.2 m"],
    ["fourth_moment = 2e-14", "fourth_moment = 1e-20", "fourth_moment is 1e-20 m6"],
    ["material = \"alloy\"", "material = \"aloy\"", "members.frame2.material names `aloy`"],
    ["to = \"frame2\"", "to = \"frame3\"", "members.frame2.to names `frame3`"],
    ["elements = 6", "elements = 0", "members.bow4.elements is 0"],
    ["arc.radius = 2.0", "arc.radius = 0.1", "members.bow3.arc.radius is 0.1 m"],
    ["arc.angle = -0.8", "arc.angel = -0.8", "unknown choice `angel`"],
    ["release = [\"frame1\"]", "release = [\"frame7\"]", "names `frame7`"],
    ["smooth = true, sl", "smooth = 1, sl", "joints.block.cylindrical.smooth is the number 1"],
    ["frequency = 2.0", "frequency = 0.0", "joints.block.equivalent.frequency is 0 Hz"],
    ["length = 0.2, height", "length = 0.0, height", "joints.sledge.prismatic.length is 0 m"],
    ["dahl = { coefficient = 0.3", "dahl = { coefficient = -0.3", "dahl.coefficient is -0.3"],
    ["wheel_radius = 0.3", "wheel_radius = -0.3", "joints.wheel.wheel_radius is -0.3 m"],
    [
        "to = 5.0, lines = 10, seed = 3",
        "to = 0.5, lines = 10, seed = 3",
        "has `from` = 1 1/m and `to` = 0.5",
    ],
    [
        "static_coefficient = 0.35",
        "static_coefficient = 0.2",
        "is 0.2, below the coefficient of sliding",
    ],
    ["class = \"B\"", "class = \"Z\"", "unknown choice `Z`"],
    [
        "roughness.cosine = {",
        "roughness = 5 # {",
        "joints.ball.roughness is the number 5; expected a table",
    ],
    ["friction.table", "friction.tabel", "unknown choice `tabel`"],
    ["phases = [0.0, 1.0]", "phases = [0.0]", "has 2 amplitudes, 2 wavelengths and 1 phases"],
    ["slopes = [0.4, -0.1]", "slopes = [0.4, -0.6]", "has the sum -0.2"],
    ["slider = \"stone\"", "slider = \"ston\"", "joints.stone.cylindrical.slider names `ston`"],
    [
        "stations = [0.0, 1.0, 3.0]",
        "stations = [0.0, 3.0, 1.0]",
        "joints.stone.roughness.table has 1 after 3",
    ],
    ["mass_coefficient = 0.1", "mass_coefficient = -0.1", "damping.frame.mass_coefficient is -0.1"],
    ["frequencies = [10.0, 40.0]", "frequencies = [10.0, 10.0]", "frequencies are both 10 Hz"],
    ["modes = [1, 2]", "modes = [1, 1]", "damping.crank.modes are both 1"],
    ["[masses.puck]", "[masses.puck]\nmember = \"x\"", "masses.puck.member names `x`"],
    ["point = \"bow4\"", "point = \"bow5\"", "supports.bow4.point names `bow5`"],
    [
        // Without it the rest of a motion has no meaning.
        "direction = \"y\"\ndisplacement",
        "direction = \"up\"\ndisplacement",
        "unknown choice `up`",
    ],
    ["frequency = 3.0", "frequency = -3.0", "history.sine.frequency is -3 Hz"],
    ["velocity = 0.5\n", "rate = 0.5\n", "motions.cart.rate does not go with a translation"],
    ["release.time = 0.05", "release.time = 0.0", "motions.cart.release.time is 0 s"],
    ["joint = \"block\"", "joint = \"blok\"", "names `blok`, which is no sliding joint"],
    ["unit = \"m/s2\"", "unit = \"furlong\"", "motions.table.record.unit is `furlong`"],
    ["baseline = \"mean\"", "baseline = \"men\"", "unknown choice `men`"],
    ["fx = 1.0", "fx = \"1/0\"", "loads.drop.fx = \"1/0\" is inf N"],
    [
        "variation = [1.0, 0.5]",
        "variation = [1.0, \"x\"]",
        "loads.wind.variation[1]: unknown name `x`",
    ],
    [
        "gradient = [0.1, -0.2]",
        "gradient = [0.1, \"x\"]",
        "loads.field.gradient[1]: unknown name `x`",
    ],
    ["bx = 1.0\nby = -2.0", "qx = 1.0\nby = -2.0", "loads.field has `qx`, which `body` excludes"],
    ["body = \"plate\"\nbx = 1.0", "body = \"plaet\"\nbx = 1.0", "loads.field.body names `plaet`"],
    ["y = -9.81", "y = -9.81\nz = 1.0", "unknown key `z` in gravity"],
    ["weightless = [\"crank\"]", "weightless = [\"crnk\"]", "gravity.weightless[0] names `crnk`"],
    ["velocities = \"rest\"", "velocities = \"ret\"", "unknown choice `ret`"],
    ["[initial.points.bait]", "[initial.points.bat]", "names `bat`, which is not in [points]"],
    [
        "at = 0.5, direction",
        "at = -0.5, direction",
        "probes.displacement.displacement.at is -0.5 m",
    ],
    [
        "from = \"frame0\", direction = \"x\"",
        "from = \"frame0\", direction = \"rotation\"",
        "drift.direction is \"rotation\"",
    ],
    ["body = \"disc\"", "body = \"dic\"", "probes.place.place.body names `dic`"],
    [
        "fraction = 0.25",
        "fraction = 1.25",
        "probes.edge_place.edge_place.fraction is 1.25; allowed: from 0",
    ],
    ["to = 0.1\n", "to = true\n", "static.to is true"],
    ["switch = \"plus\"", "switch = \"pluss\"", "unknown choice `pluss`"],
    ["scale = [\"loads\"]", "scale = [\"lods\"]", "`lods` cannot be scaled"],
    ["\"gravity.*\"]", "\"gravty.*\"]", "`gravty.*` is no input"],
    ["hold = [\"loads.drop.fx\"]", "hold = [\"loads.drp.fx\"]", "`loads.drp.fx` is no input"],
    ["\"energy.*\"", "\"enery.*\"", "`enery.*` is no output"],
    [
        "file = \"everything.txt\"",
        "file = \"nothing.txt\"",
        "data file `nothing.txt` cannot be read",
    ],
];

fn said(text: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/everything.toml");
    let model = life::parse_beside(&file, text);
    let checked = model.and_then(|model| model.check());
    checked.err().map_or(String::new(), |faults| faults.to_string())
}

fn with(text: &str, [old, new, _]: &[&str; 3]) -> Option<String> {
    text.contains(old).then(|| text.replacen(old, new, 1))
}

/// Slow: every pair of faults is a model of its own.
#[test]
fn two_faults_that_have_nothing_to_do_with_each_other_are_both_told() {
    assert_eq!(said(EVERYTHING), "");
    let mut hidden = Vec::new();
    for (i, a) in FAULTS.iter().enumerate() {
        let one = with(EVERYTHING, a).unwrap_or_else(|| panic!("{a:?} is not in the model"));
        let alone = said(&one);
        if !alone.contains(a[2]) || alone.lines().count() != 1 {
            hidden.push(format!("{a:?} alone: {alone}"));
        }
        for b in tier::cases(&FAULTS[i + 1..], 12) {
            // Two changes of one place are no two faults.
            let Some(both) = with(&one, b) else { continue };
            let told = said(&both);
            if !told.contains(a[2]) || !told.contains(b[2]) || told.lines().count() != 2 {
                hidden.push(format!("{a:?} and {b:?}: {told}"));
            }
        }
    }
    assert!(hidden.is_empty(), "{} of them:\n{}", hidden.len(), hidden.join("\n"));
}

#[test]
fn every_wrong_model_keeps_its_faults_beside_those_of_entries_that_nothing_uses() {
    const OTHERS: &str = "\n[materials.nobodys]\nyoung_modulus = -1.0\nshear_modulus = 1.0\n\
                          density = 1.0\n[sections.nobodys]\ncircle = { diameter = -2.0 }\n";
    let mut hidden = Vec::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults");
    for file in super::models_in(&folder) {
        let Ok(text) = std::fs::read_to_string(&file) else {
            continue;
        };
        let faults = |text: &str| -> Vec<String> {
            let model: Result<Model, _> = life::parse_beside(&file, text);
            let faults = model.and_then(|model| model.check()).err();
            let faults = faults.map_or(Vec::new(), |faults| faults.list);
            faults.into_iter().map(|fault| fault.message).collect()
        };
        let alone = faults(&text);
        // What is no TOML has no entries; what is only found when it is built has no faults here.
        if alone.is_empty() || alone.iter().any(|message| message.starts_with("not TOML")) {
            continue;
        }
        let told = faults(&(text + OTHERS));
        // Lists of names have the new ones, too.
        let words = |message: &String| message.split(';').next().map(str::to_string);
        let told_words: Vec<_> = told.iter().map(words).collect();
        let kept = alone.iter().all(|message| told_words.contains(&words(message)));
        let both = ["materials.nobodys.young_modulus is", "sections.nobodys.circle.diameter is"];
        let both = both.iter().all(|new| told.iter().any(|message| message.starts_with(new)));
        if !kept || !both {
            hidden.push(format!("{}: {alone:?} became {told:?}", file.display()));
        }
    }
    assert!(hidden.is_empty(), "{} of them:\n{}", hidden.len(), hidden.join("\n"));
}
