//! `coulisse help`: commands, sections and keys.

use serde_json::Value;

use crate::common::{self, ok, refused};

#[test]
fn every_section_is_listed_and_shows_all_its_keys() {
    let schema: Value = serde_json::from_str(&ok(&["schema"])).unwrap();
    let list = ok(&["help"]);
    let (_, sections) = list.split_once("Sections: ").unwrap();
    let sections: Vec<&str> = sections.trim().split(", ").collect();
    let properties = schema["properties"].as_object().unwrap();
    assert_eq!(sections.len(), properties.len());
    for section in sections {
        let shown = ok(&["help", section]);
        let mut form = &properties[section];
        if form["additionalProperties"].is_object() {
            form = &form["additionalProperties"];
        }
        for key in form["properties"].as_object().into_iter().flatten().map(|(key, _)| key) {
            let row = |line: &str| {
                line.split_whitespace().next().map(|w| w.trim_end_matches('*')) == Some(key)
            };
            assert!(shown.lines().any(row), "{section}.{key}:\n{shown}");
        }
    }
}

#[test]
fn a_key_is_found_by_its_path_with_and_without_names_and_by_its_word() {
    let stop = ok(&["help", "springs.stop"]);
    assert!(stop.contains("restitution") && stop.contains("- `least` below `most`"), "{stop}");
    let named = ok(&["help", "springs.strut.stop"]);
    assert_eq!(stop.split_once('\n').unwrap().1.replace("springs.stop", ""), {
        named.split_once('\n').unwrap().1.replace("springs.strut.stop", "")
    });
    let rigid = ok(&["help", "springs.stop.rigid"]);
    assert!(rigid.contains("Default: false"), "{rigid}");
    let places = ok(&["help", "restitution"]);
    for path in ["joints.prismatic.restitution", "springs.stop.restitution"] {
        assert!(places.contains(path), "{places}");
    }
    assert_eq!(ok(&["help", "run"]).trim(), ok(&["run", "--help"]).trim());
    let typo = refused(&["help", "sprngs"]);
    assert!(typo.contains("did you mean `springs`?"), "{typo}");
}

#[test]
fn words_of_other_programs_lead_to_those_of_the_model_file() {
    for (word, meant) in [
        ("revolute", "`hinge`"),
        ("revolute joints", "`hinge`"),
        ("initial conditions", "`[initial]`"),
        ("constraints", "Lagrange multiplier"),
        ("clearances", "a gap on each side"),
        ("backlash", "a gap on each side"),
        ("buckling", "`coulisse static`"),
        ("natural frequency", "`coulisse modes`"),
        ("base shear", "`motions.NAME.reaction`"),
        ("friction pendulum", "`isolated_building_frame`"),
        ("P-Delta", "`coulisse modes`"),
        ("rpm", "rad/s"),
        ("period", "`coulisse modes`"),
        ("drift", "`drift`"),
        ("pluck", "a load that ends"),
        ("crank", "motion in `rotation`"),
        ("torque", "`moment`"),
        ("spring", "springs"),
        ("window", "`window(x, a, b)`"),
        ("ramp", "10 x³ − 15 x⁴ + 6 x⁵"),
        ("compressor", "coulisse run compressor"),
        ("HEB", "`i_section"),
        ("steel", "`i_section"),
        ("I-section", "`i_section`"),
        ("inverse dynamics", "`motions.NAME.reaction`"),
        ("reaction", "`supports.NAME.fx`"),
        ("linearization", "`coulisse linearize`"),
        ("balanced truncation", "`coulisse reduce`"),
        ("bode", "`coulisse response`"),
        ("units", "SI units"),
        ("simulate", "`coulisse run MODEL.toml`"),
        ("sweep", "`coulisse.sweep`"),
        ("animation", "--gif FILE.gif"),
        ("torsion", "`direction = \"rotation\"`"),
        ("residual", "force_tolerance"),
        ("limit-cycle", "oscillation of controller"),
        ("gif", "--gif FILE.gif"),
        ("lqr", "`coulisse linearize`"),
        ("jam", "`coulisse run MODEL.toml --list VALUES.csv`"),
        ("damping ratio", "`[damping.NAME]`"),
    ] {
        let words: Vec<&str> = word.split(' ').collect();
        let told = ok(&[&["help"], &words[..]].concat());
        assert!(told.contains(meant), "{word}: {told}");
    }
}

#[test]
fn a_law_shows_its_keys_and_no_help_has_marks_of_markdown() {
    let law = ok(&["help", "stribeck"]);
    for word in ["static_coefficient", "kinetic_coefficient", "The same: "] {
        assert!(law.contains(word), "{law}");
    }
    let beam = ok(&["help", "beam"]);
    assert!(beam.contains("`[members.NAME]`") && !beam.contains("]("), "{beam}");
}

#[test]
fn the_command_has_its_name_and_says_where_models_are_listed() {
    assert!(ok(&["--version"]).starts_with("coulisse 0."));
    let told = |arguments: &[&str]| {
        let output = common::call(arguments);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).expect("UTF-8")
    };
    assert!(told(&["examples"]).contains("`coulisse new --list` lists the bundled models"));
    for (guessed, meant) in [
        (&["simulate"][..], "`coulisse run MODEL.toml`"),
        (&["plot"], "`coulisse run --plot`"),
        (&["animate"], "`--mp4 FILE.mp4`"),
        (&["eigen"], "`coulisse modes MODEL.toml`"),
        (&["validate"], "`coulisse check FILE`"),
        (&["info"], "`coulisse describe FILE`"),
        (&["sweep"], "`coulisse run MODEL.toml --list VALUES.csv`"),
        (&["run", "incline", "--dt", "1"], "`step` of `[solver]`"),
        (&["run", "incline", "--time=1"], "`--stop T`"),
        (&["run", "incline", "--end", "1"], "`--stop T`"),
    ] {
        let told = told(guessed);
        assert!(told.contains(meant), "{guessed:?}: {told}");
    }
    let option = told(&["describe", "quick_return", "--list"]);
    assert!(!option.contains("-- --list"), "{option}");
}
