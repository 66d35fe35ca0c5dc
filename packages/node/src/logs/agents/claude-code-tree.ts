import { hash } from 'node:crypto'
import type { Message, Part } from '@plimsoll/core'
import { isRecord } from '@plimsoll/core/text'
import { createUniqueIds, type Draft, isText, settleDrafts } from '../draft.ts'
import { type Fields, fieldsAt, listAt, type Time, textAt, timeAt } from '../fields.ts'
import { type KeptMessages, type ReadSession, readSessionOf, sortedUsages, type Take } from '../log-reader.ts'
import { billedModel, readUsage } from '../read-usage.ts'

/** A place of the tree: a message of the user, or a response with the results of its calls. */
export interface Turn {
  readonly parent: Turn | null
  readonly tree: Tree
  readonly depth: number
  readonly streamed: StreamedMessage | null
  readonly results: Map<string, Draft>
  /** Messages of the user, or texts next to the results. */
  readonly said: Draft[]
  /** Set for a compaction that kept messages. Its summary is what was said; everything after it hangs here, not on the kept messages. */
  readonly kept?: KeptTurns
  /** Set if the user went back to a message that the compaction above had kept: the last of them that is still in the context. */
  readonly backTo?: Turn
}

export interface KeptTurns {
  readonly turns: readonly Turn[]
  readonly place: KeptMessages['place']
}

/** One context, from its first message on. */
export interface Tree {
  session: string | null
  root: string | null
  readonly isSidechain: boolean
  /** The conversation that was running when a sub-agent started. */
  readonly startedBy: Tree | null
  readonly turns: Turn[]
}

/** A session for each tree that is not a sub-agent's. The branch of the last place counts. */
export function claudeCodeSessions(
  trees: readonly Tree[],
  titles: ReadonlyMap<string, string>,
  paid: ReadonlyMap<string, PaidAnswer>,
): readonly ReadSession[] {
  const unique = createUniqueIds()
  const filled = trees.filter((tree) => countMessages([tree]) > 0)
  // The log of a sub-agent has only its own lines.
  const isSidechain = filled.every((tree) => tree.isSidechain)
  const started = Map.groupBy(filled, ({ startedBy }) => startedBy)
  const read = filled.flatMap((tree) => {
    if (tree.isSidechain !== isSidechain) return []
    const sidechains = isSidechain ? [] : (started.get(tree) ?? [])
    const title = tree.session === null ? null : (titles.get(tree.session) ?? null)
    return [{ tree, session: sessionOf(tree, title, sidechains, paid) }]
  })
  const counted = new Set(read.flatMap(({ session }) => session.usages.map(({ answer }) => answer)))
  // One session has the answers that the log gives to no other.
  const sessionOfAnswer = ({ session }: PaidAnswer) => read.find(({ tree }) => tree.session === session) ?? read[0]
  const others = Map.groupBy(
    [...paid].filter(([answer]) => !counted.has(answer)),
    ([, answer]) => sessionOfAnswer(answer),
  )
  return read.map((one) => {
    const { tree, session } = one
    const found = (others.get(one) ?? []).flatMap(([answer, { at, usage, cost, model }]) => {
      const reported = readUsage(usage, cost)
      return reported === null ? [] : [{ at, ...reported, model: billedModel(model, usage), answer }]
    })
    const { otherUsages = [], badUsages = 0 } = sortedUsages(found, new Set())
    const bad = badUsages + (session.badUsages ?? 0)
    const id = tree.session === null ? null : unique(tree.session)
    return {
      ...session,
      ...(otherUsages.length === 0 ? {} : { otherUsages }),
      ...(bad === 0 ? {} : { badUsages: bad }),
      id,
    }
  })
}

/** An answer of the model in any line of a log, by the provider's name for it. */
export interface PaidAnswer {
  readonly session: string | null
  readonly at: number | null
  readonly model: string
  readonly usage: Fields
  /** In dollars, as old versions recorded it. */
  readonly cost: unknown
}

/** Notes what an answer cost. It may be in several lines: the one with the most output counts. */
export function notePaid(paid: Map<string, PaidAnswer>, answer: Fields, entry: Fields, session: string | null): void {
  const [name, model] = [textAt(answer, 'id'), textAt(answer, 'model')]
  const usage = fieldsAt(answer, 'usage')
  if (name === null || model === null || model === '<synthetic>') return
  const before = paid.get(name)
  if (before !== undefined && outputOf(before.usage) > outputOf(usage)) return
  const at = before?.at ?? timeAt(entry, 'timestamp').at ?? null
  paid.set(name, { session: before?.session ?? session, at, model, usage, cost: entry['costUSD'] })
}

