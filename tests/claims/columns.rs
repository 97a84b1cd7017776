//! Columns of numbers: their units, separators and faults, and what they become in models.

mod refused;

use crate::common::mechanism::Mechanism;
use coulisse::columns::{Columns, Unit, known};
use coulisse::laws::friction::Friction;
use coulisse::laws::spring::{Damper, Elastic};
use coulisse::model::history::History;
use coulisse::model::{Checked, Model};
use coulisse::quantity::Quantity;

const PI: f64 = std::f64::consts::PI;

/// Units and their size in SI, from the definitions: BIPM, *The International System of Units* (2019); inch, foot and pound of 1959.
const FACTORS: [(Quantity, &str, f64); 60] = [
    (Quantity::Length, "m", 1.0),
    (Quantity::Length, "mm", 0.001),
    (Quantity::Length, "cm", 0.01),
    (Quantity::Length, "km", 1000.0),
    (Quantity::Length, "µm", 0.000001),
    (Quantity::Length, "in", 0.0254),
    (Quantity::Length, "ft", 0.3048),
    (Quantity::Time, "s", 1.0),
    (Quantity::Time, "sec", 1.0),
    (Quantity::Time, "ms", 0.001),
    (Quantity::Time, "us", 0.000001),
    (Quantity::Time, "min", 60.0),
    (Quantity::Time, "h", 3600.0),
    (Quantity::Force, "N", 1.0),
    (Quantity::Force, "kN", 1000.0),
    (Quantity::Force, "MN", 1000000.0),
    (Quantity::Force, "mN", 0.001),
    (Quantity::Force, "lbf", 4.4482216152605),
    (Quantity::Force, "kgf", 9.80665),
    (Quantity::Angle, "rad", 1.0),
    (Quantity::Angle, "deg", PI / 180.0),
    (Quantity::Angle, "°", PI / 180.0),
    (Quantity::Angle, "mrad", 0.001),
    (Quantity::Angle, "rev", 2.0 * PI),
    (Quantity::Velocity, "m/s", 1.0),
    (Quantity::Velocity, "mm/s", 0.001),
    (Quantity::Velocity, "cm/sec", 0.01),
    (Quantity::Velocity, "km/h", 10.0 / 36.0),
    (Quantity::Velocity, "m*s^-1", 1.0),
    (Quantity::Acceleration, "g", 9.80665),
    (Quantity::Acceleration, "m/s2", 1.0),
    (Quantity::Acceleration, "m/s²", 1.0),
    (Quantity::Acceleration, "cm/s^2", 0.01),
    (Quantity::Acceleration, "gal", 0.01),
    (Quantity::Acceleration, "CM/SEC/SEC", 0.01),
    (Quantity::Acceleration, "mm/s**2", 0.001),
    (Quantity::AngularVelocity, "rad/s", 1.0),
    (Quantity::AngularVelocity, "deg/s", PI / 180.0),
    (Quantity::AngularVelocity, "rpm", PI / 30.0),
    (Quantity::AngularVelocity, "rev/min", PI / 30.0),
    (Quantity::Dimensionless, "%", 0.01),
    (Quantity::Dimensionless, "-", 1.0),
    (Quantity::Dimensionless, "mm/m", 0.001),
    (Quantity::Moment, "Nm", 1.0),
    (Quantity::Moment, "N*mm", 0.001),
    (Quantity::Moment, "kN·m", 1000.0),
    (Quantity::Moment, "kN-m", 1000.0),
    (Quantity::Stiffness, "N/m", 1.0),
    (Quantity::Stiffness, "N/mm", 1000.0),
    (Quantity::Stiffness, "kN/mm", 1000000.0),
    (Quantity::LineLoad, "kN/m", 1000.0),
    (Quantity::ViscousCoefficient, "N*s/m", 1.0),
    (Quantity::ViscousCoefficient, "Ns/mm", 1000.0),
    (Quantity::ViscousCoefficient, "kN/(m/s)", 1000.0),
    (Quantity::Pressure, "MPa", 1000000.0),
    (Quantity::Pressure, "GPa", 1e9),
    (Quantity::Pressure, "N/mm²", 1000000.0),
    (Quantity::Pressure, "bar", 100000.0),
    (Quantity::Density, "kg/m3", 1.0),
    (Quantity::Density, "t/mm³", 1e12),
];

/// The ways of writing a unit into a heading, of a column that is called `name`.
fn spellings(name: &str, unit: &str) -> Vec<String> {
    let mut all = vec![
        format!("{name} [{unit}]"),
        format!("{name} ({unit})"),
        format!("{name}({unit})"),
        format!("{name} {{{unit}}}"),
        format!("{name} <{unit}>"),
        format!("{name}={unit}"),
        format!("{name}: {unit}"),
        format!("{name}(t) [{unit}]"),
        format!("{name} (NS component) [{unit}]"),
        format!("{name} / {unit} (NS component)"),
        format!("{name} / {unit}"),
        format!("\"{name}, {unit}\""),
        format!("{name} in {unit}"),
    ];
    // An index is often one letter; `min` and `in` are the smallest value and an input.
    if unit.chars().count() > 1 && !["min", "in"].contains(&unit) {
        all.push(format!("{name}_{unit}"));
    }
    all
}

