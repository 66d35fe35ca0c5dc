import { Client } from 'pg'
import { newerSchema } from './newer-schema.ts'
import { connectionOptions } from './postgres-database.ts'
import { isTransient, postgresTrouble } from './postgres-trouble.ts'

/** Brings a database to the newest schema. Any number of gateways may do so at once: one works, the others wait for it. */
export async function migratePostgres(url: string, migrations: readonly string[]): Promise<void> {
  try {
    await attempt(url, migrations).catch((error: unknown) => {
      if (!isTransient(error)) throw error
      return attempt(url, migrations)
    })
  } catch (error) {
    throw postgresTrouble(error)
  }
}

async function attempt(url: string, migrations: readonly string[]): Promise<void> {
  // A connection of its own, because a step may take longer than calls are given.
  const client = new Client({ ...connectionOptions(url), statement_timeout: 300_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    if ((await knownVersion(client, migrations.length)) === migrations.length) return
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [lockNumber])
    await client.query('create schema if not exists plimsoll')
    await client.query('create table if not exists plimsoll.settings (name text primary key, value text not null)')
    // Another gateway may have done it while this one waited.
    const version = await knownVersion(client, migrations.length)
    for (const step of migrations.slice(version)) await client.query(step)
    await client.query(
      "insert into plimsoll.settings (name, value) values ('version', $1) on conflict (name) do update set value = excluded.value",
      [String(migrations.length)],
    )
    await client.query('commit')
  } finally {
    // Ends an unfinished transaction, too.
    await client.end().catch(() => {})
  }
}

// Any number that no other program is likely to lock by.
const lockNumber = 747_874_787_479

async function knownVersion(client: Client, known: number): Promise<number> {
  const { rows: tables } = await client.query("select to_regclass('plimsoll.settings') is not null as exists")
  if ((tables as readonly { readonly exists: boolean }[])[0]?.exists !== true) return 0
  const { rows } = await client.query("select value from plimsoll.settings where name = 'version'")
  const found = Number((rows as readonly { readonly value: string }[])[0]?.value ?? 0)
  if (found > known) throw newerSchema(found, known)
  return found
}
