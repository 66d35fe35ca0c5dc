import type { Edit, Message, Part } from '@plimsoll/core'
import { transcriptOf } from '@plimsoll/core/session'
import type { StoredSession } from '../session/session.ts'
import { partText } from '../session/shown-message.ts'
import type { EditTexts, InspectedMessage, Inspection, SentRequest } from '../shared/inspection/inspection.ts'
import type { Strings } from '../strings/strings-for.ts'

/** The parts of one inspected session. Sentences are in the given language, by default English. */
export interface InspectedTexts {
  readonly inspection: (locale?: string | null) => Promise<Inspection>
  /** Messages by number, up to but not including the last. */
  readonly messages: (from: number, to: number) => Promise<readonly InspectedMessage[]>
  /** Rejects with an `InspectError` if there is no such request. */
  readonly request: (id: string) => Promise<SentRequest>
  /** Rejects with an `InspectError` if there is no such edit. */
  readonly edit: (id: string, locale?: string | null) => Promise<EditTexts>
  readonly blob: (sha256: string) => Promise<Uint8Array | null>
}

export interface OpenInspected {
  readonly texts: InspectedTexts
  readonly close: () => Promise<void>
}

/** An open session that is stored in a file, and can be replayed from it. */
export interface OpenLogged extends OpenInspected {
  /** The file, and the number of the session in it, from 0. */
  readonly logged: { readonly path: string; readonly number: number }
}

export interface EditSource {
  readonly session: Pick<StoredSession, 'whole' | 'large'>
  readonly message: (id: string) => Message | null
  readonly folded: () => Iterable<Message>
}

/** The texts before and after an edit, each cut at 2 MB with a sentence about it. */
export function editTexts(edit: Edit, source: EditSource, strings: Strings): EditTexts {
  switch (edit.kind) {
    case 'replace': {
      const part = source.message(edit.message)?.parts[edit.part]
      const before = part === undefined ? { text: '', trouble: null } : originalOf(part, source.session)
      return bounded(before.text, shownText(edit.with), before.trouble, strings)
    }
    case 'fold':
      return bounded(foldedText(source.folded()), edit.into === null ? '' : transcriptOf([edit.into]), null, strings)
    case 'insert':
      return bounded('', transcriptOf([edit.message]), null, strings)
  }
}

const maxText = 2_000_000

function bounded(before: string, after: string, trouble: string | null, strings: Strings): EditTexts {
  const isCut = before.length > maxText || after.length > maxText
  return {
    before: before.slice(0, maxText),
    after: after.slice(0, maxText),
    trouble: trouble ?? (isCut ? strings.server.inspecting.originalCut('2') : null),
  }
}

function originalOf(part: Part, session: EditSource['session']): { readonly text: string; readonly trouble: string | null } {
  if (part.type !== 'tool-result' || part.blob === undefined) return { text: shownText(part), trouble: null }
  const large = session.large(part)
  // One more than is shown, to detect the cut.
  if (large !== null && 'text' in large) return { text: large.text.slice(0, maxText + 1), trouble: null }
  const whole = large ?? session.whole(part)
  return 'part' in whole ? { text: shownText(whole.part), trouble: null } : { text: shownText(part), trouble: whole.trouble }
}

function shownText(part: Part): string {
  return part.type === 'media' ? `[${part.mediaType}]` : partText(part)
}

/** Stops at the limit: a fold may replace a hundred thousand messages. */
function foldedText(messages: Iterable<Message>): string {
  const taken: Message[] = []
  let length = 0
  for (const message of messages) {
    taken.push(message)
    for (const part of message.parts) length += shownText(part).length
    if (length > maxText) break
  }
  return transcriptOf(taken)
}

/** Messages by number, up to but not including the last, with their active edits. Messages that cannot be read are omitted. */
export function messagePage(
  { messages, edits, session }: Pick<Inspection, 'messages' | 'edits' | 'session'>,
  from: number,
  to: number,
  read: (id: string, number: number) => Message | null,
): readonly InspectedMessage[] {
  const first = Math.max(0, from)
  const end = Math.min(messages.ids.length, to)
  const pins = new Set(session.pins)
  const near = edits.filter((edit) => edit.state === 'in-force' && edit.number < end && edit.lastNumber >= first)
  const page: InspectedMessage[] = []
  for (let number = first; number < end; number += 1) {
    const id = messages.ids[number] as string
    const message = read(id, number)
    if (message === null) continue
    const changing = near.filter((edit) => edit.number <= number && number <= edit.lastNumber).map((edit) => edit.id)
    page.push({ number, message, tokens: messages.tokens[number] ?? 0, isPinned: pins.has(id), edits: changing })
  }
  return page
}
