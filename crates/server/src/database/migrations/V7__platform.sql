-- The keys by which learning platforms know this server. The last one signs.
create table lti_key (
  id KEY,
  -- Its `kid`.
  name text not null unique,
  -- As a JWK.
  public_key text not null,
  at bigint not null
);
-- The private parts. No backup holds them: platforms read the keys again.
create table lti_secret (
  name text primary key references lti_key (name),
  private_key BYTES not null
);

-- A course on a platform. `platform` is the platform's name in serve.yaml.
create table lti_context (
  id KEY,
  platform text not null,
  deployment text not null,
  context text not null,
  title text not null default '',
  -- Where the platform lists its members, and its columns of grades. Null if it does not.
  memberships text,
  line_items text,
  -- What may be asked for, separated by spaces.
  scopes text not null default '',
  -- Since when it belongs to this course, and who said so. Null: nothing is shown there or sent there.
  connected bigint,
  connected_by bigint references person (id),
  unique (platform, deployment, context)
);

-- A link in such a course, which leads to an assignment.
create table lti_link (
  id KEY,
  context bigint not null references lti_context (id),
  -- What the platform calls it.
  link text not null,
  title text not null default '',
  assignment text,
  -- The column of grades that belongs to it. Null if it has none.
  line_item text,
  unique (context, link)
);
create index lti_link_for on lti_link (assignment);

-- Who somebody is on a platform. An account there is one person here, and a person has one account there.
create table lti_subject (
  platform text not null,
  subject text not null,
  person bigint not null references person (id),
  at bigint not null,
  primary key (platform, subject),
  unique (platform, person)
);

-- Launches that have come, so that none comes twice.
create table lti_nonce (
  digest text primary key,
  until bigint not null
);
create index lti_nonce_until on lti_nonce (until);

-- Who is in such a course, as the platform last said. It is known before somebody follows a link.
create table lti_member (
  context bigint not null references lti_context (id),
  subject text not null,
  login text not null,
  primary key (context, subject)
);
