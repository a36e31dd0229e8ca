-- The assignments whose grades go to the gradebooks of learning platforms.
create table passback (
  assignment text primary key,
  -- What staff decided. Null: what the rules say.
  state text check (state in ('on', 'paused', 'off')),
  by_rules bigint not null default 0 check (by_rules in (0, 1)),
  -- Counts what may change a grade, and how much of that was compared with what was sent.
  changed bigint not null default 0,
  compared bigint not null default -1,
  -- The rules with which it was compared, and since when students see points by them.
  rules bigint not null default 0,
  shown bigint not null default 0,
  -- When it is compared again, whatever happens: students and columns come and go.
  again bigint not null default 0
);

-- The columns of gradebooks that a launch named.
create table passback_column (
  id KEY,
  assignment text not null references passback (assignment),
  -- Its name in serve.yaml.
  platform text not null,
  -- The address that the launch named: of the column, or of all columns, where one is to be made.
  address text not null,
  is_made bigint not null check (is_made in (0, 1)),
  -- The address of the column. Null: it is to be made.
  line_item text,
  -- Whether an assignment of the platform still names it.
  is_used bigint not null default 1 check (is_used in (0, 1)),
  -- How many requests in a row the platform refused for the whole column. At some number, nothing goes there until staff ask for it.
  refusals bigint not null default 0,
  status bigint not null default 0,
  reason text,
  -- Who makes it: until when, and how often somebody began to.
  until bigint not null default 0,
  attempt bigint not null default 0,
  unique (assignment, platform, address)
);

-- The grade of each student in each column.
create table passback_grade (
  id KEY,
  gradebook_column bigint not null references passback_column (id),
  person bigint not null references person (id),
  -- What the platform should have: hundredths of points, of the submission that counts. Null: nothing counts any more.
  submission bigint references submission (id),
  points bigint,
  max_points bigint not null,
  -- The time of the score, in milliseconds since 1970. Each other score has a later second: Moodle keeps no milliseconds.
  stamp bigint not null,
  state text not null check (state in ('waiting', 'sending', 'sent', 'refused')),
  -- Counts the claims. A sender whose number is old is too late.
  attempt bigint not null default 0,
  sender text,
  -- Sending: the end of the lease. Waiting: not before.
  until bigint not null default 0,
  -- How often this score was tried in vain, and why it was not taken.
  tries bigint not null default 0,
  status bigint not null default 0,
  reason text,
  -- The time of the last score that was sent and of which nobody knows whether the platform has it.
  unknown bigint,
  -- What the platform took last, and when.
  sent_submission bigint,
  sent_points bigint,
  sent_max bigint,
  sent_stamp bigint,
  sent_at bigint,
  unique (gradebook_column, person)
);
create index passback_next on passback_grade (until, id) where state in ('waiting', 'sending');
create index passback_state on passback_grade (gradebook_column, state);

-- The platforms that are left alone for some time.
create table passback_pause (
  platform text primary key,
  until bigint not null,
  -- How often in a row.
  tries bigint not null,
  status bigint not null,
  reason text not null
);
