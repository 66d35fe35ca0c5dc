import { offlineProvider } from '../../model/model-knowledge.ts'
import { createWorkspaceFiles, fuzzyFind, mentionText, type WorkspaceFiles } from '../../tools/workspace-files.ts'
import type { CommandIo } from '../command-io.ts'
import { cleanText, shortTokens } from '../terminal/text.ts'
import { type ChatSetup, openChat } from './chat.ts'
import type { Status } from './live-lines.ts'
import { openWord, slashCommands } from './slash-commands.ts'

/** Runs the chat on a terminal until the user leaves, and always restores the terminal. */
export async function terminalMode(
  setup: Omit<ChatSetup, 'isAttended' | 'fill'>,
  io: CommandIo,
  shownRoot: string,
): Promise<void> {
  const { strings, host, now } = setup
  const { paint } = setup.screen()
  let handles = { fill: (_text: string): void => undefined, redraw: (): void => undefined }
  const [mountChat, chat] = await Promise.all([
    loadInterface(),
    openChat({ ...setup, isAttended: true, fill: (text) => handles.fill(text) }),
  ])
  const files = createWorkspaceFiles(host.root, now, () => handles.redraw())
  const { locale } = host.context.settings.config
  const status = (): Status => {
    const { name, provider, facts } = chat.agent().model()
    return {
      model: cleanText(name),
      isOffline: provider === offlineProvider,
      hasCache: facts.hasPromptCache !== false,
      mode: chat.agent().mode(),
      root: cleanText(shownRoot),
      meter: chat.state().meter,
      now: now(),
    }
  }
  // Removes the prompt that was written while everything loaded.
  io.stdout.write('\r\u001b[K\u001b[1A')
  const app = mountChat({
    chat,
    drawing: (columns) => ({ strings, locale, paint, columns: Math.max(20, columns) }),
    complete: (text, cursor) => completionFor(text, cursor, files, strings.chat),
    status,
    bind: (given) => {
      handles = given
    },
    now,
  })
  const quit = () => chat.quit()
  const signals = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const
  for (const signal of signals) process.on(signal, quit)
  void chat.look()
  try {
    await Promise.race([chat.ended, app.waitUntilExit()])
    await chat.close()
  } finally {
    // Removes the prompt and keeps the conversation.
    app.clear()
    app.unmount()
    for (const signal of signals) process.off(signal, quit)
  }
  const { session } = chat.agent()
  if (session.heads().some(({ type }) => type === 'message'))
    io.stdout.write(`${paint('dim', strings.chat.goodbye)}\n  plimsoll resume ${session.id}\n`)
}

/** React's development version is much slower; the environment decides which one is loaded. */
async function loadInterface(): Promise<typeof import('./chat-app.tsx').mountChat> {
  const { NODE_ENV: before } = process.env
  process.env['NODE_ENV'] = 'production'
  try {
    return (await import('./chat-app.tsx')).mountChat
  } finally {
    // Commands that the agent runs get the user's own environment.
    if (before === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = before
  }
}

const maxCandidates = 8

function completionFor(text: string, cursor: number, files: WorkspaceFiles, strings: ChatSetup['strings']['chat']) {
  const word = openWord(text, cursor)
  if (word === null) return null
  const { kind, start, end, query } = word
  const candidates =
    kind === 'command'
      ? commandsLike(query).map((command) => ({
          text: `/${command.name}${command.parameter === '' ? '' : ' '}`,
          label: `/${command.name} ${command.parameter}`,
          detail: strings.commands[command.name],
        }))
      : fuzzyFind(files.list(), query, maxCandidates).map((path) => {
          const tokens = files.tokens(path)
          return {
            text: mentionText(path),
            label: cleanText(path),
            detail: tokens === null ? '' : strings.costOfFile(shortTokens(tokens)),
          }
        })
  return candidates.length === 0 ? null : { kind, start, end, candidates }
}

function commandsLike(query: string): typeof slashCommands {
  const names = slashCommands.map(({ name }) => name)
  return fuzzyFind(names, query, names.length).flatMap((name) => slashCommands.find((command) => command.name === name) ?? [])
}
