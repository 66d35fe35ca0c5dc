import { type Edit, type Message, resultText } from '@plimsoll/core'
import { type SessionState, transcriptOf } from '@plimsoll/core/session'
import { countMessage, estimator, mediaIn } from '@plimsoll/core/text'
import { homeFolder } from '../../config/home-folder.ts'
import { isoTime, timeText } from '../../files/time-and-size.ts'
import { branchMessages } from '../../session/branch.ts'
import type { StoredSession } from '../../session/session.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { CommandError, type CommandIo } from '../command-io.ts'
import type { NextOptions } from '../requests/next-command.ts'
import { type SessionContext, sayNotices, sessionContext } from '../settings.ts'
import { createMessageLines } from '../terminal/message-line.ts'
import { cleanText, grouped, tildePath, writeText } from '../terminal/text.ts'
import { writeJson } from '../terminal/write-out.ts'
import { chooseMessage, withStored } from './session-choice.ts'
import { branchesScreen, branchTree, showScreen } from './show-screen.ts'

type ShowOptions = NextOptions & {
  readonly all?: boolean
  readonly escape?: boolean
  readonly branches?: boolean
  readonly next?: boolean
}

const maxMessages = 20

/** Shows the content of a session, the tree of its branches, one message in full, or the next request. */
export async function showCommand(word: string, which: string | undefined, options: ShowOptions, io: CommandIo): Promise<void> {
  const context = await sessionContext(options, io)
  const { strings, screen } = context
  refuseContradictions(which, options, strings)
  if (options.next === true) return (await import('../requests/next-command.ts')).nextCommand(word, options, context)
  const isJson = options.json === true
  await withStored(word, context, (session) => {
    const { id } = session
    if (which !== undefined) return showMessage(session, which, options, context)
    if (options.branches === true) {
      const branches = branchTree(session)
      if (isJson) return writeJson({ session: id, branches }, id, strings, io.stdout)
      return io.stdout.write(branchesScreen(id, branches, strings.sessionCommands, screen))
    }
    const isAll = options.all === true || isJson || screen.endless
    const account = showAccount(session, isAll ? null : maxMessages)
    if (isJson) return writeJson(account, id, strings, io.stdout)
    const root = account.root === null ? null : tildePath(account.root, homeFolder(io.environment))
    io.stdout.write(showScreen({ ...account, root }, isAll, strings.sessionCommands, screen))
  })
}

function refuseContradictions(which: string | undefined, options: ShowOptions, { requestCommands }: Strings): void {
  const isNext = options.next === true
  if (isNext && which !== undefined) throw new CommandError(requestCommands.notTogether('--next', 'MESSAGE'), 2)
  const wrong = (isNext ? otherOptions : nextOptions).find((name) => options[name] !== undefined)
  if (wrong === undefined) return
  const { notTogether, needsNext } = requestCommands
  throw new CommandError(isNext ? notTogether('--next', `--${wrong}`) : needsNext(`--${wrong}`), 2)
}

const nextOptions = ['now', 'root', 'config', 'policies', 'model', 'dialect', 'exact'] as const
const otherOptions = ['all', 'branches'] as const

function showMessage(session: StoredSession, which: string, options: ShowOptions, { io, strings }: SessionContext): void {
  const { message: stored, number } = chooseMessage(session, which, strings.sessionCommands)
  const { message, text, media, troubles } = storedMessage(stored, session)
  sayNotices(io, troubles.map((problem) => strings.sessionCommands.extractLeft(cleanText(problem))), options) // biome-ignore format: one idea
  if (options.json === true) return writeJson({ session: session.id, number, message }, session.id, strings, io.stdout)
  if (io.stdout.isTerminal) {
    const tokens = strings.sessionCommands.tokens(grouped(countMessage(message, estimator)))
    const name = number === null ? cleanText(message.id) : `#${number}`
    const facts = [name, strings.sessionCommands.role[message.role], timeText(message.at), tokens, cleanText(message.id)]
    sayNotices(io, [facts.join(' · ')], options)
  }
  if (media.length > 0) sayNotices(io, [strings.sessionCommands.mediaLeftOut(cleanText([...new Set(media)].join(', ')))], options)
  writeText(text, io.stdout, io.stdout.isTerminal || options.escape === true)
}

