import { readableTime } from '../../files/time-and-size.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { cleanText } from '../terminal/clean-text.ts'
import { grouped } from '../terminal/format-number.ts'
import { lineText } from '../terminal/message-line.ts'
import type { TextScreen } from '../terminal/screen.ts'
import { cutToWidth, displayWidth, fitWidth, wrapText } from '../terminal/text-width.ts'
import type { ShowAccount, ShownMessage } from './show-account.ts'

/** More edits than this are listed only when asked for. */
const mostEdits = 20

/** What a session holds, for people. */
export function showScreen(account: ShowAccount, all: boolean, strings: Strings['sessionCommands'], screen: TextScreen): string {
  const { paint, columns, endless } = screen
  const width = endless ? Number.MAX_SAFE_INTEGER : columns
  const section = (title: string, rows: readonly string[]) => (rows.length === 0 ? [] : ['', paint('bold', title), ...rows])
  const wrapped = (text: string, indent = '  ') =>
    endless ? [`${indent}${text}`] : wrapText(text, columns - indent.length).map((line) => `${indent}${line}`)
  const { messages, earlier, folds, edits, troubles } = account
  const count = earlier + messages.length
  const facts = [
    ...(account.root === null ? [] : [cleanText(account.root)]),
    strings.begun(readableTime(account.begun)),
    strings.messages(count, grouped(count)),
    strings.format(account.version),
    ...(account.from ? [strings.splitFrom(cleanText(account.from.session))] : []),
    strings.branch(cleanText(account.leaf), account.branches),
  ]
  const shownEdits = all || endless ? edits : edits.slice(0, mostEdits)
  const named = (number: number | null) => (number === null ? '-' : `${number}`)
  const lines = [
    ...wrapText(strings.session(account.session), columns).map((line) => paint('bold', line)),
    ...(account.title === null ? [] : [` ${cutToWidth(cleanText(account.title), width - 1)}`]),
    ...wrapped(facts.join(' · '), ' ').map((line) => paint('dim', line)),
    ...section(strings.messageList, [
      ...(earlier === 0 ? [] : [paint('dim', `  ${strings.earlierMessages(grouped(earlier))}`)]),
      ...messages.flatMap((message) => messageLines(message, strings, screen)),
    ]),
    ...section(
      strings.folds(folds.length),
      folds.flatMap(({ id, first, last, tokens }) => [
        ...wrapped(strings.fold(named(first), named(last), strings.tokens(grouped(tokens)))),
        paint('dim', `    ${cleanText(id)}`),
      ]),
    ),
    ...section(strings.edits(edits.length), [
      ...shownEdits.flatMap(({ id, message, why }) => [
        `  ${cutToWidth(`#${named(message)}  ${cleanText(id)}`, width - 2)}`,
        ...wrapped(cleanText(why), '    ').map((line) => paint('dim', line)),
      ]),
      ...(shownEdits.length === edits.length
        ? []
        : [paint('dim', `  ${strings.moreEdits(grouped(edits.length - shownEdits.length))}`)]),
    ]),
    ...section(strings.pins(account.pins.length), pinLines(account, width)),
    ...section(
      strings.troubles(troubles.length),
      troubles.flatMap(({ message }) => wrapped(cleanText(message)).map((line) => paint('warning', line))),
    ),
  ]
  return `${lines.join('\n')}\n`
}

/** On a terminal two lines, what it is and what it says; for programs one. */
function messageLines(
  message: ShownMessage,
  strings: Strings['sessionCommands'],
  { paint, columns, endless }: TextScreen,
): readonly string[] {
  const { number, id, role, at, tokens } = message
  const marks = [
    ...(message.summary ? [strings.isSummary] : []),
    ...(message.pinned ? [strings.isPinned] : []),
    ...(message.fold === null ? [] : [strings.isFolded]),
  ].join(', ')
  const text = role === null ? strings.unreadableMessage : lineText(message, role)
  const time = readableTime(at)
  const speaker = role === null ? '-' : strings.role[role]
  const facts = [fitWidth(speaker, 9), fitWidth(time, 16), fitWidth(strings.tokens(grouped(tokens)), 13, 'right')]
  if (endless) {
    return [
      [
        '',
        `${number}`,
        cleanText(id),
        speaker,
        time,
        strings.tokens(grouped(tokens)),
        ...(marks === '' ? [] : [marks]),
        text,
      ].join('  '),
    ]
  }
  const start = `  ${`${number}`.padStart(5)}  `
  const wide = [...facts, cleanText(id), ...(marks === '' ? [] : [`(${marks})`])].join('  ')
  const line =
    displayWidth(start) + displayWidth(wide) <= columns
      ? wide
      : [speaker, strings.tokens(grouped(tokens)), ...(marks === '' ? [] : [`(${marks})`]), cleanText(id)].join('  ')
  return [`${start}${cutToWidth(line, columns - start.length)}`, paint('dim', `         ${cutToWidth(text, columns - 9)}`)]
}

function pinLines({ pins, messages }: ShowAccount, width: number): readonly string[] {
  const known = new Map(messages.map((message) => [message.id, message.number]))
  return pins.map((id) => {
    const number = known.get(id)
    return `  ${cutToWidth(number === undefined ? cleanText(id) : `#${number}  ${cleanText(id)}`, width - 2)}`
  })
}
