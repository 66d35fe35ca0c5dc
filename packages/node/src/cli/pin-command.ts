import {
  type Edit,
  filterBinary,
  fitWindow,
  hideOldSummaries,
  limitToolOutput,
  type NewEntry,
  pairToolCalls,
} from '@plimsoll/core'
import { nearest } from '../config/nearest.ts'
import { openSession } from '../session/open-session.ts'
import type { OpenSession } from '../session/session.ts'
import { branchMessages, chooseBranchMessage } from './branch-messages.ts'
import { cleanText } from './clean-text.ts'
import { CommandError } from './command-error.ts'
import type { CommandIo } from './command-io.ts'
import { chooseSession, named } from './session-choice.ts'
import { type SessionContext, type SessionOptions, type Speak, sessionContext } from './session-context.ts'

/** Keeps a message whole in every view from here on. */
export async function pinCommand(
  word: string,
  which: string,
  options: SessionOptions,
  io: CommandIo,
  speak: Speak,
): Promise<void> {
  await change(word, options, io, speak, (session, { words }) => {
    const { message, number } = chooseBranchMessage(session, which, words)
    const said = `${number}`
    if (session.state().pins.includes(message.id)) return { entry: null, text: words.alreadyPinned(said) }
    return { entry: { type: 'edits', pin: [message.id] }, text: words.pinned(said) }
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
  await change(word, options, io, speak, (session, { words }) => {
    const { message, number } = chooseBranchMessage(session, which, words)
    const said = `${number}`
    if (!session.state().pins.includes(message.id)) return { entry: null, text: words.notPinned(said) }
    return { entry: { type: 'edits', unpin: [message.id] }, text: words.unpinned(said) }
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
  await change(word, options, io, speak, (session, { words }) => {
    const { folds, edits } = session.state()
    const inForce: readonly Edit[] = [...folds, ...edits]
    const edit = inForce.find(({ id }) => id === which)
    if (edit === undefined) {
      const near = nearest(which, inForce.slice(0, 1000).map(({ id }) => id)) // biome-ignore format: one idea
      throw new CommandError(words.noSuchEdit(named(which), near === null ? null : named(near)), 1)
    }
    const name = named(edit.id)
    if (edit.kind !== 'replace') {
      const text = isProposedAgain(edit) ? [words.restored(name), words.comesBack(edit.policy)] : [words.restored(name)]
      return { entry: { type: 'edits', withdraw: [edit.id] }, text: text.join('\n') }
    }
    const number = branchMessages(session).find(({ head }) => head.id === edit.message)?.number
    const text = words.restoredAndPinned(name, number === undefined ? cleanText(edit.message) : `${number}`)
    return {
      entry: { type: 'edits', withdraw: [edit.id], pin: [edit.message] },
      text: isProposedAgain(edit) ? `${text}\n${words.comesBack(edit.policy)}` : text,
    }
  })
}

/** The policies that do not ask what is pinned. */
const heedless = new Set([limitToolOutput, filterBinary, pairToolCalls, hideOldSummaries, fitWindow].map(({ name }) => name))

function isProposedAgain({ policy }: Edit): boolean {
  return heedless.has(policy)
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
  const id = await chooseSession(context.sessions, word, context.words)
  const session = await openSession(context.sessions, id, { now: io.now })
  try {
    const { entry, text } = decide(session, context)
    if (entry !== null) await session.append([entry])
    io.stdout.write(`${text}\n`)
  } finally {
    await session.close()
  }
}
