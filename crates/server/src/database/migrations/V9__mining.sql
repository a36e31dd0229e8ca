-- What the programs of a class get wrong: each row is a job behind all others.
create table mining (
  id KEY,
  assignment text not null,
  course text not null references course (digest),
  -- The last submission of a student when it was queued.
  submission bigint not null references submission (id),
  state text not null check (state in ('queued', 'running', 'done', 'failed')),
  -- As those of a job.
  attempt bigint not null default 0,
  given_back bigint not null default 0,
  until bigint not null default 0,
  worker text,
  reason text,
  queued bigint not null,
  started bigint,
  finished bigint,
  -- Who wanted it. Null: the setting.
  person bigint references person (id),
  -- What was found, as `harness-mined/1`. It comes last: SQLite reads a long text to get at what is behind it.
  document text
);
create index mining_of on mining (assignment, id);
create unique index mining_open on mining (assignment) where state in ('queued', 'running');
-- One at a time.
create unique index mining_running on mining (state) where state = 'running';

-- Whether a worker has what mines.
alter table worker add column mines bigint not null default 0 check (mines in (0, 1));
