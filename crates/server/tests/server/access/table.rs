//! Whom each route is for.

use For::{Anybody, AtLeast, OfStudent, OfSubmission, OfSubmissionAs, Own, SignedIn};
use server::people::Role;

/// Whom a route is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum For {
    Anybody,
    SignedIn,
    /// The student ann alone.
    Own,
    AtLeast(Role),
    /// The student of the submission, and those of this role who see the student.
    OfSubmission,
    /// Those of this role who see the student of the submission.
    OfSubmissionAs(Role),
    /// Those of this role who see the student.
    OfStudent(Role),
}

/// A row for each route: `ann` is the student, and the submission and the token are hers.
pub(super) const TABLE: &[(&str, &str, For)] = &[
    ("GET", "/", SignedIn),
    ("GET", "/health", Anybody),
    ("GET", "/health/live", Anybody),
    ("GET", "/metrics", AtLeast(Role::Staff)),
    // Assignments and submissions
    ("GET", "/assignments/{assignment}", SignedIn),
    ("POST", "/assignments/{assignment}/counts", SignedIn),
    ("POST", "/assignments/{assignment}/submissions", SignedIn),
    ("POST", "/assignments/{assignment}/check", SignedIn),
    ("GET", "/assignments/{assignment}/scoreboard", SignedIn),
    ("GET", "/assignments/{assignment}/scoreboard/events", SignedIn),
    ("GET", "/submissions/{submission}", OfSubmission),
    ("GET", "/submissions/{submission}/events", OfSubmission),
    ("GET", "/submissions/{submission}/archive", OfSubmission),
    ("POST", "/submissions/{submission}/requests", OfSubmission),
    ("POST", "/submissions/{submission}/requests/{request}/withdraw", OfSubmission),
    ("POST", "/submissions/{submission}/requests/{request}/answer", OfSubmissionAs(Role::Grader)),
    ("POST", "/submissions/{submission}/points", OfSubmissionAs(Role::Staff)),
    ("GET", "/requests", AtLeast(Role::Grader)),
    ("GET", "/submissions/{submission}/receipt", OfSubmission),
    ("GET", "/receipts/key", Anybody),
    ("GET", "/receipts/head", Anybody),
    ("GET", "/receipts/chain", Anybody),
    // Accounts
    ("GET", "/sign-in", Anybody),
    ("POST", "/sign-in", Anybody),
    ("GET", "/sign-in/sso", Anybody),
    ("GET", "/sign-in/sso/return", Anybody),
    ("GET", "/sign-in/proxy", Anybody),
    ("POST", "/sign-out", SignedIn),
    ("GET", "/invitations/{secret}", Anybody),
    ("POST", "/invitations/{secret}", Anybody),
    ("GET", "/account", SignedIn),
    ("POST", "/account/password", SignedIn),
    ("POST", "/account/sessions/end", SignedIn),
    ("POST", "/account/tokens", SignedIn),
    ("POST", "/account/tokens/{token}/remove", Own),
    // People and the log
    ("GET", "/people", AtLeast(Role::Administrator)),
    ("POST", "/people", AtLeast(Role::Administrator)),
    ("POST", "/people/{student}", OfStudent(Role::Administrator)),
    ("POST", "/students/{student}/invitation", OfStudent(Role::Staff)),
    ("POST", "/students/{student}/sessions/end", OfStudent(Role::Staff)),
    ("GET", "/audit", AtLeast(Role::Staff)),
    // What staff use
    ("GET", "/students", AtLeast(Role::Grader)),
    ("POST", "/students", AtLeast(Role::Staff)),
    ("POST", "/invitations", AtLeast(Role::Staff)),
    ("GET", "/students/{student}", OfStudent(Role::Grader)),
    ("POST", "/students/{student}/exceptions", OfStudent(Role::Staff)),
    ("POST", "/students/{student}/exceptions/{exception}", OfStudent(Role::Staff)),
    ("GET", "/assignments/{assignment}/exceptions", AtLeast(Role::Staff)),
    ("POST", "/assignments/{assignment}/exceptions", AtLeast(Role::Staff)),
    ("POST", "/assignments/{assignment}/exceptions/{exception}", AtLeast(Role::Staff)),
    ("GET", "/queue", AtLeast(Role::Grader)),
    ("GET", "/queue/events", AtLeast(Role::Grader)),
    ("POST", "/queue/{job}/retry", AtLeast(Role::Staff)),
    ("POST", "/submissions/{submission}/rerun", OfSubmissionAs(Role::Staff)),
    ("POST", "/submissions/{submission}/refund", OfSubmissionAs(Role::Staff)),
    ("GET", "/assignments/{assignment}/class", AtLeast(Role::Grader)),
    ("GET", "/assignments/{assignment}/similar", AtLeast(Role::Grader)),
    ("GET", "/assignments/{assignment}/similar/{one}/{other}", OfSubmissionAs(Role::Grader)),
    ("GET", "/assignments/{assignment}/similar/{one}/earlier", OfSubmissionAs(Role::Staff)),
    ("GET", "/assignments/{assignment}/mining", AtLeast(Role::Staff)),
    ("POST", "/assignments/{assignment}/mining", AtLeast(Role::Staff)),
    ("GET", "/assignments/{assignment}/mining/lecture", AtLeast(Role::Staff)),
    ("GET", "/assignments/{assignment}/mining.json", AtLeast(Role::Staff)),
    ("GET", "/assignments/{assignment}/mining.tar.gz", AtLeast(Role::Staff)),
    ("GET", "/assignments/{assignment}/gradebook.csv", AtLeast(Role::Grader)),
    ("GET", "/assignments/{assignment}/gradebook.json", AtLeast(Role::Grader)),
    ("GET", "/assignments/{assignment}/submissions.csv", AtLeast(Role::Grader)),
    ("GET", "/assignments/{assignment}/submissions.json", AtLeast(Role::Grader)),
    ("GET", "/assignments/{assignment}/records.json", AtLeast(Role::Grader)),
    ("GET", "/gradebook.csv", AtLeast(Role::Grader)),
    ("GET", "/course", AtLeast(Role::Staff)),
    ("POST", "/course", AtLeast(Role::Staff)),
    ("GET", "/course/{version}", AtLeast(Role::Staff)),
    ("GET", "/course/{version}/archive", AtLeast(Role::Staff)),
    ("POST", "/course/{version}/in-force", AtLeast(Role::Staff)),
    ("POST", "/regrades", AtLeast(Role::Staff)),
    ("GET", "/regrades/{regrade}", AtLeast(Role::Staff)),
    ("GET", "/regrades/{regrade}/events", AtLeast(Role::Staff)),
    ("POST", "/regrades/{regrade}/apply", AtLeast(Role::Staff)),
    ("POST", "/regrades/{regrade}/drop", AtLeast(Role::Staff)),
    ("POST", "/regrades/{regrade}/retry", AtLeast(Role::Staff)),
];

/// The routes that a client may use with a token.
pub(super) const WITH_TOKEN: &[(&str, &str)] = &[
    ("GET", "/metrics"),
    ("GET", "/assignments/{assignment}"),
    ("POST", "/assignments/{assignment}/submissions"),
    ("POST", "/assignments/{assignment}/check"),
    ("GET", "/submissions/{submission}"),
    ("GET", "/submissions/{submission}/receipt"),
    ("GET", "/assignments/{assignment}/gradebook.csv"),
    ("GET", "/assignments/{assignment}/gradebook.json"),
    ("GET", "/assignments/{assignment}/submissions.csv"),
    ("GET", "/assignments/{assignment}/submissions.json"),
    ("GET", "/assignments/{assignment}/records.json"),
    ("GET", "/gradebook.csv"),
];
