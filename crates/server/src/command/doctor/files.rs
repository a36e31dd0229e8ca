//! The files of the server: who may read them, and whether there is room.

use super::super::Settings;
use super::{doubtful, fine, missing};
use crate::config;
use crate::database::Address;
use harness::files::nearest_existing;
use harness::report::doctor::Finding;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// What a class of a term takes, generously, in bytes.
const ROOM: u64 = 5 << 30;

/// File systems on which SQLite cannot rely on locks: NFS, SMB, FUSE, 9P.
const OF_A_NETWORK: [i64; 5] = [0x6969, 0x517b, 0xff53_4d42, 0x6573_5546, 0x0102_1997];

pub(super) fn findings(settings: &Settings) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Address::Sqlite(path) = &settings.database {
        findings.extend(open_to_others("database file", path));
        findings.extend(on_a_network(path));
        findings.push(room("room for the database", path.parent().unwrap_or(path)));
    }
    let file = settings.file.as_path();
    // The address of PostgreSQL may hold a password.
    if file.exists() && settings.config.machine.database.as_ref().is_some_and(|it| it.contains('@'))
    {
        findings.extend(open_to_others(config::FILE, file));
    }
    if let Some(oidc) = &settings.config.machine.sign_in.oidc {
        let folder = file.parent().unwrap_or(Path::new("."));
        findings.extend(open_to_others("secret of sign-in", &folder.join(&oidc.secret_file)));
    }
    findings.push(room("room for courses", &settings.cache));
    findings
}

fn open_to_others(what: &str, file: &Path) -> Option<Finding> {
    let metadata = fs::metadata(file).ok()?;
    let name = file.display();
    let is_private = metadata.permissions().mode() % 0o100 == 0;
    Some(if is_private {
        fine(what, format!("only its owner may read {name}"))
    } else {
        let found = format!("others on this machine may read {name}, which holds secrets");
        missing(what, found, format!("chmod 600 {name}"))
    })
}

fn on_a_network(file: &Path) -> Option<Finding> {
    let disk = rustix::fs::statfs(nearest_existing(file)).ok()?;
    OF_A_NETWORK.contains(&(disk.f_type as i64)).then(|| {
        let found = format!("{} is on a file system of a network", file.display());
        let remedy = "keep it on a disk of this machine, or use PostgreSQL";
        missing("database file", found, remedy)
    })
}

fn room(what: &str, folder: &Path) -> Finding {
    let gigabytes = |bytes: u64| bytes as f64 / f64::from(1 << 30);
    let name = folder.display();
    let disk = rustix::fs::statvfs(nearest_existing(folder));
    match disk.map(|disk| disk.f_bavail.saturating_mul(disk.f_frsize)) {
        Ok(room) if room < ROOM / 10 => {
            let found = format!("{name} has room for {:.2} GB", gigabytes(room));
            missing(what, found, "make room on that disk")
        }
        Ok(room) if room < ROOM => {
            let found = format!("{name} has room for {:.1} GB", gigabytes(room));
            doubtful(
                what,
                found,
                format!("a term of a large class may need {:.0}", gigabytes(ROOM)),
            )
        }
        Ok(room) => fine(what, format!("{name} has room for {:.0} GB", gigabytes(room))),
        Err(error) => missing(what, format!("{name}: {error}"), "name another folder"),
    }
}