#[test]
fn units_of_headings_are_used_in_every_spelling_and_between_all_separators() {
    let mut tried = 0;
    for (quantity, unit, factor) in FACTORS {
        let written = spellings("measured", unit);
        for separator in [",", ";", "\t", " ", "  "] {
            // Quotation marks belong to tables with separators other than blanks.
            let blank = separator.trim().is_empty() && separator != "\t";
            for heading in
                written.iter().filter(|h| !blank || !h.contains(['"', ':']) && !h.contains(" in "))
            {
                for end in ["\n", "\r\n"] {
                    let text = [
                        format!("time [ms]{separator}{heading}"),
                        format!("0{separator}-2.5"),
                        format!("10{separator}1.5D+1"),
                    ];
                    let text = format!("\u{feff}{}{end}", text.join(end));
                    let columns = Columns::read(&text).unwrap_or_else(|w| panic!("{text:?}: {w}"));
                    let [time, value] =
                        [(0, Quantity::Time), (1, quantity)].map(|(i, quantity)| {
                            let column = columns.column(i, &[quantity]);
                            column.unwrap_or_else(|wrong| panic!("{text:?}: {wrong}")).values
                        });
                    assert_eq!(time, [0.0, 0.01], "{text:?}");
                    for (value, number) in value.iter().zip([-2.5, 15.0]) {
                        let right = number * factor;
                        assert!((value - right).abs() <= 1e-14 * right.abs(), "{text:?}: {value}");
                    }
                    tried += 1;
                }
            }
        }
    }
    assert!(tried >= 200, "{tried}");
}

#[test]
fn a_line_of_units_and_a_comment_above_the_numbers_state_units_too() {
    for text in [
        "time,force\nms,kN\n10,2\n",
        "\"Time\";\"Load\"\n\"(ms)\";\"(kN)\"\n10;2\n",
        "# a test, no. 3 (new)\n# time [ms], force [kN]\n10,2\n",
        "# t [ms] F [kN]\n10 2\n",
        "# t [ms], F [kN]\n# measured (1st floor), 2020\n# no. 3\n10,2\n",
        "# units: ms, kN\n10,2\n",
        "# time / ms   force / kN\n10 2\n",
        "ms,kN\n10,2\n",
        "t/ms,F/kN\n10,2 # the only one\n",
        "Time-ms,Force-kN\n10,2\n",
        // Spreadsheets and oscilloscopes.
        "sep=;\nTime [ms];Force [kN]\n10;2\n",
        "Time (ms),Force (kN),\n10,2,\n",
        "Time [ms]\tForce [kN]\t\t\n10\t2\t\t\n",
    ] {
        let columns = Columns::read(text).unwrap_or_else(|wrong| panic!("{text:?}: {wrong}"));
        let value = |i, quantity| columns.column(i, &[quantity]).map(|column| column.values[0]);
        assert_eq!(value(0, Quantity::Time), Ok(0.01), "{text:?}");
        assert_eq!(value(1, Quantity::Force), Ok(2000.0), "{text:?}");
    }
}

#[test]
fn headings_without_a_unit_are_in_si_and_say_so() {
    for heading in
        ["x", "x_max", "x_m", "x(t)", "x (vertical)", "x-direction", "largest x", "y / z"]
    {
        let columns = format!("# steps of 5 ms;a plate of 3 mm\ntime;{heading}\n1;2\n");
        let columns = Columns::read(&columns).expect("a table");
        let column = columns.column(1, &[Quantity::Length]).expect("no unit");
        assert_eq!(column.values, [2.0], "{heading}");
        assert!(
            column.read.to_string().ends_with("from 2 to 2 m (assumed: the file states no unit)")
        );
    }
}

#[test]
fn units_that_messages_name_are_known_and_measure_what_they_should() {
    for quantity in Quantity::ALL {
        let list = known(quantity);
        for name in list.split(", ").filter(|name| !name.contains(['…', ' '])) {
            let unit = Unit::named(name);
            let last = list.contains('…');
            assert!(
                last || unit.is_some_and(|unit| unit.measures(quantity)),
                "{quantity:?}: {name}"
            );
        }
        let own = Unit::named(quantity.unit());
        assert!(
            quantity.unit().is_empty() || own.is_some_and(|own| own.factor == 1.0),
            "{quantity:?}"
        );
    }
    for none in
        ["", "furlong", "Mm", "kp", "m/", "m^", "(m", "m)", "10 m", "m/s/", "µ", &"m*".repeat(30)]
    {
        assert_eq!(Unit::named(none), None, "{none}");
    }
}

