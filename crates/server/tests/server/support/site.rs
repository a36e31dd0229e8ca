//! A server in this process, and browsers that visit it.

use super::provider::SECRET;
use super::sums;
use server::app::{App, SignIn};
use server::config::Config;
use server::courses::{self, Courses};
use server::database::{Address, Database, Value};
use server::lti::key;
use server::people::{Person, Role, session};
use server::sso::Provider;
use server::web;
use std::collections::BTreeMap;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio::sync::OnceCell;

/// A server in this process.
pub(crate) struct Site {
    pub(crate) app: App,
    pub(crate) url: String,
    pub(crate) database: Address,
    pub(crate) runtime: Runtime,
    pub(crate) course: TempDir,
    _folder: TempDir,
}

/// Gives a server its key for platforms. It takes a second to make one, so all have the same.
async fn give_key(database: &Database) {
    static MADE: OnceCell<Vec<Value>> = OnceCell::const_new();
    let made = MADE.get_or_init(|| async {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::open(&super::sqlite(&folder)).await.unwrap();
        key::current(&database).await.unwrap();
        let sql = "select lti_key.name, public_key, private_key from lti_key, lti_secret";
        let rows = database.read(|connection| connection.query(sql, &[])).await.unwrap();
        rows[0].values().to_vec()
    });
    let [name, public, private] = made.await.clone().try_into().unwrap();
    let given = database.write(move |connection| {
        let sql = "insert into lti_key (name, public_key, at) values ($1, $2, 0)";
        connection.execute(sql, &[name.clone(), public.clone()])?;
        let sql = "insert into lti_secret (name, private_key) values ($1, $2)";
        connection.execute(sql, &[name.clone(), private.clone()])
    });
    given.await.unwrap();
}

/// What a visitor was answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: String,
}

impl Site {
    /// The course of sums on a database, with this `serve.yaml`.
    pub(crate) fn new(address: &Address, serve: &str) -> Self {
        Self::of(sums::course(serve), address)
    }

    /// A course on a database.
    pub(crate) fn of(course: TempDir, address: &Address) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let runtime = Runtime::new().unwrap();
        let (app, url) = runtime.block_on(async {
            let config = Config::read(&course.path().join("serve.yaml")).unwrap();
            let read = harness::course::Course::read(course.path()).unwrap();
            let packed = harness::command::pack::course(&read).unwrap();
            let database = Database::open(address).await.unwrap();
            let sign_in = config.machine.sign_in.clone();
            let begun = database.write(move |connection| {
                let sql = "insert into rules (text, at) values ($1, 0)";
                connection.execute(sql, &[(&config.text).into()])?;
                let digest = courses::add(connection, &packed, "Sums", None)?;
                courses::put_in_force(connection, &digest, None)
            });
            begun.await.unwrap();
            if !config.rules.platforms.is_empty() {
                give_key(&database).await;
            }
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            let url = format!("http://{}", listener.local_addr().unwrap());
            let app = App::new(database, Courses::new(&folder.path().join("courses")), &url)
                .with_sign_in(SignIn {
                    provider: sign_in.oidc.map(|it| Provider::new(it, SECRET.to_owned(), &url)),
                    header: sign_in.header,
                });
            let serving = app.clone();
            tokio::spawn(async move {
                web::serve(listener, &serving, std::future::pending()).await;
            });
            (app, url)
        });
        Self { app, url, database: address.clone(), runtime, course, _folder: folder }
    }

    /// Runs work with the database in a transaction.
    pub(crate) fn write<T: Send + 'static>(
        &self,
        work: impl FnMut(&mut server::database::Connection<'_>) -> server::database::Result<T>
        + Send
        + 'static,
    ) -> T {
        self.runtime.block_on(self.app.database.write(work)).unwrap()
    }

    /// The database, as the command line names it.
    pub(crate) fn database_name(&self) -> String {
        match &self.database {
            Address::Sqlite(path) => path.display().to_string(),
            Address::Postgres(url) => url.clone(),
        }
    }

    /// A person of the course.
    pub(crate) fn person(&self, login: &str, role: Role, section: &str) -> Person {
        let (login, section) = (login.to_owned(), section.to_owned());
        self.write(move |connection| {
            connection.execute(
                "insert into person (login, name, section, role, created) values ($1, $1, $2, $3, 0)",
                &[(&login).into(), (&section).into(), role.word().into()],
            )?;
            Ok(Person::by_login(connection, &login)?.unwrap())
        })
    }

    /// A browser in which this person is signed in.
    pub(crate) fn signed_in(&self, person: &Person) -> Browser {
        let id = person.id;
        let secret = self.write(move |connection| session::begin(connection, id));
        Browser { url: self.url.clone(), session: Some(secret) }
    }

    /// A browser in which nobody is signed in.
    pub(crate) fn nobody(&self) -> Browser {
        Browser { url: self.url.clone(), session: None }
    }
}

/// A browser, as far as HTTP goes.
#[derive(Clone)]
pub(crate) struct Browser {
    pub(crate) url: String,
    pub(crate) session: Option<String>,
}

impl Browser {
    pub(crate) fn get(&self, path: &str) -> Answer {
        let request = agent().get(format!("{}{path}", self.url));
        answer(self.with_cookie(request).call())
    }

    /// The bytes of a file.
    pub(crate) fn bytes(&self, path: &str) -> Vec<u8> {
        let request = agent().get(format!("{}{path}", self.url));
        let mut response = self.with_cookie(request).call().unwrap();
        response.body_mut().read_to_vec().unwrap()
    }

