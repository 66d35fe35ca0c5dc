import { type CategoryTokens, type WindowCategory, windowCategories } from '@plimsoll/core/bill'
import type { MessageTable } from '../../../../node/src/shared/inspection/inspection.ts'

/** What a group of a treemap stands for. */
export type TreemapName =
  | { readonly kind: 'whole' }
  | { readonly kind: 'category'; readonly category: WindowCategory }
  | { readonly kind: 'tool'; readonly category: WindowCategory; readonly tool: string }
  | { readonly kind: 'others'; readonly category: WindowCategory | null }

/** Messages that belong together, either in smaller groups or as they are. */
export interface TreemapGroup {
  readonly type: 'group'
  readonly name: TreemapName
  readonly tokens: number
  /** How many groups or messages are directly inside. */
  readonly count: number
  readonly groups: readonly TreemapGroup[]
  readonly messages: readonly number[]
}

interface TreemapMessage {
  readonly type: 'message'
  readonly number: number
  readonly category: WindowCategory
  readonly tokens: number
}

/** What a treemap is made of. */
export type TreemapNode = TreemapGroup | TreemapMessage

/**
 * The messages of a session by category and tool, the largest first. `beside` are tokens of what is sent and is no message; it counts
 * only for categories without messages.
 */
export function groupMessages(table: MessageTable, sizes: readonly number[], beside: CategoryTokens = {}): TreemapGroup {
  const members = new Map<WindowCategory, Map<number, number[]>>(windowCategories.map((category) => [category, new Map()]))
  for (let number = 0; number < sizes.length; number += 1) {
    if (!((sizes[number] as number) > 0)) continue
    const byTool = members.get(table.categories[number] as WindowCategory)
    const tool = table.tools[number] as number
    const list = byTool?.get(tool)
    if (list === undefined) byTool?.set(tool, [number])
    else list.push(number)
  }
  const groups: TreemapGroup[] = []
  for (const [category, byTool] of members) {
    const group =
      byTool.size === 0 ? emptyGroup(category, beside[category] ?? 0) : categoryGroup(category, byTool, table.toolNames, sizes)
    if (group.tokens > 0) groups.push(group)
  }
  return groupOf({ kind: 'whole' }, groups, [], sizes)
}

/**
 * What stands inside a group, the largest first: at most so many, none smaller than `least` tokens, and all the others together as one
 * group at the end.
 */
export function insideGroup(
  group: TreemapGroup,
  table: MessageTable,
  sizes: readonly number[],
  most: number,
  least = 0,
): readonly TreemapNode[] {
  const inner: readonly TreemapNode[] =
    group.groups.length > 0
      ? group.groups
      : largest(group.messages, (number) => sizes[number] as number, most).map((number) => messageNode(number, table, sizes))
  const shown = inner.slice(0, most).filter((node, index) => index === 0 || node.tokens >= least)
  const left = group.count - shown.length
  if (left <= 0) return shown
  const name = { kind: 'others', category: 'category' in group.name ? group.name.category : null } as const
  if (group.groups.length > 0) return [...shown, groupOf(name, group.groups.slice(shown.length), [], sizes)]
  const known = new Set(shown.map((node) => (node.type === 'message' ? node.number : -1)))
  const rest = group.messages.filter((number) => !known.has(number))
  // One alone needs no group.
  const only = rest.length === 1 ? rest[0] : undefined
  return only === undefined ? [...shown, groupOf(name, [], rest, sizes)] : [...shown, messageNode(only, table, sizes)]
}

/** The message that a node is, or that is all there is in it; null for others. */
export function onlyMessage(node: TreemapNode): number | null {
  if (node.type === 'message') return node.number
  return node.messages.length === 1 ? (node.messages[0] ?? null) : null
}

function categoryGroup(
  category: WindowCategory,
  byTool: ReadonlyMap<number, readonly number[]>,
  toolNames: readonly string[],
  sizes: readonly number[],
): TreemapGroup {
  const name = { kind: 'category', category } as const
  const toolless = byTool.get(-1)
  if (toolless !== undefined && byTool.size === 1) return groupOf(name, [], toolless, sizes)
  const groups = [...byTool].map(([tool, messages]) =>
    groupOf({ kind: 'tool', category, tool: toolNames[tool] ?? '' }, [], messages, sizes),
  )
  return groupOf(name, groups, [], sizes)
}

function groupOf(
  name: TreemapName,
  groups: readonly TreemapGroup[],
  messages: readonly number[],
  sizes: readonly number[],
): TreemapGroup {
  let tokens = 0
  for (const group of groups) tokens += group.tokens
  for (const number of messages) tokens += sizes[number] as number
  const sorted = groups.toSorted((one, other) => other.tokens - one.tokens)
  return { type: 'group', name, tokens, count: groups.length > 0 ? groups.length : messages.length, groups: sorted, messages }
}

function emptyGroup(category: WindowCategory, tokens: number): TreemapGroup {
  return { type: 'group', name: { kind: 'category', category }, tokens, count: 0, groups: [], messages: [] }
}

function messageNode(number: number, table: MessageTable, sizes: readonly number[]): TreemapMessage {
  return { type: 'message', number, category: table.categories[number] as WindowCategory, tokens: sizes[number] as number }
}

/** The members with the largest sizes, the largest first, those of equal size in their order. Does not sort what it leaves out. */
export function largest(members: readonly number[], sizeOf: (member: number) => number, most: number): readonly number[] {
  if (most <= 0) return []
  const bySize = (one: number, other: number) => sizeOf(other) - sizeOf(one) || one - other
  if (members.length <= most * 2) return members.toSorted(bySize).slice(0, most)
  let kept: number[] = []
  let least = Number.NEGATIVE_INFINITY
  for (const member of members) {
    if (sizeOf(member) < least) continue
    kept.push(member)
    if (kept.length < most * 2) continue
    kept = kept.sort(bySize).slice(0, most)
    least = sizeOf(kept[kept.length - 1] as number)
  }
  return kept.sort(bySize).slice(0, most)
}
