import { fileURLToPath } from 'node:url'
import { sessionIds } from '../../../packages/node/src/session/list-sessions.ts'
import { type CommandOptions, type RunningCommand, startCommand, type User } from '../command.ts'
import { upstreamFault } from '../faults/upstream-fault.ts'
import { checkFiles, checkProcesses } from '../laws/check-leftovers.ts'
import { checkText } from '../laws/check-secrets.ts'
import { checkSession } from '../laws/check-session.ts'
import { memoryReport, type WatchedMemory, watchProcess } from '../laws/watch-process.ts'
import type { Random } from '../random.ts'
import type { Stage } from '../stage.ts'
import { createAgentAnswer } from '../upstream/agent-answer.ts'
import { startUpstream } from '../upstream/start-upstream.ts'
import { createAgentUser } from './agent-user.ts'
import { type Desk, serverActions } from './server-actions.ts'
import { createServerClient, type ServerPlace } from './server-client.ts'

/** A running server. */
interface Serving {
  readonly running: RunningCommand
  readonly place: ServerPlace
}

/** Number of simultaneous clients of each server. */
const clients = 3

/** Two servers of the web app: one runs throughout, the other is restarted repeatedly and its clock jumps. */
export async function soakServer(stage: Stage): Promise<readonly WatchedMemory[]> {
  const random = stage.random.split('server')
  const upstreamRandom = random.split('upstream')
  const upstream = await startUpstream({
    answer: createAgentAnswer(upstreamRandom),
    fault: () => upstreamFault(upstreamRandom, 0.15),
  })
  stage.atEnd(upstream.close)
  const key = stage.plant('server')
  const serve = (user: User, options: CommandOptions = {}) => startServing(user, upstream.url, key, options)
  const [memory] = await Promise.all([steady(stage, random.split('steady'), serve), mortal(stage, random.split('mortal'), serve)])
  return [memory]
}

type Serve = (user: User, options?: CommandOptions) => Promise<Serving>

async function steady(stage: Stage, random: Random, serve: Serve): Promise<WatchedMemory> {
  const { journal } = stage
  const user = createAgentUser(stage.makeFolder('server', 'steady'), { context_window: 30_000 })
  const { running, place } = await serve(user, { descriptors: 256, preload: [memoryReport] })
  const watch = watchProcess({ name: 'server', pid: running.pid, home: user.home, alive: place.address, journal })
  const desk = createDesk(place, stage, random)
  await work(desk, stage, () => false)
  const memory = await watch.end(stage.isPatient ? 90_000 : 0)
  await stop(running, user, 'SIGTERM', stage)
  await checkAll(user, [desk], { stage, isKilled: false })
  return memory
}

async function mortal(stage: Stage, random: Random, serve: Serve): Promise<void> {
  const user = createAgentUser(stage.makeFolder('server', 'mortal'))
  const preload = [fileURLToPath(new URL('../faults/clock-jumps.ts', import.meta.url))]
  const desks: Desk[] = []
  let isKilled = false
  for (let life = 0; !stage.isOver(life); life += 1) {
    const { running, place } = await serve(user, { preload })
    const desk = createDesk(place, stage, random)
    desks.push(desk)
    desk.sessions.push(...(await sessionIds(user.sessions)).slice(-3))
    const end = performance.now() + 4000 + random.below(12_000)
    const ending = work(desk, stage, () => performance.now() > end)
    const isKill = random.chance(0.5)
    // While the clients are busy.
    await Promise.race([ending, stage.rest(end - performance.now())])
    await stop(running, user, isKill ? 'SIGKILL' : 'SIGTERM', stage)
    await ending
    isKilled ||= isKill
    if (isKill) desk.heard.length = 0
  }
  await checkAll(user, desks, { stage, isKilled })
}

async function work(desk: Desk, stage: Stage, isOver: () => boolean): Promise<void> {
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let round = 0; !stage.isOver(round) && !isOver(); round += 1) {
        await desk.random.pick(serverActions)(desk)
        desk.journal.count('server: actions')
        await stage.rest(desk.random.below(200))
      }
    }),
  )
}

async function stop(running: RunningCommand, user: User, signal: 'SIGTERM' | 'SIGKILL', { journal }: Stage): Promise<void> {
  running.signal(signal)
  const late = setTimeout(() => running.signal('SIGABRT'), 60_000)
  const ended = await running.ended
  clearTimeout(late)
  journal.count(`server: ended by ${signal}`)
  const isFine = signal === 'SIGKILL' || (ended.code === 0 && !/^\s+at .+\d+:\d+\)?$/m.test(ended.stderr))
  journal.check('commands end with a code and a sentence', isFine, () => {
    return `server: ${ended.code ?? ended.signal}: ${ended.stderr.slice(-500)}`
  })
  checkText(`${ended.stdout}${ended.stderr}`, 'server: output', journal)
  await checkProcesses(user, journal, 'server')
}

interface CheckAll {
  readonly stage: Stage
  readonly isKilled: boolean
}

async function checkAll(user: User, desks: readonly Desk[], { stage, isKilled }: CheckAll): Promise<void> {
  const { journal } = stage
  const undone = new Set(desks.flatMap((desk) => [...desk.undone]))
  const acknowledged = desks.flatMap(({ stored, heard }) => [...stored, ...heard.filter(({ session }) => !undone.has(session))])
  const ids = await sessionIds(user.sessions)
  for (const id of ids) await checkSession({ sessions: user.sessions, id, isHurt: isKilled, acknowledged, journal })
  const lost = acknowledged.filter(({ session }) => !ids.includes(session) && !undone.has(session))
  journal.check(
    'acknowledged messages are stored bit for bit',
    lost.length === 0,
    () => `missing sessions: ${JSON.stringify(lost).slice(0, 300)}`,
  )
  await checkFiles(user, journal, isKilled)
}

function createDesk(place: ServerPlace, { journal }: Stage, random: Random): Desk {
  const client = createServerClient(place, journal)
  return { client, journal, random, sessions: [], stored: [], heard: [], undone: new Set() }
}

async function startServing(user: User, upstream: string, key: string, options: CommandOptions): Promise<Serving> {
  const model = ['--model', 'soak', '--base-url', `${upstream}/v1`, '--mode', 'auto', '--max-steps', '8']
  const running = startCommand(user, ['serve', '--json', '--port', '0', ...model], {
    ...options,
    environment: { OPENAI_API_KEY: key },
  })
  const { port, token } = JSON.parse(await running.firstLine) as { readonly port: number; readonly token: string }
  return { running, place: { address: `http://127.0.0.1:${port}/`, token } }
}
