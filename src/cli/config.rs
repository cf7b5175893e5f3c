//! `config`: shows and changes single settings of the policy file in the working tree.

use anyhow::{Context as _, Result};
use clap::Subcommand;
use serde::Serialize;

use super::{Context, Format, context};
use crate::detectors;
use crate::exit_status::ExitStatus;
use crate::policy::{
    All, Change, FILE_NAME, Key, MISNAMED, Pattern, Profile, RuleAction, Setting, Settings, Shown, Store,
    SuiteSetting, What,
};
use crate::text;
use crate::verdict;

/// Show or change the policy of this repository
///
/// Keys: profile; paths.tests, paths.documentation, paths.ignored, paths.vendored; rules.RULE; proof.on_missing,
/// proof.equivalence, proof.link; feedback.max_attempts, feedback.require_analysis, feedback.abort_on_regression;
/// waivers.accept.
/// The settings stand in aiwg-gate.yaml in the root of the working tree. Changes keep its comments and its
/// style. Suites and patterns stand there too: `list` shows them, and they are edited by hand. The gate reads the policy from
/// the base side of a change, so a new setting counts from the next commit on.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Print the value that the file says, or the default; one item per line for lists
    Get {
        /// A key as `config list` shows it
        key: String,
    },
    /// Set a value; for lists, items with commas between them or ["a", "b"]
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
    /// Add items to a list
    #[arg(long, value_name = "ITEMS")]
    add: Option<String>,
    /// Take items out of a list
    #[arg(long, value_name = "ITEMS")]
    remove: Option<String>,
}

pub fn run(args: &Args, context: &Context) -> Result<ExitStatus> {
    let settings = settings(context)?;
    match &args.action {
        Action::Get { key } => get(&settings.get(&settings.key(key)?)?, context)?,
        Action::List => list(&settings, context)?,
        Action::Set(args) => {
            context.only_text("config set")?;
            change(&settings.key(&args.key)?, &args.change(), &settings, context)?;
        }
        Action::Unset { key } => {
            context.only_text("config unset")?;
            change(&settings.key(key)?, &Change::Unset, &settings, context)?;
        }
    }
    Ok(ExitStatus::Pass)
}

pub fn settings(context: &Context) -> Result<Settings> {
    let repository = context.repository()?;
    let work_dir = repository.work_dir().with_context(|| {
        format!(
            "this repository has no working tree: run `config` in a clone that has {FILE_NAME} checked out"
        )
    })?;
    if work_dir.join(MISNAMED).is_file() && !work_dir.join(FILE_NAME).exists() {
        context::tell(&format!("{MISNAMED} is not read: a policy is called {FILE_NAME}"))?;
    }
    let store = Store::new(work_dir, &crate::files::state_folder(repository.common_dir()));
    Ok(Settings { store, known_rules: detectors::names(), usual })
}

fn usual(name: &str, profile: Profile, patterns: &[Pattern]) -> RuleAction {
    let built_in = detectors::find(name).map(|rule| (rule.id.clone(), rule.severity));
    let added = || patterns.iter().find(|pattern| pattern.name == name);
    let known = built_in.or_else(|| added().map(|pattern| (pattern.id(), pattern.severity)));
    known.map_or(RuleAction::Log, |(id, severity)| verdict::usual_action(&id, severity, profile).into())
}

impl SetArgs {
    fn change(&self) -> Change {
        match &self.value {
            Some(value) => Change::Set(value.clone()),
            None => Change::Items { added: self.add.clone(), removed: self.remove.clone() },
        }
    }
}

fn change(key: &Key, change: &Change, settings: &Settings, context: &Context) -> Result<()> {
    let changed = settings.change(key, change)?;
    if context.quiet {
        return Ok(());
    }
    if !changed.written {
        return context::print(&format!("{key} is so already: nothing was written.\n"));
    }
    context::print(&text::printable(&format!(
        "{key}: {} -> {}\nWritten to {FILE_NAME}. Commit it: the gate reads the policy from the base side of a \
         change, so it counts from the next commit on.\n",
        changed.before.value.text(),
        changed.after.value.text()
    )))
}

