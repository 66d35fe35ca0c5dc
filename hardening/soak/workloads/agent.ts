import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sessionIds } from '../../../packages/node/src/session/list-sessions.ts'
import { type CommandOptions, type EndedCommand, type RunningCommand, startCommand, type User } from '../command.ts'
import { killChild } from '../faults/kill-child.ts'
import { createSmallDisk } from '../faults/small-disk.ts'
import { upstreamFault } from '../faults/upstream-fault.ts'
import { type Acknowledged, acknowledgedIn } from '../laws/acknowledged.ts'
import { checkFiles, checkProcesses } from '../laws/check-leftovers.ts'
import { checkText } from '../laws/check-secrets.ts'
import { checkSession } from '../laws/check-session.ts'
import { peakMemory } from '../processes.ts'
import type { Random } from '../random.ts'
import type { Stage } from '../stage.ts'
import { createAgentAnswer, words } from '../upstream/agent-answer.ts'
import { startUpstream } from '../upstream/start-upstream.ts'
import { createAgentUser } from './agent-user.ts'

/** The faults that one agent user meets in every round. */
interface Character {
  readonly name: string
  readonly user: User
  /** The flags and variables for the model. */
  readonly model: { readonly flags: readonly string[]; readonly environment: Readonly<Record<string, string>> }
  /** Whether its processes are killed with SIGKILL. */
  readonly isKilled: boolean
  /** Whether its disk runs full, which cuts off lines. */
  readonly isCramped: boolean
  readonly options: (random: Random) => CommandOptions
  /** Runs during a command; the effect is undone when it returns. */
  readonly disturb: (running: RunningCommand, random: Random) => Promise<void>
  /** Runs after all tasks, before the checks. */
  readonly relieve: () => void
}

/** Commands that take longer than this will never end. */
const patience = 180_000
/** Memory limit of one task, in megabytes. */
const maxMegabytes = 700

/** Agent tasks, each in its own process, with kills, signals, tight limits and clock jumps. */
export async function soakAgent(stage: Stage): Promise<void> {
  const random = stage.random.split('agent')
  const upstreamRandom = random.split('upstream')
  const upstream = await startUpstream({
    answer: createAgentAnswer(upstreamRandom),
    fault: () => upstreamFault(upstreamRandom, 0.2),
  })
  stage.atEnd(upstream.close)
  const key = stage.plant('agent')
  await Promise.all(
    charactersOf(stage, upstream.url, key).map((character) => live(character, stage, random.split(character.name))),
  )
}

async function live(character: Character, stage: Stage, random: Random): Promise<void> {
  const { journal } = stage
  const { user, isKilled, isCramped } = character
  const acknowledged: Acknowledged[] = []
  for (let round = 0; !stage.isOver(round); round += 1) {
    const task = taskOf(random, `${character.name} ${round}`)
    const hasSessions = (await sessionIds(user.sessions)).length > 0
    // Limits the size of a session.
    const resume = hasSessions && random.chance(0.8) ? ['--resume', 'last'] : []
    const { flags, environment } = character.model
    const running = startCommand(user, ['-p', task, '--json', '--mode', 'auto', '--max-steps', '10', ...flags, ...resume], {
      ...character.options(random),
      environment,
    })
    const ended = await finish(character, running, random)
    journal.count('agent: tasks')
    checkEnd(character, ended, stage)
    acknowledged.push(...acknowledgedIn(ended.stdout, task))
    await checkProcesses(user, journal, `${character.name}, ${ended.signal ?? ended.code}`)
    const session = acknowledged.at(-1)?.session
    if (session !== undefined)
      await checkSession({ sessions: user.sessions, id: session, isHurt: isKilled || isCramped, acknowledged, journal })
  }
  character.relieve()
  for (const id of await sessionIds(user.sessions))
    await checkSession({ sessions: user.sessions, id, isHurt: isKilled || isCramped, acknowledged, journal })
  await checkFiles(user, journal, isKilled)
}

async function finish(character: Character, running: RunningCommand, random: Random): Promise<EndedCommand> {
  const late = setTimeout(() => running.signal('SIGABRT'), patience)
  const [ended] = await Promise.all([running.ended, character.disturb(running, random)])
  clearTimeout(late)
  return ended
}

