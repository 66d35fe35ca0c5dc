import type { ReplaceEdit } from '@plimsoll/core'
import { hideItemName } from '@plimsoll/core/policies'
import { hidingCost, type NewEntry } from '@plimsoll/core/session'
import { nearest } from '../../config/nearest.ts'
import { branchHeads, branchMessages, keepPins, restoredEdit, rewindTo } from '../../session/branch.ts'
import { forkSession } from '../../session/create-session.ts'
import { listSessions, removeSession } from '../../session/list-sessions.ts'
import type { OpenSession, StoredSession } from '../../session/session.ts'
import { SessionError, sessionProblemText } from '../../session/session-error.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { CommandError, type CommandIo, closing } from '../command-io.ts'
import { type SessionContext, type SessionOptions, sayNotices, sessionContext } from '../settings.ts'
import { createMessageLines, lineText } from '../terminal/message-line.ts'
import { cleanText, cutToWidth, grouped, moneyText } from '../terminal/text.ts'
import { chooseBranchMessage, chooseMessage, named, wholeIds, withOpened, withStored } from './session-choice.ts'

export function pinCommand(word: string, which: string, options: SessionOptions, io: CommandIo): Promise<void> {
  return change(word, options, io, (session, { strings }) => pinChange(session, which, 'pin', strings.sessionCommands))
}

export function unpinCommand(word: string, which: string, options: SessionOptions, io: CommandIo): Promise<void> {
  return change(word, options, io, (session, { strings }) => pinChange(session, which, 'unpin', strings.sessionCommands))
}

/** Prints what hiding costs, and hides the result of a message from the next request on. */
export function hideCommand(word: string, which: string, options: SessionOptions, io: CommandIo): Promise<void> {
  return change(word, options, io, (session, { strings }) => hideChange(session, which, 'hide', strings, io.now()))
}

export function unhideCommand(word: string, which: string, options: SessionOptions, io: CommandIo): Promise<void> {
  return change(word, options, io, (session, { strings }) => hideChange(session, which, 'unhide', strings, io.now()))
}

/** Decides what hiding a result or showing it again changes and says. */
export function hideChange(session: OpenSession, which: string, how: 'hide' | 'unhide', strings: Strings, now: number): Change {
  const { sessionCommands } = strings
  const { message, number } = chooseBranchMessage(session, which, sessionCommands)
  const state = session.state()
  const isHidden = state.hides.includes(message.id)
  if (how === 'unhide') {
    if (!isHidden) return { entry: null, text: sessionCommands.notHidden(`${number}`) }
    return { entry: { type: 'edits', unhide: [message.id] }, text: sessionCommands.unhidden(`${number}`) }
  }
  if (isHidden) return { entry: null, text: sessionCommands.alreadyHidden(`${number}`) }
  const { saved, rewritten, dollars } = hidingCost(state, message.id, { now, hides: state.hides })
  if (saved <= 0) return { entry: null, text: sessionCommands.nothingToHide(`${number}`) }
  const price = sessionCommands.hidingCost(grouped(saved), grouped(rewritten), dollars === null ? null : moneyText(dollars))
  const unpin = state.pins.includes(message.id) ? { unpin: [message.id] } : {}
  return { entry: { type: 'edits', hide: [message.id], ...unpin }, text: `${price}\n${sessionCommands.hidden(`${number}`)}` }
}

/** Decides what pinning or unpinning changes and says. */
export function pinChange(
  session: OpenSession,
  which: string,
  how: 'pin' | 'unpin',
  strings: Strings['sessionCommands'],
): Change {
  const { message, number } = chooseBranchMessage(session, which, strings)
  const isPin = how === 'pin'
  if (session.state().pins.includes(message.id) === isPin)
    return { entry: null, text: isPin ? strings.alreadyPinned(`${number}`) : strings.notPinned(`${number}`) }
  const text = isPin ? strings.pinned(`${number}`) : strings.unpinned(`${number}`)
  const unhide = isPin && session.state().hides.includes(message.id) ? { unhide: [message.id] } : {}
  return { entry: { type: 'edits', [how]: [message.id], ...unhide }, text }
}

/** Undoes an edit. Its message is pinned, because the policy would propose the same again at the next request. */
export async function restoreCommand(word: string, which: string, options: SessionOptions, io: CommandIo): Promise<void> {
  await change(word, options, io, (session, { strings }) => {
    const restored = restoredEdit(session, which)
    if (restored === null) {
      const { folds, edits } = session.state()
      const near = nearest(which, [...folds, ...edits].slice(0, 1000).map(({ id }) => id)) // biome-ignore format: one idea
      throw new CommandError(strings.sessionCommands.noSuchEdit(named(which), near === null ? null : named(near)), 1)
    }
    const { edit, entry, comesBack } = restored
    const text =
      edit.kind === 'replace' && edit.policy !== hideItemName
        ? restoredAndPinned(session, edit, strings.sessionCommands)
        : strings.sessionCommands.restored(named(edit.id))
    return { entry, text: comesBack ? `${text}\n${strings.sessionCommands.comesBack(edit.policy)}` : text }
  })
}

