import { parentOf } from '@plimsoll/core/session'
import type { StoredSession } from '../../session/session.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { cleanText } from '../terminal/clean-text.ts'
import { createMessageLines, lineText } from '../terminal/message-line.ts'
import type { TextScreen } from '../terminal/screen.ts'
import { cutToWidth, wrapText } from '../terminal/text-width.ts'

/** A stretch of a log without a fork in it. */
export interface Stretch {
  /** How many forks stand before it. */
  readonly depth: number
  /** The numbers of its first and last message on their branch; null where it has none. */
  readonly messages: readonly [first: number, last: number] | null
  /** What its first message says. */
  readonly text: string
  /** Its last entry. */
  readonly end: string
  /** Whether nothing continues it. */
  readonly leaf: boolean
  /** Whether the active branch goes through it. */
  readonly active: boolean
}

/** The tree of a log as stretches, each before those that continue it. */
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

/** Deeper forks are drawn no further to the right. */
const mostIndent = 8

/** The tree for people: each stretch under the one it continues. */
export function branchesScreen(
  id: string,
  tree: readonly Stretch[],
  strings: Strings['sessionCommands'],
  { paint, columns, endless }: TextScreen,
): string {
  const leaves = tree.filter(({ leaf }) => leaf).length
  const lines = wrapText(`${strings.session(id)} · ${strings.branches(leaves)}`, columns).map((line) => paint('bold', line))
  for (const { depth, messages, text, end, leaf, active } of tree) {
    const indent = '  '.repeat(Math.min(depth, mostIndent))
    const range =
      messages === null ? strings.noMessages : messages[0] === messages[1] ? `#${messages[0]}` : `#${messages.join('-')}`
    const facts = [range, ...(leaf ? [strings.endsAt(cleanText(end))] : []), ...(leaf && active ? [strings.active] : [])].join(
      ' · ',
    )
    const line = `  ${indent}${active ? '*' : '-'} ${facts}`
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
