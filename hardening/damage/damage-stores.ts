import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GatewayStore } from '../../packages/node/src/store/gateway-store.ts'
import { StoreError } from '../../packages/node/src/store/gateway-store.ts'
import { openSqliteStore } from '../../packages/node/src/store/sqlite/open-sqlite-store.ts'
import { loadSqlite } from '../../packages/node/src/store/sqlite/sqlite-database.ts'
import { answer, branch, claim, message, noon, question, record, request } from '../../packages/node/src/store/testing/samples.ts'
import { createRandom, type Random } from '../fuzz/random.ts'
import type { DamageCount } from './damage-sessions.ts'

const tables = ['decisions', 'originals', 'branches', 'requests', 'messages', 'texts'] as const
const names = ['a', 'b', 'c', 'd']
const tenant = 'me'

/** Damages rows of a gateway's store, `times` in each way, and looks whether anything else than what was written comes back. */
export async function damageStores({ times, seed }: { readonly times: number; readonly seed: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-damage-'))
  const path = join(folder, 'store.sqlite')
  const store = await openSqliteStore({ path, now: () => noon })
  const database = new (loadSqlite().DatabaseSync)(path)
  try {
    for (const [number, name] of names.entries()) {
      await store.claim(tenant, [claim(name, `short ${name}`, { handle: `handle-${name}` })])
      const given = {
        messages: [message(name)],
        texts: [answer(name, `text of ${name}`)],
        branch: branch(`chain-${name}`, { requests: number + 1 }),
      }
      await store.record(tenant, record(request(`r-${name}`, { number }), given))
    }
    const whole = await allRows(store)
    const random = createRandom(seed, 'stores')
    const counts = new Map<string, DamageCount>()
    for (const table of tables) {
      const column = table === 'branches' ? 'state' : 'body'
      const count: DamageCount = { tried: 0, noticed: 0, harmless: 0, silent: 0, forgotten: 0, laundered: 0 }
      counts.set(`a row of ${table}`, count)
      const rows = database
        .prepare(`select rowid as place, ${column} as body from ${table}`)
        .all() as unknown as readonly StoredRow[]
      for (let time = 0; time < times; time += 1) {
        const { place, body } = random.pick(rows)
        const damaged = damagedText(body, random, random.pick(rows).body)
        if (damaged === body) continue
        const write = database.prepare(`update ${table} set ${column} = ? where rowid = ?`)
        write.run(damaged, place)
        const read = await allRows(store)
        const isChanged = [...read].some(([row, text]) => whole.get(row) !== text)
        count.tried += 1
        if (isChanged) count.silent += 1
        else if (read.size < whole.size) count.noticed += 1
        else count.harmless += 1
        write.run(body, place)
      }
    }
    return counts
  } finally {
    database.close()
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface StoredRow {
  readonly place: number
  readonly body: string
}

function damagedText(body: string, random: Random, other: string): string {
  const place = random.below(body.length)
  const letter = String.fromCharCode(32 + random.below(95))
  return random.pick([
    () => `${body.slice(0, place)}${letter}${body.slice(place + 1)}`,
    () => body.slice(0, place),
    () => `${body.slice(0, place)}${body.slice(place + 1 + random.below(20))}`,
    () => other,
    () => '',
  ])()
}

/** Everything that the store gives out, each by a name of its own. */
async function allRows(store: GatewayStore): Promise<ReadonlyMap<string, string>> {
  const read = new Map<string, string>()
  const note = (name: string, value: unknown) => read.set(name, JSON.stringify(value))
  for (const name of names) {
    const known = await store.recognise(
      tenant,
      question({ parts: [claim(name, '').decision], chains: [`chain-${name}`], isIdle: true }),
    )
    for (const decision of known.decisions) note(`decision ${name}`, decision)
    if (known.branch !== null) note(`branch ${name}`, known.branch)
    const originals = await store.originals(tenant, `handle-${name}`).catch((error: unknown) => {
      if (error instanceof StoreError && error.kind === 'damaged') return []
      throw error
    })
    for (const original of originals) note(`original ${name}`, original)
    for (const text of (await store.texts(tenant, [name])).values()) note(`text ${name}`, text)
  }
  const stored = await store.conversation(tenant, 'c1')
  for (const each of stored?.requests ?? []) note(`request ${each.id}`, each)
  for (const each of stored?.messages ?? []) note(`message ${each.id}`, each)
  return read
}
