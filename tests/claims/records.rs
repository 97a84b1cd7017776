//! Records of ground motion: the formats, their units, baselines and integrals.

use coulisse::columns::Unit;
use coulisse::records::{Baseline, Given, GroundMotion, Kind, Record, Series};

fn path(name: &str) -> String {
    format!("{}/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn series(name: &str) -> Series {
    let name = path(&format!("tests/records/{name}"));
    let text = std::fs::read_to_string(&name).expect("a sample");
    let given = Given::default();
    Series::read(&name, &text, &given).unwrap_or_else(|wrong| panic!("{name} {wrong}"))
}

fn ground(name: &str) -> GroundMotion {
    GroundMotion::of(&series(name).record)
}

#[test]
fn one_pulse_in_every_format_and_unit_is_one_course() {
    let reference = ground("pulse.csv");
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
        let other = ground(name);
        assert_eq!(other.span(), reference.span(), "{name}");
        for i in 0..=240 {
            let t = 0.005 * f64::from(i);
            let ([a, va, _], [b, vb, _]) = (reference.at(t), other.at(t));
            assert!((a - b).abs() < tolerance * peak, "{name} at {t}: {a} {b}");
            assert!((va - vb).abs() < 10.0 * tolerance * peak, "{name} at {t}: {va} {vb}");
        }
    }
    let smc = series("pulse.smc");
    assert_eq!((smc.unit.name.as_str(), smc.record.kind), ("cm/s2", Kind::Acceleration));
}

#[test]
fn velocity_and_acceleration_are_the_derivatives_of_the_displacement() {
    for name in ["pulse.at2", "pulse.vt2", "pulse.dt2"] {
        let ground = ground(name);
        let e = 1e-4;
        // Between samples, and after the end.
        for t in [0.031, 0.517, 0.999, 1.171, 1.9] {
            let [_, v, a] = ground.at(t);
            let [left, right] = [ground.at(t - e), ground.at(t + e)];
            assert!((v - (right[0] - left[0]) / (2.0 * e)).abs() < 1e-6, "{name} {t}");
            assert!((a - (right[1] - left[1]) / (2.0 * e)).abs() < 1e-5, "{name} {t}");
        }
    }
}

#[test]
fn a_constant_acceleration_gives_the_parabola_also_between_uneven_samples() {
    let record =
        Record { kind: Kind::Acceleration, times: vec![1.0, 1.5, 3.5], values: vec![2.0; 3] };
    let ground = GroundMotion::of(&record);
    assert_eq!(ground.at(0.5), [0.0; 3]);
    let [d, v, a] = ground.at(3.0);
    assert!((d - 4.0).abs() < 1e-14 && (v - 4.0).abs() < 1e-14 && a == 2.0);
    // Beyond the record it goes on with the velocity reached.
    let [d, v, a] = ground.at(4.5);
    assert!((d - 11.25).abs() < 1e-13 && (v - 5.0).abs() < 1e-14 && a == 0.0);
}

/// Polynomial of t with the given coefficients, every 0.1 s from 2 s to 6 s.
fn polynomial(kind: Kind, coefficients: [f64; 3]) -> Record {
    let times: Vec<f64> = (0..=40).map(|i| 2.0 + 0.1 * f64::from(i)).collect();
    let [a, b, c] = coefficients;
    let values = times.iter().map(|t| a + t * (b + c * t)).collect();
    Record { kind, times, values }
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
    let ground = GroundMotion::of(&rests);
    let [d, v, _] = ground.at(6.0);
    let [peak, fastest, _] = ground.peaks();
    assert!(peak > 1e-2 && fastest > 1e-2);
    assert!(d.abs() < 1e-13 && v.abs() < 1e-13, "{d} {v}");
}

fn told(unit: &str) -> Given {
    Given { unit: Unit::named(unit), ..Given::default() }
}

fn stepped(step: f64) -> Given {
    Given { step: Some(step), ..told("g") }
}

