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
