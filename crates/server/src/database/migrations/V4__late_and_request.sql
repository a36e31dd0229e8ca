-- How late a submission was, beside its late days: the hours that had begun, and the days that the student's budget covers.
alter table submission add column late_hours bigint not null default 0;
alter table submission add column covered_days bigint not null default 0 check (covered_days >= 0);
update submission set late_hours = late_days * 24;

-- The late days of the course that a student spent, each by the submission that needed it first.
create table late_day (
  person bigint not null references person (id),
  -- Which day of the budget it is: the database cannot hold the same one twice.
  number bigint not null check (number between 1 and 1000),
  submission bigint not null references submission (id),
  primary key (person, number)
);
create index late_day_of on late_day (submission);

-- Hundredths of points by which staff changed what it earned, and why. They are added to each result, so they stay through reruns.
alter table submission add column adjusted bigint not null default 0;
alter table submission add column adjusted_why text not null default '';

-- What a student asks about a place of a report.
create table request (
  id KEY,
  submission bigint not null references submission (id),
  person bigint not null references person (id),
  assignment text not null,
  -- A name that holds for every result of the submission, such as `build` or `case sample/Two`.
  place text not null,
  text text not null,
  state text not null check (state in ('open', 'answered', 'withdrawn')),
  at bigint not null,
  -- Its number among those of the student for this assignment, and among the student's open ones. Null if it does not count.
  number bigint check (number between 1 and 1000),
  open_number bigint check (open_number between 1 and 1000),
  answer text not null default '',
  answered bigint,
  answered_by bigint references person (id),
  -- The limits: the database cannot hold one more.
  unique (person, assignment, number),
  unique (person, open_number)
);
create unique index request_once on request (submission, place) where state = 'open';
create index request_of on request (submission);
create index request_open on request (state, id);
