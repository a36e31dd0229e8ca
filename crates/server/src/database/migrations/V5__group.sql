-- Students who hand in together for an assignment: the rows with the same keeper, who is one of them. What any of them hands in is stored
-- under the keeper, so the limits and the results of the group are those of one student.
create table member (
  assignment text not null,
  person bigint not null references person (id),
  keeper bigint not null references person (id),
  -- From 1, which is the keeper's: the database cannot hold a larger group.
  place bigint not null check (place between 1 and 10),
  -- Nobody is in two groups.
  primary key (assignment, person),
  unique (assignment, keeper, place),
  check ((place = 1) = (person = keeper))
);

-- Whom a student asked to hand in together. What was accepted is a member instead.
create table group_invitation (
  id KEY,
  assignment text not null,
  inviter bigint not null references person (id),
  person bigint not null references person (id),
  -- Its number among those of the inviter: nobody asks a whole class.
  number bigint not null check (number between 1 and 10),
  state text not null check (state in ('open', 'declined')),
  at bigint not null,
  unique (assignment, inviter, number),
  -- Who declined is not asked again by the same student.
  unique (assignment, inviter, person)
);
create index group_invitation_for on group_invitation (person, assignment);

-- Which member of the group handed it in. Null: the student under whom it is stored.
alter table submission add column sent_by bigint references person (id);
