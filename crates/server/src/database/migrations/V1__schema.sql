-- One text for both databases. KEY and BYTES are replaced by what each calls them.
create table person (
  id KEY,
  login text not null unique,
  name text not null,
  section text not null default '',
  role text not null check (role in ('student', 'grader', 'staff', 'administrator')),
  -- The sections that a grader sees, separated by commas. Empty: all.
  sees text not null default '',
  -- Minutes that each due date is later for this student.
  extra_minutes bigint not null default 0,
  -- argon2id, in the PHC format. Null until an invitation is accepted.
  password text,
  active bigint not null default 1 check (active in (0, 1)),
  created bigint not null
);

-- Secrets are kept as digests only.
create table invitation (
  digest text primary key,
  person bigint not null references person (id),
  until bigint not null
);
create table session (
  digest text primary key,
  person bigint not null references person (id),
  created bigint not null,
  seen bigint not null
);
create index session_of on session (person);
create table token (
  id KEY,
  digest text not null unique,
  person bigint not null references person (id),
  name text not null,
  created bigint not null,
  until bigint not null
);
-- `who` is a digest of an account, or of an account and an address: people type passwords into the wrong field.
create table failed_sign_in (
  who text not null,
  at bigint not null
);
create index failed_sign_in_of on failed_sign_in (who, at);

-- The text of serve.yaml, without what concerns one machine. The last one holds.
create table rules (
  id KEY,
  text text not null,
  at bigint not null
);

-- A version of the course: an archive of its files, by the digest of the archive.
create table course (
  digest text primary key,
  bytes BYTES not null,
  title text not null,
  at bigint not null,
  person bigint references person (id)
);
-- Which version is in force since when. The last one holds.
create table course_in_force (
  id KEY,
  course text not null references course (digest),
  at bigint not null,
  person bigint references person (id)
);

create table archive (
  digest text primary key,
  bytes BYTES not null
);
create table submission (
  id KEY,
  person bigint not null references person (id),
  assignment text not null,
  -- When it was acknowledged, in milliseconds since 1970, by the clock of the database.
  at bigint not null,
  -- The date of that moment in the course's time zone.
  day text not null,
  -- Its number among those that count on that day. Null if it does not count: past the limit, refunded, or of staff.
  slot bigint check (slot between 1 and 1000),
  -- The feedback that it gets.
  feedback text not null check (feedback in ('normal', 'past_limit')),
  -- The late days that it used.
  late_days bigint not null default 0,
  archive text not null references archive (digest),
  file_name text not null,
  -- A random key of the form or client, repeated when it tries again.
  request text not null,
  -- The daily limit: the database cannot hold one more.
  unique (person, assignment, day, slot),
  unique (person, request)
);
create index submission_of on submission (person, assignment, id);
create index submission_for on submission (assignment, id);

create table regrade (
  id KEY,
  course text not null references course (digest),
  assignment text not null,
  scope text not null,
  state text not null check (state in ('preview', 'applied', 'dropped')),
  at bigint not null,
  person bigint not null references person (id)
);

create table job (
  id KEY,
  submission bigint not null references submission (id),
  course text not null references course (digest),
  -- Which run of this submission with this course: from 0.
  run bigint not null default 0,
  -- 0 live, 1 rerun by hand, 2 regrade: lower first.
  class bigint not null check (class in (0, 1, 2)),
  -- When it was queued, and a minute later for each job of the student that was open then.
  rank bigint not null,
  state text not null check (state in ('queued', 'running', 'done', 'failed', 'dropped')),
  -- Counts the claims. A worker whose number is old is too late.
  attempt bigint not null default 0,
  -- How many of the claims were given back by workers that were asked to end.
  given_back bigint not null default 0,
  -- Running: the end of the lease. Queued: not before.
  until bigint not null default 0,
  worker text,
  -- Why it failed, for staff.
  reason text,
  regrade bigint references regrade (id),
  queued bigint not null,
  started bigint,
  finished bigint,
  unique (submission, course, run)
);
create index job_next on job (class, rank, id) where state in ('queued', 'running');
create index job_of on job (submission);
create index job_of_regrade on job (regrade, state) where regrade is not null;
create index job_finished on job (finished) where state = 'done';
create index job_failed on job (state, id) where state = 'failed';

-- What is known of a job that is running: the stage, and the report as far as it goes.
create table progress (
  job bigint primary key references job (id),
  attempt bigint not null,
  stage text not null,
  report text not null,
  at bigint not null
);

-- The result of a job, which never changes. A regrade is another job with another result.
create table result (
  job bigint primary key references job (id),
  submission bigint not null references submission (id),
  course text not null references course (digest),
  attempt bigint not null,
  -- Hundredths of points.
  points bigint not null,
  max_points bigint not null,
  refused bigint not null check (refused in (0, 1)),
  -- The bugs that its tests expose, and whether they earn one more submission a day.
  exposed bigint,
  earns_bonus bigint not null default 0 check (earns_bonus in (0, 1)),
  finished bigint not null,
  -- Since when it stands. Null: a regrade that is not applied.
  applied bigint,
  -- The record as JSON: complete, and so for staff only. It comes last: SQLite reads a long text to get at what is behind it.
  record text not null
);
-- It has all that tells which submission counts, so that nobody has to read the records for that.
create index result_of on result (submission, applied, job, points, max_points, refused, exposed, course);
create index result_bonus on result (submission) where earns_bonus = 1;

-- Which submission of a student counts, if it is not what the rules say.
create table choice (
  person bigint not null references person (id),
  assignment text not null,
  counts text not null check (counts in ('best', 'last')),
  primary key (person, assignment)
);

-- What staff grant to one student, or, without a person, to all.
create table exception (
  id KEY,
  person bigint references person (id),
  assignment text not null,
  kind text not null check (kind in ('extension', 'more')),
  -- extension: minutes; more: submissions.
  amount bigint not null,
  -- more: the day. Null: each day.
  day text,
  reason text not null,
  at bigint not null,
  granted_by bigint not null references person (id)
);
create index exception_of on exception (person, assignment);

-- The hints that a student was given, and when.
create table hint (
  person bigint not null references person (id),
  assignment text not null,
  mutant text not null,
  day text not null,
  primary key (person, assignment, mutant)
);

-- Who did what to what, when and why. Rows are only added, and each holds the digest of the one before.
create table audit (
  id KEY,
  at bigint not null,
  person bigint references person (id),
  action text not null,
  object text not null,
  reason text not null,
  -- What it was before and is now, as JSON.
  before text not null,
  after text not null,
  previous text not null unique,
  digest text not null unique
);
create index audit_by on audit (person, id);
create index audit_action on audit (action, id);
create index audit_of on audit (object);

-- What a worker last said of itself.
create table worker (
  name text primary key,
  seen bigint not null,
  -- `starting`, `waiting`, `grading`, or what keeps it from working.
  state text not null
);
