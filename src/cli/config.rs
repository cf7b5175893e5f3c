//! `config`: shows and changes single settings of the policy file in the working tree.

use anyhow::{Context as _, Result, anyhow, bail};
use clap::Subcommand;
use serde::Serialize;

use super::{Context, Format, context};
use crate::detectors;
use crate::exit_status::ExitStatus;
use crate::policy::{FILE_NAME, Key, NEW_FILE, PolicyFile, Profile, Setting, Store, edit};
use crate::text;

/// Show or change the policy of this repository
///
/// Keys: profile; rules.RULE; paths.tests, paths.documentation, paths.ignored, paths.vendored.
/// The settings stand in aiwg-gate.yaml in the root of the working tree. Changes keep its comments and its
/// style. The gate reads the policy from the base side of a change, so a new setting counts from the next commit on.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Print the value that the file says, or the default; one glob per line for lists
    Get {
        /// A key as `config list` shows it
        key: String,
    },
    /// Set a value; for lists, globs with commas between them or ["a", "b"]
    Set(SetArgs),
    /// Take a setting out, so that its default holds
    Unset {
        /// A key as `config list` shows it
        key: String,
    },
    /// Print every setting, and whether it comes from the file
    List,
}

#[derive(clap::Args)]
struct SetArgs {
    /// A key as `config list` shows it
    key: String,
    /// The new value
    #[arg(required_unless_present_any = ["add", "remove"], conflicts_with_all = ["add", "remove"])]
    value: Option<String>,
    /// Add globs to a list
    #[arg(long, value_name = "GLOBS")]
    add: Option<String>,
    /// Take globs out of a list
    #[arg(long, value_name = "GLOBS")]
    remove: Option<String>,
}

pub fn run(args: &Args, context: &Context) -> Result<ExitStatus> {
    let store = store(context)?;
    match &args.action {
        Action::Get { key } => get(&parse_key(key)?, &store, context)?,
        Action::List => list(&store, context)?,
        Action::Set(args) => {
            context.only_text("config set")?;
            let key = parse_key(&args.key)?;
            change(&key, &store, context, |file| args.wanted(&key, file).map(Some))?;
        }
        Action::Unset { key } => {
            context.only_text("config unset")?;
            change(&parse_key(key)?, &store, context, |_| Ok(None))?;
        }
    }
    Ok(ExitStatus::Pass)
}

fn store(context: &Context) -> Result<Store> {
    let repository = context.repository()?;
    let work_dir = repository.work_dir().with_context(|| {
        format!(
            "this repository has no working tree: run `config` in a clone that has {FILE_NAME} checked out"
        )
    })?;
    Ok(Store::new(work_dir, &crate::files::state_folder(repository.common_dir())))
}

fn parse_key(key: &str) -> Result<Key> {
    Key::parse(key, &detectors::names()).map_err(|message| anyhow!(message))
}

fn parse_file(text: Option<&str>) -> Result<PolicyFile> {
    match text {
        Some(text) => Ok(PolicyFile::parse(text, &detectors::names())?),
        None => Ok(PolicyFile::default()),
    }
}

impl SetArgs {
    /// The value that the key shall have.
    fn wanted(&self, key: &Key, file: &PolicyFile) -> Result<Setting> {
        let read = |text: &str| key.read(text).map_err(|message| anyhow!("{key}: {message}"));
        if let Some(value) = &self.value {
            return read(value);
        }
        if !key.is_list() {
            bail!("--add and --remove are for lists: write `aiwg-gate config set {key} VALUE`");
        }
        let mut globs = lines(key.get(file).as_ref());
        for gone in self.remove.as_deref().map(read).transpose()?.iter().flat_map(Setting::lines) {
            let at = globs.iter().position(|glob| *glob == gone);
            globs.remove(at.with_context(|| format!("`{gone}` is not in {key}: it has {}", quoted(&globs)))?);
        }
        let added = self.add.as_deref().map(read).transpose()?;
        for glob in lines(added.as_ref()) {
            if !globs.contains(&glob) {
                globs.push(glob);
            }
        }
        Ok(Setting::Globs(globs))
    }
}

fn lines(setting: Option<&Setting>) -> Vec<String> {
    setting.map(Setting::lines).unwrap_or_default()
}

fn quoted(globs: &[String]) -> String {
    serde_json::Value::from(globs).to_string()
}

