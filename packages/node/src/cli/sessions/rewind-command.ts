import { branchHeads, branchMessages, keepPins, rewindTo } from '../../session/branch.ts'
import { forkSession } from '../../session/create-session.ts'
import { openSession, readSession } from '../../session/open-session.ts'
import type { StoredSession } from '../../session/session.ts'
import type { CommandIo } from '../command-io.ts'
import { type SessionContext, type SessionOptions, type Speak, sessionContext } from '../session-context.ts'
import { grouped } from '../terminal/format-number.ts'
import { createMessageLines, lineText } from '../terminal/message-line.ts'
import { cutToWidth } from '../terminal/text-width.ts'
import { chooseMessage } from './choose-message.ts'
import { chooseSession } from './session-choice.ts'

/** Goes on after an earlier message, or from any entry of the log. What came later stays in the log. */
export async function rewindCommand(
  word: string,
  to: string,
  options: SessionOptions,
  io: CommandIo,
  speak: Speak,
): Promise<void> {
  const context = sessionContext(options, io, speak)
  const { sessions, strings } = context
  const id = await chooseSession(sessions, word, strings.sessionCommands)
  const session = await openSession(sessions, id, { now: io.now })
  try {
    const entry = entryOf(session, to, context)
    const before = branchMessages(session)
    const end = branchHeads(session).at(-1)?.id ?? id
    if (entry === end) return io.stdout.write(`${strings.sessionCommands.alreadyThere}\n`)
    const { pins } = session.state()
    await rewindTo(session, entry)
    const shared = new Set(branchMessages(session).map(({ head }) => head.id))
    await keepPins(session, pins, shared)
    const left = before.filter(({ head }) => !shared.has(head.id)).length
    io.stdout.write(
      `${rewound(session, left, context)}\n${strings.sessionCommands.howToGoBack(`plimsoll sessions rewind ${id} ${end}`)}\n`,
    )
  } finally {
    await session.close()
  }
}

/** Makes a new session out of the beginning of another one. */
export async function forkCommand(
  word: string,
  to: string | undefined,
  options: SessionOptions,
  io: CommandIo,
  speak: Speak,
): Promise<void> {
  const context = sessionContext(options, io, speak)
  const { sessions, strings } = context
  const original = await readSession(sessions, await chooseSession(sessions, word, strings.sessionCommands))
  try {
    const entry = to === undefined ? undefined : entryOf(original, to, context)
    const fork = await forkSession(sessions, original, { now: io.now, ...(entry === undefined ? {} : { entry }) })
    try {
      const { length } = branchMessages(fork)
      io.stdout.write(`${strings.sessionCommands.forked(strings.sessionCommands.messages(length, grouped(length)), fork.id)}\n`)
    } finally {
      await fork.close()
    }
  } finally {
    await original.close()
  }
}

/** The entry that a word names: a message by number or id, the very beginning by 0, any other entry by its id. */
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
