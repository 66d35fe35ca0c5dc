import { join } from 'node:path'
import type { PartialConfig } from '@plimsoll/core'
import type { TrimMode } from '@plimsoll/core/policies'
import { type CommandOptions, createUser, type EndedCommand, type RunningCommand, startCommand } from '../command.ts'
import { checkProcesses } from '../laws/check-leftovers.ts'
import { checkText } from '../laws/check-secrets.ts'
import { memoryReport } from '../laws/watch-process.ts'
import type { Stage } from '../stage.ts'

/** A gateway that can be restarted. */
export interface SoakedGateway {
  readonly name: string
  readonly home: string
  readonly mode: TrimMode
  /** Its current URL; null while it is down. */
  readonly url: () => string | null
  /** Increases with every end, so that a client can detect a restart. */
  readonly lives: () => number
  readonly running: () => RunningCommand
  readonly stop: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>
  readonly start: () => Promise<void>
  /** Runs another command of the same user. */
  readonly run: (words: readonly string[]) => Promise<EndedCommand>
  /** Its store: a database or a file. */
  readonly store: string
}

/** Options of a gateway. */
export interface GatewaySetup extends CommandOptions {
  readonly name: string
  readonly mode: TrimMode
  readonly upstream: string
  /** The address of a database. Default: a file. */
  readonly database?: string
  /** The folder for its state. Default: in its own home. */
  readonly state?: string
}

/** Starts a gateway as a separate process. */
export async function startSoakedGateway(setup: GatewaySetup, stage: Stage): Promise<SoakedGateway> {
  const { name, mode, upstream, database, state, preload = [], ...options } = setup
  const { journal } = stage
  const config: PartialConfig = {
    gateway: {
      trim: mode,
      store: database ?? null,
      log: 'info',
      upstreams: { anthropic: upstream, openai: upstream, gemini: upstream },
    },
  }
  const home = stage.makeFolder('gateway', name)
  const user = createUser(home, config, state)
  let [url, lives]: [string | null, number] = [null, 0]
  let running: RunningCommand

  async function start(): Promise<void> {
    running = startCommand(user, ['gateway', '--json', '--port', '0'], { ...options, preload: [...preload, memoryReport] })
    url = (JSON.parse(await running.firstLine) as { readonly address: string }).address
  }

  async function stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    url = null
    lives += 1
    running.signal(signal)
    const late = setTimeout(() => running.signal('SIGABRT'), 60_000)
    const ended = await running.ended
    clearTimeout(late)
    journal.count(`gateway: ended by ${signal}`)
    const isFine = signal === 'SIGKILL' || (ended.code === 0 && !/^\s+at .+\d+:\d+\)?$/m.test(ended.stderr))
    journal.check('commands end with a code and a sentence', isFine, () => {
      return `gateway ${name}: ${ended.code ?? ended.signal}: ${ended.stderr.slice(-500)}`
    })
    checkText(`${ended.stdout}${ended.stderr}`, `gateway ${name}: log`, journal)
    await checkProcesses(user, journal, `gateway ${name}`)
  }

  await start()
  return {
    name,
    home,
    mode,
    url: () => url,
    lives: () => lives,
    running: () => running,
    start,
    stop,
    run: (words) => startCommand(user, words).ended,
    store: database ?? join(state ?? join(home, 'state'), 'plimsoll', 'gateway', 'store.sqlite'),
  }
}
