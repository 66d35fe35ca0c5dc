import { setTimeout as sleep } from 'node:timers/promises'
import { loadSqlite } from '../../../packages/node/src/store/sqlite/sqlite-database.ts'

/** Holds the lock of an SQLite file for some milliseconds, like another program with a long transaction. */
export async function holdStore(path: string, milliseconds: number): Promise<void> {
  const { DatabaseSync: Database } = loadSqlite()
  const database = new Database(path, { timeout: 5000 })
  try {
    database.exec('begin immediate')
    await sleep(milliseconds)
    database.exec('rollback')
  } finally {
    database.close()
  }
}
