//! No flipped bit in any stored file gives a result: it is refused with a sentence, or it does not matter to a single byte.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use couloir::store::manifest;
use couloir::store::run_folder::{self, ShardFolder};

use crate::site::Site;
use crate::{couloir, finished, refused, signal, wait_for};

/// Bits spread over a file, its ends among them; others in every call.
fn bits(length: usize, count: usize, seed: u64) -> Vec<usize> {
    let all = 8 * length;
    let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        (x % all as u64) as usize
    };
    let ends = [0, all - 1, 7, all / 2, all - 257, all - 9].into_iter().filter(|&bit| bit < all);
    (0..count.div_ceil(2)).map(|_| next()).chain(ends).take(count).collect()
}

/// Calls `look` with each of these bits of a file flipped, and puts the file back.
fn flipping(path: &Path, count: usize, mut look: impl FnMut(usize)) {
    let whole = fs::read(path).unwrap();
    assert!(!whole.is_empty(), "{}", path.display());
    let seed = path.to_string_lossy().bytes().map(u64::from).sum();
    for bit in bits(whole.len(), count, seed) {
        let mut flipped = whole.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        fs::write(path, &flipped).unwrap();
        look(bit);
    }
    fs::write(path, whole).unwrap();
}

fn stored(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.is_file() && path.metadata().unwrap().len() > 0).collect();
    files.sort();
    files
}

const POINTS: &str = "outputs: {trajectories: [geopackage], points_every_s: 0.05}\n";

fn parts(site: &Site) {
    for (name, part) in [("a", "1/2"), ("b", "2/2")] {
        finished(couloir(&["run", &site.project(), "--shard", part, "--out", &site.path(name)]));
    }
}

fn merge(site: &Site, out: &str) -> Command {
    couloir(&["merge", &site.path("a"), &site.path("b"), "--out", &site.path(out)])
}

#[test]
fn flipped_bits_in_a_part_were_merged() {
    let site = Site::new(POINTS, 40);
    parts(&site);
    let files = stored(&site.folder("b/shard"));
    assert_eq!(files.len(), 5, "a state and four logs: {files:?}");
    let is_refused = || match ShardFolder::open(&site.folder("b")) {
        Err(_) => true,
        Ok(shard) => shard.check().is_err(),
    };
    assert!(!is_refused());
    for file in &files {
        flipping(file, 300, |bit| assert!(is_refused(), "bit {bit} of {}", file.display()));
        // The verb looks, too, and leaves nothing that could be taken for a result.
        flipping(file, 2, |bit| {
            let error = refused(merge(&site, "merged"), 3);
            assert_eq!(error.trim().lines().count(), 1, "bit {bit}: {error}");
            assert!(error.contains("shard"), "bit {bit}: {error}");
            assert!(!site.folder("merged/results.bin").exists() && !site.folder("merged/manifest.json").exists());
            let _ = fs::remove_dir_all(site.folder("merged"));
        });
        // Cut off, emptied, lengthened, gone.
        let whole = fs::read(file).unwrap();
        for other in [&whole[..whole.len() - 1], &whole[..whole.len() / 2], &whole[..0]] {
            fs::write(file, other).unwrap();
            assert!(is_refused(), "{} of {} bytes of {}", other.len(), whole.len(), file.display());
        }
        fs::remove_file(file).unwrap();
        assert!(is_refused(), "{} is gone", file.display());
        fs::write(file, whole).unwrap();
    }
    finished(merge(&site, "merged"));
}

