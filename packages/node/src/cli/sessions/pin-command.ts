import type { ReplaceEdit } from '@plimsoll/core'
import type { NewEntry } from '@plimsoll/core/session'
import { nearest } from '../../config/nearest.ts'
import { branchMessages, restoredEdit } from '../../session/branch.ts'
import { openSession } from '../../session/open-session.ts'
import type { OpenSession } from '../../session/session.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { CommandError } from '../command-error.ts'
import type { CommandIo } from '../command-io.ts'
import { type SessionContext, type SessionOptions, type Speak, sessionContext } from '../session-context.ts'
import { cleanText } from '../terminal/clean-text.ts'
import { chooseBranchMessage } from './choose-message.ts'
import { chooseSession, named } from './session-choice.ts'

/** Keeps a message whole in every view from here on. */
export async function pinCommand(
  word: string,
  which: string,
  options: SessionOptions,
  io: CommandIo,
  speak: Speak,
): Promise<void> {
  await change(word, options, io, speak, (session, { strings }) => {
    const { message, number } = chooseBranchMessage(session, which, strings.sessionCommands)
    const said = `${number}`
    if (session.state().pins.includes(message.id)) return { entry: null, text: strings.sessionCommands.alreadyPinned(said) }
    return { entry: { type: 'edits', pin: [message.id] }, text: strings.sessionCommands.pinned(said) }
  })
}

/** Lets a pinned message be trimmed again. */
export async function unpinCommand(
  word: string,
  which: string,
  options: SessionOptions,
  io: CommandIo,
  speak: Speak,
): Promise<void> {
  await change(word, options, io, speak, (session, { strings }) => {
    const { message, number } = chooseBranchMessage(session, which, strings.sessionCommands)
    const said = `${number}`
    if (!session.state().pins.includes(message.id)) return { entry: null, text: strings.sessionCommands.notPinned(said) }
    return { entry: { type: 'edits', unpin: [message.id] }, text: strings.sessionCommands.unpinned(said) }
  })
}

/** Takes an edit back. Its message is pinned, because the policy would propose the same again at the next request. */
export async function restoreCommand(
  word: string,
  which: string,
  options: SessionOptions,
  io: CommandIo,
  speak: Speak,
): Promise<void> {
  await change(word, options, io, speak, (session, { strings }) => {
    const restored = restoredEdit(session, which)
    if (restored === null) {
      const { folds, edits } = session.state()
      const near = nearest(which, [...folds, ...edits].slice(0, 1000).map(({ id }) => id)) // biome-ignore format: one idea
      throw new CommandError(strings.sessionCommands.noSuchEdit(named(which), near === null ? null : named(near)), 1)
    }
    const { edit, entry, comesBack } = restored
    const text =
      edit.kind === 'replace'
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
  /** Null where nothing is to be changed. */
  readonly entry: NewEntry | null
  readonly text: string
}

async function change(
  word: string,
  options: SessionOptions,
  io: CommandIo,
  speak: Speak,
  decide: (session: OpenSession, context: SessionContext) => Change,
): Promise<void> {
  const context = sessionContext(options, io, speak)
  const id = await chooseSession(context.sessions, word, context.strings.sessionCommands)
  const session = await openSession(context.sessions, id, { now: io.now })
  try {
    const { entry, text } = decide(session, context)
    if (entry !== null) await session.append([entry])
    io.stdout.write(`${text}\n`)
  } finally {
    await session.close()
  }
}
