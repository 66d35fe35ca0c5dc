import { codecs, type Message } from '@plimsoll/core'
import { isRecord } from '@plimsoll/core/text'
import { createUniqueIds, type Draft, isText } from '../draft.ts'
import { type Fields, fieldsAt, type Time, textAt, timeAt } from '../fields.ts'
import type { LogNotes, LogReader, Take } from '../log-reader.ts'
import {
  addStreamed,
  claudeCodeSessions,
  type KeptTurns,
  notePaid,
  type PaidAnswer,
  type PreservedMessages,
  preservedBy,
  type StreamedMessage,
  startStreamed,
  type Tree,
  type Turn,
  takeStreamed,
} from './claude-code-tree.ts'

/**
 * Claude Code: a tree by `parentUuid`. One response takes several lines with the same message id, and the results of parallel calls
 * hang on different ones of them, so a response and all its results are one place of the tree.
 */
export const claudeCode: LogReader = {
  name: 'claude-code',
  detect: (entry) =>
    'parentUuid' in entry ||
    'leafUuid' in entry ||
    'isSnapshotUpdate' in entry ||
    // Gemini CLI lists typed texts under the same names, as plain strings.
    ('sessionId' in entry &&
      typeof entry['type'] === 'string' &&
      !('payload' in entry) &&
      !('messageId' in entry && typeof entry['message'] === 'string')),
  start,
}

