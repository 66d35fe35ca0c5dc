import { codecs, type Message } from '@plimsoll/core'
import { isMapping } from '../config/mapping.ts'
import { addStreamed, type StreamedMessage, startStreamed, takeStreamed } from './claude-code-stream.ts'
import { claudeCodeSessions, type Tree, type Turn } from './claude-code-tree.ts'
import { isText } from './content-parts.ts'
import { createUniqueIds, type Draft } from './draft.ts'
import { fieldsAt, textAt, timeAt } from './entry-fields.ts'
import type { Fields, LogNotes, LogReader, LogReading, ReadSession, Take } from './log-reader.ts'

/**
 * Claude Code: a tree by `parentUuid`. One response stands on several lines with the same message id, and the results of calls that
 * ran side by side hang on different ones of them, so a response and all its results are one place of the tree.
 */
export const claudeCode: LogReader = {
  name: 'claude-code',
  detect: (entry) =>
    'parentUuid' in entry ||
    'leafUuid' in entry ||
    'isSnapshotUpdate' in entry ||
    // Gemini CLI lists what was typed under the same names, with the words bare.
    ('sessionId' in entry &&
      typeof entry['type'] === 'string' &&
      !('payload' in entry) &&
      !('messageId' in entry && typeof entry['message'] === 'string')),
  start,
}

function start(notes: LogNotes, take: Take): LogReading {
  const places = new Map<string, Turn>()
  const responses = new Map<string, Turn>()
  const calls = new Map<string, Turn>()
  const trees: Tree[] = []
  const titles = new Map<string, string>()
  const unique = createUniqueIds()
  /** Responses that may still go on, the newest last. */
  const unfinished: StreamedMessage[] = []
  // Lines of sub-agents may stand among the others; each side continues itself.
  const latest: { main: Turn | null; side: Turn | null } = { main: null, side: null }

  return { add, finish }

  function finish(): readonly ReadSession[] {
    for (const streamed of unfinished) takeStreamed(streamed, take)
    return claudeCodeSessions(trees, titles)
  }

  function add(entry: Fields, line: number): void {
    const type = textAt(entry, 'type') ?? 'entry without a type'
    const given = textAt(entry, 'uuid')
    if (given !== null && places.has(given)) return notes.skip(line, 'repeated')
    const id = given ?? `line-${line}`
    const at = place(entry)
    const turn = type === 'user' || type === 'assistant' || type === 'attachment' ? addMessage(entry, type, id, at, line) : null
    if (turn === null && type !== 'user' && type !== 'assistant') {
      noteTitle(entry, type)
      notes.pass([type, textAt(entry, 'subtype'), textAt(fieldsAt(entry, 'attachment'), 'type')].filter(Boolean).join('/'))
    }
    if (given === null && turn === null) return
    const here = turn ?? at
    places.set(id, here)
    latest[here.tree.isSidechain ? 'side' : 'main'] = here
  }

  /** Where an entry hangs. A parent stands before its children, so what names another place was cut off or edited: it goes on. */
  function place(entry: Fields): Turn {
    const isSidechain = entry['isSidechain'] === true
    const previous = latest[isSidechain ? 'side' : 'main']
    const parent = textAt(entry, 'parentUuid') ?? textAt(entry, 'logicalParentUuid')
    const known = parent === null ? undefined : places.get(parent)
    if (known !== undefined && known.tree.isSidechain === isSidechain) return known
    const isNew = entry['parentUuid'] === null && parent === null && !isCompaction(entry)
    return previous === null || isNew ? plant(isSidechain) : previous
  }

  function plant(isSidechain: boolean): Turn {
    const tree: Tree = {
      session: null,
      root: null,
      startedBy: isSidechain ? (latest.main?.tree ?? null) : null,
      isSidechain,
      turns: [],
    }
    trees.push(tree)
    return { parent: null, tree, streamed: null, results: new Map(), said: [] }
  }

  function grow(parent: Turn, streamed: StreamedMessage | null): Turn {
    const turn: Turn = { parent, tree: parent.tree, streamed, results: new Map(), said: [] }
    turn.tree.turns.push(turn)
    if (streamed !== null) unfinished.push(streamed)
    const ended = unfinished.length > mostUnfinished ? unfinished.shift() : undefined
    if (ended !== undefined) takeStreamed(ended, take)
    return turn
  }

  /** The place that an entry's message takes, or null where it brings none. */
  function addMessage(entry: Fields, type: string, id: string, parent: Turn, line: number): Turn | null {
    const raw = type === 'attachment' ? queuedMessage(fieldsAt(entry, 'attachment')) : entry['message']
    if (type === 'attachment' && raw === null) return null
    const messages = isMapping(raw) ? readMessage(raw, type === 'assistant' ? 'assistant' : 'user') : null
    if (messages === null) {
      notes.skip(line, 'no-message')
      return null
    }
    const time = timeAt(entry, 'timestamp')
    const turn =
      type === 'assistant'
        ? addResponse(raw as Fields, messages, id, time, parent)
        : addSaid(
            entry,
            messages.map((message) => take({ ...message, id: unique(ownId(id, message, messages)), ...time })),
            parent,
          )
    if (turn === null) notes.pass('message without content')
    else {
      turn.tree.session ??= textAt(entry, 'sessionId')
      turn.tree.root ??= textAt(entry, 'cwd')
    }
    return turn
  }

  function addResponse(
    raw: Fields,
    messages: readonly Message[],
    id: string,
    time: { readonly at?: number },
    parent: Turn,
  ): Turn | null {
    const name = textAt(raw, 'id') ?? id
    const parts = messages.flatMap((message) => message.parts)
    const known = responses.get(name)
    if (parts.length === 0 && known === undefined) return null
    // Somebody may have spoken while it was streamed: then it goes on behind them, and what it cost is told with its end.
    const turn = known === parent ? known : grow(parent, startStreamed(unique(id), time))
    if (known?.streamed && known !== parent) known.streamed.usage = undefined
    responses.set(name, turn)
    addStreamed(turn.streamed as StreamedMessage, parts, raw)
    for (const part of parts) if (part.type === 'tool-call') calls.set(part.callId, turn)
    return turn
  }

  function addSaid(entry: Fields, messages: readonly Message[], parent: Turn): Turn | null {
    let turn: Turn | null = null
    let answers: Turn | null = null
    for (const message of messages) {
      const [part] = message.parts
      if (part?.type !== 'tool-result') continue
      const call = part.callId === null ? undefined : calls.get(part.callId)
      if (call === undefined || call.tree !== parent.tree) turn ??= grow(parent, null)
      answers = call?.tree === parent.tree ? call : turn
      const answered = part.callId ?? message.id
      // Asked again after a rewind: the later answer is the one that counts.
      if (answers?.results.has(answered)) notes.pass('earlier result of a call')
      answers?.results.set(answered, { message })
    }
    for (const message of messages) {
      if (message.role === 'tool') continue
      turn ??= answers === parent ? parent : grow(parent, null)
      turn.said.push(draftOf(entry, message))
    }
    // A result stands with its call, and the log goes on from where its line hangs: other calls may have been made in between.
    return turn ?? (answers === null ? null : parent)
  }

  function noteTitle(entry: Fields, type: string): void {
    const title = textAt(entry, titleFields[type] ?? '')
    if (title === null) return
    // A summary names its session by the last entry it covers; most such lines speak of other files.
    const leaf = textAt(entry, 'leafUuid')
    const session = textAt(entry, 'sessionId') ?? (leaf === null ? null : (places.get(leaf)?.tree.session ?? null))
    if (session !== null) titles.set(session, title)
  }
}

