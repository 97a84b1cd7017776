//! `counts.tsv`: one line for each model, with the reason of its last change.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

#[derive(Clone)]
pub struct Row {
    pub model: String,
    /// Simulated time that is counted, s.
    pub time: f64,
    pub count: u64,
    /// Why the count is what it is.
    pub reason: String,
}

#[derive(Default)]
pub struct Record {
    /// `rustc --version` of the build that was counted.
    compiler: String,
    pub rows: Vec<Row>,
}

impl Record {
    pub const SHOWN: &str = "benches/instructions/counts.tsv";
    const COMPILER: &str = "# counted with ";
    const TITLES: &str = "model\tsimulated time, s\tinstructions\treason of the last change";

    fn path() -> PathBuf {
        PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/counts.tsv"))
    }

    /// These rows, counted with the present compiler.
    pub fn of(rows: Vec<Row>) -> Result<Record, String> {
        Ok(Record { compiler: compiler()?, rows })
    }

    pub fn read() -> Result<Record, String> {
        let text = std::fs::read_to_string(Record::path())
            .map_err(|error| format!("{}: {error}", Record::SHOWN))?;
        let mut record = Record::default();
        for line in text.lines().filter(|line| *line != Record::TITLES) {
            match line.strip_prefix(Record::COMPILER) {
                Some(compiler) => record.compiler = compiler.to_owned(),
                None => record.rows.push(
                    row(line)
                        .ok_or_else(|| format!("{}: cannot be read: {line}", Record::SHOWN))?,
                ),
            }
        }
        Ok(record)
    }

    pub fn write(&self) -> Result<(), String> {
        let mut text = format!("{}{}\n{}\n", Record::COMPILER, self.compiler, Record::TITLES);
        for row in &self.rows {
            writeln!(text, "{}\t{}\t{}\t{}", row.model, row.time, row.count, row.reason)
                .map_err(|error| error.to_string())?;
        }
        std::fs::write(Record::path(), text).map_err(|error| format!("{}: {error}", Record::SHOWN))
    }

    pub fn count(&self, model: &str) -> Option<u64> {
        let mut rows = self.rows.iter();
        rows.find(|row| row.model == model).map(|row| row.count)
    }

    /// A sentence where the compiler is not that of the record.
    pub fn other_compiler(&self) -> Result<String, String> {
        let compiler = compiler()?;
        Ok(match compiler == self.compiler {
            true => String::new(),
            false => format!(" They were counted with {}, now it is {compiler}.", self.compiler),
        })
    }
}

fn row(line: &str) -> Option<Row> {
    let cells: Vec<&str> = line.split('\t').collect();
    let [model, time, count, reason] = cells[..] else {
        return None;
    };
    Some(Row {
        model: model.to_owned(),
        time: time.parse().ok()?,
        count: count.parse().ok()?,
        reason: reason.to_owned(),
    })
}

fn compiler() -> Result<String, String> {
    let done = Command::new("rustc").arg("--version").output();
    let done = done.map_err(|error| format!("rustc: {error}"))?;
    Ok(String::from_utf8_lossy(&done.stdout).trim().to_owned())
}