function start(notes: LogNotes, take: Take) {
  const places = new Map<string, Turn>()
  /** The place that holds the message of a line. A result belongs to the place of its call, even if its line hangs elsewhere. */
  const owners = new Map<string, Turn>()
  /** Where lines continue that hang on what a compaction kept. */
  const moved = new Map<Turn, { readonly to: Turn; readonly isEnd: boolean }>()
  const awaited = new Map<Turn, AwaitedSummary>()
  const anchored = new Map<string, Turn>()
  let walked = 0
  const responses = new Map<string, Turn>()
  const calls = new Map<string, Turn>()
  const trees: Tree[] = []
  const titles = new Map<string, string>()
  const paid = new Map<string, PaidAnswer>()
  const unique = createUniqueIds()
  /** Responses that may still continue, the newest last. */
  const unfinished: StreamedMessage[] = []
  // Lines of sub-agents may be among the others; each side continues itself.
  const latest: { main: Turn | null; side: Turn | null } = { main: null, side: null }

  return { add, finish }

  function finish() {
    for (const streamed of unfinished) takeStreamed(streamed, take)
    // If a compaction is the last thing in a log, its summary was not written yet.
    for (const [turn, compaction] of awaited) if (turn.tree.turns.at(-1) !== turn) damaged(compaction)
    return claudeCodeSessions(trees, titles, paid)
  }

  function add(entry: Fields, line: number): void {
    const type = textAt(entry, 'type') ?? 'entry without a type'
    const given = textAt(entry, 'uuid')
    if (given !== null && places.has(given)) return notes.skip(line, 'repeated')
    // What a sub-agent does is written to the log of the agent that started it as progress.
    const source = type === 'progress' ? fieldsAt(fieldsAt(entry, 'data'), 'message') : entry
    if (isRecord(source['message'])) notePaid(paid, source['message'], source, textAt(entry, 'sessionId'))
    const id = given ?? `line-${line}`
    const at = place(entry)
    const turn = type === 'user' || type === 'assistant' || type === 'attachment' ? addMessage(entry, type, id, at, line) : null
    if (turn === null && type !== 'user' && type !== 'assistant') {
      noteTitle(entry, type)
      notes.pass([type, textAt(entry, 'subtype'), textAt(fieldsAt(entry, 'attachment'), 'type')].filter(Boolean).join('/'))
    }
    const preserved = preservedBy(entry)
    if (given === null && turn === null && preserved === null) return
    const here = turn ?? (preserved === null ? at : compact(preserved, id, at, line))
    places.set(id, here)
    latest[here.tree.isSidechain ? 'side' : 'main'] = here
  }

  /** The parent of an entry. Parents come before their children, so an entry with an unknown parent continues the last place. */
  function place(entry: Fields): Turn {
    const isSidechain = entry['isSidechain'] === true
    const previous = latest[isSidechain ? 'side' : 'main']
    const parent = textAt(entry, 'parentUuid') ?? textAt(entry, 'logicalParentUuid')
    const known = parent === null ? undefined : places.get(parent)
    if (known !== undefined && known.tree.isSidechain === isSidechain) return continued(known)
    const isCompaction = entry['isCompactSummary'] === true || entry['subtype'] === 'compact_boundary'
    const isNew = entry['parentUuid'] === null && parent === null && !isCompaction
    return previous === null || isNew ? plant(isSidechain) : previous
  }

  function plant(isSidechain: boolean): Turn {
    const startedBy = isSidechain ? (latest.main?.tree ?? null) : null
    const tree: Tree = { session: null, root: null, startedBy, isSidechain, turns: [] }
    trees.push(tree)
    return { parent: null, tree, depth: 0, streamed: null, results: new Map(), said: [] }
  }

  function grow(parent: Turn, streamed: StreamedMessage | null, kept?: KeptTurns): Turn {
    const turn: Turn = { ...emptyTurn(parent), streamed, ...(kept === undefined ? {} : { kept }) }
    turn.tree.turns.push(turn)
    if (streamed !== null) unfinished.push(streamed)
    const ended = unfinished.length > maxUnfinished ? unfinished.shift() : undefined
    if (ended !== undefined) takeStreamed(ended, take)
    return turn
  }

  /** Later lines hang on the last message that the compaction kept: they continue at the compaction instead. */
  function compact(preserved: PreservedMessages, id: string, at: Turn, line: number): Turn {
    const { turns, isComplete } = keptTurns(preserved, at.tree)
    const keptAt = preserved.anchor === id ? 'before-summary' : 'after-summary'
    const last = turns.at(-1)
    // Claude Code sometimes writes the line before a compaction with a parent far up.
    const compaction = grow(last !== undefined && last.depth > at.depth ? last : at, null, { turns, place: keptAt })
    const summary: AwaitedSummary = { line, anchor: preserved.anchor, isReported: false }
    awaited.set(compaction, summary)
    if (preserved.anchor !== null) anchored.set(preserved.anchor, compaction)
    if (!isComplete) damaged(summary)
    if (keptAt === 'before-summary') return compaction
    const tail = preserved.tail === null ? undefined : places.get(preserved.tail)
    for (const turn of [at, tail]) if (turn?.tree === at.tree) moved.set(turn, { to: compaction, isEnd: true })
    for (const turn of turns) moved.set(turn, { to: compaction, isEnd: turn === last })
    return compaction
  }

  function keptTurns({ head, tail, uuids }: PreservedMessages, tree: Tree): { turns: readonly Turn[]; isComplete: boolean } {
    const known = uuids.filter((uuid) => places.get(uuid)?.tree === tree)
    const isComplete = uuids.length > 0 && known.length === uuids.length
    const turns = isComplete ? null : turnsBetween(head, tail, tree)
    if (turns !== null) return { turns, isComplete: uuids.length === 0 }
    return { turns: [...new Set(known.flatMap((uuid) => owners.get(uuid) ?? []))], isComplete }
  }

  /** The places from one line down to another; null if the second is not below the first. */
  function turnsBetween(head: string | null, tail: string | null, tree: Tree): readonly Turn[] | null {
    const first = head === null ? undefined : (owners.get(head) ?? places.get(head))
    const last = tail === null ? undefined : places.get(tail)
    if (head === null || first === undefined || last?.tree !== tree) return null
    const turns: Turn[] = []
    for (let turn: Turn | null = last; turn !== null && walked < maxWalked; turn = turn.parent) {
      walked += 1
      // Messages that an earlier compaction kept are above it in the tree, and after its summary in the context.
      if (turn === first ? owners.has(head) : turn.kept === undefined) turns.push(turn)
      if (turn === first) return turns.reverse()
    }
    return null
  }

  function damaged(summary: AwaitedSummary): void {
    if (!summary.isReported) notes.skip(summary.line, 'bad-compaction')
    summary.isReported = true
  }

  function continued(turn: Turn): Turn {
    const next = moved.get(turn)
    if (next === undefined || next.isEnd) return next?.to ?? turn
    const back: Turn = { ...emptyTurn(next.to), backTo: turn }
    moved.set(turn, { to: back, isEnd: true })
    return back
  }

  function addMessage(entry: Fields, type: string, id: string, parent: Turn, line: number): Turn | null {
    const raw = type === 'attachment' ? attachedMessage(fieldsAt(entry, 'attachment')) : entry['message']
    if (type === 'attachment' && raw === null) return null
    const messages = isRecord(raw) ? readMessage(raw, type === 'assistant' ? 'assistant' : 'user') : null
    if (messages === null) {
      notes.skip(line, 'no-message')
      return null
    }
    const time = timeAt(entry, 'timestamp')
    // The codec numbers the pieces of a message: `0` for an undivided one, `0.2` for the piece that starts at the third block.
    const ownId = (message: Message) => (messages.length === 1 ? id : `${id}${message.id.slice(1)}`)
    const named = (message: Message) => take({ ...message, id: unique(ownId(message)), ...time })
    const compaction = entry['isCompactSummary'] !== true ? undefined : awaited.has(parent) ? parent : anchored.get(id)
    const above = compaction !== undefined && awaited.has(compaction) ? compaction : parent
    const turn =
      type === 'assistant'
        ? addResponse(raw as Fields, messages, id, time, parent)
        : addSaid(entry, messages.map(named), id, above)
    if (turn === null) notes.pass('message without content')
    else {
      turn.tree.session ??= textAt(entry, 'sessionId')
      turn.tree.root ??= textAt(entry, 'cwd')
    }
    return turn
  }

  function addResponse(raw: Fields, messages: readonly Message[], id: string, time: Time, parent: Turn): Turn | null {
    const name = textAt(raw, 'id') ?? id
    const parts = messages.flatMap((message) => message.parts)
    const known = responses.get(name)
    if (parts.length === 0 && known === undefined) return null
    // If the user spoke while it was streamed, it continues after them, and its usage is reported at its end.
    const turn = known === parent ? known : grow(parent, startStreamed(unique(id), name, time))
    if (known?.streamed && known !== parent) known.streamed.usage = undefined
    responses.set(name, turn)
    owners.set(id, turn)
    addStreamed(turn.streamed as StreamedMessage, parts, raw)
    for (const part of parts) if (part.type === 'tool-call') calls.set(part.callId, turn)
    return turn
  }

  function addSaid(entry: Fields, messages: readonly Message[], id: string, parent: Turn): Turn | null {
    const compaction = awaited.get(parent)
    let turn: Turn | null = compaction !== undefined && entry['isCompactSummary'] === true && messages.length > 0 ? parent : null
    if (compaction !== undefined && turn !== null) {
      awaited.delete(turn)
      if (turn.kept?.place === 'after-summary' && compaction.anchor !== id) damaged(compaction)
    }
    let answers: Turn | null = null
    for (const message of messages) {
      const [part] = message.parts
      if (part?.type !== 'tool-result') continue
      const call = part.callId === null ? undefined : calls.get(part.callId)
      if (call === undefined || call.tree !== parent.tree) turn ??= grow(parent, null)
      answers = call?.tree === parent.tree ? call : turn
      const answered = part.callId ?? message.id
      // The call was repeated after a rewind: the later answer counts.
      if (answers?.results.has(answered)) notes.pass('earlier result of a call')
      answers?.results.set(answered, { message })
    }
    for (const message of messages) {
      if (message.role === 'tool') continue
      turn ??= answers === parent ? parent : grow(parent, null)
      turn.said.push(draftOf(entry, message))
    }
    const owner = turn ?? answers
    if (owner !== null) owners.set(id, owner)
    // A result is stored with its call, and the log continues where its line hangs: other calls may be in between.
    return turn ?? (answers === null ? null : parent)
  }

  function noteTitle(entry: Fields, type: string): void {
    const title = textAt(entry, titleFields[type] ?? '')
    if (title === null) return
    // A summary names its session by the last entry it covers; most such lines are about other files.
    const leaf = textAt(entry, 'leafUuid')
    const session = textAt(entry, 'sessionId') ?? (leaf === null ? null : (places.get(leaf)?.tree.session ?? null))
    if (session !== null) titles.set(session, title)
  }
}

