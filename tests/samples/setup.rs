//! `scripts/setup.sh` on machines it has never seen: commands are stand-ins that say what they were asked.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

/// A machine: a folder that is all of PATH, with real coreutils and stand-ins for what matters.
struct Machine {
    folder: tempfile::TempDir,
}

impl Machine {
    /// Everything is there.
    fn complete() -> Self {
        let machine = Self { folder: tempfile::tempdir().unwrap() };
        for tool in ["sh", "sed", "cut", "sort", "head", "dirname", "env", "cat", "touch"] {
            let real = ["/bin", "/usr/bin"].iter().map(|f| Path::new(f).join(tool)).find(|p| p.exists()).unwrap();
            std::os::unix::fs::symlink(real, machine.path(tool)).unwrap();
        }
        machine.command("cargo", "exit 0");
        machine.command("rustc", "echo 'rustc 1.99.0 (stand-in)'");
        machine.command("cc", "exit 0");
        machine.command("pkg-config", "exit 0");
        machine.command("id", "echo 0");
        machine.command("dpkg-query", "echo installed");
        machine.command("apt-get", "echo \"apt-get $*\"");
        machine
    }

    /// Nothing but Rust: apt-get installs what makes pkg-config succeed.
    fn bare() -> Self {
        let machine = Self::complete();
        let done = machine.path("installed");
        machine.command("pkg-config", &format!("[ -e '{}' ]", done.display()));
        machine.command("dpkg-query", "exit 1");
        machine.command("apt-get", &format!("echo \"apt-get $*\"; touch '{}'", done.display()));
        machine
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, name: &str, script: &str) {
        fs::write(self.path(name), format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn without(self, name: &str) -> Self {
        fs::remove_file(self.path(name)).unwrap();
        self
    }

    fn set_up(&self) -> (Option<i32>, String) {
        // A stand-in just written may still be open in a child that another test's thread is starting: try again.
        let busy = |said: &str| said.contains("Text file busy");
        (0..20).map(|_| self.set_up_once()).find(|(_, said)| !busy(said)).unwrap()
    }

    fn set_up_once(&self) -> (Option<i32>, String) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/setup.sh");
        let Output { status, stdout, stderr } = Command::new("/bin/sh")
            .arg(script)
            .arg("test")
            .env_clear()
            .env("PATH", self.folder.path())
            .env("HOME", self.folder.path())
            .output()
            .unwrap();
        (status.code(), String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr))
    }
}

const ALL_PACKAGES: &str = "build-essential pkg-config libgdal-dev libproj-dev";

#[test]
fn a_complete_machine_is_left_alone_in_silence() {
    assert_eq!(Machine::complete().set_up(), (Some(0), String::new()));
}

#[test]
fn a_bare_machine_gets_every_package() {
    let (code, said) = Machine::bare().set_up();
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains(&format!("--no-install-recommends {ALL_PACKAGES}\n")), "{said}");
}

#[test]
fn only_missing_packages_are_installed() {
    let machine = Machine::bare();
    machine.command("dpkg-query", "case $* in *libproj-dev) exit 1 ;; *) echo installed ;; esac");
    let (code, said) = machine.set_up();
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("--no-install-recommends libproj-dev\n"), "{said}");
}

/// A package that was removed but not purged still answers dpkg-query.
#[test]
fn a_removed_package_counts_as_missing() {
    let machine = Machine::bare();
    machine.command("dpkg-query", "echo config-files");
    assert!(machine.set_up().1.contains(ALL_PACKAGES));
}

#[test]
fn sudo_is_used_when_not_root_and_asked_for_when_absent() {
    let machine = Machine::bare();
    machine.command("id", "echo 1000");
    let (code, said) = machine.set_up();
    assert_eq!(code, Some(1));
    assert!(said.contains("As root, run") && said.contains(ALL_PACKAGES), "{said}");
    machine.command("sudo", "echo \"sudo $*\"; exec \"$@\"");
    let (code, said) = machine.set_up();
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("sudo env DEBIAN_FRONTEND=noninteractive apt-get"), "{said}");
}

#[test]
fn other_systems_are_told_what_to_install() {
    let (code, said) = Machine::bare().without("apt-get").set_up();
    assert_eq!(code, Some(1));
    for way in ["brew install", "dnf install", "conda-forge", "OSGeo4W"] {
        assert!(said.contains(way), "{way}: {said}");
    }
}

#[test]
fn a_machine_without_rust_is_told_how_to_get_it() {
    let (code, said) = Machine::complete().without("cargo").set_up();
    assert_eq!(code, Some(1));
    assert!(said.contains("sh.rustup.rs"), "{said}");
}

#[test]
fn an_old_rust_is_refused_with_the_version_needed() {
    let machine = Machine::complete();
    machine.command("rustc", "echo 'rustc 1.63.0 (stand-in)'");
    let (code, said) = machine.set_up();
    assert_eq!(code, Some(1));
    assert!(said.contains(env!("CARGO_PKG_RUST_VERSION")) && said.contains("1.63.0"), "{said}");
}

#[test]
fn rustfmt_and_clippy_are_added_where_rustup_left_them_out() {
    let machine = Machine::complete();
    let done = machine.path("components");
    machine.command("cargo", &format!("[ -e '{}' ]", done.display()));
    machine.command("rustup", &format!("echo \"rustup $*\"; touch '{}'", done.display()));
    let (code, said) = machine.set_up();
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("rustup component add rustfmt"), "{said}");
}
