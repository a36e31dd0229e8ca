//! Encrypted connections: to PostgreSQL, and from `harness submit` to a server.

use super::support::certificates::{Certificates, https};
use super::support::postgres::{self, Server};
use super::support::{program, site_on_both, sums};
use server::database::{Address, Database};
use server::people::Role;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::time::{Duration, Instant};

/// Whether the connection to a database is encrypted, by what the database says itself.
fn is_encrypted(address: &str) -> Result<bool, String> {
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let address = Address::new(address);
        address.check().map_err(|mistake| mistake.what)?;
        let opened = Database::open(&address).await;
        let database = opened.map_err(|fault| fault.to_string())?;
        let sql = "select ssl::text from pg_stat_ssl where pid = pg_backend_pid()";
        let said = database.read(|connection| Ok(connection.query(sql, &[])?[0].text(0)));
        Ok(said.await.unwrap() == "true")
    })
}

#[test]
fn a_connection_to_postgresql_is_encrypted_and_only_the_right_one_answers() {
    let Some(certificates) = Certificates::new() else { return };
    let Some(server) = Server::start_with(Some([&certificates.certificate(), &certificates.key()]))
    else {
        return;
    };
    let plain = server.database("sealed");
    assert_eq!(is_encrypted(&plain), Ok(false));
    assert_eq!(is_encrypted(&format!("{plain}?sslmode=require")), Ok(true));
    let verified = |certificates: &Certificates| {
        format!("{plain}?sslmode=verify-full&sslrootcert={}", certificates.authority().display())
    };
    let right = verified(&certificates);
    assert_eq!(is_encrypted(&right), Ok(true));

    let other = Certificates::new().unwrap();
    let refused = |address: &str| {
        let course = sums::course("");
        let done = program::run(program::serve(course.path(), &["audit", "--database", address]));
        assert_eq!(done.status, 5, "{}", done.error);
        done.error
    };
    for wrong in [verified(&other), right.replace("127.0.0.1", "localhost")] {
        let said = refused(&wrong);
        assert!(said.contains("certificate") && said.contains("`sslrootcert="), "{said}");
    }
    if let Some(plain) = postgres::fresh() {
        let said = refused(&format!("{plain}?sslmode=require"));
        assert!(said.contains("does not support TLS") && said.contains("`ssl = on`"), "{said}");
    }
    let course = sums::course("workers: 0");
    let done = program::run(program::serve(course.path(), &["doctor", "--database", &right]));
    assert!(
        done.out.contains("it is encrypted, and the database has a certificate"),
        "{}",
        done.out
    );
}

#[test]
fn an_authority_that_cannot_be_read_is_told_before_anything_else() {
    let address = |file: &str| format!("postgres://a@b/c?sslmode=verify-full&sslrootcert={file}");
    for (file, why) in [("/missing.pem", "No such file"), ("/dev/null", "it holds no certificate")]
    {
        let course = sums::course("");
        let done = program::run(program::serve(course.path(), &["--database", &address(file)]));
        assert_eq!(done.status, 2, "{}", done.error);
        assert!(
            done.error.contains(why) && done.error.contains("hint: name a file"),
            "{}",
            done.error
        );
    }
}

#[test]
fn a_submission_goes_only_to_a_server_that_proves_who_it_is() {
    let Some(certificates) = Certificates::new() else { return };
    site_on_both("{}", |site| {
        let url = https(site, &certificates);
        let ann = site.person("ann", Role::Student, "").id;
        let token = site.write(move |connection| server::tokens::make(connection, ann, "laptop"));
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("sum.cpp", sums::SUM),
            ("Makefile", sums::MAKEFILE),
            ("test-1.txt", "2 3\n"),
            ("token", &token),
        ] {
            sums::write(folder.path(), name, text);
        }
        let token = folder.path().join("token");
        std::fs::set_permissions(&token, std::fs::Permissions::from_mode(0o600)).unwrap();
        let submit = |authority: Option<&str>| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_harness-server"));
            command.args(["submit", "--assignment", "sum", "--no-wait", "--server", &url]);
            command.args(["--token-file", "token"]).current_dir(folder.path());
            command.env_remove("SSL_CERT_FILE");
            authority.map(|file| command.env("SSL_CERT_FILE", file));
            program::run(command)
        };
        let began = Instant::now();
        let refused = submit(None);
        assert_eq!(refused.status, 2, "{}", refused.error);
        for part in ["cannot prove who it is", "hint: check the address", "SSL_CERT_FILE"] {
            assert!(refused.error.contains(part), "{}", refused.error);
        }
        assert!(began.elapsed() < Duration::from_mins(1), "it is not asked again");
        assert_eq!(site.number("select count(*) from submission"), 0);
        let unread = submit(Some("/missing.pem"));
        assert!(unread.error.contains("which SSL_CERT_FILE names"), "{}", unread.error);
        let taken = submit(Some(certificates.authority().to_str().unwrap()));
        assert_eq!(taken.status, 0, "{}", taken.error);
        assert_eq!(site.number("select count(*) from submission"), 1);
    });
}
