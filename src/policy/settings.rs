//! Single settings of a repository: what holds and where it comes from, and changes that keep the file's shape.

use anyhow::{Context, Result, anyhow, bail};

use super::{Key, NEW_FILE, Pattern, PolicyFile, Profile, RuleAction, Setting, Store, SuiteSetting, edit};

pub struct Settings {
    pub store: Store,
    /// The rules of the program; those of the file come beside them.
    pub known_rules: Vec<&'static str>,
    /// What is done about a rule under a profile where the policy does not name it.
    pub usual: fn(&str, Profile, &[Pattern]) -> RuleAction,
}

/// Everything that holds.
pub struct All {
    /// Every setting that has a key.
    pub settings: Vec<Shown>,
    /// The suites and patterns that the file names.
    pub suites: Option<Vec<SuiteSetting>>,
    pub patterns: Vec<Pattern>,
}

/// A setting that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    pub key: Key,
    pub value: Setting,
    /// Whether the file says so; it is the default otherwise.
    pub from_file: bool,
}

/// How a setting shall change.
pub enum Change {
    /// To a value as it is typed.
    Set(String),
    /// By items of a list, as they are typed.
    Items { added: Option<String>, removed: Option<String> },
    /// To its default.
    Unset,
}

/// What a change did.
pub struct Changed {
    pub before: Shown,
    pub after: Shown,
    /// Whether the file is another one now.
    pub written: bool,
}

impl Settings {
    pub fn key(&self, text: &str) -> Result<Key> {
        // A file that cannot be read is told when the key is used.
        let file = self.patterns().unwrap_or_default();
        Key::parse(text, &self.rules(&file)).map_err(|message| anyhow!(message))
    }

    /// The rules that the file adds.
    pub fn patterns(&self) -> Result<Vec<Pattern>> {
        Ok(self.file(self.store.read()?.as_deref())?.patterns)
    }

    fn rules<'p>(&self, patterns: &'p [Pattern]) -> Vec<&'p str> {
        self.known_rules.iter().copied().chain(patterns.iter().map(|pattern| pattern.name.as_str())).collect()
    }

    pub fn get(&self, key: &Key) -> Result<Shown> {
        Ok(self.shown(key, &self.file(self.store.read()?.as_deref())?))
    }

    pub fn all(&self) -> Result<All> {
        let file = self.file(self.store.read()?.as_deref())?;
        let keys = Key::all(&self.rules(&file.patterns));
        let settings = keys.iter().map(|key| self.shown(key, &file)).collect();
        Ok(All { settings, suites: file.suites, patterns: file.patterns })
    }

    pub fn change(&self, key: &Key, change: &Change) -> Result<Changed> {
        let mut sides = None;
        let written = self.store.update(|text| {
            let mut file = self.file(text)?;
            let before = self.shown(key, &file);
            let value = change.value(&before)?;
            key.put(&mut file, value.clone());
            sides = Some((before, self.shown(key, &file)));
            match (text, &value) {
                (None, None) => Ok(None),
                _ => Ok(Some(edit(text.unwrap_or(NEW_FILE), key, value.as_ref(), &self.known_rules)?)),
            }
        })?;
        let (before, after) = sides.context("the policy file was not looked at")?;
        Ok(Changed { before, after, written })
    }

    fn file(&self, text: Option<&str>) -> Result<PolicyFile> {
        match text {
            Some(text) => Ok(PolicyFile::parse(text, &self.known_rules)?),
            None => Ok(PolicyFile::default()),
        }
    }

    fn shown(&self, key: &Key, file: &PolicyFile) -> Shown {
        let stated = key.get(file);
        let from_file = stated.is_some();
        let usual = |rule: &str, profile| (self.usual)(rule, profile, &file.patterns);
        let default = || key.default_value(file.profile.unwrap_or_default(), usual);
        Shown { key: key.clone(), value: stated.unwrap_or_else(default), from_file }
    }
}

impl Change {
    /// The value that the file shall say, `None` where it shall say none.
    fn value(&self, before: &Shown) -> Result<Option<Setting>> {
        let key = &before.key;
        let read = |text: &String| key.read(text).map_err(|message| anyhow!("{key}: {message}"));
        let (added, removed) = match self {
            Self::Unset => return Ok(None),
            Self::Set(text) => return read(text).map(Some),
            Self::Items { added, removed } => (added, removed),
        };
        if !key.is_list() {
            bail!("--add and --remove are for lists: write `aiwg-gate config set {key} VALUE`");
        }
        let typed = |text: &Option<String>| -> Result<Vec<String>> {
            Ok(text.as_ref().map(read).transpose()?.map(|items| items.lines()).unwrap_or_default())
        };
        let mut items = before.value.lines();
        for gone in typed(removed)? {
            let at = items.iter().position(|item| *item == gone);
            let at =
                at.with_context(|| format!("`{gone}` is not in {key}: it has {}", before.value.text()))?;
            items.remove(at);
        }
        for item in typed(added)? {
            if !items.contains(&item) {
                items.push(item);
            }
        }
        Ok(Some(Setting::List(items)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(folder: &tempfile::TempDir) -> Settings {
        let store = Store::new(folder.path(), &folder.path().join("state"));
        Settings { store, known_rules: vec!["test-skipped"], usual: |_, _, _| RuleAction::Block }
    }

    fn items(added: Option<&str>, removed: Option<&str>) -> Change {
        Change::Items { added: added.map(str::to_owned), removed: removed.map(str::to_owned) }
    }

    #[test]
    fn items_join_and_leave_what_holds_even_where_that_is_the_default() {
        let folder = tempfile::tempdir().unwrap();
        let settings = settings(&folder);
        let link = settings.key("proof.link").unwrap();
        let changed = settings.change(&link, &items(Some("a/.venv"), Some("target"))).unwrap();
        assert!(!changed.before.from_file && changed.after.from_file && changed.written);
        let shown = settings.get(&link).unwrap();
        assert_eq!(shown.value.lines(), ["node_modules", ".venv", "venv", "a/.venv"]);
        assert!(settings.change(&link, &items(None, Some("target"))).is_err());
        assert!(!settings.change(&link, &items(Some("venv"), None)).unwrap().written);
    }

    #[test]
    fn a_profile_changes_what_other_settings_are_by_default() {
        let folder = tempfile::tempdir().unwrap();
        let settings = settings(&folder);
        settings.change(&Key::Profile, &Change::Set("strict".into())).unwrap();
        let All { settings: all, suites, .. } = settings.all().unwrap();
        let equivalence = all.iter().find(|shown| shown.key.to_string() == "proof.equivalence").unwrap();
        assert_eq!((equivalence.value.text().as_str(), equivalence.from_file), ("exact", false));
        assert_eq!(suites, None);
        let changed = settings.change(&Key::Profile, &Change::Unset).unwrap();
        assert_eq!(
            (changed.before.value.text(), changed.after.value.text()),
            ("strict".into(), "standard".into())
        );
    }
}