/// A log of the other part, an edited range with the rest as it was, a part of another run: none of them is merged.
#[test]
fn logs_of_another_part_and_edited_ranges_were_merged() {
    let site = Site::new("", 40);
    parts(&site);
    for log in ["records", "tracks", "crossings"] {
        let (mine, theirs) = (site.folder(&format!("b/shard/{log}.log")), site.folder(&format!("a/shard/{log}.log")));
        let whole = fs::read(&mine).unwrap();
        fs::copy(&theirs, &mine).unwrap();
        let error = refused(merge(&site, "merged"), 3);
        assert!(error.contains(&format!("{log}.log' is damaged or of another run")), "{error}");
        fs::remove_dir_all(site.folder("merged")).unwrap();
        fs::write(&mine, whole).unwrap();
    }
    let state = site.folder("a/shard/state.bin");
    let whole = fs::read(&state).unwrap();
    let text = b"\"range\":[0,20]";
    let at = whole.windows(text.len()).position(|window| window == text).expect("the head is JSON");
    for range in ["\"range\":[0,21]", "\"range\":[1,20]", "\"range\":[0,02]"] {
        let mut edited = whole.clone();
        edited[at..at + text.len()].copy_from_slice(range.as_bytes());
        fs::write(&state, edited).unwrap();
        let error = refused(merge(&site, "merged"), 3);
        assert!(error.contains("is damaged"), "{error}");
    }
    fs::write(&state, whole).unwrap();
    finished(merge(&site, "merged"));
    // The whole state of the other part is the other part.
    fs::copy(site.folder("b/shard/state.bin"), &state).unwrap();
    assert!(refused(merge(&site, "again"), 3).contains("overlap"));
}

#[test]
fn flipped_bits_in_a_finished_run_were_classified() {
    let site = Site::new("classification: {scheme: swiss}\n", 40);
    let run = site.folder("run");
    finished(couloir(&["run", &site.project(), "--out", &site.path("run"), "--limit", "20"]));
    let verb = |verb: &str| couloir(&[verb, &site.path("run")]);
    flipping(&run.join("results.bin"), 400, |bit| assert!(run_folder::results(&run).is_err(), "bit {bit}"));
    flipping(&run.join("manifest.json"), 400, |bit| assert!(manifest::read(&run).is_err(), "bit {bit}"));
    for file in ["results.bin", "manifest.json", "report.html", "classification/swiss/hazard.tif"] {
        flipping(&run.join(file), 2, |bit| {
            // A map that was changed is not a classification's to replace, code 1; what cannot be read is bad input, code 3.
            let code = if file.contains('/') || file == "report.html" { 1 } else { 3 };
            let error = refused(verb("classify"), code);
            assert!(error.contains(file) && error.trim().lines().count() == 1, "bit {bit} of {file}: {error}");
            if file == "manifest.json" {
                assert!(refused(verb("show"), 3).contains(file), "bit {bit}");
            }
        });
    }
    for file in ["layers/passages.tif", "results.bin", "manifest.json", "report.html"] {
        flipping(&run.join(file), 2, |bit| {
            let again = couloir(&["run", &site.project(), "--out", &site.path("run"), "--limit", "20", "--resume"]);
            let error = refused(again, 3);
            assert!(error.contains(file), "bit {bit} of {file}: {error}");
        });
    }
    // A classification does not vouch for maps it did not make.
    let hash = |run: &Path| {
        let outputs = manifest::read(run).unwrap().outputs;
        outputs.into_iter().find(|file| file.path == "layers/passages.tif").unwrap().sha256
    };
    let before = hash(&run);
    flipping(&run.join("layers/passages.tif"), 1, |_| {
        finished(verb("classify"));
        assert_eq!(hash(&run), before);
    });
    // Counts of another run are not this one's.
    finished(couloir(&["run", &site.project(), "--out", &site.path("other"), "--limit", "20", "--seed", "3"]));
    fs::copy(site.folder("other/results.bin"), run.join("results.bin")).unwrap();
    assert!(refused(verb("classify"), 3).contains("different runs"));
}