#[test]
fn units_are_those_of_the_user_or_else_of_the_file_and_never_guessed() {
    let blank = "0,0\n0.1,1\n0.2,0\n";
    let refused = Series::read("a.csv", blank, &Given::default()).expect_err("no unit");
    assert!(
        refused.starts_with("does not state its unit; add `unit`, one of g, m/s2"),
        "{refused}"
    );
    let peak = |text: &str, given: &Given| {
        let series =
            Series::read("a.csv", text, given).unwrap_or_else(|wrong| panic!("{text} {wrong}"));
        let record = series.record;
        [record.times[1], record.values[1]]
    };
    assert_eq!(peak(blank, &told("g")), [0.1, 9.80665]);
    let stated = "t (ms), a (cm/s2)\n0,0\n0.1,1\n0.2,0\n";
    assert_eq!(peak(stated, &Given::default()), [1e-4, 0.01]);
    assert_eq!(peak(stated, &told("m/s2")), [1e-4, 1.0]);
    let minutes = Given { time_unit: Unit::named("min"), ..told("g") };
    assert_eq!(peak(stated, &minutes), [6.0, 9.80665]);
    let component = "Time (s),Acceleration (NS component)\n0,0\n0.1,1\n0.2,0\n";
    assert_eq!(peak(component, &told("g")), [0.1, 9.80665]);
    assert_eq!(peak("t [s] a [furlong]\n0 0\n0.1 1\n", &told("gal")), [0.1, 0.01]);
    assert!(Series::read("a.csv", "t [s] a [furlong]\n0 0\n0.1 1\n", &Given::default()).is_err());
    let peer = std::fs::read_to_string(path("tests/records/pulse.at2")).expect("a sample");
    let series = Series::read("pulse.at2", &peer, &told("cm/s2")).expect("the user wins");
    assert_eq!((series.unit.name.as_str(), series.stated), ("cm/s2", false));
    assert!((series.record.values[1] - 5.6900165e-7).abs() < 1e-18);
}

#[test]
fn old_headers_of_peer_are_read_whatever_the_name_of_the_file() {
    let values = " .1 -.2\n .3D0 .4E+00\n";
    for header in [
        "PEER STRONG MOTION DATABASE RECORD\nA, 090\nACCELERATION TIME HISTORY IN UNITS OF G. FILTER POINTS: HP=0.2 Hz LP=12.5 Hz\nNPTS= 4, DT= .01 SEC\n",
        "PACIFIC ENGINEERING AND ANALYSIS STRONG-MOTION DATA\n A, 090\n ACCELERATION TIME HISTORY IN UNITS OF G\n   4 0.01000 NPTS, DT\n",
        "PEER NGA STRONG MOTION DATABASE RECORD\nA, 090\nACCELERATION TIME SERIES IN UNITS OF G\r\nNPTS=   4, DT=   .0100 SEC,\n",
        "PEER\nA, 090\nACCELERATION TIME SERIES IN UNITS OF G\nNPTS=   4, DT=   10. MSEC\n",
        "0.01\nPACIFIC ENGINEERING AND ANALYSIS STRONG-MOTION DATA\nA, 090\nACCELERATION TIME HISTORY IN UNITS OF G\nNPTS=  4, DT= .01000 SEC\n",
    ] {
        for name in ["a.AT2", "a.AT2.txt", "a"] {
            let series = Series::read(name, &format!("{header}{values}"), &Given::default());
            let record = series.unwrap_or_else(|wrong| panic!("{header} {wrong}")).record;
            assert_eq!(record.times, [0.0, 0.01, 0.02, 0.03]);
            for (value, right) in record.values.iter().zip([0.1, -0.2, 0.3, 0.4]) {
                assert!((value - 9.80665 * right).abs() < 1e-15);
            }
        }
    }
}

#[test]
fn a_header_whose_kind_and_unit_differ_is_refused_unless_its_user_decides() {
    for (kind, unit, measured) in [
        ("VELOCITY", "G", "acceleration"),
        ("DISPLACEMENT", "G", "acceleration"),
        ("ACCELERATION", "CM/S", "velocity"),
        ("VELOCITY", "CM", "displacement"),
    ] {
        let text = format!(
            "PEER\nA, 090\n{kind} TIME SERIES IN UNITS OF {unit}\nNPTS= 2, DT= .01 SEC\n 1. 2.\n"
        );
        let told_of = Series::read("a.VT2", &text, &Given::default()).expect_err("two kinds");
        let right = format!(
            "line 3: a {} in {unit}, a unit of {measured}; one of them is wrong: add `unit`",
            kind.to_lowercase()
        );
        assert!(told_of.starts_with(&right), "{told_of}");
        let series = Series::read("a.VT2", &text, &told("cm/s")).expect("the user decides");
        assert_eq!((series.record.kind, series.record.values[1]), (Kind::Velocity, 0.02));
    }
}