function storedMessage(message: Message, session: StoredSession) {
  const troubles: string[] = []
  const parts = message.parts.map((part) => {
    if (part.type !== 'tool-result' || part.blob === undefined) return part
    const whole = session.whole(part)
    if ('part' in whole) return whole.part
    troubles.push(whole.trouble)
    return part
  })
  const complete = parts.every((part, index) => part === message.parts[index]) ? message : { ...message, parts }
  const media = complete.parts.flatMap(mediaIn).map(({ mediaType }) => mediaType)
  return { message: complete, text: textOf(complete), media, troubles }
}

function textOf(message: Message): string {
  const [only, ...others] = message.parts
  if (others.length === 0 && (only?.type === 'text' || only?.type === 'reasoning')) return only.text
  if (others.length === 0 && only?.type === 'tool-result') return resultText(only)
  return transcriptOf([message])
}

/** Everything that is shown of a stored session. The names are those of its JSON. */
export type ShowAccount = Readonly<ReturnType<typeof showAccount>>

/** Collects the active branch with everything active on it, and at most `most` of its latest messages, null for all. */
function showAccount(session: StoredSession, max: number | null) {
  const state = session.state()
  const { header } = state
  const heads = branchMessages(session)
  const numbers = new Map(heads.map(({ head, number }) => [head.id, number]))
  const folds = state.folds.map((fold) => shownFold(fold, numbers))
  const pins = new Set(state.pins)
  const lineOf = createMessageLines()
  const earlier = max === null ? 0 : Math.max(0, heads.length - max)
  // A result is named by its call, which is a little before it.
  const start = Math.max(0, earlier - callsBefore)
  const messages = heads.slice(start).flatMap(({ number, head }) => {
    const entry = session.entry(head.id)
    const message = entry?.type === 'message' ? entry.message : null
    const line = message === null ? { tools: [], about: '', first: '' } : lineOf(message)
    if (number <= earlier) return []
    const shown = {
      number,
      id: head.id,
      role: message?.role ?? null,
      at: isoTime(message?.at),
      tokens: message === null ? 0 : countMessage(message, estimator),
      ...line,
      summary: message?.summary === true,
      pinned: pins.has(head.id),
      fold: folds.find(({ first, last }) => first !== null && last !== null && number >= first && number <= last)?.id ?? null,
    }
    return [shown]
  })
  return {
    session: session.id,
    title: header.title ?? null,
    root: header.root ?? null,
    from: header.from ?? null,
    version: header.version,
    begun: isoTime(header.at),
    leaf: state.leaf,
    branches: countLeaves(session),
    messages,
    earlier,
    folds,
    edits: state.edits.map((edit) => shownEdit(edit, numbers)),
    pins: state.pins,
    troubles: session.troubles(),
  }
}

const callsBefore = 50

function countLeaves(session: StoredSession): number {
  const heads = session.heads()
  const parents = new Set(heads.map(({ parentId }) => parentId))
  return heads.filter(({ id }, index) => index === heads.length - 1 || !parents.has(id)).length
}

function shownFold({ id, policy, first, last, into, why }: SessionState['folds'][number], numbers: ReadonlyMap<string, number>) {
  return {
    id,
    policy,
    first: numbers.get(first) ?? null,
    last: numbers.get(last) ?? null,
    summary: into?.id ?? null,
    tokens: into === null ? 0 : countMessage(into, estimator),
    why,
  }
}

function shownEdit(edit: Edit, numbers: ReadonlyMap<string, number>) {
  const { id, policy, kind, why } = edit
  const place = edit.kind === 'replace' ? edit.message : edit.kind === 'fold' ? edit.first : edit.after
  return { id, policy, kind, message: place === null ? null : (numbers.get(place) ?? null), why }
}