function checkEnd({ name }: Character, { code, signal, stdout, stderr }: EndedCommand, { journal }: Stage): void {
  journal.count(`agent: ended with ${signal ?? code}`)
  // With very few descriptors, not even the program can be loaded.
  const isStack = /^\s+at .+\d+:\d+\)?$/m.test(stderr) && !/EMFILE/.test(stderr)
  const isSaid = code === 0 || signal !== null || stderr.trim() !== ''
  const isKnown = code === 0 || code === 1 || ['SIGKILL', 'SIGTERM', 'SIGINT'].includes(signal ?? '')
  journal.check('commands end with a code and a sentence', isKnown && isSaid && !isStack, () => {
    return `${name}: ${signal ?? code}: ${stderr.slice(-500)}`
  })
  checkText(`${stdout}${stderr}`, `${name}: output`, journal)
}

function taskOf(random: Random, name: string): string {
  const size = random.pick([5, 20, 400, 4000])
  return `Task ${name}: ${words(random, size)}${random.chance(0.2) ? ' @picture.png' : ''}`
}

/** Waits for a random moment of a command: mostly while it is working, sometimes while it starts. */
async function underWay(running: RunningCommand, random: Random): Promise<void> {
  const started = random.chance(0.8) ? running.firstLine.catch(() => undefined) : Promise.resolve()
  await Promise.race([started, running.ended])
  await Promise.race([sleep(random.below(3000)), running.ended])
}

function charactersOf(stage: Stage, url: string, key: string): readonly Character[] {
  const { journal } = stage
  const openai = { flags: ['--model', 'soak', '--base-url', `${url}/v1`], environment: { OPENAI_API_KEY: key } }
  const anthropic = {
    flags: ['--model', 'anthropic/claude-sonnet-5'],
    environment: { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: `${url}/v1` },
  }
  const google = {
    flags: ['--model', 'google/gemini-2.5-pro'],
    environment: { GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: `${url}/v1beta` },
  }
  const home = (name: string) => stage.makeFolder('agent', name)
  const small = { context_window: 12_000 }
  const clock = fileURLToPath(new URL('../faults/clock-jumps.ts', import.meta.url))
  const peaks = (running: RunningCommand) => {
    const peak = (peakMemory(running.pid) ?? 0) / 2 ** 20
    journal.check('memory stays flat', peak < maxMegabytes, () => `a task took ${peak.toFixed(0)} MB`)
  }
  const disk = stage.isSmall ? null : createSmallDisk(stage.makeFolder('agent', 'disk'), 12_000)
  if (disk !== null) stage.atEnd(disk.remove)

  const gentle: Character = {
    name: 'gentle',
    user: createAgentUser(home('gentle'), small),
    model: openai,
    isKilled: false,
    isCramped: false,
    options: () => ({}),
    relieve: () => undefined,
    async disturb(running, random) {
      await underWay(running, random)
      if (!running.isRunning()) return
      peaks(running)
      if (random.chance(0.4)) running.signal(random.pick(['SIGINT', 'SIGTERM']))
    },
  }
  const rough: Character = {
    ...gentle,
    name: 'rough',
    user: createAgentUser(home('rough'), small),
    model: anthropic,
    isKilled: true,
    async disturb(running, random) {
      await underWay(running, random)
      if (running.isRunning() && random.chance(0.7)) running.signal('SIGKILL')
    },
  }
  const cramped: Character = {
    ...gentle,
    name: 'cramped',
    user: createAgentUser(home('cramped'), {}, disk === null ? undefined : join(disk.folder, 'state')),
    model: openai,
    isCramped: true,
    relieve: () => disk?.grow(),
    options: (random) => ({
      ...(random.chance(0.4) ? { descriptors: 22 + random.below(30) } : {}),
      ...(disk === null ? { fileBlocks: 16 + random.below(200) } : {}),
    }),
    async disturb(running, random) {
      if (disk === null) return
      await underWay(running, random)
      const fault = random.pick(['full', 'read-only', 'none'])
      journal.count(`agent: disk ${fault}`)
      if (fault === 'full') disk.fill()
      if (fault === 'read-only') disk.forbid()
      await Promise.race([sleep(3000), running.ended])
      disk.allow()
      disk.free()
    },
  }
  const jumpy: Character = {
    ...gentle,
    name: 'jumpy',
    user: createAgentUser(home('jumpy')),
    model: google,
    options: () => ({ preload: [clock] }),
    async disturb(running, random) {
      while (running.isRunning()) {
        await Promise.race([sleep(200 + random.below(600)), running.ended])
        if (random.chance(0.4)) {
          const killed = running.isRunning() ? killChild(running.pid, random) : null
          if (killed !== null) journal.count(`agent: killed child ${killed}`)
        }
      }
    },
  }
  return stage.isSmall ? [rough] : [gentle, rough, cramped, jumpy]
}