/// The header of the published description, with numbers of our own.
#[test]
fn records_of_k_net_are_scaled_to_gal() {
    let text = "Origin Time       2000/01/01 00:00:00\nLat.              35.0\nLong.             135.0\nDepth. (km)       10\n\
        Mag.              5.0\nStation Code      TST001\nStation Lat.      35.1\nStation Long.     135.1\nStation Height(m) 10\n\
        Record Time       2000/01/01 00:00:15\nSampling Freq(Hz) 100Hz\nDuration Time(s)  1\nDir.              N-S\n\
        Scale Factor      3920(gal)/6182761\nMax. Acc. (gal)   1.0\nLast Correction   2000/01/01 00:00:00\nMemo.\n   \
        -1000     2000        3\n        4\n";
    let series =
        Series::read("TST0010001010000.NS", text, &Given::default()).expect("a K-NET record");
    let record = series.record;
    assert_eq!((series.format, record.kind, record.times.len()), ("K-NET", Kind::Acceleration, 4));
    assert_eq!(record.times[3], 0.03);
    assert!((record.values[1] - 2000.0 * 3920.0 / 6182761.0 * 0.01).abs() < 1e-15);
}

#[test]
fn cosmos_records_have_their_step_in_the_header_and_columns_that_touch() {
    let reals = |step: f64| -> String {
        let mut all = vec![-999.0; 100];
        all[33] = step;
        let lines = all.chunks(6);
        lines
            .map(|line| line.iter().map(|x| format!("{x:13.6}")).collect::<String>() + "\n")
            .collect()
    };
    let text = |step: f64, units: &str| {
        format!(
            "Corrected acceleration (Format v01.20 with 13 text lines)\nA station\n 100 Real-header values follow on  17 lines, \
             Format= (6F13.6)\n{}   1 Comment line(s) follow, each starting with a \"|\":\n| pts of nothing\n       5 acceleration pts, \
             approx    1 secs, units={units},Format=(3F8.5)\n 0.00001-0.00002-3.00010\n 4.50000 0.00003\nEnd-of-data for Chan 1\n       \
             5 velocity pts, approx 1 secs, units=cm/sec(05),Format=(3F8.5)\n",
            reals(step)
        )
    };
    for units in ["cm/sec2(04)", "cm/s^2 (4)", "cm/s^2"] {
        let series =
            Series::read("a.V2c", &text(0.2, units), &Given::default()).expect("a COSMOS record");
        assert_eq!((series.format, series.record.times[4]), ("COSMOS", 0.8));
        assert!((series.record.values[2] + 0.0300010).abs() < 1e-16, "{:?}", series.record.values);
    }
    let counts =
        Series::read("a.V0", &text(0.2, "counts (50)"), &Given::default()).expect_err("counts");
    assert!(counts.contains("unit `counts` is not known"), "{counts}");
    let wrong = Series::read("a.V2c", &text(200.0, "g"), &Given::default()).expect_err("1000 s");
    assert!(wrong.contains("has 5 values every 200 s, and line 23 says 1 s"), "{wrong}");
}

#[test]
fn several_values_in_a_line_need_a_step_and_times_must_not_stand_among_them() {
    let eight = "0 1 2 3 4 5 6 7\n8 9 10 11\n";
    let series = Series::read("elcentro.dat", eight, &stepped(0.02)).expect("eight columns");
    assert_eq!((series.record.times[11], series.record.values.len()), (0.22, 12));
    assert!(Series::read("elcentro.dat", "1940 El Centro\n0 1 2 3\n", &stepped(0.02)).is_err());
    for (text, given, why) in [
        (
            "0 1 2 3\n",
            told("g"),
            "has 4 columns; times and values in turn go into lines of two; for values one after the other add `step`",
        ),
        ("0 1 0.1 3\n0.2 4 0.3 5\n", stepped(0.02), "has times of its own"),
        (
            "t,NS,EW\n0,1,2\n0.1,1,2\n",
            told("g"),
            "has 3 columns; keep that of the times and one other",
        ),
        ("0 1\n0.1 2\n", stepped(0.02), "has times of its own; leave `step` out"),
        ("0\n1\n", told("g"), "has one column; add `step`"),
        ("CORRECTED ACCELEROGRAM DATA\n", told("g"), "is a CSMIP volume"),
    ] {
        let wrong = Series::read("a.dat", text, &given).expect_err(text);
        assert!(wrong.starts_with(why), "{text}: {wrong}");
    }
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
            match Series::read(&name, &text, &told("g")) {
                Ok(series) => {
                    let ground = GroundMotion::of(&series.record);
                    assert!(ground.at(0.7).iter().all(|x| x.is_finite()), "{name}");
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
