import { type AddressInfo, createServer } from 'node:net'
import { Client } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freshDatabase } from '../../../../../test/fresh-database.ts'
import { type GatewayStore, newerSchema, StoreError } from '../gateway-store.ts'
import { startPostgresServer } from '../testing/postgres-server.ts'
import { answer, claim, noon, question, record, request } from '../testing/samples.ts'
import { migratePostgres, openPostgresStore, postgresMigrations } from './open-postgres-store.ts'

const now = () => noon

async function open(url: string): Promise<GatewayStore> {
  const store = await openPostgresStore({ url, now })
  onTestFinished(() => store.close())
  return store
}

async function sql(url: string, text: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

describe('a store in PostgreSQL', () => {
  it('can be created by five gateways at once', async () => {
    const url = await freshDatabase()
    const stores = await Promise.all(Array.from({ length: 5 }, () => open(url)))
    const secrets = await Promise.all(stores.map((store) => store.secret()))
    expect(new Set(secrets.map((secret) => Buffer.from(secret).toString('hex'))).size).toBe(1)
    expect(await sql(url, "select value from plimsoll.settings where name = 'version'")).toEqual([
      { value: String(postgresMigrations.length) },
    ])
  })

  it('reads what the first version wrote, after all migrations; refuses what a newer one wrote; then keeps to reading', async () => {
    const url = await freshDatabase()
    await migratePostgres(url, postgresMigrations.slice(0, 1))
    const text = JSON.stringify(answer('m', 'old words'))
    await sql(
      url,
      `insert into plimsoll.seen values ('t', 'm', 5, 6); insert into plimsoll.texts values ('t', 'm', 6, '${text}')`,
    )
    const store = await open(url)
    expect((await store.recognise('t', question({ messages: ['m'] }))).firstSeen).toEqual([5])
    expect(await store.texts('t', ['m'])).toEqual(new Map([['m', answer('m', 'old words')]]))

    await sql(url, "update plimsoll.settings set value = '99' where name = 'version'")
    await expect(openPostgresStore({ url, now })).rejects.toEqual(newerSchema(99, postgresMigrations.length))
    await sql(url, `update plimsoll.settings set value = '${postgresMigrations.length}' where name = 'version'`)

    await sql(url, `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`)
    const reader = await open(url)
    expect((await reader.recognise('t', question({ messages: ['m'], isIdle: true }))).firstSeen).toEqual([5])
    await expect(reader.claim('t', [claim('k', 'short')])).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('may not write to the PostgreSQL store (25006)'),
    })
  })

  it('keeps working when the server has ended its connections', async () => {
    const url = await freshDatabase()
    const store = await open(url)
    for (let round = 0; round < 3; round++) {
      await Promise.all(Array.from({ length: 6 }, (_, index) => store.claim('t', [claim(`k${round}-${index}`, 'short')])))
      await sql(
        url,
        "select pg_terminate_backend(pid, 10000) from pg_stat_activity where application_name = 'plimsoll' and datname = current_database()",
      )
      // At once, perhaps before the pool has noticed the loss.
      await store.claim('t', [claim(`after-${round}`, 'short')])
    }
    expect(await store.originals('t', 'handle-after')).toHaveLength(3)
  })

  it('rejects while the server is down, works when it is up again, and loses nothing that it acknowledged', async () => {
    const server = await startPostgresServer()
    onTestFinished(() => server.remove())
    const store = await open(server.url)
    const acknowledged: string[] = []
    const failures: unknown[] = []
    const enough = new AbortController()
    const busy = async (name: string) => {
      for (let number = 0; !enough.signal.aborted; number++) {
        const key = `${name}-${number}`
        try {
          await store.claim('t', [claim(key, 'short', { handle: key })])
          acknowledged.push(key)
        } catch (error) {
          failures.push(error)
          // Fails at once: other tests need the machine, too.
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
      }
    }
    const workers = ['a', 'b', 'c'].map(busy)
    await expect.poll(() => acknowledged.length).toBeGreaterThan(20)
    await server.stop()
    await expect.poll(() => failures.length).toBeGreaterThan(3)
    await expect(store.check()).rejects.toThrow(StoreError)
    await server.start()
    const before = acknowledged.length
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 10)
    enough.abort()
    await Promise.all(workers)
    await store.check()
    const { decisions } = await store.recognise('t', question({ parts: acknowledged.map((key) => claim(key, '').decision) }))
    expect(decisions.map(({ key }) => key)).toEqual(acknowledged)
    expect(failures.every((error) => error instanceof StoreError && error.kind === 'unreachable')).toBe(true)
  }, 120_000)

  it('reveals no password, user or address when it cannot be reached', async () => {
    const url = new URL(await freshDatabase())
    const silent = createServer((socket) => socket.destroy())
    await new Promise<void>((resolve) => {
      silent.listen(0, '127.0.0.1', resolve)
    })
    onTestFinished(() => {
      silent.close()
    })
    const wrong = (change: (url: URL) => void) => {
      const other = new URL(url)
      other.username = 'someone'
      other.password = 'hunter2'
      change(other)
      return String(other)
    }
    const urls = {
      refused: wrong((other) => {
        other.port = '1'
      }),
      hangsUp: wrong((other) => {
        other.port = String((silent.address() as AddressInfo).port)
      }),
      wrongPassword: wrong(() => {}),
      noSuchHost: wrong((other) => {
        other.hostname = 'no-such-host.invalid'
      }),
      noTls: wrong((other) => {
        other.searchParams.set('sslmode', 'verify-full')
      }),
      noCertificate: wrong((other) => {
        other.searchParams.set('sslrootcert', '/no/such/hunter2.pem')
      }),
      noUrl: 'postgresql://someone:hunter2@host:notaport/db',
      badEscape: 'postgresql://someone:hunter2%zz@127.0.0.1:1/db',
    }
    for (const [name, location] of Object.entries(urls)) {
      const error = await openPostgresStore({ url: location, now }).then(
        () => null,
        (reason: unknown) => reason,
      )
      expect([name, error instanceof StoreError ? error.kind : error]).toEqual([name, 'unreachable'])
      const text = `${String(error)} ${(error as Error).stack ?? ''} ${JSON.stringify(error)} ${String((error as Error).cause)}`
      expect([name, /hunter2|someone|127\.0\.0\.1|no-such-host/.exec(text)?.[0] ?? null]).toEqual([name, null])
    }
  })

  it('reports a schema made by another program as damaged', async () => {
    const url = await freshDatabase()
    await sql(url, 'create schema plimsoll; create table plimsoll.seen (id text)')
    await expect(openPostgresStore({ url, now })).rejects.toMatchObject({
      kind: 'broken',
      message: expect.stringContaining('not changed'),
    })
    expect(await sql(url, "select tablename from pg_tables where schemaname = 'plimsoll'")).toEqual([{ tablename: 'seen' }])
  })

  it('accepts many records of one conversation at once', async () => {
    const store = await open(await freshDatabase())
    const ids = Array.from({ length: 10 }, (_, index) => `r${index}`)
    await Promise.all(ids.map((id, number) => store.record('t', record(request(id, { number })))))
    const stored = await store.conversation('t', 'c1')
    expect([stored?.conversation.requests, stored?.requests.map(({ id }) => id)]).toEqual([10, ids])
  })
})
