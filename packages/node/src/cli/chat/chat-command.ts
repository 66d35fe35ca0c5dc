import { homedir } from 'node:os'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { offlineProvider } from '../../model/model-knowledge.ts'
import type { AgentCommandOptions } from '../agent/agent-options.ts'
import { type AgentHost, isOfflineUnasked } from '../agent/open-agent-host.ts'
import type { CommandIo } from '../command-io.ts'
import { isLogHidden } from '../open-log.ts'
import { chooseSession } from '../sessions/session-choice.ts'
import { type Paint, paintFor, type Screen } from '../terminal/screen.ts'
import { cleanText, cutToWidth, wrapText } from '../terminal/text.ts'
import { blockLines, type Drawing } from './block-lines.ts'
import { type ChatSetup, openChat } from './chat.ts'

/** Talks with the user: on a terminal with everything it can show, elsewhere line by line. */
export async function chatCommand(host: AgentHost, options: AgentCommandOptions, io: CommandIo, isDrawn: boolean): Promise<void> {
  const { sessions, strings } = host.context
  const session = options.resume === undefined ? null : await chooseSession(sessions, options.resume, strings.sessionCommands)
  const paint = paintFor(io.stdout, options, io)
  const width = () => (io.stdout.isTerminal ? (process.stdout.columns ?? io.stdout.columns ?? 80) : 80)
  const columns = () => Math.min(200, Math.max(minColumns, width()))
  const screen = (): Screen => ({ strings: strings.view, paint, columns: columns(), endless: !io.stdout.isTerminal })
  const setup = { host, session, strings, screen, now: io.now }
  if (!isDrawn) {
    for (const line of welcomeLines(host, options, screen().columns, (_tint, text) => text)) io.stderr.write(`${line}\n`)
    return lineMode(setup, io)
  }
  // Drawing takes a while to load; the welcome appears at once.
  for (const line of welcomeLines(host, options, screen().columns, paint)) io.stdout.write(`${line}\n`)
  if (isLogHidden(host.context.settings, io, isDrawn))
    for (const line of wrapText(strings.command.logHidden, columns())) io.stdout.write(`${paint('warning', line)}\n`)
  io.stdout.write('\n› ')
  const { terminalMode } = await import('./terminal-mode.ts')
  await terminalMode(setup, io, shortRoot(host.root))
}

/** Lists and grids need this much; a narrower terminal breaks their lines. */
const minColumns = 40

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

/** Each line of standard input is a turn or a command; the result is printed as plain text. */
async function lineMode(setup: Omit<ChatSetup, 'isAttended' | 'fill'>, io: CommandIo): Promise<void> {
  const { strings, host } = setup
  const { paint, columns } = setup.screen()
  const drawing: Drawing = { strings, locale: host.context.settings.config.locale, paint, columns }
  const chat = await openChat({ ...setup, isAttended: false, fill: () => undefined })
  const print = () => {
    for (const block of chat.state().blocks) {
      if (block !== null) for (const line of blockLines(block, drawing)) io.stdout.write(`${line}\n`)
    }
    if (chat.state().blocks.at(-1) != null) chat.printed()
  }
  const stop = chat.onChange(print)
  let hasEnded = false
  void chat.ended.then(() => {
    hasEnded = true
  })
  const interrupt = io.interrupted?.()
  interrupt?.addEventListener('abort', chat.quit)
  const lines = createInterface({ input: Readable.from(io.stdin), crlfDelay: Number.POSITIVE_INFINITY })
  try {
    print()
    for await (const line of lines) {
      if (line.trim() !== '') await chat.submit(line)
      await Promise.resolve()
      if (hasEnded) break
    }
  } finally {
    lines.close()
    stop()
    interrupt?.removeEventListener('abort', chat.quit)
    await chat.close()
  }
}
