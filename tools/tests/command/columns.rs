//! Units in files of inputs, lists and records, and what the commands say of them.

use crate::common::{folder, models, ok, ok_in, refused, refused_in, text};
use crate::edit::Edit;
use crate::mechanism::Mechanism;
use crate::written::{table, values};

fn model() -> String {
    Mechanism::new("pushed")
        .step(1e-3)
        .entry("experiment", "stop_time = 1.0")
        .points("b = [0.0, 0.0]")
        .mass("b", 1.0)
        .roller("b")
        .load("f", "point = 'b', fx = 0.0")
        .inputs("loads.f.fx")
        .outputs("points.b.x points.b.vx")
        .text()
}

/// The last velocity of a mass of 1 kg under inputs.
fn pushed(name: &str, inputs: &str) -> Result<f64, String> {
    let folder = folder(name);
    let [subject, file, out] =
        ["pushed.toml", "inputs.csv", "out.csv"].map(|name| folder.join(name));
    std::fs::write(&subject, model()).unwrap();
    std::fs::write(&file, inputs).unwrap();
    let call = ["run", text(&subject), "--inputs", text(&file), "-o", text(&out)];
    if inputs.contains("wrong") {
        return Err(refused(&call));
    }
    ok(&call);
    Ok(values(&table(&out), "points.b.vx").pop().unwrap())
}

#[test]
fn a_column_with_a_name_of_its_own_has_a_unit_of_its_variable() {
    let folder = folder("renamed_column");
    std::fs::write(folder.join("pushed.toml"), model()).unwrap();
    std::fs::write(folder.join("force.csv"), "time,push [kN]\n0,2\n").unwrap();
    std::fs::write(folder.join("way.csv"), "time,push [mm]\n0,2\n").unwrap();
    let of = |file| ["columns", file, "--model", "pushed.toml", "--column", "push=loads.f.fx"];
    assert!(ok_in(&folder, &of("force.csv")).contains("1000  push"));
    let refused = refused_in(&folder, &of("way.csv"));
    assert!(
        refused.contains("`mm` measures something else than N, the unit of `push`"),
        "{refused}"
    );
}

#[test]
fn inputs_are_in_the_units_of_their_headings() {
    for inputs in [
        "time,loads.f.fx\n0,2\n1,2\n",
        "time [ms];loads.f.fx [kN]\r\n0;2D-3\r\n1000;2e-3\r\n",
        "Time (min)\tloads.f.fx / mN\n0\t2000\n1\t2000\n",
        "time\tloads.f.fx\ns\tkN\n0\t0.002\n1\t0.002\n",
        "time [s]  loads.f.fx [N]\n0   2\n1   2\n",
    ] {
        let v = pushed("inputs_with_units", inputs).expect("inputs");
        assert!((v - 2.0).abs() < 1e-9, "{inputs:?}: {v}");
    }
    for (inputs, told) in [
        (
            "time,loads.f.fx,loads.f.fx\n0,1,2\n1,1,2#wrong\n",
            "inputs.csv:1: the column `loads.f.fx` is there twice",
        ),
        (
            "time,loads.f.fx [N],loads.f.fx [kN]\n0,1,2 # wrong\n",
            "inputs.csv:1: the column `loads.f.fx` is there twice",
        ),
        (
            "time,loads.f.fx\r\n0,1\r\n0.5,wrong\r\n",
            "inputs.csv:3: `wrong`; allowed: finite numbers",
        ),
        (
            "time,loads.f.fx [mm]\n0,1 # wrong\n",
            "inputs.csv:1: heading `loads.f.fx [mm]`: `mm` measures something else than N, the unit of `loads.f.fx`",
        ),
        (
            "time,loads.f.fx [kp]\n0,1 # wrong\n",
            "inputs.csv:1: heading `loads.f.fx [kp]`: unit `kp` is not known",
        ),
        (
            "time,log10 loads.f.fx (N)\n0,1 # wrong\n",
            "inputs.csv:1: heading `log10 loads.f.fx (N)`: the column contains a logarithm; convert it",
        ),
        (
            "time [kN],loads.f.fx\n0,1 # wrong\n",
            "inputs.csv:1: heading `time [kN]`: unit `kN` measures something else; allowed: s, ms",
        ),
        ("time;loads.f.fx\n0;1,5 # wrong\n", "inputs.csv:2: `1,5` has a decimal comma"),
    ] {
        let said = pushed("inputs_with_wrong_units", inputs).expect_err("a fault");
        assert!(said.contains(told), "{inputs:?}: {said}");
    }
}

