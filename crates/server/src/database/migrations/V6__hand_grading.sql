-- A submission that somebody grades by hand.
create table hand_grading (
  submission bigint primary key references submission (id),
  assignment text not null,
  -- Counts the changes. One that rests on an older version is refused.
  version bigint not null default 0,
  -- Whether its grader is done with it.
  done bigint not null default 0 check (done in (0, 1)),
  -- Who has it open, and until when nobody else is given it.
  claimed_by bigint references person (id),
  claimed_until bigint not null default 0,
  changed bigint,
  changed_by bigint references person (id)
);
create index hand_grading_of on hand_grading (assignment, submission);

-- What a person gives for a part of it, in hundredths of points.
create table hand_grade (
  submission bigint not null references hand_grading (submission),
  part text not null,
  assignment text not null,
  points bigint not null,
  most bigint not null check (most > 0),
  -- What was chosen of the rubric, as it was then: JSON.
  chosen text not null,
  -- Points that no item of the rubric gives, and why.
  adjusted bigint not null,
  adjusted_why text not null,
  comment text not null,
  -- Since when its student sees it. Null: a draft.
  released bigint,
  primary key (submission, part),
  check (points between 0 and most)
);
create index hand_grade_of on hand_grade (assignment, submission);

-- A comment to a line of a source.
create table hand_comment (
  id KEY,
  submission bigint not null references hand_grading (submission),
  part text not null,
  assignment text not null,
  file text not null,
  line bigint not null check (line > 0),
  -- The line, so that nobody needs the archive to read the comment.
  excerpt text not null,
  text text not null,
  at bigint not null,
  person bigint not null references person (id)
);
create index hand_comment_of on hand_comment (submission, id);
create index hand_comment_again on hand_comment (assignment, text);

-- The points of the parts that were released, of so many. They follow from `hand_grade`, and are added to each result.
alter table submission add column hand_most bigint not null default 0;
alter table submission add column hand_points bigint not null default 0 check (hand_points between 0 and hand_most);
