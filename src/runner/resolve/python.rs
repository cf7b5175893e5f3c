//! Which interpreter runs the tests of a Python project, and whether it has what they need.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::{Place, text};
use crate::policy::{FILE_NAME, Framework};

/// Where a project keeps an environment of its own.
const ENVIRONMENTS: &[&str] = &[".venv", "venv"];

/// Managers that keep it elsewhere, by their lock files.
const MANAGERS: &[(&str, &str)] =
    &[("uv.lock", "uv"), ("poetry.lock", "poetry"), ("pdm.lock", "pdm"), ("Pipfile.lock", "pipenv")];

pub fn command(framework: Framework, arguments: &[String], place: &Place<'_>) -> Result<Vec<String>> {
    let python = interpreter(place)?;
    if framework == Framework::Pytest {
        check_pytest(&python, place)?;
    }
    Ok([python.as_slice(), arguments].concat())
}

/// The project's own, the active one, that of the project's manager, then whatever is on the path.
fn interpreter(place: &Place<'_>) -> Result<Vec<String>> {
    let own = place.upwards().find_map(|folder| {
        ENVIRONMENTS.iter().map(|name| inside(&folder.join(name))).find(|python| python.is_file())
    });
    let active = place.machine.virtual_env.as_deref().map(inside).filter(|python| python.is_file());
    if let Some(python) = own.or(active) {
        return Ok(vec![text(&python)?]);
    }
    if let Some(manager) = manager(place) {
        return Ok([manager, "run", "python"].map(str::to_owned).to_vec());
    }
    let found = ["python3", "python"].iter().find_map(|name| place.machine.locate(name));
    let found = found.with_context(|| {
        format!("there is no python3 on PATH and no .venv: make one, or name the command in {FILE_NAME}")
    })?;
    Ok(vec![text(&found)?])
}

fn inside(environment: &Path) -> std::path::PathBuf {
    environment.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

fn manager(place: &Place<'_>) -> Option<&'static str> {
    let used = |(lock, name): &&(&str, &str)| {
        place.upwards().any(|folder| folder.join(lock).is_file()) && place.machine.locate(name).is_some()
    };
    MANAGERS.iter().find(used).map(|&(_, name)| name)
}

/// Asked only now that the run is about to start: it costs the start of an interpreter.
fn check_pytest(python: &[String], place: &Place<'_>) -> Result<()> {
    let (program, arguments) = python.split_first().context("there is no interpreter")?;
    let mut command = Command::new(program);
    command.args(arguments).args(["-c", "import pytest"]).current_dir(place.directory());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let output = command.output().with_context(|| format!("cannot run {program}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let python = python.join(" ");
    // A plugin of the project that breaks the import is another matter than a missing pytest.
    if said.contains("No module named 'pytest'") {
        bail!(
            "`python -m pytest`: pytest is not installed for {python}; install it (`{python} -m pip install pytest`), \
             or name the command under `suites` in {FILE_NAME}"
        );
    }
    let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
    bail!("`{python} -c 'import pytest'` failed: {}", crate::text::one_line(last))
}
