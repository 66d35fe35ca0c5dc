import { type Message, resultText } from '@plimsoll/core'
import { transcriptOf } from '@plimsoll/core/session'
import { countMessage, estimator, mediaIn } from '@plimsoll/core/text'
import { homeFolder } from '../../config/home-folder.ts'
import { timeText } from '../../files/time-and-size.ts'
import { readSession } from '../../session/open-session.ts'
import type { StoredSession } from '../../session/session.ts'
import type { CommandIo } from '../command-io.ts'
import { type SessionContext, type SessionOptions, sayNotices, sessionContext } from '../settings.ts'
import { cleanText, writeText } from '../terminal/clean-text.ts'
import { grouped, tildePath } from '../terminal/format.ts'
import { writeJson } from '../terminal/write-out.ts'
import { chooseMessage, chooseSession } from './session-choice.ts'
import { showAccount } from './show-account.ts'
import { branchesScreen, branchTree, showScreen } from './show-screen.ts'

export interface ShowOptions extends SessionOptions {
  readonly all?: boolean
  readonly branches?: boolean
}

/** More messages than this are listed on a terminal only when asked for. */
const mostMessages = 20

/** Shows what a session holds, the tree of its branches, or one message whole. */
export async function showCommand(word: string, which: string | undefined, options: ShowOptions, io: CommandIo): Promise<void> {
  const context = sessionContext(options, io)
  const { sessions, strings, screen } = context
  const session = await readSession(sessions, await chooseSession(sessions, word, strings.sessionCommands))
  try {
    if (which !== undefined) return showMessage(session, which, options, context)
    if (options.branches === true) {
      const tree = branchTree(session)
      if (options.json === true) writeJson({ session: session.id, branches: tree }, session.id, strings, io.stdout)
      else io.stdout.write(branchesScreen(session.id, tree, strings.sessionCommands, screen))
      return
    }
    const isAll = options.all === true || options.json === true || screen.endless
    const account = showAccount(session, isAll ? null : mostMessages)
    if (options.json === true) writeJson(account, session.id, strings, io.stdout)
    else {
      const home = homeFolder(io.environment)
      const root = account.root === null ? null : tildePath(account.root, home)
      io.stdout.write(showScreen({ ...account, root }, isAll, strings.sessionCommands, screen))
    }
  } finally {
    await session.close()
  }
}

function showMessage(session: StoredSession, which: string, options: ShowOptions, { io, strings }: SessionContext): void {
  const { message: stored, number } = chooseMessage(session, which, strings.sessionCommands)
  const { message, text, media, troubles } = storedMessage(stored, session)
  sayNotices(io, troubles.map((trouble) => strings.sessionCommands.extractLeft(cleanText(trouble))), options) // biome-ignore format: one idea
  if (options.json === true) return writeJson({ session: session.id, number, message }, session.id, strings, io.stdout)
  if (io.stdout.isTerminal) {
    const tokens = strings.sessionCommands.tokens(grouped(countMessage(message, estimator)))
    const name = number === null ? cleanText(message.id) : `#${number}`
    sayNotices(
      io,
      [[name, strings.sessionCommands.role[message.role], timeText(message.at), tokens, cleanText(message.id)].join(' · ')],
      options,
    )
  }
  if (media.length > 0) sayNotices(io, [strings.sessionCommands.mediaLeftOut(cleanText([...new Set(media)].join(', ')))], options)
  writeText(text, io.stdout)
}

/** A stored message as it was before anything was taken out of it. */
interface StoredMessage {
  readonly message: Message
  /** What it says: its one text bit for bit; several parts as a transcript. */
  readonly text: string
  /** Kinds of the pictures and files that belong to it and are no text. */
  readonly media: readonly string[]
  /** Why a part of it is only an extract. */
  readonly troubles: readonly string[]
}

/** A message with its results whole, as they were given. */
function storedMessage(message: Message, session: StoredSession): StoredMessage {
  const troubles: string[] = []
  const parts = message.parts.map((part) => {
    if (part.type !== 'tool-result' || part.blob === undefined) return part
    const whole = session.whole(part)
    if ('part' in whole) return whole.part
    troubles.push(whole.trouble)
    return part
  })
  const complete = parts.every((part, index) => part === message.parts[index]) ? message : { ...message, parts }
  return { message: complete, text: textOf(complete), media: mediaOf(complete), troubles }
}

function textOf(message: Message): string {
  const [only, ...others] = message.parts
  if (others.length === 0 && (only?.type === 'text' || only?.type === 'reasoning')) return only.text
  if (others.length === 0 && only?.type === 'tool-result') return resultText(only)
  return transcriptOf([message])
}

function mediaOf({ parts }: Message): readonly string[] {
  return parts.flatMap(mediaIn).map(({ mediaType }) => mediaType)
}
