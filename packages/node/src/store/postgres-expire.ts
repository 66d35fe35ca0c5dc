import type { PostgresDatabase } from './postgres-database.ts'
import { expiryBatch } from './store-limits.ts'

/** Deletes what was last used before a time, a batch at a time. How many rows went. Several gateways may do so at once. */
export async function expireInPostgres(database: PostgresDatabase, before: number): Promise<number> {
  let gone = 0
  for (const sql of steps) {
    for (;;) {
      const deleted = await database.run(sql, [before])
      gone += deleted
      if (deleted < expiryBatch) break
    }
  }
  return gone
}

// What belongs to a conversation goes before it, so that a crash in between leaves nothing that nobody finds. Rows that another gateway
// is using or deleting are left to it.
const steps: readonly string[] = [
  ...['requests', 'messages'].map(
    (table) => `delete from plimsoll.${table} where ctid = any(array(
      select owned.ctid from plimsoll.conversations join plimsoll.${table} as owned
        on owned.tenant = conversations.tenant and owned.conversation = conversations.id
      where conversations.used < $1 limit ${expiryBatch} for update of owned skip locked))`,
  ),
  ...['conversations', 'branches', 'decisions', 'originals', 'texts', 'seen'].map(
    (table) => `delete from plimsoll.${table} where ctid = any(array(
      select ctid from plimsoll.${table} where used < $1 limit ${expiryBatch} for update skip locked))`,
  ),
]
