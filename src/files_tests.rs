//! Files that are replaced whole, and locks: what survives whom.

use super::*;

#[test]
fn a_file_is_replaced_whole_and_nothing_is_left_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/er/file");
    replace(&path, b"one").unwrap();
    replace(&path, b"two").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"two");
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn an_existing_file_keeps_its_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, "one").unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
    replace(&path, b"two").unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn what_a_killed_writer_left_is_swept_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    for name in [".aiwg-gate-abc123.tmp", ".aiwg-gate-notes", "session.tmp"] {
        fs::write(folder.path().join(name), "x").unwrap();
    }
    sweep_old(folder.path());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "a young one may have a writer");
    sweep(folder.path());
    let mut left: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, [".aiwg-gate-notes", "session.tmp"]);
}

#[test]
fn a_lock_is_held_by_one_at_a_time_even_where_its_file_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state/memory.lock");
    let counter = folder.path().join("counter");
    fs::write(&counter, "0").unwrap();
    std::thread::scope(|scope| {
        for worker in 0..8 {
            let (path, counter) = (&path, &counter);
            scope.spawn(move || {
                for _ in 0..20 {
                    let _lock = lock(path).unwrap();
                    let count: u32 = fs::read_to_string(counter).unwrap().parse().unwrap();
                    fs::write(counter, (count + 1).to_string()).unwrap();
                    if worker == 0 {
                        fs::remove_file(path).unwrap();
                    }
                }
            });
        }
    });
    assert_eq!(fs::read_to_string(&counter).unwrap(), "160");
}

#[test]
#[cfg(unix)]
fn a_lock_that_is_no_file_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.lock");
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    let error = format!("{:#}", lock(&path).unwrap_err());
    assert!(error.contains("no ordinary file"), "{error}");
}

#[test]
fn a_full_disk_says_what_to_do() {
    let error = explain("write", Path::new("/m/session.yaml"), io::ErrorKind::StorageFull.into());
    let words = format!("{error:#}");
    assert!(words.starts_with("cannot write /m/session.yaml: the disk is full; nothing was lost"), "{words}");
}

#[cfg(unix)]
#[test]
fn only_ordinary_files_of_a_bounded_size_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("file"), folder.path().join("link"));
    fs::write(&file, [b'x'; 10]).unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    assert_eq!(read_bounded(&file, 10).unwrap().0.len(), 10);
    assert!(read_bounded(&file, 9).is_err());
    assert!(read_bounded(&link, 10).unwrap_err().to_string().contains("no ordinary file"));
}
