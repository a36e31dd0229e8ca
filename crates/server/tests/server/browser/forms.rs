//! Forms as people fill them in, whose answers are pages: what is done is shown, or what is wrong.

use super::driver::Browser;
use super::sample::Sample;
use serde_json::json;

/// A form that somebody sends.
pub(super) struct Form {
    /// The login of who sends it. None: nobody is signed in.
    by: Option<&'static str>,
    /// Where to. `SECRET` is that of an invitation.
    pub(super) path: &'static str,
    fields: &'static [(&'static str, &'static str)],
    /// The field for a file, with the file's name and text.
    file: Option<(&'static str, &'static str, &'static str)>,
    /// What the answer says.
    says: &'static str,
}

const fn form(
    by: Option<&'static str>,
    path: &'static str,
    fields: &'static [(&'static str, &'static str)],
    says: &'static str,
) -> Form {
    Form { by, path, fields, file: None, says }
}

const fn file(
    by: &'static str,
    path: &'static str,
    file: (&'static str, &'static str, &'static str),
    says: &'static str,
) -> Form {
    Form { by: Some(by), path, fields: &[("request", "key")], file: Some(file), says }
}

const STUDENT: Option<&str> = Some("ann");
const STAFF: Option<&str> = Some("staff");

/// A table that adds, changes and leaves out, with columns that are not used.
const TABLE: &str = "login,name,sectoin,tutor\nann,Ann L,a,Tess\nzoe,Zoe <b>Bee</b>,b,Tess\n";

/// The forms in the order in which they are sent.
pub(super) const FORMS: &[Form] = &[
    form(None, "/sign-in", &[("login", "ann"), ("password", "wrong")], "Sign in"),
    form(None, "/invitations/SECRET", &[("password", "short"), ("again", "other")], "password"),
    form(
        STUDENT,
        "/account/password",
        &[("old", "wrong"), ("password", "short"), ("again", "other")],
        "Password",
    ),
    form(STUDENT, "/account/tokens", &[("name", "laptop")], "laptop"),
    file("ann", "/assignments/sum/check", ("files", "a.tar.gz", "no archive"), "check again"),
    file("ann", "/assignments/sum/check", ("files", "sum.cpp", "int main() {}"), "Makefile"),
    file("ann", "/assignments/sum/submissions", ("files", "a.zip", "PK no"), "cost no attempt"),
    form(STAFF, "/students", &[("text", "login,extra time\nzoe,soon\n,1\n")], "cannot be used yet"),
    form(STAFF, "/students", &[("text", TABLE)], "Did you mean"),
    form(STAFF, "/students", &[("text", TABLE), ("apply", "yes")], "Links"),
    form(STAFF, "/invitations", &[], "have set no password yet"),
    form(STAFF, "/students/new/invitation", &[], "link"),
    form(
        STAFF,
        "/students/ann/exceptions",
        &[("assignment", "sum"), ("kind", "extension"), ("amount", "2d"), ("reason", "")],
        "There is no reason",
    ),
    form(STAFF, "/regrades/1/apply", &[("reason", "")], "There is no reason"),
    form(
        STAFF,
        "/regrades",
        &[("course", "none"), ("assignment", "sum"), ("scope", "all")],
        "version",
    ),
    file("staff", "/course", ("archive", "c.tar.gz", "no archive"), "archive"),
    form(
        Some("administrator"),
        "/people",
        &[("login", "b b"), ("name", "B"), ("role", "staff")],
        "login",
    ),
    form(
        Some("administrator"),
        "/people",
        &[("login", "tom"), ("name", "Tom Tutor"), ("role", "staff")],
        "Tom Tutor",
    ),
];

/// Sends a form as a page does, with the token that the pages of this session have.
const SEND: &str = "
const [address, fields, file] = arguments;
const known = document.querySelector('header.bar form');
const form = document.createElement('form');
form.method = 'post';
form.action = address + (known ? new URL(known.action).search : '');
for (const [name, value] of fields) {
  const input = document.createElement('textarea');
  input.name = name;
  input.value = value;
  form.append(input);
}
if (file) {
  const [name, title, text] = file;
  const input = document.createElement('input');
  const held = new DataTransfer();
  held.items.add(new File([text], title));
  [input.type, input.name, input.files] = ['file', name, held.files];
  form.enctype = 'multipart/form-data';
  form.append(input);
}
document.body.append(form);
window.isBeforeTheAnswer = true;
form.submit();";

impl Form {
    /// Sends it, and waits for the answer.
    pub(super) fn send(&self, browser: &Browser, sample: &Sample) {
        let site = &sample.site;
        let start = if let Some(login) = self.by {
            let person = sample.people.iter().find(|it| it.login == login).unwrap();
            browser.is_of(site, person);
            "/"
        } else {
            browser.is_of_nobody();
            "/sign-in"
        };
        browser.visit(&format!("{}{start}", site.url));
        let secret = &sample.parameters.iter().find(|(name, _)| *name == "secret").unwrap().1[0];
        let path = self.path.replace("SECRET", secret);
        let body = json!({"script": SEND, "args": [path, self.fields, self.file]});
        browser.ask("/execute/sync", &body);
        browser.waits_for("!window.isBeforeTheAnswer && document.readyState === 'complete'");
        browser.waits_to_read(self.says);
    }
}
