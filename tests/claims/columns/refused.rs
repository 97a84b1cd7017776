//! What columns are refused for, and in which line.

use coulisse::columns::Columns;
use coulisse::quantity::Quantity;

/// What is said of a table of times and lengths.
fn refused(text: &str) -> String {
    let columns = match Columns::read(text) {
        Err(wrong) => return wrong.to_string(),
        Ok(columns) => columns,
    };
    let wrong = [Quantity::Time, Quantity::Length].into_iter().enumerate();
    let mut wrong = wrong.filter_map(|(i, quantity)| columns.column(i, &[quantity]).err());
    wrong.next().map_or_else(|| panic!("{text:?} passes: {columns:?}"), |wrong| wrong.to_string())
}

#[test]
fn units_that_are_unknown_or_of_something_else_are_refused_with_the_known_ones() {
    for heading in [
        "x [furlong]",
        "x (kp)",
        "x {kp}",
        "x (V)",
        "x / kp",
        "\"x, kp\"",
        "x in kp",
        "x/kp",
        "x (kN)",
        "x [m/s]",
        "\"x (kN, vertical)\"",
        "x [g]",
        "x [mm (kp)]",
        "x (milli m)",
        "N/m",
    ] {
        for text in [
            format!("t,{heading}\n0,1\n"),
            format!("t;{heading}\r\n0;1\r\n"),
            format!("# t, {heading}\n\n0,1\n"),
        ] {
            if text.starts_with('#') && !heading.contains(['(', '[']) {
                continue;
            }
            let told = refused(&text);
            assert!(told.starts_with("line 1: heading `"), "{heading}: {told}");
            assert!(told.contains("allowed: m, mm, cm, km, um, in, ft"), "{heading}: {told}");
        }
    }
    assert!(
        refused("t [kN],x\n0,1\n")
            .contains("unit `kN` measures something else; allowed: s, ms, us, min, h")
    );
}

#[test]
fn logarithms_are_refused_and_names_like_theirs_are_not() {
    for heading in [
        "log10 x (m)",
        "log10(x) [mm]",
        "log_10 x / m",
        "log₁₀(x)",
        "Log(x) [m]",
        "LOG x, m",
        "log_x",
        "log",
        "ln x (m)",
        "lg(x)",
        "20*log10(x)",
        "-20 log x (m)",
        "x (log10 m)",
        "x [ln(m)]",
        "x [dB]",
        "x dB",
        "x_dB",
        "level / dB",
        "level (dB re 1 m)",
        "decibels",
    ] {
        let told = refused(&format!("t;{heading}\n0;1\n"));
        assert!(
            told.starts_with("line 1: heading `")
                && told.contains("contains a logarithm; convert it to numbers in m, mm"),
            "{heading}: {told}"
        );
    }
    assert!(refused("log t (s);x\n0;1\n").contains("convert it to numbers in s, ms"));
    assert!(refused("t ln x\n0 1\n").contains("3 headings above 2 columns"));
    for heading in [
        "x of log (mm)",
        "catalog [mm]",
        "login",
        "logged x (mm)",
        "log.x [mm]",
        "log3 (mm)",
        "lnd",
        "length (mm)",
        "DB (mm)",
        "points.dB.x [mm]",
    ] {
        let columns = Columns::read(&format!("t;{heading}\n0;1\n")).expect("columns");
        let read = columns.column(1, &[Quantity::Length]);
        assert!(read.is_ok(), "{heading}: {read:?}");
    }
}

#[test]
fn decimal_commas_are_recognised() {
    for (text, line) in [
        ("t;x\n0,0;1,5\n", 2),
        ("t;x\n0;1\n1;1,5\n", 3),
        ("t\tx\r\n0\t1\r\n1\t-2,5e3\r\n", 3),
        ("0,5 1,25\n", 1),
        ("t x\n\n0,5   1,25\n", 3),
        ("0,05\n0,10\n", 1),
        ("t,x\n1,5\n2,05\n", 3),
        ("\"0,5\";\"1,5\"\n", 1),
        ("t;x\n0;1\n1;1.000,5\n", 3),
    ] {
        let told = refused(text);
        let right = told.starts_with(&format!("line {line}: `"));
        assert!(right && told.contains("has a decimal comma"), "{text:?}: {told}");
    }
    assert!(refused("t,x\n1,5,2,5\n").contains("if commas are decimal ones, write decimal points"));
}