/** Places that are looked at in search of kept messages. Only a hostile log has more. */
const maxWalked = 1_000_000
/** How many agents may write to one log at the same time. */
const maxUnfinished = 16

const titleFields: Readonly<Record<string, string>> = { 'custom-title': 'customTitle', 'ai-title': 'aiTitle', summary: 'summary' }

interface AwaitedSummary {
  readonly line: number
  /** The line that the kept messages follow, which is the summary unless they come before it; null if it names none. */
  readonly anchor: string | null
  isReported: boolean
}

function emptyTurn(parent: Turn): Turn {
  return { parent, tree: parent.tree, depth: parent.depth + 1, streamed: null, results: new Map(), said: [] }
}

/** A message that the user typed while the agent was busy, or a file that the client attached. Others are reminders of the client. */
function attachedMessage(attachment: Fields): Fields | null {
  if (attachment['type'] === 'queued_command') return { content: attachment['prompt'] }
  if (attachment['type'] !== 'file') return null
  const file = fieldsAt(fieldsAt(attachment, 'content'), 'file')
  const text = textAt(file, 'content')
  return text === null ? null : { content: `${textAt(file, 'filePath') ?? textAt(attachment, 'filename') ?? ''}\n${text}` }
}

function readMessage({ content }: Fields, role: 'assistant' | 'user'): readonly Message[] | null {
  if (typeof content !== 'string' && !Array.isArray(content)) return null
  return codecs.anthropic.read([{ role, content }]).messages.flatMap((message) => {
    const parts = message.parts.filter((part) => !isText(part) || part.text !== '')
    return parts.length === 0 ? [] : [parts.length === message.parts.length ? message : { ...message, parts }]
  })
}

function draftOf(entry: Fields, message: Message): Draft {
  if (entry['isCompactSummary'] === true) return { message: { ...message, role: 'system', summary: true } }
  const origin = textAt(fieldsAt(entry, 'origin'), 'kind')
  const attachment = fieldsAt(entry, 'attachment')
  const mode = textAt(attachment, 'commandMode')
  const added =
    entry['isMeta'] === true ||
    attachment['type'] === 'file' ||
    (origin !== null && origin !== 'human') ||
    (mode !== null && mode !== 'prompt')
  return { message, added }
}
