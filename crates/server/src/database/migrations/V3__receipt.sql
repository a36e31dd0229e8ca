-- The keys with which receipts are signed, in hexadecimal.
create table receipt_key (
  id KEY,
  public_key text not null unique,
  at bigint not null
);
-- The private halves. No backup has this table: a database that is restored makes a new key.
create table receipt_secret (
  public_key text primary key references receipt_key (public_key),
  private_key BYTES not null
);

-- The receipt of each result since there are receipts. Rows are only added, and each holds the digest of the one before.
create table receipt (
  -- From 1, without gaps.
  number bigint primary key,
  job bigint not null unique references result (job),
  -- The digest of what is signed.
  content text not null,
  -- Two receipts cannot follow the same one.
  previous text not null unique,
  digest text not null unique,
  -- The receipt as JSON.
  receipt text not null
);