fn change(
    key: &Key,
    store: &Store,
    context: &Context,
    wanted: impl FnOnce(&PolicyFile) -> Result<Option<Setting>>,
) -> Result<()> {
    let mut message = String::new();
    let changed = store.update(|text| {
        let before = parse_file(text)?;
        let value = wanted(&before)?;
        message =
            format!("{key}: {} -> {}", Shown::of(key, &before).text(), Shown::new(key, value.clone()).text());
        match (text, &value) {
            (None, None) => Ok(None),
            _ => Ok(Some(edit(text.unwrap_or(NEW_FILE), key, value.as_ref(), &detectors::names())?)),
        }
    })?;
    if context.quiet {
        return Ok(());
    }
    if !changed {
        return context::print(&format!("{key} is so already: nothing was written.\n"));
    }
    context::print(&text::printable(&format!(
        "{message}\nWritten to {FILE_NAME}. Commit it: the gate reads the policy from the base side of a change, \
         so it counts from the next commit on.\n"
    )))
}

fn get(key: &Key, store: &Store, context: &Context) -> Result<()> {
    let shown = Shown::of(key, &parse_file(store.read()?.as_deref())?);
    match context.format {
        Format::Json => print_json(&One { version: 1, setting: shown.json() }),
        Format::Text => {
            let lines: String = shown.lines().iter().map(|line| format!("{line}\n")).collect();
            context::print(&text::printable(&lines))
        }
    }
}

fn list(store: &Store, context: &Context) -> Result<()> {
    let file = parse_file(store.read()?.as_deref())?;
    let settings: Vec<Shown> =
        Key::all(&detectors::names()).iter().map(|key| Shown::of(key, &file)).collect();
    if context.format == Format::Json {
        return print_json(&All { version: 1, settings: settings.iter().map(Shown::json).collect() });
    }
    let width = |column: fn(&Shown) -> String| {
        settings.iter().map(|shown| column(shown).chars().count()).max().unwrap_or_default()
    };
    let (keys, values) = (width(|shown| shown.key.clone()), width(Shown::text).min(40));
    let row =
        |shown: &Shown| format!("{:keys$}  {:values$}  ({})\n", shown.key, shown.text(), shown.source());
    context::print(&text::printable(&settings.iter().map(row).collect::<String>()))
}

/// A setting as the file says, or by default.
struct Shown {
    key: String,
    from_file: bool,
    /// Absent for a rule that the policy says nothing about: severity and profile decide.
    value: Option<Setting>,
}

impl Shown {
    fn of(key: &Key, file: &PolicyFile) -> Self {
        Self::new(key, key.get(file))
    }

    fn new(key: &Key, set: Option<Setting>) -> Self {
        let default = || match key {
            Key::Profile => Some(Setting::Profile(Profile::default())),
            Key::Paths(_) => Some(Setting::Globs(Vec::new())),
            Key::Rule(_) => None,
        };
        Self { key: key.to_string(), from_file: set.is_some(), value: set.or_else(default) }
    }

    fn source(&self) -> &'static str {
        if self.from_file { "file" } else { "default" }
    }

    fn lines(&self) -> Vec<String> {
        self.value.as_ref().map_or_else(|| vec!["default".to_owned()], Setting::lines)
    }

    fn text(&self) -> String {
        match &self.value {
            Some(Setting::Globs(globs)) => quoted(globs),
            _ => self.lines().join(" "),
        }
    }

    fn json(&self) -> SettingJson {
        let value = match &self.value {
            None => serde_json::Value::Null,
            Some(Setting::Globs(globs)) => globs.clone().into(),
            Some(_) => self.text().into(),
        };
        SettingJson { key: self.key.clone(), value, source: self.source() }
    }
}

#[derive(Serialize)]
struct SettingJson {
    key: String,
    /// Text, a list of globs, or null for a rule that the policy says nothing about.
    value: serde_json::Value,
    source: &'static str,
}

#[derive(Serialize)]
struct One {
    version: u32,
    #[serde(flatten)]
    setting: SettingJson,
}

#[derive(Serialize)]
struct All {
    version: u32,
    settings: Vec<SettingJson>,
}

fn print_json(value: &impl Serialize) -> Result<()> {
    context::print(&format!("{}\n", serde_json::to_string_pretty(value)?))
}
