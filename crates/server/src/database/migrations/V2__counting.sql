-- The submissions of which one counts, whatever the rules are and whatever its student chose: of each number of late days the first of
-- the best, and the last of all. All of it follows from `submission` and `result`, and is kept because a class has a hundred times as many.
create table contender (
  assignment text not null,
  person bigint not null references person (id),
  submission bigint not null references submission (id),
  at bigint not null,
  late_days bigint not null,
  -- The result that stands.
  job bigint not null references result (job),
  points bigint not null,
  max_points bigint not null,
  exposed bigint,
  primary key (assignment, person, submission)
);
insert into contender
  (assignment, person, submission, at, late_days, job, points, max_points, exposed)
select assignment, person, id, at, late_days, job, points, max_points, exposed from (
  select submission.assignment, submission.person, submission.id, submission.at, submission.late_days,
    result.job, result.points, result.max_points, result.exposed,
    row_number() over (partition by submission.assignment, submission.person, submission.late_days
      order by result.points desc, submission.id) as place,
    row_number() over (partition by submission.assignment, submission.person
      order by submission.id desc) as from_last
  from submission join result on result.submission = submission.id
  where result.applied is not null and result.refused = 0 and submission.feedback = 'normal'
  and not exists (select 1 from result later where later.submission = result.submission
    and later.applied is not null and (later.applied > result.applied
    or later.applied = result.applied and later.job > result.job))
) as standing where place = 1 or from_last = 1;

-- The record of a result without inputs, outputs and tests, for the pages of a class. Results of version 1 have none.
create table summary (
  job bigint primary key references result (job),
  record text not null
);

-- Whether submissions are graded again whose results are of this version already.
alter table regrade add column again bigint not null default 0;
-- The jobs of the students up to this number are queued. Null: those of all.
alter table regrade add column queued bigint;
