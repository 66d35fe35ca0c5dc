import { fileURLToPath } from 'node:url'
import { type PostgresServer, startPostgresServer } from '../../../packages/node/src/store/testing/postgres-server.ts'
import { holdStore } from '../faults/hold-store.ts'
import { pauseDatabase } from '../faults/pause-database.ts'
import { createSmallDisk, type SmallDisk } from '../faults/small-disk.ts'
import { upstreamFault } from '../faults/upstream-fault.ts'
import { checkOriginals, type Hidden } from '../laws/check-originals.ts'
import { type WatchedMemory, watchProcess } from '../laws/watch-process.ts'
import { startHostile } from '../neighbours/run-neighbours.ts'
import type { Random } from '../random.ts'
import type { Stage } from '../stage.ts'
import { startUpstream } from '../upstream/start-upstream.ts'
import { converse, type GatewayGroup } from './gateway-conversation.ts'
import { type SoakedGateway, startSoakedGateway } from './gateway-process.ts'

/** Number of simultaneous clients of all gateways, and in a small soak. */
const clients = { many: 5, few: 2 }
/** The number of conversations whose trimmed content is recalled. */
const maxRecalled = 400

/** Gateways in all modes between clients and a faulty provider, while stores are slow, full or down and gateways are killed. */
export async function soakGateway(stage: Stage, database: string | null): Promise<readonly WatchedMemory[]> {
  const { journal } = stage
  const random = stage.random.split('gateway')
  const upstreamRandom = random.split('upstream')
  const upstream = await startUpstream({
    answer: () => ({ text: `Go on, ${upstreamRandom.below(1000)}.` }),
    fault: () => upstreamFault(upstreamRandom, 0.2),
  })
  stage.atEnd(upstream.close)
  const postgres = database === null ? await startPostgresServer() : null
  if (postgres !== null) stage.atEnd(postgres.remove)
  const shared = database ?? (await postgres?.createDatabase()) ?? ''
  const disk = stage.isSmall ? null : createSmallDisk(stage.makeFolder('gateway', 'disk'), 40_000)
  if (disk !== null) stage.atEnd(disk.remove)
  const places = { upstream: upstream.url, shared, disk }
  const { left, right } = await startShared(stage, places)
  const single = stage.isSmall ? [] : await startSingle(stage, places)
  const pair: GatewayGroup = { gateways: [left, right] }
  const groups = [pair, ...single.map((gateway): GatewayGroup => ({ gateways: [gateway] })), pair] as const
  const watches = [right, ...single.slice(0, 2)].map(({ name, home, running, url }) => {
    return watchProcess({ name: `gateway ${name}`, pid: running().pid, home, alive: `${url() ?? ''}/livez`, journal })
  })

  const over = new AbortController()
  let faultCount = 0
  const onFault = () => {
    faultCount += 1
  }
  const faults = causeFaults(
    stage,
    random.split('faults'),
    { alone: single[0] ?? null, left, postgres, shared, disk, onFault },
    over.signal,
  )
  const hidden: Hidden[] = []
  await Promise.all(
    Array.from({ length: stage.isSmall ? clients.few : clients.many }, async (_, number) => {
      const own = random.split(`client ${number}`)
      for (let round = 0; !stage.isOver(round); round += 1) {
        // Every client uses each group in turn.
        const group = groups[(number + round) % groups.length] ?? pair
        const found = await converse({ stage, random: own, upstream, group, faults: () => faultCount })
        if (found !== null) hidden[hidden.length < maxRecalled ? hidden.length : own.below(maxRecalled)] = found
      }
    }),
  )
  over.abort()
  await faults
  const memory = await Promise.all(watches.map((watch) => watch.end(stage.isPatient ? 45_000 : 0)))
  for (const gateway of [left, right, ...single]) await gateway.stop('SIGTERM')
  disk?.grow()
  await checkOriginals(hidden, journal)
  return memory
}

interface Places {
  readonly upstream: string
  readonly shared: string
  readonly disk: SmallDisk | null
}

/** Two gateways with a shared store. */
async function startShared(stage: Stage, { upstream, shared: database }: Places) {
  const start = (name: string) => startSoakedGateway({ name, mode: 'economy', database, upstream }, stage)
  const [left, right] = await Promise.all([start('left'), start('right')])
  return { left, right }
}