#[test]
fn lists_are_in_the_units_of_their_headings() {
    let folder = folder("list_with_units");
    let [list, out] = ["list.csv", "out.csv"].map(|name| folder.join(name));
    let run = |rows: &str| {
        std::fs::write(&list, rows).unwrap();
        ["run", "rabinowicz.toml", "--list", text(&list), "--stop", "0.1", "-o", text(&out)]
            .map(str::to_owned)
    };
    let call = run("loads.normal.fy [kN];solver.step [ms]\n-0.1;1\n");
    let call = call.each_ref().map(String::as_str);
    let told = ok_in(&models(), &call);
    assert!(told.contains("1 runs"), "{told}");
    let rows = table(&out);
    assert_eq!(values(&rows, "loads.normal.fy"), [-100.0]);
    assert_eq!(values(&rows, "solver.step"), [1e-3]);
    for (rows, told) in [
        (
            "loads.normal.fy [mm]\n1\n",
            "measures something else than N, the unit of `loads.normal.fy`",
        ),
        (
            "solver.step;solver.step [ms]\n1e-3;1\n",
            "list.csv:1: the column `solver.step` is there twice",
        ),
    ] {
        let call = run(rows);
        let said = refused_in(&models(), &call.each_ref().map(String::as_str));
        assert!(said.contains(told), "{rows:?}: {said}");
    }
}

#[test]
fn columns_that_are_no_variables_may_have_units_of_their_own() {
    let folder = folder("own_units");
    let [file, out] = ["response.csv", "si.csv"].map(|name| folder.join(name));
    let call = |heading: &str, unit: &str| {
        std::fs::write(&file, format!("{heading}\n1.5,2.0\n")).unwrap();
        ["columns", text(&file), "--unit", unit, "-o", text(&out)].map(str::to_owned)
    };
    let call_of = |call: &[String; 6]| ok_in(&folder, &call.each_ref().map(String::as_str));
    call_of(&call("frequency [kHz],gain", "frequency=Hz"));
    assert_eq!(values(&table(&out), "frequency"), [1500.0]);
    let wrong = call("frequency [rad/s],gain", "frequency=Hz");
    let said = refused_in(&folder, &wrong.each_ref().map(String::as_str));
    assert!(said.contains("`rad/s` measures something else than Hz"), "{said}");
    // Headings of `coulisse response` hold no unit in their brackets.
    let response = "phase(points.q.x by loads.g.fx)";
    call_of(&call(&format!("frequency,{response}"), "frequency=Hz"));
    assert_eq!(values(&table(&out), response), [2.0]);
}

#[test]
fn check_says_the_range_of_every_column_in_si_and_what_was_assumed() {
    let folder = folder("checked_columns");
    let subject = folder.join("table.toml");
    let table = model().edit("fx = 0.0", "fx = 1.0\nhistory.table = { file = \"load.csv\" }");
    std::fs::write(&subject, table).unwrap();
    for (data, told) in [
        (
            "Time (ms),Force (kN)\n0,0\n500,3\n",
            "loads.f.history.table.file: `load.csv` has `Time` from 0 to 0.5 s (in the file: ms), `Force` from 0 to 3000 N (in the file: kN)",
        ),
        (
            "0,0\n500,3\n",
            "has column 1 from 0 to 500 s (assumed: the file states no unit), column 2 from 0 to 3 without unit (assumed: the file states no unit)",
        ),
    ] {
        std::fs::write(folder.join("load.csv"), data).unwrap();
        let said = ok(&["check", text(&subject)]);
        assert!(said.contains(told), "{said}");
    }
}

#[test]
fn units_on_the_command_line_win_over_those_of_a_record() {
    let folder = folder("record_units");
    let file = folder.join("motion.csv");
    let rows: String = (0..5).map(|i| format!("{},{}\n", 10 * i, i % 2)).collect();
    std::fs::write(&file, format!("Time (ms),Acceleration (g)\n{rows}")).unwrap();
    let said = ok(&["record", text(&file)]);
    assert!(said.contains("acceleration in g, as the file states\n5 samples every 0.01 s, from 0 to 0.04 s (in the file: ms)"), "{said}");
    let said = ok(&["record", text(&file), "--unit", "cm/s2", "--time-unit", "min"]);
    assert!(
        said.contains(
            "acceleration in cm/s2, as specified (the file states g)\n5 samples every 600 s"
        ),
        "{said}"
    );
    assert!(said.contains("0.01"), "{said}");
    std::fs::write(&file, rows).unwrap();
    let said = ok(&["record", text(&file), "--unit", "g"]);
    assert!(said.contains("(assumed: the file states no unit of its times)"), "{said}");
    let said = refused(&["record", text(&file), "--unit", "kN"]);
    assert!(said.contains("--unit is `kN`; allowed: g, m/s2, cm/s2"), "{said}");
    let said = refused(&["record", text(&file)]);
    assert!(said.contains("does not state its unit; add --unit, one of g"), "{said}");
}