#[test]
fn a_line_that_is_no_row_is_named() {
    for (text, told) in [
        ("t,x\n0,1\n1,\n", "line 3: no value in column 2"),
        (
            "t,x\r\n\r\n0,1\r\n1,abc\r\n",
            "line 4: `abc`; allowed: finite numbers with a decimal point",
        ),
        ("t,x\r0,1\r1,abc\r", "line 3: `abc`; allowed"),
        ("0,1\n# pause\n1,NaN\n", "line 3: `NaN` is not finite"),
        ("0 1\n1 -inf\n", "line 2: `-inf` is not finite"),
        ("0 1\n1 1e999\n", "line 2: `1e999` is not finite"),
        ("NaN 1\n", "line 1: `NaN` is not finite"),
        ("10 mm,2 kN\n20,3\n", "line 1: `10 mm`; allowed: numbers, below"),
        ("0.1+02 0.2+02\n1 2\n", "line 1: `0.1+02`; allowed: numbers, below"),
        ("0.0-1.0-2.0\n0.1-1.0-2.0\n", "line 1: `0.0-1.0-2.0`; allowed"),
        ("0 1\n1 2 3\n", "line 2: 3 numbers, and 2 in line 1"),
        ("t;x\n0;1\n1\n", "line 3: 1 numbers, and 2 in line 2"),
        ("t,x,t\n0,1,2\n", "line 1: the column `t` is there twice"),
        ("t,x,y\n0,1\n", "line 1: 3 headings above 2 columns of numbers"),
        ("El Centro (NS) 1\n0 1\n", "line 1: `El`; allowed"),
        ("El Centro (NS) new\n0 1\n", "line 1: 3 headings"),
        ("Time s Force kN\n0 1\n", "line 1: 4 headings above 2 columns of numbers"),
        ("the force in kN\n0,1\n", "line 1: 1 headings above 2 columns of numbers"),
        (
            "t,x\nfirst,second\n0,1\n",
            "line 2: `first,second`; allowed: numbers, below one line of names",
        ),
        ("a test\nof 1940\nt,x\n0,1\n", "line 2: `of 1940`; allowed: "),
        ("t,x\n0,1\nt,x\n", "line 3: `t`; allowed: finite numbers"),
        ("2020-01-01 1\n", "line 1: `2020-01-01` is a date or a time of day; give seconds"),
    ] {
        let said = refused(text);
        assert!(said.starts_with(told), "{text:?}: {said}");
    }
}

/// Cuts and spoils a table at every place.
#[test]
fn spoilt_tables_are_read_or_refused_with_a_line() {
    let text = "\u{feff}time [ms];\"force / kN\"\r\n# pause\r\n0;1.5D-3\r\n\t10 ; -2 # last\r\n";
    let places = || text.char_indices().map(|(i, _)| i);
    let mut refused = 0;
    for i in places() {
        for with in ["x", "1e999", "-", ",", ";", "\t", "(", "]", "é", "\"", "\r", "\n", "/"] {
            for spoilt in [format!("{}{with}{}", &text[..i], &text[i..]), text[..i].to_string()] {
                let read = Columns::read(&spoilt).and_then(|columns| {
                    let column = columns.column(1, &[Quantity::Force])?;
                    assert!(column.values.iter().all(|value| value.is_finite()), "{spoilt:?}");
                    Ok(())
                });
                if let Err(wrong) = read {
                    assert!(wrong.line > 0 && wrong.line <= 6 && wrong.what.len() > 10, "{wrong}");
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 100, "{refused}");
}
