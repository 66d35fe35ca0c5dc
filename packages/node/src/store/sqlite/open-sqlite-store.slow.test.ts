import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runScript } from '../../session/testing/sessions.ts'
import { newerSchema, StoreError } from '../gateway-store.ts'
import { openGatewayStore } from '../open-gateway-store.ts'
import { answer, claim, decision, noon, question } from '../testing/samples.ts'
import { openSqliteStore, sqliteMigrations } from './open-sqlite-store.ts'
import { loadSqlite, openSqliteDatabase } from './sqlite-database.ts'

const now = () => noon

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

describe('a store in a file', () => {
  it('is readable by its owner only, with its companion files', async () => {
    const folder = join(temporaryFolder(), 'state', 'plimsoll')
    const path = join(folder, 'gateway.db')
    const store = await openSqliteStore({ path, now })
    await store.claim('t', [claim('k', 'short')])
    const mode = (file: string) => (statSync(file).mode & 0o777).toString(8)
    expect([folder, path, `${path}-wal`, `${path}-shm`].map(mode)).toEqual(['700', '600', '600', '600'])
    await store.close()
  })

  it.runIf(process.platform === 'linux')('has no file open once it is closed, right after a claim', async () => {
    const path = join(temporaryFolder(), 'gateway.db')
    const store = await openSqliteStore({ path, now })
    await store.claim('t', [claim('k', 'short')])
    await store.close()
    const open = readdirSync('/proc/self/fd').flatMap((name) => {
      const link = `/proc/self/fd/${name}`
      return lstatSync(link, { throwIfNoEntry: false }) === undefined ? [] : [readlinkSync(link)]
    })
    expect(open.filter((file) => file.includes(path))).toEqual([])
  })

  it('does not make Node warn', async () => {
    const other = runScript(new URL('../testing/try-store.ts', import.meta.url), [join(temporaryFolder(), 'a.db')])
    expect([await other.line(), await other.ended]).toEqual(['claimed', { code: 0, errors: '' }])
  })

  it('can be created by five callers at once', async () => {
    const path = join(temporaryFolder(), 'gateway.db')
    const stores = await Promise.all(Array.from({ length: 5 }, () => openSqliteStore({ path, now })))
    const secrets = await Promise.all(stores.map((store) => store.secret()))
    expect(new Set(secrets.map((secret) => Buffer.from(secret).toString('hex'))).size).toBe(1)
    for (const store of stores) await store.close()
  })

  it('can be created by five processes at once', async () => {
    const path = join(temporaryFolder(), 'gateway.db')
    const others = Array.from({ length: 5 }, () => runScript(new URL('../testing/try-store.ts', import.meta.url), [path]))
    expect(await Promise.all(others.map((other) => other.line()))).toEqual(others.map(() => 'claimed'))
  })

  it('keeps what is written here after another process has closed the file, however often it was opened here', async () => {
    const path = join(temporaryFolder(), 'gateway.db')
    const stores = [await openSqliteStore({ path, now }), await openSqliteStore({ path, now })]
    const other = () => runScript(new URL('../testing/try-store.ts', import.meta.url), [path])
    await other().ended
    await stores[0]?.claim('t', [claim('here', 'short', { handle: 'here' })])
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0)
    for (const store of stores) await store.close()
    const again = await openSqliteStore({ path, now })
    expect((await again.originals('t', 'here')).map(({ handle }) => handle)).toEqual(['here'])
    await again.close()
  })

  it.each([
    ['text', 'no database, but somebody’s notes\n'.repeat(50)],
    ['a few bytes', 'SQL'],
    ['the head of a database with rubbish behind', `SQLite format 3\0${'rubbish '.repeat(2000)}`],
  ])('leaves a file unchanged that holds %s', async (_name, text) => {
    const path = join(temporaryFolder(), 'gateway.db')
    writeFileSync(path, text)
    await expect(openSqliteStore({ path, now })).rejects.toMatchObject({ name: 'StoreError', kind: 'broken' })
    expect([readFileSync(path, 'utf8') === text, existsSync(`${path}-wal`)]).toEqual([true, false])
  })

  it('leaves a database of another program unchanged', async () => {
    const path = join(temporaryFolder(), 'gateway.db')
    const database = new (loadSqlite().DatabaseSync)(path)
    database.exec('create table bills (id)')
    database.close()
    const before = readFileSync(path)
    await expect(openSqliteStore({ path, now })).rejects.toMatchObject({
      kind: 'broken',
      message: expect.stringContaining('choose another file'),
    })
    expect(readFileSync(path)).toEqual(before)
  })

  it('reports damage that happens later', async () => {
    const path = join(temporaryFolder(), 'gateway.db')
    const store = await openSqliteStore({ path, now })
    for (let index = 0; index < 40; index++) await store.claim('t', [claim(`k${index}`, 'short '.repeat(500))])
    await store.close()
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.fill(0xaa, 4096))
    const calls = openSqliteStore({ path, now }).then((again) => again.originals('t', ''))
    await expect(calls).rejects.toMatchObject({ name: 'StoreError', kind: 'broken' })
  })

  it('refuses a file of a newer Plimsoll, and says what to do', async () => {
    const path = join(temporaryFolder(), 'gateway.db')
    await (await openSqliteStore({ path, now })).close()
    const database = new (loadSqlite().DatabaseSync)(path)
    database.exec('pragma user_version = 99')
    database.close()
    await expect(openSqliteStore({ path, now })).rejects.toEqual(newerSchema(99, sqliteMigrations.length))
  })

  it('reads what the first version wrote, after all migrations', async () => {
    const path = join(temporaryFolder(), 'gateway.db')
    const first = await openSqliteDatabase({ path, migrations: sqliteMigrations.slice(0, 1) })
    first.run("insert into seen values ('t', 'm', 5, 6)")
    first.run("insert into settings values ('secret', ?)", Buffer.alloc(32, 7).toString('base64'))
    first.run("insert into texts values ('t', 'm', 6, ?)", JSON.stringify(answer('m', 'old words')))
    await first.close()
    const store = await openSqliteStore({ path, now })
    expect((await store.recognise('t', question({ messages: ['m'] }))).firstSeen).toEqual([5])
    expect(await store.secret()).toEqual(new Uint8Array(32).fill(7))
    expect(await store.texts('t', ['m'])).toEqual(new Map([['m', answer('m', 'old words')]]))
    await store.close()
    const newest = await openSqliteDatabase({ path, migrations: sqliteMigrations })
    expect(newest.row('pragma user_version')).toEqual({ user_version: sqliteMigrations.length })
    await newest.close()
  })

  it('stays at its version when a migration fails, without traces of it', async () => {
    const path = join(temporaryFolder(), 'gateway.db')
    await (await openSqliteStore({ path, now })).close()
    const failing = [...sqliteMigrations, 'create table half (id); create table half (id);']
    await expect(openSqliteDatabase({ path, migrations: failing })).rejects.toThrow(StoreError)
    const store = await openSqliteDatabase({ path, migrations: sqliteMigrations })
    expect(store.rows("select name from sqlite_master where name = 'half'")).toEqual([])
    await store.close()
  })

  it('is full when it may not grow: it writes nothing and still answers', async () => {
    const path = join(temporaryFolder(), 'gateway.db')
    const store = await openSqliteStore({ path, now, maxBytes: 400_000 })
    const small = claim('small', 'short')
    await store.claim('t', [small])
    const large = [claim('first', 'short'), claim('large', 'x'.repeat(900_000))]
    await expect(store.claim('t', large)).rejects.toMatchObject({ name: 'StoreError', kind: 'full' })
    const parts = [small, ...large].map((one) => one.decision)
    expect((await store.recognise('t', question({ parts }))).decisions).toEqual([small.decision])
    const ids = Array.from({ length: 400 }, (_, index) => `${index} `.repeat(10))
    const note = (place: number) =>
      store.recognise('t', question({ messages: ids.map((id) => `${place} ${id}`), notesLater: true }))
    for (let place = 0; place < 20; place += 1) expect((await note(place)).unwritten).toBeUndefined()
    await new Promise((resolve) => setImmediate(resolve))
    expect((await note(20)).unwritten).toMatchObject({ name: 'StoreError', kind: 'full' })
    expect(await store.claim('t', [claim('first', 'other words')])).toEqual([decision('first', 'other words')])
    await store.close()
  })

  it('reports that it cannot write if the file is read-only', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'gateway.db')
    await (await openSqliteStore({ path, now })).close()
    chmodSync(path, 0o444)
    chmodSync(folder, 0o555)
    // Root may write everywhere, so another user tries.
    const words = process.getuid?.() === 0 ? [path, '65534'] : [path]
    const other = runScript(new URL('../testing/try-store.ts', import.meta.url), words)
    expect(await other.line()).toMatch(/^unreachable: The store's file, its folder or its disk is read-only \([\w ]+\)/)
    chmodSync(folder, 0o755)
  })

  it.each([
    ['a folder', () => temporaryFolder()],
    [
      'below a file',
      () => {
        const file = join(temporaryFolder(), 'file')
        writeFileSync(file, '')
        return join(file, 'gateway.db')
      },
    ],
    ['a name with a NUL', () => join(temporaryFolder(), 'a\0b')],
  ])('rejects where the path is %s', async (_name, path) => {
    await expect(openSqliteStore({ path: path(), now })).rejects.toMatchObject({ name: 'StoreError', kind: 'unreachable' })
  })
})

describe('the location of a store', () => {
  it.each(['mysql://me:hunter2@host/db', 'https://me:hunter2@host', ''])('is a file or PostgreSQL, not %j', async (location) => {
    await expect(openGatewayStore(location, { now })).rejects.toEqual(
      new StoreError('unreachable', 'Expected the path of a file or a URL that starts with postgresql://.'),
    )
  })
})
