import { homedir } from 'node:os'
import { offlineProvider } from '../../model/model-knowledge.ts'
import type { AgentHost } from '../agent/agent-host.ts'
import type { AgentCommandOptions } from '../agent/agent-options.ts'
import { isOfflineUnasked } from '../agent/is-offline-unasked.ts'
import type { CommandIo } from '../command-io.ts'
import { chooseSession } from '../sessions/session-choice.ts'
import { cleanText } from '../terminal/clean-text.ts'
import { type Paint, paintFor } from '../terminal/paint.ts'
import type { Screen } from '../terminal/screen.ts'
import { cutToWidth, wrapText } from '../terminal/text-width.ts'
import { lineMode } from './line-mode.ts'

/** Talks with a person: on a terminal with everything it can show, elsewhere line by line. */
export async function chatCommand(host: AgentHost, options: AgentCommandOptions, io: CommandIo): Promise<void> {
  const { sessions, strings } = host.context
  const session = options.resume === undefined ? null : await chooseSession(sessions, options.resume, strings.sessionCommands)
  const paint = paintFor(io.stdout, options, io)
  const screen = (): Screen => ({ strings: strings.view, paint, columns: columnsOf(io), endless: !io.stdout.isTerminal })
  const isTerminal = io.stdout.isTerminal && process.stdin.isTTY && io.environment['TERM'] !== 'dumb'
  const setup = { host, session, strings, screen, now: io.now }
  if (!isTerminal) {
    for (const line of welcomeLines(host, options, screen().columns, (_tint, text) => text)) io.stderr.write(`${line}\n`)
    return lineMode(setup, io)
  }
  // What draws takes a while to load; somebody who looks at the terminal sees at once where they are.
  for (const line of welcomeLines(host, options, screen().columns, paint)) io.stdout.write(`${line}\n`)
  io.stdout.write('\n› ')
  const { terminalMode } = await import('./terminal-mode.ts')
  await terminalMode(setup, io, shortRoot(host.root))
}

/** Lists and grids need this much; a narrower terminal breaks their lines. */
const leastColumns = 40

function columnsOf({ stdout }: CommandIo): number {
  const columns = stdout.isTerminal ? (process.stdout.columns ?? stdout.columns ?? 80) : 80
  return Math.min(200, Math.max(leastColumns, columns))
}

function welcomeLines(host: AgentHost, options: AgentCommandOptions, columns: number, paint: Paint): readonly string[] {
  const { context, defaultModel, why, root, notices } = host
  const { strings, settings } = context
  const { chat, agent } = strings
  const model = cleanText(defaultModel.name)
  const isOffline = defaultModel.provider === offlineProvider
  const chosen = why === null ? model : agent.modelChosen(model, cleanText(why))
  return [
    paint('bold', cutToWidth(`Plimsoll · ${isOffline ? chat.offlineModel : chosen} · ${cleanText(shortRoot(root))}`, columns)),
    ...(isOfflineUnasked(host, options) ? wrapText(agent.offline, columns).map((line) => paint('warning', line)) : []),
    ...[...settings.warnings, ...notices.map(({ message, details }) => `${message} (${details})`)]
      .flatMap((warning) => wrapText(cleanText(warning), columns))
      .map((line) => paint('warning', line)),
    ...wrapText(chat.hint, columns).map((line) => paint('dim', line)),
  ]
}

function shortRoot(root: string): string {
  const home = homedir()
  return root === home || root.startsWith(`${home}/`) ? `~${root.slice(home.length)}` : root
}
