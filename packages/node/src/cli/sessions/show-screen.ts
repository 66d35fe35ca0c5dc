import { parentOf } from '@plimsoll/core/session'
import { readableTime } from '../../files/time-and-size.ts'
import type { StoredSession } from '../../session/session.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { createMessageLines, lineText } from '../terminal/message-line.ts'
import type { TextScreen } from '../terminal/screen.ts'
import { cleanText, cutToWidth, displayWidth, fitWidth, grouped, wrapText } from '../terminal/text.ts'
import type { ShowAccount } from './show-command.ts'

const maxEdits = 20

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
  const shownEdits = all || endless ? edits : edits.slice(0, maxEdits)
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

/** Two lines on a terminal, one for programs. */
function messageLines(
  message: ShowAccount['messages'][number],
  strings: Strings['sessionCommands'],
  { paint, columns, endless }: TextScreen,
) {
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

/** A stretch of a log without a fork: `depth` forks are before it, and `messages` are the numbers of its first and last message. */
interface Stretch {
  readonly depth: number
  readonly messages: readonly [first: number, last: number] | null
  readonly text: string
  readonly end: string
  readonly leaf: boolean
  readonly active: boolean
}

/** Divides the tree of a log into stretches, each before those that continue it. */
export function branchTree(session: StoredSession): readonly Stretch[] {
  const heads = session.heads()
  const places = new Map(heads.map(({ id }, index) => [id, index]))
  const tree = { heads, indexOf: (id: string) => places.get(id) ?? -1 }
  const children: number[][] = heads.map(() => [])
  for (let index = 1; index < heads.length; index += 1) children[parentOf(tree, index).index]?.push(index)
  const active = new Set<number>()
  for (let index = heads.length - 1; index >= 0; index = parentOf(tree, index).index) active.add(index)
  const stretches: Stretch[] = []
  const waiting = heads.length === 0 ? [] : [{ start: 0, depth: 0, before: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { start, depth, before } = next
    let end = start
    let messages = 0
    let first: string | null = null
    for (let index: number | undefined = start; index !== undefined; ) {
      end = index
      if (heads[index]?.type === 'message') {
        messages += 1
        first ??= heads[index]?.id ?? null
      }
      const following: readonly number[] = children[index] ?? []
      index = following.length === 1 ? following[0] : undefined
    }
    const following = children[end] ?? []
    stretches.push({
      depth,
      messages: messages === 0 ? null : [before + 1, before + messages],
      text: first === null ? '' : textOf(session, first),
      end: heads[end]?.id ?? session.id,
      leaf: following.length === 0,
      active: active.has(end),
    })
    for (const child of following.toReversed()) waiting.push({ start: child, depth: depth + 1, before: before + messages })
  }
  return stretches
}

const maxIndent = 8

export function branchesScreen(
  id: string,
  tree: readonly Stretch[],
  strings: Strings['sessionCommands'],
  { paint, columns, endless }: TextScreen,
): string {
  const leaves = tree.filter(({ leaf }) => leaf).length
  const lines = wrapText(`${strings.session(id)} · ${strings.branches(leaves)}`, columns).map((line) => paint('bold', line))
  for (const { depth, messages, text, end, leaf, active } of tree) {
    const indent = '  '.repeat(Math.min(depth, maxIndent))
    const range =
      messages === null ? strings.noMessages : messages[0] === messages[1] ? `#${messages[0]}` : `#${messages.join('-')}`
    const facts = [range, ...(leaf ? [strings.endsAt(cleanText(end))] : []), ...(leaf && active ? [strings.active] : [])]
    const line = `  ${indent}${active ? '*' : '-'} ${facts.join(' · ')}`
    lines.push(active ? paint('bold', line) : line)
    if (text !== '')
      lines.push(paint('dim', `  ${indent}  ${endless ? text : cutToWidth(text, Math.max(10, columns - indent.length - 4))}`))
  }
  return `${lines.join('\n')}\n`
}

function textOf(session: StoredSession, id: string): string {
  const entry = session.entry(id)
  return entry?.type === 'message' ? lineText(createMessageLines()(entry.message), entry.message.role) : ''
}