/** So many agents may write to one log at the same time. */
const mostUnfinished = 16

const titleFields: Readonly<Record<string, string>> = { 'custom-title': 'customTitle', 'ai-title': 'aiTitle', summary: 'summary' }

function isCompaction(entry: Fields): boolean {
  return entry['isCompactSummary'] === true || entry['subtype'] === 'compact_boundary'
}

/** What a person typed while the agent was at work; other attachments are reminders of the client. */
function queuedMessage(attachment: Fields): Fields | null {
  if (attachment['type'] !== 'queued_command') return null
  return { content: attachment['prompt'] }
}

function readMessage({ content }: Fields, role: 'assistant' | 'user'): readonly Message[] | null {
  if (typeof content !== 'string' && !Array.isArray(content)) return null
  return codecs.anthropic.read([{ role, content }]).messages.flatMap((message) => {
    const parts = message.parts.filter((part) => !isText(part) || part.text !== '')
    return parts.length === 0 ? [] : [parts.length === message.parts.length ? message : { ...message, parts }]
  })
}

/** The codec numbers the pieces of a message: `0` for a whole one, `0.2` for the piece that begins at the third block. */
function ownId(id: string, message: Message, messages: readonly Message[]): string {
  return messages.length === 1 ? id : `${id}${message.id.slice(1)}`
}

function draftOf(entry: Fields, message: Message): Draft {
  if (entry['isCompactSummary'] === true) return { message: { ...message, role: 'system', summary: true } }
  const origin = textAt(fieldsAt(entry, 'origin'), 'kind')
  const mode = textAt(fieldsAt(entry, 'attachment'), 'commandMode')
  const added = entry['isMeta'] === true || (origin !== null && origin !== 'human') || (mode !== null && mode !== 'prompt')
  return added ? { message, added: true } : { message }
}
