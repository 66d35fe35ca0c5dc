import { knownPrices } from '@plimsoll/core/bill'
import type { PermissionMode } from '@plimsoll/core/policies'
import { permissionModes } from '../../agent/turn/permissions.ts'
import { nearest } from '../../config/nearest.ts'
import type { ModelClient } from '../../model/model-client.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { CommandError } from '../command-io.ts'
import { besideName, cleanLine, cleanText, displayWidth, grouped, quotedText, wrapText } from '../terminal/text.ts'
import type { Desk } from './chat-state.ts'
import { contextLines, costLines, trimmedLines } from './context-lines.ts'
import {
  changeHidden,
  changePin,
  compactChat,
  exportChat,
  recallText,
  resumeSession,
  undoChanges,
  undoTurn,
} from './session-actions.ts'

export interface SlashCommand {
  readonly name: keyof Strings['chat']['commands']
  readonly parameter: string
  /** Whether it may run while the agent works. */
  readonly isQuick: boolean
  readonly run: (argument: string, desk: Desk) => Promise<void> | void
}

/** In the order of the help. */
export const slashCommands: readonly SlashCommand[] = [
  { name: 'help', parameter: '', isQuick: true, run: (_argument, desk) => desk.print(helpLines(desk)) },
  { name: 'context', parameter: '', isQuick: true, run: async (_argument, desk) => desk.print(await contextLines(desk)) },
  { name: 'trimmed', parameter: '', isQuick: true, run: async (_argument, desk) => desk.print(await trimmedLines(desk)) },
  { name: 'cost', parameter: '', isQuick: true, run: (_argument, desk) => desk.print(costLines(desk)) },
  { name: 'compact', parameter: '[FOCUS]', isQuick: false, run: compactChat },
  { name: 'undo', parameter: '', isQuick: false, run: (_argument, desk) => undoTurn(desk) },
  { name: 'undo-files', parameter: '', isQuick: false, run: (_argument, desk) => undoChanges(desk) },
  { name: 'pin', parameter: '[last|NUMBER|ID]', isQuick: false, run: (word, desk) => changePin(word, desk, 'pin') },
  { name: 'unpin', parameter: '[last|NUMBER|ID]', isQuick: false, run: (word, desk) => changePin(word, desk, 'unpin') },
  { name: 'hide', parameter: '[last|NUMBER|ID]', isQuick: false, run: (word, desk) => changeHidden(word, desk, 'hide') },
  { name: 'unhide', parameter: '[last|NUMBER|ID]', isQuick: false, run: (word, desk) => changeHidden(word, desk, 'unhide') },
  { name: 'recall', parameter: 'HANDLE|WORDS', isQuick: true, run: recallText },
  { name: 'model', parameter: '[NAME]', isQuick: false, run: changeModel },
  { name: 'mode', parameter: '[read-only|ask|accept-edits|auto]', isQuick: true, run: changeMode },
  { name: 'sessions', parameter: '', isQuick: false, run: (_argument, desk) => resumeSession('', desk) },
  { name: 'resume', parameter: '[ID]', isQuick: false, run: resumeSession },
  {
    name: 'new',
    parameter: '',
    isQuick: false,
    async run(_argument, desk) {
      await desk.enter(null)
      desk.say(desk.strings.chat.newSession(desk.agent().session.id))
    },
  },
  { name: 'export', parameter: '[FILE]', isQuick: false, run: exportChat },
  { name: 'quit', parameter: '', isQuick: true, run: (_argument, desk) => desk.quit() },
]

/** Whether a text is a command: a slash and a word, not a path. */
export function isSlashCommand(text: string): boolean {
  return /^\/[a-zA-Z][\w-]*(?:\s|$)/.test(text.trim()) || text.trim() === '/'
}

export function findSlashCommand(text: string): SlashCommand | null {
  const word = wordOf(text)
  return slashCommands.find(({ name }) => name === word) ?? (word === 'exit' ? findSlashCommand('/quit') : null)
}

/** Runs the command that a text names. Throws `CommandError` with the nearest one if there is none. */
export async function runSlashCommand(text: string, desk: Desk): Promise<void> {
  const { paint } = desk.screen()
  desk.print(['', paint('bold', `› ${cleanLine(text.trim().slice(0, 2000))}`)])
  const command = text.trim() === '/' ? findSlashCommand('/help') : findSlashCommand(text)
  if (command === null) {
    const word = wordOf(text)
    const names = slashCommands.map(({ name }) => name)
    const near = nearest(word, names) ?? names.find((name) => word !== '' && name.startsWith(word)) ?? null
    throw new CommandError(desk.strings.chat.unknownCommand(`/${word}`, near === null ? null : `/${near}`), 2)
  }
  await command.run(text.trim().replace(/^\/\S+\s*/, ''), desk)
}

