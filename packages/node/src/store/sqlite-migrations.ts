/**
 * How a file becomes one of the newest schema: each step once, in order. A file's version is how many it has had. Steps that were
 * published are never changed; a new one is put at the end.
 */
export const sqliteMigrations: readonly string[] = [
  `
  create table settings (name text primary key, value text not null) without rowid;
  create table seen (
    tenant text not null, message text not null, at real not null, used real not null,
    primary key (tenant, message)
  ) without rowid;
  create table branches (
    tenant text not null, chain text not null, conversation text not null, requests integer not null,
    at real not null, used real not null, state text not null,
    primary key (tenant, chain)
  );
  create index branches_of_conversation on branches (tenant, conversation, requests);
  create table decisions (
    tenant text not null, id text not null, original text not null, used real not null, body text not null,
    primary key (tenant, id)
  );
  create table originals (
    tenant text not null, id text not null, handle text not null, conversation text not null,
    at real not null, used real not null, body text not null,
    primary key (tenant, id)
  );
  create index originals_by_handle on originals (tenant, handle);
  create index originals_of_conversation on originals (tenant, conversation, at);
  create table conversations (
    tenant text not null, id text not null, label text, dialect text not null, model text, mode text not null,
    held_out integer not null, first real not null, last real not null, requests integer not null,
    dollars real not null, untrimmed_dollars real not null, unpriced integer not null, used real not null,
    primary key (tenant, id)
  );
  create index conversations_by_last on conversations (tenant, last);
  create table requests (
    tenant text not null, id text not null, conversation text not null, number integer not null, at real not null, body text not null,
    primary key (tenant, id)
  );
  create index requests_of_conversation on requests (tenant, conversation, number);
  create table messages (
    tenant text not null, conversation text not null, id text not null, at real not null, body text not null,
    primary key (tenant, conversation, id)
  );
  create table texts (
    tenant text not null, id text not null, used real not null, body text not null,
    primary key (tenant, id)
  );
  `,
  `
  create index seen_by_use on seen (used);
  create index branches_by_use on branches (used);
  create index decisions_of_original on decisions (tenant, original);
  create index decisions_by_use on decisions (used);
  create index originals_by_use on originals (used);
  create index conversations_by_use on conversations (used);
  create index texts_by_use on texts (used);
  `,
]
