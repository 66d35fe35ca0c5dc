import { type CategoryTokens, type WindowCategory, type WindowFill, windowCategories } from '@plimsoll/core/bill'
import type { MessageTable } from '../../../../node/src/shared/inspection/inspection.ts'

/** The name of a group of a treemap. */
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

export type TreemapNode = TreemapGroup | TreemapMessage

/** The messages of a session by category and tool, the largest first. `beside` are tokens for categories that have no messages. */
export function groupMessages(table: MessageTable, sizes: readonly number[], beside: CategoryTokens = {}): TreemapGroup {
  const numbers = [...sizes.keys()].filter((number) => (sizes[number] as number) > 0)
  const members = Map.groupBy(numbers, (number) => table.categories[number] as WindowCategory)
  const groups = windowCategories.map((category): TreemapGroup => {
    const name = { kind: 'category', category } as const
    const messages = members.get(category)
    if (messages === undefined) return { ...groupOf(name, [], [], sizes), tokens: beside[category] ?? 0 }
    const byTool = [...Map.groupBy(messages, (number) => table.tools[number] as number)]
    if (byTool.length === 1 && byTool[0]?.[0] === -1) return groupOf(name, [], messages, sizes)
    const tools = byTool.map(([tool, some]) =>
      groupOf({ kind: 'tool', category, tool: table.toolNames[tool] ?? '' }, [], some, sizes),
    )
    return groupOf(name, tools, [], sizes)
  })
  const there = groups.filter(({ tokens }) => tokens > 0)
  return groupOf({ kind: 'whole' }, there, [], sizes)
}

/**
 * The sizes of messages in the last request, in the provider's tokens: those of a category add up to what the window has of it, and
 * results to what it has of each tool.
 */
export function sizesAsSent(table: MessageTable, { categories, results }: WindowFill): readonly number[] {
  const named = new Map(results.map(({ tool, tokens }) => [tool, tokens]))
  const groupOfMessage = (number: number) => {
    const category = table.categories[number] as WindowCategory
    const tool = category === 'results' ? (table.toolNames[table.tools[number] as number] ?? '') : null
    return tool !== null && named.has(tool) ? `${category} ${tool}` : category
  }
  const groups = table.shown.map((_, number) => groupOfMessage(number))
  const sums = new Map<string, number>()
  for (const [number, group] of groups.entries()) sums.set(group, (sums.get(group) ?? 0) + (table.shown[number] as number))
  // Results that no tool is named for share what the named ones leave.
  const ofNamed = results.reduce((sum, { tool, tokens }) => sum + (sums.has(`results ${tool}`) ? tokens : 0), 0)
  const wanted = (group: string, category: WindowCategory) => {
    if (group !== category) return named.get(group.slice(category.length + 1)) ?? 0
    return (categories[category] ?? 0) - (category === 'results' ? ofNamed : 0)
  }
  return table.shown.map((tokens, number) => {
    const group = groups[number] as string
    const sum = sums.get(group) ?? 0
    return sum > 0 ? (tokens * wanted(group, table.categories[number] as WindowCategory)) / sum : 0
  })
}

/** The content of a group, the largest first: at most `max`, none smaller than `min` tokens, and all others as one group at the end. */
export function insideGroup(
  group: TreemapGroup,
  table: MessageTable,
  sizes: readonly number[],
  max: number,
  min = 0,
): readonly TreemapNode[] {
  const inner: readonly TreemapNode[] =
    group.groups.length > 0
      ? group.groups
      : largest(group.messages, (number) => sizes[number] as number, max).map((number) => messageNode(number, table, sizes))
  const shown = inner.slice(0, max).filter((node, index) => index === 0 || node.tokens >= min)
  const left = group.count - shown.length
  if (left <= 0) return shown
  const name = { kind: 'others', category: 'category' in group.name ? group.name.category : null } as const
  if (group.groups.length > 0) return [...shown, groupOf(name, group.groups.slice(shown.length), [], sizes)]
  const known = new Set(shown.map((node) => (node.type === 'message' ? node.number : -1)))
  const rest = group.messages.filter((number) => !known.has(number))
  const only = rest.length === 1 ? rest[0] : undefined
  return only === undefined ? [...shown, groupOf(name, [], rest, sizes)] : [...shown, messageNode(only, table, sizes)]
}

/** The message that a node is, or the only one in it; null for others. */
export function onlyMessage(node: TreemapNode): number | null {
  if (node.type === 'message') return node.number
  return node.messages.length === 1 ? (node.messages[0] ?? null) : null
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

function messageNode(number: number, table: MessageTable, sizes: readonly number[]): TreemapMessage {
  return { type: 'message', number, category: table.categories[number] as WindowCategory, tokens: sizes[number] as number }
}

/** The members with the largest sizes, the largest first, those of equal size in their order. Does not sort what it omits. */
export function largest(members: readonly number[], sizeOf: (member: number) => number, max: number): readonly number[] {
  if (max <= 0) return []
  const bySize = (one: number, other: number) => sizeOf(other) - sizeOf(one) || one - other
  if (members.length <= max * 2) return members.toSorted(bySize).slice(0, max)
  let kept: number[] = []
  let min = Number.NEGATIVE_INFINITY
  for (const member of members) {
    if (sizeOf(member) < min) continue
    kept.push(member)
    if (kept.length < max * 2) continue
    kept = kept.sort(bySize).slice(0, max)
    min = sizeOf(kept.at(-1) as number)
  }
  return kept.sort(bySize).slice(0, max)
}
