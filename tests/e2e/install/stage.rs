//! A repository, a program that writes down how hooks call it, and pictures of directories to compare.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::repo::{GATE, Outcome, Repo, outcome};

/// A repository beside a stand-in program, whose own path is hard to quote.
pub struct Stage {
    pub repo: Repo,
}

impl Stage {
    pub fn new() -> Self {
        Self::with(Repo::new())
    }

    pub fn with(repo: Repo) -> Self {
        let stage = Self { repo };
        std::fs::create_dir_all(stage.program().parent().expect("a parent")).expect("a directory");
        stage.put_program(&stage.program());
        stage
    }

    /// Where hooks find the stand-in.
    pub fn program(&self) -> PathBuf {
        self.repo.root().join("it's a \"bin\" for $HOME/aiwg-gate")
    }

    /// Writes down its arguments, and its input in pre-push; fails where the log has a brother called `fail`.
    pub fn put_program(&self, path: &Path) {
        let script = format!(
            "#!/bin/sh\n{{ printf gate; printf ' <%s>' \"$@\"; echo; }} >>'{log}'\n\
             [ \"$2\" != pre-push ] || sed 's/^/gate reads /' >>'{log}'\n\
             [ ! -e '{log}.fail' ] || exit 1\n",
            log = self.log_file().display()
        );
        script_at(path, &script);
    }

    pub fn log_file(&self) -> PathBuf {
        self.repo.root().join("log")
    }

    /// What ran since the last look.
    pub fn log(&self) -> String {
        let text = std::fs::read_to_string(self.log_file()).unwrap_or_default();
        let _ = std::fs::remove_file(self.log_file());
        text
    }

    /// A hook that writes its name and arguments to the log and ends with a code.
    pub fn script(&self, name: &str, code: i32) -> String {
        let log = self.log_file();
        format!(
            "#!/bin/sh\n{{ printf '{name}'; printf ' <%s>' \"$@\"; echo; }} >>'{}'\nexit {code}\n",
            log.display()
        )
    }

    /// Puts an executable file into the repository.
    pub fn hook(&self, path: &str, text: &str) {
        script_at(&self.repo.path(path), text);
    }

    #[track_caller]
    pub fn install(&self) -> Outcome {
        self.gate(&["install"])
    }

    /// Runs `install` with the stand-in as the program, or another command of the real one.
    #[track_caller]
    pub fn gate(&self, args: &[&str]) -> Outcome {
        let mut command = self.repo.command(GATE);
        command.args(args).env("PATH", path_without_gate());
        if args.contains(&"install") {
            command.arg("--binary").arg(self.program());
        }
        outcome(&mut command)
    }

    /// A git command whose PATH has no aiwg-gate.
    pub fn git_command(&self, args: &[&str]) -> Command {
        let mut command = self.repo.command("git");
        command.args(args).env("PATH", path_without_gate());
        command
    }

    #[track_caller]
    pub fn git(&self, args: &[&str]) -> Outcome {
        outcome(&mut self.git_command(args))
    }

    /// An ordinary commit, with hooks.
    #[track_caller]
    pub fn commit(&self) -> Outcome {
        self.git(&["commit", "--quiet", "--allow-empty", "-m", "A change"])
    }

    /// Sets `core.hooksPath` for the user.
    pub fn set_global_hooks(&self, value: &str) {
        self.repo.git(&["config", "--global", "core.hooksPath", value]);
    }

    /// Everything that installing may touch, with modes and bytes.
    pub fn picture(&self) -> Picture {
        let places = [".git/config", ".git/hooks", ".git/info", ".git/modules", ".husky", ".githooks"];
        let mut picture = BTreeMap::new();
        for place in places.map(|place| self.repo.path(place)).iter().chain([&self.repo.root().join("home")])
        {
            take(place, &mut picture);
        }
        Picture(picture)
    }

    /// Installs, checks that this changed something, uninstalls, and wants every byte and mode back.
    #[track_caller]
    pub fn comes_back_after_install(&self) {
        let before = self.picture();
        self.install().passes();
        assert!(self.picture().0 != before.0, "nothing was installed");
        self.install().passes();
        self.gate(&["uninstall"]).passes();
        self.picture().equals(&before);
        self.gate(&["uninstall"]).passes().says("not installed");
    }
}

/// Files and directories with their modes; contents as text, for readable failures.
pub struct Picture(BTreeMap<PathBuf, (u32, String)>);

impl Picture {
    /// Leaves out files and directories of these names, which commits change too.
    pub fn without(mut self, names: &[&str]) -> Self {
        let named = |path: &PathBuf| path.iter().any(|part| names.iter().any(|name| part == *name));
        self.0.retain(|path, _| !named(path));
        self
    }

    #[track_caller]
    pub fn equals(&self, before: &Self) {
        let mut differences = String::new();
        for path in self.0.keys().chain(before.0.keys()) {
            if self.0.get(path) != before.0.get(path) {
                let _ = writeln!(differences, "{path:?}\n {:?}\n {:?}", before.0.get(path), self.0.get(path));
            }
        }
        assert!(differences.is_empty(), "not as before:\n{differences}");
    }
}

fn take(path: &Path, picture: &mut BTreeMap<PathBuf, (u32, String)>) {
    let Ok(metadata) = std::fs::symlink_metadata(path) else { return };
    let content = if metadata.is_symlink() {
        format!("{:?}", std::fs::read_link(path).expect("a link"))
    } else if metadata.is_file() {
        String::from_utf8_lossy(&std::fs::read(path).expect("a file")).into_owned()
    } else {
        for entry in std::fs::read_dir(path).expect("a directory") {
            take(&entry.expect("an entry").path(), picture);
        }
        String::new()
    };
    picture.insert(path.to_owned(), (metadata.permissions().mode(), content));
}

pub fn script_at(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
    std::fs::write(path, text).expect("a script");
    set_mode(path, 0o755);
}

pub fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("permissions");
}

/// The developer may have the real program installed; these tests must not find it.
pub fn path_without_gate() -> std::ffi::OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let clean = std::env::split_paths(&path).filter(|directory| !directory.join("aiwg-gate").exists());
    std::env::join_paths(clean).expect("a path")
}