    /// Gets a page with another header.
    pub(crate) fn get_with(&self, path: &str, name: &str, value: &str) -> Answer {
        let request = agent().get(format!("{}{path}", self.url)).header(name, value);
        answer(self.with_cookie(request).call())
    }

    /// What comes before the body. The body is not waited for: that of a page that follows a submission may never end.
    pub(crate) fn head(&self, path: &str) -> Answer {
        let request = agent().get(format!("{}{path}", self.url));
        let response = self.with_cookie(request).call().unwrap();
        let status = response.status().as_u16();
        Answer { status, headers: headers(&response), body: String::new() }
    }

    /// Sends a form of a page of this session.
    pub(crate) fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let form = self.session.as_deref().map(session::form_token).unwrap_or_default();
        let mark = if path.contains('?') { '&' } else { '?' };
        self.post_to(&format!("{path}{mark}form={form}"), fields)
    }

    /// Sends a form to exactly this address.
    pub(crate) fn post_to(&self, address: &str, fields: &[(&str, &str)]) -> Answer {
        let request = agent().post(format!("{}{address}", self.url));
        answer(self.with_cookie(request).send_form(fields.iter().copied()))
    }

    /// Sends a form with more headers, as a page of another site does.
    pub(crate) fn post_with(
        &self,
        address: &str,
        fields: &[(&str, &str)],
        headers: &[(&str, &str)],
    ) -> Answer {
        let request = agent().post(format!("{}{address}", self.url));
        let request =
            headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        answer(self.with_cookie(request).send_form(fields.iter().copied()))
    }

    /// The same browser with the session that an answer gave it.
    pub(crate) fn with_session_of(&self, answer: &Answer) -> Self {
        let cookie = &answer.headers["set-cookie"];
        let (_, rest) = cookie.split_once(&format!("{}=", session::COOKIE)).unwrap();
        let (secret, _) = rest.split_once(';').unwrap();
        Self { url: self.url.clone(), session: Some(secret.to_owned()) }
    }

    /// Sends files with a key, as the form of a page does.
    pub(crate) fn upload(&self, path: &str, key: &str, files: &[(&str, &[u8])]) -> Answer {
        self.upload_for(path, key, files, "text/html")
    }

    /// The same, for an answer of this kind.
    pub(crate) fn upload_for(
        &self,
        path: &str,
        key: &str,
        files: &[(&str, &[u8])],
        accept: &str,
    ) -> Answer {
        let form = self.session.as_deref().map(session::form_token).unwrap_or_default();
        let body = super::handing_in::form(key, files);
        let request = agent().post(format!("{}{path}?form={form}", self.url));
        let request = self.with_cookie(request).header("accept", accept);
        let request = request.header("content-type", super::handing_in::FORM);
        answer(request.send(&body[..]))
    }

    /// Sends a form with one file.
    pub(crate) fn send_file(&self, path: &str, field: &str, name: &str, bytes: &[u8]) -> Answer {
        let form = self.session.as_deref().map(session::form_token).unwrap_or_default();
        let head = format!(
            "--edge\r\ncontent-disposition: form-data; name=\"{field}\"; filename=\"{name}\"\r\n\r\n"
        );
        let body = [head.as_bytes(), bytes, b"\r\n--edge--\r\n"].concat();
        let request = agent().post(format!("{}{path}?form={form}", self.url));
        let request = request.header("content-type", "multipart/form-data; boundary=edge");
        answer(self.with_cookie(request).send(&body[..]))
    }

    fn with_cookie<B>(&self, request: ureq::RequestBuilder<B>) -> ureq::RequestBuilder<B> {
        match &self.session {
            Some(secret) => request.header("cookie", format!("{}={secret}", session::COOKIE)),
            None => request,
        }
    }
}

/// Sends a request without a body, and gives the status of the answer. The rest of it may never end.
pub(crate) fn status_of(
    site: &Site,
    method: &str,
    address: &str,
    headers: &[(&'static str, String)],
) -> u16 {
    let url = format!("{}{address}", site.url);
    let mut request = ureq::http::Request::builder().method(method).uri(url);
    for (name, value) in headers {
        request = request.header(*name, value);
    }
    agent().run(request.body(()).unwrap()).unwrap().status().as_u16()
}

/// The longest answer, in bytes.
const LONGEST: u64 = 1 << 30;

/// Follows no redirects, and takes every status for an answer.
fn agent() -> ureq::Agent {
    super::handing_in::client().build().into()
}

fn answer(done: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Answer {
    let mut response = done.unwrap();
    let (status, headers) = (response.status().as_u16(), headers(&response));
    let bytes = response.body_mut().with_config().limit(LONGEST).read_to_vec().unwrap();
    let body = String::from_utf8_lossy(&bytes).into_owned();
    Answer { status, headers, body }
}

fn headers<B>(response: &ureq::http::Response<B>) -> BTreeMap<String, String> {
    let header = |(name, value): (&ureq::http::HeaderName, &ureq::http::HeaderValue)| {
        (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned())
    };
    let mut headers: BTreeMap<String, String> = BTreeMap::new();
    for (name, value) in response.headers().iter().map(header) {
        headers.entry(name).and_modify(|it| *it = format!("{it}, {value}")).or_insert(value);
    }
    headers
}