function wordOf(text: string): string {
  return (/^\/(\S{0,60})/.exec(text.trim())?.[1] ?? '').toLowerCase()
}

function helpLines({ strings, screen }: Desk): readonly string[] {
  const { chat } = strings
  const { paint, columns } = screen()
  const rows = slashCommands.map(
    ({ name, parameter }) => `/${name}${parameter.length > 10 ? ' …' : parameter === '' ? '' : ` ${parameter}`}`,
  )
  const width = Math.max(...rows.map(displayWidth)) + 2
  const commands = slashCommands.flatMap(({ name }, index) => besideName(rows[index] ?? '', chat.commands[name], width, columns))
  const keys = keysOf(chat).flatMap(([key, does]) => besideName(key, does, width, columns))
  return [paint('bold', chat.commandsTitle), ...commands, '', paint('bold', chat.keysTitle), ...keys]
}

function keysOf({ keys }: Strings['chat']): readonly (readonly [string, string])[] {
  return [
    ['Enter', keys.enter],
    ['Alt+Enter, \\', keys.newLine],
    ['@', keys.mention],
    ['Tab', keys.tab],
    ['↑ ↓', keys.history],
    ['Esc, Ctrl-C', keys.stop],
    ['Esc Esc', keys.rewind],
    ['Ctrl-D', keys.leave],
  ]
}

async function changeModel(name: string, desk: Desk): Promise<void> {
  if (name !== '') {
    const model = await desk.host.model(name, ({ message, details }) => desk.say(`${message} (${details})`, 'warning'))
    desk.agent().useModel(model)
    await desk.look()
  }
  desk.print(modelLines(desk.agent().model(), desk))
}

function modelLines({ name, provider, facts, price }: ModelClient, { strings, screen }: Desk): readonly string[] {
  const { chat } = strings
  const { paint, columns } = screen()
  const known = (tokens: number | null) => (tokens === null ? null : grouped(tokens))
  return [
    paint('bold', `${cleanText(name)} (${cleanText(provider)})`),
    `  ${chat.modelFacts(known(facts.window), known(facts.outputLimit))}`,
    price === null
      ? `  ${chat.noPrice}`
      : `  ${chat.price(`$${price.input}`, `$${price.cacheRead}`, `$${price.output}`, knownPrices.date)}`,
    ...wrapText(chat.howToModel, columns - 2).map((line) => paint('dim', `  ${line}`)),
  ]
}

function changeMode(name: string, desk: Desk): void {
  const { chat } = desk.strings
  const agent = desk.agent()
  if (name !== '') {
    const mode = permissionModes.find((known) => known === name)
    if (mode === undefined)
      throw new CommandError(chat.badMode(quotedText(name), permissionModes.join(', '), nearest(name, permissionModes)), 2)
    agent.setMode(mode)
  }
  const { paint } = desk.screen()
  const line = (mode: PermissionMode) => `${mode}: ${chat.modes[mode]}`
  desk.print(permissionModes.map((mode) => (mode === agent.mode() ? paint('bold', `❯ ${line(mode)}`) : `  ${line(mode)}`)))
}

/** The completions of the word at the cursor. */
export interface Completion {
  readonly kind: 'command' | 'file'
  /** The range of the text that a candidate replaces. */
  readonly start: number
  readonly end: number
  readonly candidates: readonly { readonly text: string; readonly label: string; readonly detail: string }[]
}

export type OpenWord = Omit<Completion, 'candidates'> & { readonly query: string }

/** Finds the word at the cursor that can be completed: a command at the very beginning, or a file after `@`. */
export function openWord(text: string, cursor: number): OpenWord | null {
  const left = text.slice(Math.max(0, cursor - maxWordLength), cursor)
  const command = cursor <= maxWordLength ? /^\/([\w-]*)$/.exec(left) : null
  if (command !== null) return { kind: 'command', query: command[1] ?? '', start: 0, end: cursor }
  const file = /(?:^|\s)@(?:"([^"\n]*)|([^\s"]*))$/.exec(left)
  if (file === null) return null
  const query = file[1] ?? file[2] ?? ''
  const marks = file[1] === undefined ? 1 : 2
  return { kind: 'file', query, start: cursor - query.length - marks, end: cursor }
}

const maxWordLength = 300