#[test]
fn flipped_bits_in_a_checkpoint_were_resumed() {
    let site = Site::new(POINTS, 100);
    let run = |out: &str| couloir(&["run", &site.project(), "--out", &site.path(out), "--threads", "1"]);
    finished(run("whole"));
    let mut begun = run("begun");
    begun.args(["--progress", "json", "--checkpoint-every", "0.01"]);
    let mut child = begun.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    assert!(wait_for(&mut child, |line| line["stage"] == "simulate" && line["done"].as_u64() >= Some(30)));
    signal(&child, "-TERM");
    assert_eq!(child.wait().unwrap().code(), Some(4));
    let files = stored(&site.folder("begun/.partial"));
    assert!(files.len() >= 4, "{files:?}");
    for file in &files {
        let name = file.file_name().unwrap();
        for bit in bits(fs::metadata(file).unwrap().len() as usize, 3, 7) {
            let copy = site.folder("copy");
            let _ = fs::remove_dir_all(&copy);
            fs::create_dir_all(copy.join(".partial")).unwrap();
            files.iter().for_each(|file| {
                fs::copy(file, copy.join(".partial").join(file.file_name().unwrap())).unwrap();
            });
            let mut bytes = fs::read(file).unwrap();
            bytes[bit / 8] ^= 1 << (bit % 8);
            fs::write(copy.join(".partial").join(name), bytes).unwrap();
            let mut again = run("copy");
            let output = again.arg("--resume").output().unwrap();
            let text = String::from_utf8_lossy(&output.stderr);
            match output.status.code() {
                // Behind the checkpoint, where the log is cut.
                Some(0) => {
                    assert_ne!(name, "state.bin", "bit {bit}");
                    let (a, b) = (crate::files(&site.folder("whole")), crate::files(&copy));
                    assert!(a == b, "bit {bit} of {name:?}");
                }
                Some(code) => {
                    assert!([1, 3].contains(&code) && text.trim().lines().count() == 1, "{code}: {text}");
                    assert!(text.contains(&*name.to_string_lossy()), "{text}");
                }
                None => panic!("bit {bit} of {name:?}: ended by a signal"),
            }
        }
    }
    finished({
        let mut again = run("begun");
        again.arg("--resume");
        again
    });
    assert!(crate::files(&site.folder("whole")) == crate::files(&site.folder("begun")));
}

/// The verbs looked at what should be a file of theirs, and waited for ever.
#[test]
fn a_pipe_in_the_place_of_a_stored_file_was_waited_for() {
    let site = Site::new("", 20);
    parts(&site);
    let (project, run) = (site.project(), site.path("run"));
    finished(couloir(&["run", &project, "--out", &run, "--limit", "3"]));
    finished(couloir(&["run", &project, "--out", &site.path("other"), "--limit", "3", "--seed", "9"]));
    finished(couloir(&["plan", &project, "--parts", "2", "--out", &site.path("plan")]));
    let (out, inputs) = (site.path("out"), site.path("plan/inputs.json"));
    let (a, b, other, plan) = (site.path("a"), site.path("b"), site.path("other"), site.path("plan"));
    let cases: [(&str, &[&str]); 9] = [
        ("run/results.bin", &["run", &project, "--out", &run, "--overwrite"]),
        ("run/layers/passages.tif", &["report", &run]),
        ("run/layers/passages.tif", &["diff", &run, &other, "--out", &out]),
        ("run/layers/passages.tif.aux.xml", &["diff", &run, &other, "--out", &out]),
        ("run/layers/passages.tif.aux.xml", &["report", &run]),
        ("a/shard/state.bin", &["run", &project, "--shard", "1/2", "--out", &a, "--overwrite"]),
        ("a/shard/crossings.log", &["merge", &a, &b, "--out", &out]),
        ("plan/inputs.json", &["run", &project, "--out", &out, "--hashes", &inputs]),
        ("plan/.plan.json.couloir.json", &["plan", &project, "--parts", "2", "--out", &plan, "--overwrite"]),
    ];
    for (name, arguments) in cases {
        let path = site.folder(name);
        let kept = path.exists().then(|| fs::read(&path).unwrap());
        kept.iter().for_each(|_| fs::remove_file(&path).unwrap());
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        // What waits ends with exit code 124.
        let output =
            Command::new("timeout").args(["120", env!("CARGO_BIN_EXE_couloir")]).args(arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(1..=3)), "{name} {arguments:?}: {output:?}");
        assert!(said.starts_with("error: ") && said.lines().count() == 1, "{name}: {said}");
        // A merge can be continued once its parts are in order; nothing else leaves a trace.
        assert!(
            !site.folder("out/manifest.json").exists() && (arguments[0] == "merge" || !site.folder("out").exists())
        );
        let _ = fs::remove_dir_all(site.folder("out"));
        fs::remove_file(&path).unwrap();
        kept.iter().for_each(|bytes| fs::write(&path, bytes).unwrap());
    }
}
