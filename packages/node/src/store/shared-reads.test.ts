import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createSharedReads } from './shared-reads.ts'
import { openSqliteStore } from './sqlite/open-sqlite-store.ts'
import { loadSqlite } from './sqlite/sqlite-database.ts'

// Requests wait for some of these: reading every decision of a tenant takes longer with each one that is made.
it('what is asked about one conversation, handle or message is found without reading the rows of others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-reads-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'gateway.sqlite')
  await (await openSqliteStore({ path, now: () => 0 })).close()
  const database = new (loadSqlite().DatabaseSync)(path)
  onTestFinished(() => database.close())
  const asked: string[] = []
  const reads = createSharedReads(
    {
      query(sql) {
        asked.push(sql)
        return []
      },
      change: () => 0,
      schema: 'main',
      place: 'rowid',
      decisionPlace: 'rowid',
      items: 'select value from json_each(?)',
    },
    () => 0,
  )
  await reads.claimsOf('t', 'c')
  await reads.originalsOf('t', 'c')
  await reads.originals('t', 'abc123')
  await reads.texts('t', ['m'])
  await reads.conversation('t', 'c')
  const steps = asked.flatMap((sql) => {
    const count = sql.split('?').length - 1
    const rows = database.prepare(`explain query plan ${sql}`).all(...Array.from({ length: count }, () => 'x'))
    return rows.map(({ detail }) => String(detail)).filter((detail) => /^(?:SCAN|SEARCH) /.test(detail))
  })
  expect(steps.length).toBeGreaterThan(7)
  expect(steps.filter((step) => /^SCAN (?!json_each)|\(tenant=\?\)/.test(step))).toEqual([])
})