/// A mass on a spring with a damper, under a load, with data files.
fn tables(load: &str, data: &[(&str, &str)]) -> Result<Checked, String> {
    let text = Mechanism::new("tables")
        .step(1e-3)
        .points("b = [0.0, 0.0], g = [0.0, 1.0], l = [0.0, 0.0], r = [10.0, 0.0]")
        .and("w = [1.0, 0.0]")
        .mass("b", 2.0)
        .spring("s", "ground = 'g', to = 'b', direction = 'y', table = { file = 'spring.csv' }")
        .and("damper = { file = 'damper.csv' }")
        .support("b", "point = 'b', fix = ['x']")
        .load("f", format!("point = 'b', {load}"))
        .and("history.table = { file = 'load.csv', beyond = 'hold' }")
        .guide("road", ["l", "r"], "elements = 1, order = 1")
        .mass("w", 10.0)
        .slider("w", "w", "road", "ends = 'continue'")
        .and("friction.table = { file = 'mu.csv' }, roughness.table = { file = 'road.csv' }")
        .text();
    let usual = [
        ("spring.csv", "Elongation (mm),Force (kN)\n-10,-2\n0,0\n10,2\n"),
        ("damper.csv", "v (mm/s);F (N)\n-100;-50\n0;0\n100;50\n"),
        ("load.csv", "Time (ms),Force (kN)\n0,0\n100,1\n500,1\n"),
        ("mu.csv", "v (mm/s),mu (%)\n0,30\n100,15\n500,20\n"),
        ("road.csv", "station (m),height (mm)\n0,0\n5,10\n10,0\n"),
    ];
    let file = |name: &str| {
        let found = data.iter().chain(&usual).find(|(own, _)| *own == name);
        Ok(found.map_or("", |(_, text)| text).to_string())
    };
    let model = Model::parse(&text, "model.toml", &file).map_err(|faults| faults.to_string())?;
    model.check().map_err(|faults| faults.to_string())
}

#[test]
fn every_table_of_a_model_is_in_si() {
    let model = tables("fy = 1.0", &[]).expect("units in headings");
    let law = &model.springs[0].law;
    let (Elastic::Table(force), Damper::Table(brake)) = (&law.elastic, &law.damper) else {
        panic!("tables");
    };
    assert!((force.at(0.01)[1] - 2000.0).abs() < 1e-9);
    assert!((brake.at(0.1)[1] - 50.0).abs() < 1e-12);
    let History::Table(load, _) = &model.loads[0].factors.history else {
        panic!("a table");
    };
    assert_eq!((load.at(0.1)[0], load.knots()), (1000.0, &[0.0, 0.1, 0.5][..]));
    let slider = model.sliders_of_joints().next().expect("a slider").1;
    let rough = slider.roughness.as_ref().expect("a rough path");
    assert!((rough.profile.at(5.0)[0] - 0.01).abs() < 1e-15);
    let Friction::Table(mu) = &slider.friction else {
        panic!("a table");
    };
    assert_eq!(
        (&mu.velocities[..], &mu.coefficients[..]),
        (&[0.0, 0.1, 0.5][..], &[0.3, 0.15, 0.2][..])
    );
    let said: Vec<String> =
        (model.read.iter()).flat_map(|file| file.columns.iter().map(ToString::to_string)).collect();
    assert!(said.contains(&"`height` from 0 to 0.01 m (in the file: mm)".to_string()), "{said:?}");
    assert!(said.contains(&"`station` from 0 to 10 m".to_string()), "{said:?}");
}

#[test]
fn a_table_in_newtons_is_the_load_itself_and_needs_components_of_one() {
    let largest = |load: &str, file: &str| {
        let model = tables(load, &[("load.csv", file)])?;
        let History::Table(curve, _) = &model.loads[0].factors.history else {
            panic!("a table");
        };
        Ok::<f64, String>(curve.range()[1])
    };
    let newtons = "t (s),F (kN)\n0,0\n1,2\n";
    assert_eq!(largest("fx = -1.0\nfy = 0.0", newtons), Ok(2000.0));
    assert_eq!(largest("fy = 5.0", "t (s),share (%)\n0,0\n1,50\n"), Ok(0.5));
    assert_eq!(largest("fy = 5.0", "t,factor\n0,0\n1,2\n"), Ok(2.0));
    for load in ["fy = 5.0", "fy = \"1.0 + 1.0\"", "fx = 1.0\nfy = 2.0"] {
        let told = largest(load, newtons).expect_err("a force times a force");
        assert!(told.contains("unit `kN` measures something else; allowed: 1, %"), "{told}");
        assert!(told.contains("components of 1"), "{told}");
    }
}