function sessionOf(
  tree: Tree,
  title: string | null,
  sidechains: readonly Tree[],
  paid: ReadonlyMap<string, PaidAnswer>,
): ReadSession {
  const path: Turn[] = []
  for (let turn = tree.turns.at(-1) ?? null; turn !== null; turn = turn.parent) path.push(turn)
  path.reverse()
  const drafts = path.flatMap(draftsOf)
  const messages = settleDrafts(drafts)
  const responses = path.flatMap(({ streamed }) => streamed ?? [])
  const keptMessages = keptOn(path, messages)
  const model = responses.findLast((response) => response.model !== null)?.model ?? null
  const usages = responses.flatMap(({ id, name, model: own, usage }) => {
    const reported = own === null ? null : readUsage(usage, paid.get(name)?.cost)
    return own === null || reported === null ? [] : [{ after: id, ...reported, model: billedModel(own, usage), answer: name }]
  })
  const counts = { sidechains: countMessages(sidechains), abandoned: countMessages([tree]) - drafts.length }
  const session = readSessionOf({ title, root: tree.root, model, messages, usages, ...counts })
  return keptMessages.size === 0 ? session : { ...session, keptMessages }
}

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

function draftsOf({ streamed, results, said }: Turn): readonly Draft[] {
  if (streamed === null) return [...results.values(), ...said]
  const parts = streamed.parts.map(({ part }) => part)
  const message: Message = { id: streamed.id, role: 'assistant', parts, ...streamed.time }
  return [{ message }, ...results.values(), ...said]
}

function countMessages(trees: readonly Tree[]): number {
  const sizeOf = ({ streamed, results, said }: Turn) => (streamed === null ? 0 : 1) + results.size + said.length
  return trees.flatMap(({ turns }) => turns).reduce((count, turn) => count + sizeOf(turn), 0)
}

export type PreservedMessages = NonNullable<ReturnType<typeof preservedBy>>

/** Reads which messages a compaction kept. Returns null for other lines, and for a compaction that kept nothing. */
export function preservedBy(entry: Fields) {
  if (entry['subtype'] !== 'compact_boundary') return null
  const metadata = fieldsAt(entry, 'compactMetadata')
  if (metadata['preservedSegment'] == null && metadata['preservedMessages'] == null) return null
  const segment = fieldsAt(metadata, 'preservedSegment')
  const messages = fieldsAt(metadata, 'preservedMessages')
  return {
    // The line that the kept messages follow: the summary, or this line itself if they come before the summary.
    anchor: textAt(messages, 'anchorUuid') ?? textAt(segment, 'anchorUuid'),
    head: textAt(segment, 'headUuid'),
    tail: textAt(segment, 'tailUuid'),
    // Empty if the log names only the first and the last.
    uuids: listAt(messages, 'uuids').filter((uuid) => typeof uuid === 'string'),
  }
}

/** One response of the model, collected from the lines it was streamed to. */
export interface StreamedMessage {
  readonly id: string
  /** The provider's name for it. */
  readonly name: string
  readonly time: Time
  readonly parts: { part: Part }[]
  /** Parts by a short key that is equal for repeated ones. */
  readonly known: Map<string, { part: Part }>
  /** As the line with the most output reports it: others count only what was written so far. */
  usage: unknown
  /** Null for a message that the client wrote in the model's name. */
  model: string | null
  /** Whether it has most likely ended, so that `take` was applied. */
  isTaken: boolean
}

export function startStreamed(id: string, name: string, time: Time): StreamedMessage {
  return { id, name, time, parts: [], known: new Map(), usage: undefined, model: null, isTaken: false }
}

/** Adds one line of a response. A line may repeat parts of earlier ones, or a text that has grown since. */
export function addStreamed(message: StreamedMessage, parts: readonly Part[], raw: Fields): void {
  for (const part of parts) addPart(message, part)
  const model = textAt(raw, 'model')
  message.model = model === '<synthetic>' ? null : (model ?? message.model)
  if (outputOf(raw['usage']) >= outputOf(message.usage)) message.usage = raw['usage'] ?? message.usage
}

function outputOf(usage: unknown): number {
  return isRecord(usage) ? Number(usage['output_tokens'] ?? 0) : 0
}

/** Applies `take` to a response that has most likely ended. A late line may still add to it. */
export function takeStreamed(message: StreamedMessage, take: Take): void {
  if (message.isTaken) return
  message.isTaken = true
  const { parts } = take({ id: message.id, role: 'assistant', parts: message.parts.map(({ part }) => part) })
  for (const [index, slot] of message.parts.entries()) slot.part = parts[index] ?? slot.part
}

function addPart({ parts, known, isTaken }: StreamedMessage, part: Part): void {
  const key = keyOf(part)
  const same = known.get(key)
  if (same !== undefined) {
    if (part.type === 'tool-call') same.part = part
    return
  }
  const last = parts.at(-1)
  const grown =
    last !== undefined && !isTaken && isText(part) && last.part.type === part.type && part.text.startsWith(last.part.text)
  const slot = grown ? last : { part }
  slot.part = part
  if (!grown) parts.push(slot)
  known.set(key, slot)
}

function keyOf(part: Part): string {
  if (part.type === 'tool-call') return `call ${part.callId}`
  return isText(part) ? `${part.type} ${sha256(part.text)}` : sha256(JSON.stringify(part))
}

/** Parts that only look equal must both be kept, so the short and quick hash of handles is not enough. */
function sha256(text: string): string {
  return hash('sha256', text, 'base64url')
}
