import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { messageText } from '@plimsoll/core/text'
import { sessionIds } from '../../../packages/node/src/session/list-sessions.ts'
import { readSession } from '../../../packages/node/src/session/open-session.ts'
import type { AgentEvent } from '../../../packages/node/src/shared/event.ts'
import { startCommand } from '../command.ts'
import { type Acknowledged, acknowledgedIn } from '../laws/acknowledged.ts'
import { checkProcesses } from '../laws/check-leftovers.ts'
import { checkOriginals, type Hidden } from '../laws/check-originals.ts'
import { checkSession } from '../laws/check-session.ts'
import type { Random } from '../random.ts'
import type { Stage } from '../stage.ts'
import { createAgentAnswer } from '../upstream/agent-answer.ts'
import { startUpstream } from '../upstream/start-upstream.ts'
import { createAgentUser } from '../workloads/agent-user.ts'
import { converse } from '../workloads/gateway-conversation.ts'
import { startSoakedGateway } from '../workloads/gateway-process.ts'

export type Kills = Readonly<Record<'agent' | 'gateway' | 'writer', number>>

/** Kills agents, gateways and a writer at random moments, each this often, and checks what they leave. */
export async function soakCrashes(stage: Stage, kills: Kills): Promise<void> {
  const random = stage.random.split('crashes')
  await Promise.all([
    killAgents(stage, random.split('agent'), kills.agent),
    killGateway(stage, random.split('gateway'), kills.gateway),
    killWriter(stage, random.split('writer'), kills.writer),
  ])
}

/** Every task continues the session of the one that was killed. */
async function killAgents(stage: Stage, random: Random, kills: number): Promise<void> {
  const { journal } = stage
  const upstream = await startUpstream({ answer: createAgentAnswer(random.split('upstream')), fault: () => 'none' })
  stage.atEnd(upstream.close)
  const user = createAgentUser(stage.makeFolder('crashes', 'agent'))
  const acknowledged: Acknowledged[] = []
  for (let killed = 0; killed < kills && !stage.isOver(killed); ) {
    const task = `Task ${killed}.`
    const known = await sessionIds(user.sessions)
    const isNew = known.length === 0 || random.chance(0.1)
    const interrupted = isNew ? null : await interruptedCall(user.sessions, known.toSorted().at(-1) ?? '')
    const words = [
      '-p',
      task,
      '--json',
      '--mode',
      'auto',
      '--max-steps',
      '20',
      '--model',
      'soak',
      '--base-url',
      `${upstream.url}/v1`,
    ]
    const running = startCommand(user, isNew ? words : [...words, '--resume', 'last'], {
      environment: { OPENAI_API_KEY: 'none' },
    })
    await Promise.race([running.firstLine.catch(() => undefined), running.ended])
    await Promise.race([sleep(random.below(2500)), running.ended])
    running.signal('SIGKILL')
    const ended = await running.ended
    journal.count(ended.signal === 'SIGKILL' ? 'crashes: agents killed' : 'crashes: agents that had ended')
    if (ended.signal === 'SIGKILL') killed += 1
    await checkProcesses(user, journal, 'a killed agent')
    acknowledged.push(...acknowledgedIn(ended.stdout, task))
    if (interrupted !== null && ended.stdout.includes('"turn_start"'))
      journal.check(
        'a resumed turn says what was interrupted',
        saysSo(ended.stdout),
        () => `${interrupted}: ${ended.stdout.slice(0, 400)}`,
      )
    const session = acknowledged.at(-1)?.session
    if (session !== undefined) await checkSession({ sessions: user.sessions, id: session, isHurt: true, acknowledged, journal })
  }
}