fn get(shown: &Shown, context: &Context) -> Result<()> {
    match context.format {
        Format::Json => print_json(&One { version: 1, setting: SettingJson::of(shown) }),
        Format::Text => {
            let lines: String = shown.value.lines().iter().map(|line| format!("{line}\n")).collect();
            context::print(&text::printable(&lines))
        }
    }
}

fn list(settings: &Settings, context: &Context) -> Result<()> {
    let All { settings, suites, patterns } = settings.all()?;
    if context.format == Format::Json {
        let suites = suites.map(|suites| suites.into_iter().map(SuiteJson::of).collect());
        return print_json(&AllJson {
            version: 1,
            settings: settings.iter().map(SettingJson::of).collect(),
            patterns: patterns.iter().map(PatternJson::of).collect(),
            suites,
        });
    }
    let row = |shown: &Shown| [shown.key.to_string(), shown.value.text(), source(shown).to_owned()];
    let mut rows: Vec<[String; 3]> = settings.iter().map(row).collect();
    let row =
        |pattern: &Pattern| [format!("patterns.{}", pattern.name), pattern.summary(), "file".to_owned()];
    rows.extend(patterns.iter().map(row));
    rows.extend(suite_rows(suites.as_deref()));
    context::print(&text::printable(&table(&rows)))
}

fn source(shown: &Shown) -> &'static str {
    if shown.from_file { "file" } else { "default" }
}

fn suite_rows(suites: Option<&[SuiteSetting]>) -> Vec<[String; 3]> {
    let row = |key: &str, value: &str, source: &str| [key, value, source].map(str::to_owned);
    match suites {
        None => vec![row("suites", "as found in the project", "default")],
        Some([]) => vec![row("suites", "[]", "file")],
        Some(suites) => suites
            .iter()
            .map(|suite| row(&format!("suites.{}", suite.name), &suite.command, "file"))
            .collect(),
    }
}

fn table(rows: &[[String; 3]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let (keys, values) = (width(0).min(40), width(1).min(40));
    let line = |[key, value, source]: &[String; 3]| format!("{key:keys$}  {value:values$}  ({source})\n");
    rows.iter().map(line).collect()
}

#[derive(Serialize)]
struct SettingJson {
    key: String,
    /// Text, a number, true or false, or a list of texts.
    value: serde_json::Value,
    source: &'static str,
}

impl SettingJson {
    fn of(shown: &Shown) -> Self {
        let value = match &shown.value {
            Setting::Word(word) => (*word).into(),
            Setting::Number(number) => (*number).into(),
            Setting::Flag(flag) => (*flag).into(),
            Setting::List(items) => items.clone().into(),
        };
        Self { key: shown.key.to_string(), value, source: source(shown) }
    }
}

#[derive(Serialize)]
struct SuiteJson {
    name: String,
    command: String,
}

impl SuiteJson {
    fn of(suite: SuiteSetting) -> Self {
        Self { name: suite.name, command: suite.command }
    }
}

#[derive(Serialize)]
struct PatternJson<'a> {
    name: &'a str,
    r#type: &'a str,
    severity: &'a str,
    message: &'a str,
    paths: &'a [String],
    when: &'a str,
    call: Option<&'a str>,
    symbol: Option<&'a str>,
}

impl<'a> PatternJson<'a> {
    fn of(pattern: &'a Pattern) -> Self {
        let (call, symbol) = match &pattern.what {
            What::Call(name) => (Some(name.as_str()), None),
            What::Symbol(name) => (None, Some(name.as_str())),
            What::File => (None, None),
        };
        Self {
            name: &pattern.name,
            r#type: pattern.kind.name(),
            severity: pattern.severity.name(),
            message: &pattern.message,
            paths: &pattern.paths,
            when: pattern.when.name(),
            call,
            symbol,
        }
    }
}

#[derive(Serialize)]
struct One {
    version: u32,
    #[serde(flatten)]
    setting: SettingJson,
}

#[derive(Serialize)]
struct AllJson<'a> {
    version: u32,
    settings: Vec<SettingJson>,
    patterns: Vec<PatternJson<'a>>,
    /// Null where the file names none and they are found.
    suites: Option<Vec<SuiteJson>>,
}

fn print_json(value: &impl Serialize) -> Result<()> {
    context::print(&format!("{}\n", serde_json::to_string_pretty(value)?))
}
