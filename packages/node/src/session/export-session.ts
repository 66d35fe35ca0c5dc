import { codecs, type Message, type Part, resultText, type ToolCallPart } from '@plimsoll/core'
import type { Entry, ExportFormat, HeaderEntry } from '@plimsoll/core/session'
import { labelText, mediaIn, reactText } from '@plimsoll/core/text'
import { writeRequest } from '@plimsoll/core/wire'
import { timeText } from '../files/time-and-size.ts'
import { redactSecrets } from '../shared/redact/redact.ts'
import { branchHeads } from './branch.ts'
import { fullEntry, portableLine } from './moved-values.ts'
import { redactEntry } from './redact-entry.ts'
import type { StoredSession } from './session.ts'

export interface ExportSessionOptions {
  readonly format: ExportFormat
  readonly redact?: boolean | undefined
  /** The last entry of the branch. Default: the active branch; for the format `log`, all branches. */
  readonly leaf?: string | undefined
}

export type SessionExport = ReturnType<typeof exportSession>

/** A branch with all its originals, or the whole log, as a complete text. Throws `RangeError` if it is longer than a string can be. */
export function exportSession(session: StoredSession, options: ExportSessionOptions) {
  const taken = createTaking(session, options)
  const { counts } = taken
  const { format, leaf } = options
  if (format === 'log') {
    return {
      pieces: logLines(session, taken, leaf) as Iterable<string>,
      isJson: true,
      leftOut: { thoughts: 0, media: 0 },
      counts,
    }
  }
  const { text, isJson, leftOut } = exportText(conversationOf(session, taken, leaf), format)
  return { pieces: [text], isJson, leftOut, counts }
}

type Taking = ReturnType<typeof createTaking>

function createTaking(session: StoredSession, { redact }: ExportSessionOptions) {
  let messages = 0
  let secrets = 0
  let lost = 0
  const blank = (text: string): string => {
    const clean = redactSecrets(text)
    if (clean !== text) secrets += Math.max(1, marksIn(clean) - marksIn(text))
    return clean
  }
  const cleaned = (entry: Entry): Entry => (redact === true ? redactEntry(entry, blank) : entry)
  return {
    take(id: string): Entry | null {
      const entry = session.entry(id)
      if (entry === null) {
        lost += 1
        return null
      }
      const whole = fullEntry(entry, session)
      lost += whole.lost
      if (entry.type === 'message') messages += 1
      return cleaned(whole.entry)
    },
    clean: (header: HeaderEntry) => cleaned(header) as HeaderEntry,
    counts: () => ({
      messages,
      secrets,
      lost: lost + session.troubles().filter(({ kind }) => !['newer', 'duplicate', 'unreachable', 'end'].includes(kind)).length,
    }),
  }
}

function marksIn(text: string): number {
  return text.split('[REDACTED:').length - 1
}

function conversationOf(session: StoredSession, taken: Taking, leaf: string | undefined) {
  const messages: Message[] = []
  let model: string | null = null
  for (const { type, id } of branchHeads(session, leaf)) {
    const entry = type === 'message' || type === 'request' || type === 'note' ? taken.take(id) : null
    if (entry?.type === 'message') messages.push(entry.message)
    if (entry?.type === 'request') model = entry.model
    const named = entry?.type === 'note' && entry.code === 'imported' ? entry.data?.['model'] : null
    if (typeof named === 'string' && named !== '') model ??= named
  }
  const { title = null } = taken.clean(headerOf(session))
  return { messages, model: model ?? 'unknown', title }
}

/** The first entry, without reading the conversation; a made-up one if the log lost it. */
function headerOf(session: StoredSession): HeaderEntry {
  const [first] = session.heads()
  const entry = first === undefined ? null : session.entry(first.id)
  return entry?.type === 'header' ? entry : session.state().header
}

function* logLines(session: StoredSession, taken: Taking, leaf: string | undefined): Generator<string> {
  const header = headerOf(session)
  yield `${portableLine(taken.clean(header))}\n`
  const heads = leaf === undefined ? session.heads() : branchHeads(session, leaf)
  let before = header.id
  for (const { id, type } of heads) {
    const entry = type === 'header' ? null : taken.take(id)
    if (entry === null) continue
    // A single branch has no gaps, even if entries were skipped.
    yield `${portableLine(leaf === undefined ? entry : { ...entry, parentId: before })}\n`
    before = id
  }
}

interface LeftOut {
  readonly thoughts: number
  readonly media: number
}

function exportText(
  { messages, model, title }: ReturnType<typeof conversationOf>,
  format: Exclude<ExportFormat, 'log'>,
): { readonly text: string; readonly isJson: boolean; readonly leftOut: LeftOut } {
  const all = countParts(messages)
  if (format === 'markdown' || format === 'react') {
    const text = format === 'react' ? `${reactText(messages)}\n` : markdownText(messages, title)
    return { text, isJson: false, leftOut: { thoughts: 0, media: all.media } }
  }
  const request = writeRequest(format, messages, { model })
  const held = countParts(codecs[format].read(request).messages)
  return {
    text: `${JSON.stringify(request)}\n`,
    isJson: true,
    leftOut: { thoughts: Math.max(0, all.thoughts - held.thoughts), media: Math.max(0, all.media - held.media) },
  }
}

function countParts(messages: readonly Message[]): LeftOut {
  let thoughts = 0
  let media = 0
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part.type === 'reasoning') thoughts += 1
      media += mediaIn(part).length
    }
  }
  return { thoughts, media }
}

/** A heading for each message, calls and results as code. A line that looks like our own headings or labels gets a hidden backslash. */
export function markdownText(messages: readonly Message[], title: string | null): string {
  const pieces = title === null ? [] : [`# ${title.replaceAll(/\s+/g, ' ').trim()}`]
  for (const [index, message] of messages.entries()) {
    const { role, at, summary } = message
    const time = at === undefined ? '' : ` · ${timeText(at)} UTC`
    pieces.push(`## ${index + 1}. ${summary === true ? 'summary' : role}${time}`)
    for (const part of message.parts) pieces.push(partText(part))
  }
  return `${pieces.join('\n\n')}\n`
}

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text.replaceAll(ownLine, '\\')
    case 'reasoning':
      return part.text.replaceAll(/^/gm, '> ')
    case 'media':
      return `*[${nameText(part.mediaType)}]*`
    case 'tool-call':
      return `**call** \`${nameText(part.tool)}\`\n\n${fenced(inputText(part), 'json')}`
    case 'tool-result': {
      const error = part.isError === true ? ' (error)' : ''
      return [
        `**result**${error}\n\n${fenced(resultText(part), '')}`,
        ...mediaIn(part).map(({ mediaType }) => `*[${nameText(mediaType)}]*`),
      ].join('\n\n')
    }
  }
}

const ownLine = /^(?=[ \t]{0,3}(?:#{1,6}[ \t]+\d+[.)][ \t]*(?:system|user|assistant|tool|summary)|\*\*(?:call|result)\*\*))/gim

function nameText(name: string): string {
  return labelText(name, 200).replaceAll('`', "'")
}

function inputText({ input }: ToolCallPart): string {
  return typeof input === 'string' ? input : (JSON.stringify(input, null, 2) ?? '')
}

/** The fence is longer than any in the text, so that nothing in it can end the block. */
function fenced(text: string, language: string): string {
  let longest = 2
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}