/** A call without a result at the end of a session, or null. */
async function interruptedCall(sessions: string, id: string): Promise<string | null> {
  const session = await readSession(sessions, id)
  const messages = [...session.messages()]
  await session.close()
  const asked = messages.findLastIndex(({ role }) => role === 'assistant')
  const later = messages.slice(asked + 1)
  if (asked < 0 || later.some(({ role }) => role === 'user')) return null
  const answered = later.flatMap(({ parts }) => parts.map((part) => (part.type === 'tool-result' ? part.callId : null)))
  const open = messages[asked]?.parts.find((part) => part.type === 'tool-call' && !answered.includes(part.callId))
  return open?.type === 'tool-call' ? open.tool : null
}

/** Whether the turn says so before it asks the model. A turn that was killed before it could is not counted. */
function saysSo(stdout: string): boolean {
  const events = stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as AgentEvent)
  const end = events.findIndex(({ type }) => type === 'view_built')
  return (
    end < 0 || events.slice(0, end).some((event) => event.type === 'notification' && event.data.code === 'calls_were_interrupted')
  )
}

/** Clients go on with their conversations while their gateway is killed and started again on the same file. */
async function killGateway(stage: Stage, random: Random, kills: number): Promise<void> {
  const { journal } = stage
  const upstream = await startUpstream({ answer: () => ({ text: 'Go on.' }), fault: () => 'none' })
  stage.atEnd(upstream.close)
  const gateway = await startSoakedGateway({ name: 'killed', mode: 'economy', upstream: upstream.url }, stage)
  const over = new AbortController()
  let faults = 0
  const hidden: Hidden[] = []
  const clients = [0, 1].map(async (number) => {
    const own = random.split(`client ${number}`)
    while (!over.signal.aborted) {
      const found = await converse({ stage, random: own, upstream, group: { gateways: [gateway] }, faults: () => faults })
      if (found !== null) hidden.push(found)
      await sleep(gateway.url() === null ? 200 : 20)
    }
  })
  for (let killed = 0; killed < kills && !stage.isOver(killed); killed += 1) {
    await sleep(random.below(1500))
    faults += 1
    await gateway.stop('SIGKILL')
    await gateway.start()
    faults += 1
    journal.count('crashes: gateways killed')
  }
  over.abort()
  await Promise.all(clients)
  await gateway.stop('SIGTERM')
  await checkOriginals(hidden.slice(-100), journal)
}

/** Everything that was reported as stored is there, in order and unchanged. */
async function killWriter(stage: Stage, random: Random, kills: number): Promise<void> {
  const { journal } = stage
  const sessions = stage.makeFolder('crashes', 'writer', 'sessions')
  const script = fileURLToPath(new URL('./writer.ts', import.meta.url))
  let id: string | null = null
  for (let killed = 0; killed < kills && !stage.isOver(killed); killed += 1) {
    const child = spawn(process.execPath, [script, sessions, ...(id === null ? [] : [id])], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    const ended = new Promise((resolve) => child.on('close', resolve))
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      said += piece
    })
    const isUnderWay = () => said.includes('\n') || child.exitCode !== null
    while (!isUnderWay()) await sleep(5)
    await sleep(random.below(150))
    child.kill('SIGKILL')
    await ended
    const [name = '', ...lines] = said.split('\n').slice(0, -1)
    journal.count('crashes: writers killed')
    await checkWritten(sessions, name, lines, stage)
    // A session that has become long is left: reading it would take longer than writing it.
    id = random.chance(0.2) ? null : name
  }
}

async function checkWritten(sessions: string, id: string, lines: readonly string[], { journal }: Stage): Promise<void> {
  const session = await readSession(sessions, id)
  const texts = new Map([...session.messages()].map((message) => [message.id, messageText(message)]))
  const lost = lines.filter((line) => {
    const [number = '', length] = line.split(' ')
    const text = texts.get(`m${number}`)
    return text === undefined || !text.startsWith(`${number} `) || text.length !== Number(length)
  })
  const strange = session.troubles().filter(({ kind }) => kind !== 'torn')
  await session.close()
  journal.check('what was written before a kill is there', lost.length === 0 && strange.length === 0, () => {
    return `${id}: ${lost.length} of ${lines.length} are missing or changed, as ${lost[0]}; ${JSON.stringify(strange)}`
  })
}
