import { type Message, normaliseUsage } from '@plimsoll/core'
import { titleOf } from '../session/title.ts'
import type { StreamedMessage } from './claude-code-stream.ts'
import { createUniqueIds, type Draft, settleDrafts } from './draft.ts'
import type { KeptMessages, ReadSession } from './log-reader.ts'

/** A place of the tree: something a person said, or a response with the results of its calls. */
export interface Turn {
  readonly parent: Turn | null
  readonly tree: Tree
  /** The number of places above it. */
  readonly depth: number
  /** The response, where it is one. */
  readonly streamed: StreamedMessage | null
  readonly results: Map<string, Draft>
  /** What was said, or what stood beside the results. */
  readonly said: Draft[]
  /** Set for a compaction that kept messages. Its summary is what was said; everything after it hangs here, not on the kept messages. */
  readonly kept?: KeptTurns
  /** Set if the user went back to a message that the compaction above had kept: the last of them that is still in the context. */
  readonly backTo?: Turn
}

/** The places that a compaction kept in the context, in order. */
export interface KeptTurns {
  readonly turns: readonly Turn[]
  readonly place: KeptMessages['place']
}

/** Everything that hangs together: one context, from its first message on. */
export interface Tree {
  session: string | null
  /** The folder the agent worked in. */
  root: string | null
  readonly isSidechain: boolean
  /** The conversation that was going on when a sub-agent began. */
  readonly startedBy: Tree | null
  readonly turns: Turn[]
}

/** A session for each tree that stands on its own. The branch that counts is the one of the last place. */
export function claudeCodeSessions(trees: readonly Tree[], titles: ReadonlyMap<string, string>): readonly ReadSession[] {
  const unique = createUniqueIds()
  const filled = trees.filter((tree) => tree.turns.some(hasMessage))
  // The log of a sub-agent has no lines but its own.
  const isSidechain = filled.every((tree) => tree.isSidechain)
  const started = Map.groupBy(filled, ({ startedBy }) => startedBy)
  return filled.flatMap((tree) => {
    if (tree.isSidechain !== isSidechain) return []
    const sidechains = isSidechain ? [] : (started.get(tree) ?? [])
    const title = tree.session === null ? null : (titles.get(tree.session) ?? null)
    const session = sessionOf(tree, title, sidechains)
    return [{ ...session, id: tree.session === null ? null : unique(tree.session) }]
  })
}

function sessionOf(tree: Tree, title: string | null, sidechains: readonly Tree[]): ReadSession {
  const path: Turn[] = []
  for (let turn = tree.turns.at(-1) ?? null; turn !== null; turn = turn.parent) path.push(turn)
  path.reverse()
  const drafts = path.flatMap(draftsOf)
  const messages = settleDrafts(drafts)
  const responses = path.flatMap(({ streamed }) => streamed ?? [])
  const keptMessages = keptOn(path, messages)
  const model = responses.findLast((response) => response.model !== null)?.model ?? null
  return {
    id: tree.session,
    title: title ?? titleOf(messages),
    ...(tree.root === null ? {} : { root: tree.root }),
    ...(model === null ? {} : { model }),
    messages,
    usages: responses.flatMap((response) => {
      const usage = response.model === null ? null : normaliseUsage(response.usage)
      return usage === null ? [] : [{ after: response.id, usage, model: response.model }]
    }),
    compactions: messages.filter(({ summary }) => summary === true).length,
    sidechains: countMessages(sidechains),
    abandoned: countMessages([tree]) - drafts.length,
    ...(keptMessages.size === 0 ? {} : { keptMessages }),
  }
}

/** For each summary of a path, the messages that its compaction kept. */
function keptOn(path: readonly Turn[], messages: readonly Message[]): ReadonlyMap<string, KeptMessages> {
  const shown = new Set(messages.map(({ id }) => id))
  const all = new Map<string, KeptMessages>()
  for (const [index, { kept, said }] of path.entries()) {
    const summary = said[0]?.message.id
    if (kept === undefined || summary === undefined) continue
    const end = path[index + 1]?.backTo
    const turns = end === undefined ? kept.turns : kept.turns.slice(0, kept.turns.indexOf(end) + 1)
    const ids = new Set(turns.flatMap(draftsOf).flatMap(({ message }) => (shown.has(message.id) ? message.id : [])))
    if (ids.size > 0) all.set(summary, { ids, place: kept.place })
  }
  return all
}

function hasMessage({ streamed, results, said }: Turn): boolean {
  return streamed !== null || results.size > 0 || said.length > 0
}

function draftsOf({ streamed, results, said }: Turn): readonly Draft[] {
  const response: readonly Draft[] =
    streamed === null
      ? []
      : [{ message: { id: streamed.id, role: 'assistant', parts: streamed.parts.map(({ part }) => part), ...streamed.time } }]
  return [...response, ...results.values(), ...said]
}

function countMessages(trees: readonly Tree[]): number {
  let count = 0
  for (const { turns } of trees)
    for (const { streamed, results, said } of turns) count += (streamed === null ? 0 : 1) + results.size + said.length
  return count
}
