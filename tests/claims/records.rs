//! Records of ground motion: the formats, their units, baselines and integrals.

use coulisse::records::{Baseline, Course, Kind, Record, Series, Unit};

fn path(name: &str) -> String {
    format!("{}/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn series(name: &str) -> Series {
    let name = path(&format!("tests/records/{name}"));
    let text = std::fs::read_to_string(&name).expect("a sample");
    Series::read(&name, &text, None).unwrap_or_else(|wrong| panic!("{name} {wrong}"))
}

fn course(name: &str) -> Course {
    Course::of(&series(name).in_unit(None).expect("a unit"))
}

#[test]
fn one_pulse_in_every_format_and_unit_is_one_course() {
    let reference = course("pulse.csv");
    let [peak, _, _] = reference.peaks();
    for (name, tolerance) in [
        ("pulse.at2", 1e-6),
        ("pulse_old.at2", 1e-6),
        // Four decimals in a column of ten.
        ("pulse.smc", 1e-4),
        // Velocities and displacements between samples are splines.
        ("pulse.vt2", 1e-3),
        ("pulse.dt2", 1e-3),
    ] {
        let other = course(name);
        assert_eq!(other.span(), reference.span(), "{name}");
        for i in 0..=240 {
            let t = 0.005 * f64::from(i);
            let ([a, va, _], [b, vb, _]) = (reference.at(t), other.at(t));
            assert!((a - b).abs() < tolerance * peak, "{name} at {t}: {a} {b}");
            assert!(
                (va - vb).abs() < 10.0 * tolerance * peak,
                "{name} at {t}: {va} {vb}"
            );
        }
    }
    let unit = series("pulse.smc").unit.expect("SMC states its unit");
    assert_eq!((unit.name, unit.kind), ("cm/s2", Kind::Acceleration));
}

#[test]
fn velocity_and_acceleration_are_the_derivatives_of_the_displacement() {
    for name in ["pulse.at2", "pulse.vt2", "pulse.dt2"] {
        let course = course(name);
        let e = 1e-4;
        // Between samples, and after the end.
        for t in [0.031, 0.517, 0.999, 1.171, 1.9] {
            let [_, v, a] = course.at(t);
            let [left, right] = [course.at(t - e), course.at(t + e)];
            assert!(
                (v - (right[0] - left[0]) / (2.0 * e)).abs() < 1e-6,
                "{name} {t}"
            );
            assert!(
                (a - (right[1] - left[1]) / (2.0 * e)).abs() < 1e-5,
                "{name} {t}"
            );
        }
    }
}

#[test]
fn a_constant_acceleration_gives_the_parabola_also_between_uneven_samples() {
    let record = Record {
        kind: Kind::Acceleration,
        times: vec![1.0, 1.5, 3.5],
        values: vec![2.0; 3],
    };
    let course = Course::of(&record);
    assert_eq!(course.at(0.5), [0.0; 3]);
    let [d, v, a] = course.at(3.0);
    assert!((d - 4.0).abs() < 1e-14 && (v - 4.0).abs() < 1e-14 && a == 2.0);
    // Beyond the record it goes on with the velocity reached.
    let [d, v, a] = course.at(4.5);
    assert!((d - 11.25).abs() < 1e-13 && (v - 5.0).abs() < 1e-14 && a == 0.0);
}

/// Polynomial of t with the given coefficients, every 0.1 s from 2 s to 6 s.
fn polynomial(kind: Kind, coefficients: [f64; 3]) -> Record {
    let times: Vec<f64> = (0..=40).map(|i| 2.0 + 0.1 * f64::from(i)).collect();
    let [a, b, c] = coefficients;
    let values = times.iter().map(|t| a + t * (b + c * t)).collect();
    Record {
        kind,
        times,
        values,
    }
}

#[test]
fn baselines_take_away_what_they_are_named_after() {
    let largest = |record: Record, baseline: Baseline| {
        let left = record.corrected(baseline).expect("any kind");
        left.values.iter().fold(0.0_f64, |a, b| a.max(b.abs()))
    };
    let kind = Kind::Velocity;
    assert!(largest(polynomial(kind, [3.0, 0.0, 0.0]), Baseline::Mean) < 1e-14);
    assert!(largest(polynomial(kind, [3.0, -2.0, 0.0]), Baseline::Linear) < 1e-13);
    // Straight between samples, a parabola is one but for h²/12 of its bend.
    assert!(largest(polynomial(kind, [3.0, -2.0, 0.5]), Baseline::Quadratic) < 1e-3);
    let line = polynomial(kind, [3.0, -2.0, 0.0]);
    assert!(largest(line.clone(), Baseline::Mean) > 1.0);
    assert_eq!(line.clone().corrected(Baseline::None), Some(line.clone()));
    assert_eq!(line.corrected(Baseline::Rest), None, "no acceleration");
}

#[test]
fn the_baseline_rest_ends_at_rest_where_it_began() {
    let record = polynomial(Kind::Acceleration, [1.0, -0.7, 0.3]);
    let rests = record.corrected(Baseline::Rest).expect("an acceleration");
    let course = Course::of(&rests);
    let [d, v, _] = course.at(6.0);
    let [peak, fastest, _] = course.peaks();
    assert!(peak > 1e-2 && fastest > 1e-2);
    assert!(d.abs() < 1e-13 && v.abs() < 1e-13, "{d} {v}");
}

#[test]
fn units_are_known_by_many_spellings_and_never_guessed() {
    for (text, name) in [
        ("G", "g"),
        ("cm/sec/sec", "cm/s2"),
        ("CM/SEC**2", "cm/s2"),
        ("gal", "cm/s2"),
        ("m/s²", "m/s2"),
        ("CM/S", "cm/s"),
        (" mm ", "mm"),
    ] {
        assert_eq!(Unit::named(text).map(|u| u.name), Some(name), "{text}");
    }
    assert_eq!(Unit::named("furlong"), None);
    let blank = series("pulse_no_unit.csv");
    assert!(blank.in_unit(None).is_err());
    assert!(blank.in_unit(Unit::named("g")).is_ok());
    let clash = series("pulse.at2").in_unit(Unit::named("cm/s2"));
    assert!(
        clash
            .expect_err("g and cm/s2")
            .contains("states its unit as g")
    );
}

/// Cuts, repeats and spoils every sample at many places.
#[test]
fn spoilt_records_are_refused_with_words_and_never_break_anything() {
    let folder = std::fs::read_dir(path("tests/records")).expect("samples");
    let mut refused = 0;
    for file in folder {
        let file = file.expect("a sample").path();
        let name = file.to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).expect("text");
        let mut spoilt = vec![String::new(), "\n\n".into(), text.replace("NPTS", "COUNT")];
        for i in (0..text.len()).step_by(37) {
            spoilt.push(text[..i].to_string());
            for with in ["x", "1e999", "-", "9", "é", "\n"] {
                spoilt.push(format!("{}{with}{}", &text[..i], &text[i..]));
            }
        }
        for text in spoilt {
            let read = Series::read(&name, &text, None).and_then(|s| s.in_unit(Unit::named("g")));
            match read {
                Ok(record) => {
                    let course = Course::of(&record);
                    assert!(course.at(0.7).iter().all(|x| x.is_finite()), "{name}");
                }
                Err(wrong) => {
                    assert!(wrong.len() > 20, "{wrong}");
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 500, "{refused}");
}
