import type { Message } from '@plimsoll/core'
import { isoTime, readableTime } from '../../files/time-and-size.ts'
import { branchMessages, rewindBefore } from '../../session/branch.ts'
import type { OpenSession } from '../../session/session.ts'
import { isSaid, saidText } from '../../shared/said-text.ts'
import { CommandError } from '../command-error.ts'
import { cutToWidth } from '../terminal/text-width.ts'
import { cleanLines } from './clean-lines.ts'
import type { Desk } from './desk.ts'

/** Lets the user pick something they said, and goes back to before it: their words are in the prompt again. */
export async function goBack(desk: Desk): Promise<void> {
  const { chat } = desk.strings
  const said = saidOn(desk.agent().session).toReversed()
  if (said.length === 0) return desk.say(chat.nothingToRewind, 'dim')
  const rows = said.map((message) => `${readableTime(isoTime(message.at)).slice(-5)}  ${lineOf(message)}`)
  if (!desk.isAttended) return desk.print(rows)
  const index = await desk.pick({ kind: 'list', title: chat.rewindTitle, rows })
  const chosen = index === null ? undefined : said[index]
  if (chosen !== undefined) await takeBack(chosen, desk)
}

/** Takes back the last thing the user said, with everything that came of it. */
export async function undoTurn(desk: Desk): Promise<void> {
  const last = saidOn(desk.agent().session).at(-1)
  if (last === undefined) throw new CommandError(desk.strings.chat.nothingToRewind, 1)
  await takeBack(last, desk)
}

async function takeBack(chosen: Message, desk: Desk): Promise<void> {
  const { session } = desk.agent()
  const { chat } = desk.strings
  const { message, dropped, end } = await rewindBefore(session, chosen.id)
  await desk.look()
  desk.say(chat.rewound(cutToWidth(lineOf(message), 60), dropped))
  desk.say(chat.howToGoBack(`plimsoll sessions rewind ${session.id} ${end}`), 'dim')
  if (desk.isAttended) desk.fill(saidText(message))
}

/** What the user said on the active branch, oldest first. Rounds that were folded are behind their summary. */
function saidOn(session: OpenSession): readonly Message[] {
  const places = new Set(branchMessages(session).map(({ head }) => head.id))
  return session.state().messages.filter((message) => isSaid(message) && places.has(message.id))
}

function lineOf(message: Message): string {
  return (
    cleanLines(saidText(message).slice(0, 2000))
      .find((line) => line.trim() !== '')
      ?.trim() ?? ''
  )
}