function restoredAndPinned(session: OpenSession, edit: ReplaceEdit, strings: Strings['sessionCommands']): string {
  const number = branchMessages(session).find(({ head }) => head.id === edit.message)?.number
  return strings.restoredAndPinned(named(edit.id), number === undefined ? cleanText(edit.message) : `${number}`)
}

interface Change {
  readonly entry: NewEntry | null
  readonly text: string
}

async function change(
  word: string,
  options: SessionOptions,
  io: CommandIo,
  decide: (session: OpenSession, context: SessionContext) => Change,
): Promise<void> {
  const context = await sessionContext(options, io)
  await withOpened(word, context, async (session) => {
    const { entry, text } = decide(session, context)
    if (entry !== null) await session.append([entry])
    io.stdout.write(`${text}\n`)
  })
}

/** Goes back to a message, or to any entry of the log. Later entries stay in the log. */
export async function rewindCommand(word: string, to: string, options: SessionOptions, io: CommandIo): Promise<void> {
  const context = await sessionContext(options, io)
  const { sessionCommands } = context.strings
  await withOpened(word, context, async (session) => {
    const entry = entryOf(session, to, context)
    const messages = branchMessages(session)
    const end = branchHeads(session).at(-1)?.id ?? session.id
    if (entry === end) return io.stdout.write(`${sessionCommands.alreadyThere}\n`)
    const before = session.state()
    await rewindTo(session, entry)
    const shared = new Set(branchMessages(session).map(({ head }) => head.id))
    await keepPins(session, before, shared)
    const left = messages.filter(({ head }) => !shared.has(head.id)).length
    const back = sessionCommands.howToGoBack(`plimsoll sessions rewind ${session.id} ${end}`)
    io.stdout.write(`${rewound(session, left, context)}\n${back}\n`)
  })
}

/** Creates a session from the beginning of another one. */
export async function forkCommand(word: string, to: string | undefined, options: SessionOptions, io: CommandIo): Promise<void> {
  const context = await sessionContext(options, io)
  const { sessionCommands } = context.strings
  await withStored(word, context, async (original) => {
    const entry = to === undefined ? {} : { entry: entryOf(original, to, context) }
    await closing(await forkSession(context.sessions, original, { now: io.now, ...entry }), (fork) => {
      const { length } = branchMessages(fork)
      io.stdout.write(`${sessionCommands.forked(sessionCommands.messages(length, grouped(length)), fork.id)}\n`)
      // The damage of the original is in the copy too.
      sayNotices(
        io,
        fork.troubles().map(({ message }) => cleanText(message)),
        options,
      )
    })
  })
}

/** A message by number or id, the very beginning by 0, any other entry by its id. */
function entryOf(session: StoredSession, word: string, { strings }: SessionContext): string {
  const heads = session.heads()
  if (word === '0') return heads[0]?.id ?? session.id
  const other = heads.find(({ id, type }) => id === word && type !== 'message')
  return other?.id ?? chooseMessage(session, word, strings.sessionCommands).message.id
}

function rewound(session: StoredSession, left: number, { strings, screen }: SessionContext): string {
  const last = branchMessages(session).at(-1)
  if (last === undefined) return strings.sessionCommands.rewoundToStart(left)
  const entry = session.entry(last.head.id)
  const text = entry?.type === 'message' ? lineText(createMessageLines()(entry.message), entry.message.role) : ''
  return strings.sessionCommands.rewound(`${last.number}`, cutToWidth(text, Math.max(20, screen.columns - 45)), left)
}

/** Removes sessions, each named by its full id. Nothing is removed unless all of them exist. */
export async function removeCommand(given: readonly string[], options: SessionOptions, io: CommandIo): Promise<void> {
  const { sessions, strings } = await sessionContext(options, io)
  const ids = await wholeIds(sessions, given, strings.sessionCommands)
  const titles = new Map((await listSessions(sessions)).rows.map(({ id, title }) => [id, title]))
  const removed: string[] = []
  for (const id of ids) {
    try {
      await removeSession(sessions, id)
    } catch (error) {
      if (!(error instanceof SessionError) || removed.length === 0) throw error
      const why = `${id}: ${sessionProblemText(error.problem, strings.session)}`
      throw new CommandError(`${why} ${strings.sessionCommands.removedBefore(removed.join(', '))}`, 1)
    }
    removed.push(id)
  }
  for (const id of removed) {
    const title = titles.get(id) ?? null
    io.stdout.write(`${strings.sessionCommands.removed(id, title === null ? null : cleanText(title))}\n`)
  }
}
