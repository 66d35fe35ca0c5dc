import { setImmediate } from 'node:timers/promises'
import type { SqliteDatabase } from './sqlite-database.ts'
import { expiryBatch } from './store-limits.ts'

/** Deletes what was last used before a time, a batch at a time, and lets others in between. How many rows went. */
export async function expireInSqlite(database: SqliteDatabase, before: number): Promise<number> {
  let gone = 0
  for (const sql of steps) {
    for (;;) {
      const deleted = database.write('durable', () => database.run(sql, before))
      gone += deleted
      if (deleted < expiryBatch) break
      await setImmediate()
    }
  }
  // Gives a part of what became free back to the disk; the rest is used again, or given back next time.
  if (gone > 0) database.rows('pragma incremental_vacuum(2000)')
  return gone
}

// What belongs to a conversation goes before it, so that a crash in between leaves nothing that nobody finds.
const steps: readonly string[] = [
  ...['requests', 'messages'].map(
    (table) => `delete from ${table} where rowid in (
      select owned.rowid from conversations join ${table} as owned
        on owned.tenant = conversations.tenant and owned.conversation = conversations.id
      where conversations.used < ? limit ${expiryBatch})`,
  ),
  ...['conversations', 'branches', 'decisions', 'originals', 'texts'].map(
    (table) => `delete from ${table} where rowid in (select rowid from ${table} where used < ? limit ${expiryBatch})`,
  ),
  `delete from seen where (tenant, message) in (select tenant, message from seen where used < ? limit ${expiryBatch})`,
]
