import { setTimeout } from 'node:timers/promises'
import { Pool, type PoolConfig } from 'pg'
import { StoreError } from './gateway-store.ts'
import { isTransient, postgresTrouble } from './postgres-trouble.ts'

/** Connections to one PostgreSQL. Its calls reject with `StoreError`. */
export interface PostgresDatabase {
  /** The rows of one statement. It may run again when its connection is lost, so it has to be one that can. */
  readonly rows: (sql: string, values?: readonly unknown[]) => Promise<readonly unknown[]>
  /** Runs a statement; how many rows it changed. */
  readonly run: (sql: string, values?: readonly unknown[]) => Promise<number>
  readonly close: () => Promise<void>
}

/** Connects when first asked, and again whenever a connection is lost. */
export function openPostgresDatabase(url: string): PostgresDatabase {
  const pool = new Pool({
    ...connectionOptions(url),
    max: most,
    idleTimeoutMillis: 60_000,
    statement_timeout: 15_000,
    // Where the network swallows the answer, the server's own limit would never be heard of.
    query_timeout: 20_000,
    allowExitOnIdle: true,
  })
  // A connection that breaks while nobody uses it is replaced when somebody does.
  pool.on('error', () => {})
  let closed: Promise<void> | null = null
  const query = async (sql: string, values: readonly unknown[] = []) => {
    if (closed !== null) throw new StoreError('unreachable', 'The store is closed.')
    for (let attempt = 1; ; attempt++) {
      try {
        return await pool.query(sql, [...values])
      } catch (error) {
        if (attempt === attempts || !isTransient(error)) throw postgresTrouble(error)
        // Where the server ended one connection it ended others; in the meantime the pool notices.
        await setTimeout(50 * attempt)
      }
    }
  }
  return {
    rows: async (sql, values) => (await query(sql, values)).rows,
    run: async (sql, values) => (await query(sql, values)).rowCount ?? 0,
    close: () => {
      closed ??= pool.end()
      return closed
    },
  }
}

/** How many connections there are at most. */
const most = 8

/** How often a call is tried where connections are lost: all of them may be, each noticed only by who uses it. */
const attempts = most + 1

/** How a URL is connected to; TLS as the URL says. */
export function connectionOptions(url: string): PoolConfig {
  return { connectionString: url, connectionTimeoutMillis: 5000, keepAlive: true, application_name: 'plimsoll' }
}
