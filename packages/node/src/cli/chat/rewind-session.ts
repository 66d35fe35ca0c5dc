import type { Message } from '@plimsoll/core'
import { rewindTo } from '../../session/rewind.ts'
import type { OpenSession } from '../../session/session.ts'
import { branchMessages } from '../branch-messages.ts'
import { CommandError } from '../command-error.ts'
import { isoTime, readableTime } from '../format-time.ts'
import { keepPins } from '../rewind-command.ts'
import { cutToWidth } from '../text-width.ts'
import { cleanLines } from './clean-lines.ts'
import type { Desk } from './desk.ts'
import { isSaid, saidText } from './said-text.ts'

/** Something the user said, and the entry before it. */
interface Said {
  readonly message: Message
  readonly before: string
}

/** Lets the user pick something they said, and goes back to before it: their words are in the prompt again. */
export async function goBack(desk: Desk): Promise<void> {
  const { chat: words } = desk.strings
  const said = saidOn(desk.agent().session).toReversed()
  if (said.length === 0) return desk.say(words.nothingToRewind, 'dim')
  const rows = said.map(({ message }) => `${readableTime(isoTime(message.at)).slice(-5)}  ${lineOf(message)}`)
  if (!desk.isAttended) return desk.print(rows)
  const index = await desk.pick({ kind: 'list', title: words.rewindTitle, rows })
  const chosen = index === null ? undefined : said[index]
  if (chosen !== undefined) await takeBack(chosen, desk)
}

/** Takes back the last thing the user said, with everything that came of it. */
export async function undoTurn(desk: Desk): Promise<void> {
  const last = saidOn(desk.agent().session).at(-1)
  if (last === undefined) throw new CommandError(desk.strings.chat.nothingToRewind, 1)
  await takeBack(last, desk)
}

async function takeBack({ message, before }: Said, desk: Desk): Promise<void> {
  const { session } = desk.agent()
  const { chat: words } = desk.strings
  const { pins } = session.state()
  const count = branchMessages(session).length
  const end = session.heads().at(-1)?.id ?? session.id
  await rewindTo(session, before)
  const shown = new Set(branchMessages(session).map(({ head }) => head.id))
  await keepPins(session, pins, shown)
  await desk.look()
  desk.say(words.rewound(cutToWidth(lineOf(message), 60), count - shown.size))
  desk.say(words.howToGoBack(`plimsoll sessions rewind ${session.id} ${end}`), 'dim')
  if (desk.isAttended) desk.fill(saidText(message))
}

/** What the user said on the active branch, oldest first. Rounds that were folded are behind their summary. */
function saidOn(session: OpenSession): readonly Said[] {
  const parents = new Map(session.heads().map(({ id, parentId }) => [id, parentId]))
  return session.state().messages.flatMap((message) => {
    const before = parents.get(message.id)
    return isSaid(message) && typeof before === 'string' ? [{ message, before }] : []
  })
}

function lineOf(message: Message): string {
  return (
    cleanLines(saidText(message).slice(0, 2000))
      .find((line) => line.trim() !== '')
      ?.trim() ?? ''
  )
}