/** Gateways with their own store file: one whose file is sometimes locked, one whose clock jumps, and one with a small disk. */
function startSingle(stage: Stage, { upstream, disk }: Places): Promise<readonly SoakedGateway[]> {
  const clock = fileURLToPath(new URL('../faults/clock-jumps.ts', import.meta.url))
  const small = disk === null ? { fileBlocks: 4000 } : { state: disk.folder }
  return Promise.all([
    startSoakedGateway({ name: 'alone', mode: 'economy', upstream }, stage),
    startSoakedGateway({ name: 'observer', mode: 'observe', preload: [clock], descriptors: 128, upstream }, stage),
    startSoakedGateway({ name: 'cramped', mode: 'spec', ...small, upstream }, stage),
  ])
}

interface Victims {
  readonly alone: SoakedGateway | null
  readonly left: SoakedGateway
  readonly postgres: PostgresServer | null
  readonly shared: string
  readonly disk: SmallDisk | null
  /** Called at the start and at the end of a fault. */
  readonly onFault: () => void
}

/** Causes one fault after the other, with pauses in between. */
async function causeFaults(stage: Stage, random: Random, victims: Victims, over: AbortSignal): Promise<void> {
  const { alone, left, postgres, shared, disk, onFault } = victims
  const { journal } = stage
  const faults: readonly [readonly [string, () => Promise<void>], ...(readonly [string, () => Promise<void>])[]] = [
    ['killed and started again', () => again(left, 'SIGKILL', stage, random)],
    ['stopped and started again', () => again(left, 'SIGTERM', stage, random)],
    ['file locked', async () => (alone === null ? undefined : holdStore(alone.store, 500 + random.below(6000)))],
    ['database paused', async () => (postgres === null ? undefined : pauseDatabase(shared, 500 + random.below(5000)))],
    [
      'database away',
      async () => {
        await postgres?.stop()
        await stage.rest(random.below(3000))
        await postgres?.start()
      },
    ],
    ['a client that takes whatever it can get', async () => (alone === null ? undefined : besideHostile(alone, stage, random))],
    ['a result hidden by the user', async () => (alone === null ? undefined : hideOne(alone, stage, random))],
    [
      'disk full',
      async () => {
        disk?.fill()
        await stage.rest(1000 + random.below(4000))
        disk?.free()
      },
    ],
  ]
  for (let round = 0; !over.aborted && !stage.isOver(round); round += 1) {
    await stage.rest(random.below(3000))
    const [name, run] = faults[round % faults.length] ?? faults[0]
    journal.count(`gateway: fault, ${name}`)
    onFault()
    await run()
    onFault()
  }
}

async function again(gateway: SoakedGateway, signal: 'SIGTERM' | 'SIGKILL', stage: Stage, random: Random): Promise<void> {
  await gateway.stop(signal)
  await stage.rest(random.below(2000))
  await gateway.start()
}

/** Half-open bodies, many connections, huge plans and packed bodies, while all laws hold for the others. */
async function besideHostile(gateway: SoakedGateway, { rest, journal }: Stage, random: Random): Promise<void> {
  const url = gateway.url()
  if (url === null) return
  const hostile = startHostile(Number(new URL(url).port), 100 + random.below(400))
  await Promise.race([hostile.refused, rest(20_000)])
  await rest(2000 + random.below(3000))
  for (const [what, times] of Object.entries(await hostile.stop())) journal.count(`gateway: hostile, ${what}`, times)
}

/** What is hidden stays hidden: a result that comes back would break a law. */
async function hideOne(gateway: SoakedGateway, { journal }: Stage, random: Random): Promise<void> {
  const listed = await gateway.run(['gateway', 'hide'])
  const numbers = listed.stdout.split('\n').flatMap((line) => /^\s*(\d+)/.exec(line)?.[1] ?? [])
  const [first, ...more] = numbers
  const hidden = first === undefined ? listed : await gateway.run(['gateway', 'hide', random.pick([first, ...more])])
  journal.count(`gateway: hidden by the user, ${first === undefined ? 'nothing there' : hidden.code === 0 ? 'done' : 'failed'}`)
  for (const { code, stderr } of [listed, hidden])
    journal.check(
      'commands end with a code and a sentence',
      (code === 0 || code === 1) && !/^\s+at .+\d+:\d+\)?$/m.test(stderr),
      () => {
        return `gateway hide: ${code}: ${stderr.slice(-500)}`
      },
    )
}
