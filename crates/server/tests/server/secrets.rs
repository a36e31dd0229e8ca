//! No secret is in the database or in the log.

use super::support::{program, site_on_both, sums};
use server::people::{Role, invitation, session};
use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::process::Stdio;

/// All that the tables hold, as text.
fn all_text(site: &super::support::site::Site, is_sqlite: bool) -> String {
    site.write(move |connection| {
        let tables = if is_sqlite {
            "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'"
        } else {
            "select tablename::text from pg_tables where schemaname = 'public'"
        };
        let mut all = String::new();
        for table in connection.query(tables, &[])? {
            let table = table.text(0);
            let rows = if is_sqlite {
                let columns = connection.query(
                    &format!("select group_concat('coalesce(\"' || name || '\", '''')', ' || ''|'' || ') from pragma_table_info('{table}')"),
                    &[],
                )?;
                format!("select cast({} as text) from \"{table}\"", columns[0].text(0))
            } else {
                format!("select row_to_json(it)::text from \"{table}\" it")
            };
            for row in connection.query(&rows, &[])? {
                all.push_str(&row.text(0));
                all.push('\n');
            }
        }
        Ok(all)
    })
}

#[test]
fn the_database_holds_no_secret_that_lets_somebody_in() {
    site_on_both("{}", |site| {
        let password = "violet anchor 27 maps";
        let ann = site.person("ann", Role::Student, "");
        let id = ann.id;
        let used = site.write(move |connection| invitation::make(connection, id));
        let fields = [("password", password), ("again", password)];
        let accepted = site.nobody().post_to(&format!("/invitations/{used}"), &fields);
        let browser = site.nobody().with_session_of(&accepted);
        let made = browser.post("/account/tokens", &[("name", "laptop")]).body;
        let (_, token) = made.split_once("value=\"harness_").expect(&made);
        let open = site.write(move |connection| invitation::make(connection, id));
        let typed = "my password in the wrong field";
        site.nobody().post_to("/sign-in", &[("login", typed), ("password", "x")]);
        let session = browser.session.clone().unwrap();
        let text = all_text(site, site.app.database.is_sqlite());
        assert!(text.contains("ann") && text.contains("$argon2id$") && text.contains("laptop"));
        let form = session::form_token(&session);
        for secret in [password, typed, &session, &used, &open, &token[..64], &form] {
            assert!(!text.contains(secret), "{secret} is in the database");
        }
    });
}

#[test]
fn the_log_of_the_server_holds_no_secret() {
    let course = sums::course("{}");
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let mut command = program::serve(course.path(), &["--workers", "0", "--address", &free]);
    command.env("RUST_LOG", "debug").stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = program::Running(command.spawn().unwrap());
    let mut out = BufReader::new(running.0.stdout.take().unwrap());
    let mut line = String::new();
    let link = loop {
        line.clear();
        assert_ne!(out.read_line(&mut line).unwrap(), 0, "the server ended");
        if let Some((url, secret)) = line.trim().split_once("/invitations/") {
            break (url.to_owned(), secret.to_owned());
        }
    };
    let (url, secret) = link;
    let password = "violet anchor 27 maps";
    let agent: ureq::Agent = super::support::handing_in::client().build().into();
    let address = format!("{url}/invitations/{secret}");
    agent.get(&address).call().unwrap();
    let fields = [("password", password), ("again", password)];
    let entered = agent.post(&address).send_form(fields).unwrap();
    let cookie = entered.headers()["set-cookie"].to_str().unwrap().to_owned();
    let (_, session) = cookie.split_once('=').unwrap();
    let session = session[..64].to_owned();
    let form = session::form_token(&session);
    let tokens = agent.post(format!("{url}/account/tokens?form={form}"));
    let tokens = tokens.header("cookie", format!("{}={session}", session::COOKIE));
    let made = tokens.send_form([("name", "laptop")]).unwrap().body_mut().read_to_string().unwrap();
    let (_, token) = made.split_once("value=\"harness_").expect(&made);
    agent
        .post(format!("{url}/sign-in"))
        .send_form([("login", "x"), ("password", password)])
        .unwrap();
    let _ = running.0.kill();
    let mut log = String::new();
    running.0.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    assert!(log.contains("/invitations/{secret}"), "{log}");
    for secret in [password, &secret, &session, &form, &token[..64]] {
        assert!(!log.contains(secret), "{secret} is in the log");
    }
}
