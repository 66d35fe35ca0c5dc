/**
 * How a database gets the newest schema: each step once, in order. Its version is how many it has had. Steps that were published are
 * never changed; a new one is put at the end. Keys compare byte by byte, whatever the language of the database.
 */
export const postgresMigrations: readonly string[] = [
  `
  create table plimsoll.seen (
    tenant text collate "C" not null, message text collate "C" not null, at double precision not null, used double precision not null,
    primary key (tenant, message)
  );
  create table plimsoll.branches (
    tenant text collate "C" not null, chain text collate "C" not null, conversation text collate "C" not null,
    requests integer not null, at double precision not null, used double precision not null, state text not null,
    primary key (tenant, chain)
  );
  create index branches_of_conversation on plimsoll.branches (tenant, conversation, requests);
  create table plimsoll.decisions (
    tenant text collate "C" not null, id text collate "C" not null, original text collate "C" not null,
    used double precision not null, body text not null,
    primary key (tenant, id)
  );
  create table plimsoll.originals (
    tenant text collate "C" not null, id text collate "C" not null, place bigint generated always as identity,
    handle text collate "C" not null, conversation text collate "C" not null,
    at double precision not null, used double precision not null, body text not null,
    primary key (tenant, id)
  );
  create index originals_by_handle on plimsoll.originals (tenant, handle);
  create index originals_of_conversation on plimsoll.originals (tenant, conversation, at);
  create table plimsoll.conversations (
    tenant text collate "C" not null, id text collate "C" not null, label text, dialect text not null, model text, mode text not null,
    held_out integer not null, first double precision not null, last double precision not null, requests integer not null,
    dollars double precision not null, untrimmed_dollars double precision not null, unpriced integer not null,
    used double precision not null,
    primary key (tenant, id)
  );
  create index conversations_by_last on plimsoll.conversations (tenant, last);
  create table plimsoll.requests (
    tenant text collate "C" not null, id text collate "C" not null, place bigint generated always as identity,
    conversation text collate "C" not null, number integer not null, at double precision not null, body text not null,
    primary key (tenant, id)
  );
  create index requests_of_conversation on plimsoll.requests (tenant, conversation, number);
  create table plimsoll.messages (
    tenant text collate "C" not null, conversation text collate "C" not null, id text collate "C" not null,
    place bigint generated always as identity, at double precision not null, body text not null,
    primary key (tenant, conversation, id)
  );
  create table plimsoll.texts (
    tenant text collate "C" not null, id text collate "C" not null, used double precision not null, body text not null,
    primary key (tenant, id)
  );
  `,
  `
  create index seen_by_use on plimsoll.seen (used);
  create index branches_by_use on plimsoll.branches (used);
  create index decisions_of_original on plimsoll.decisions (tenant, original);
  create index decisions_by_use on plimsoll.decisions (used);
  create index originals_by_use on plimsoll.originals (used);
  create index conversations_by_use on plimsoll.conversations (used);
  create index texts_by_use on plimsoll.texts (used);
  `,
]
