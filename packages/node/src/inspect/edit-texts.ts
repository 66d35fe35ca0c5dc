import {
  type Edit,
  type EditTexts,
  inputText,
  type Message,
  type Part,
  type PeopleStrings,
  resultText,
  transcriptOf,
} from '@plimsoll/core'
import type { StoredSession } from '../session/session.ts'

/** What the texts of an edit are found with. */
export interface EditSource {
  readonly session: Pick<StoredSession, 'whole' | 'large'>
  /** A message of the branch, or one that an edit put there. */
  readonly message: (id: string) => Message | null
  /** The messages that a fold stands for, one after the other. */
  readonly folded: () => Iterable<Message>
}

/** The texts before and after an edit. What was there before is complete up to 2 MB; behind that, a sentence says so. */
export function editTexts(edit: Edit, source: EditSource, strings: PeopleStrings): EditTexts {
  switch (edit.kind) {
    case 'replace': {
      const part = source.message(edit.message)?.parts[edit.part]
      const before = part === undefined ? { text: '', trouble: null } : originalOf(part, source.session)
      return bounded(before.text, partText(edit.with), before.trouble, strings)
    }
    case 'fold':
      return bounded(foldedText(source.folded()), edit.into === null ? '' : transcriptOf([edit.into]), null, strings)
    case 'insert':
      return bounded('', transcriptOf([edit.message]), null, strings)
  }
}

/** Characters of one text. */
const mostText = 2_000_000

function bounded(before: string, after: string, trouble: string | null, strings: PeopleStrings): EditTexts {
  const isCut = before.length > mostText || after.length > mostText
  return {
    before: before.slice(0, mostText),
    after: after.slice(0, mostText),
    trouble: trouble ?? (isCut ? strings.server.inspecting.originalCut('2') : null),
  }
}

function originalOf(part: Part, session: EditSource['session']): { readonly text: string; readonly trouble: string | null } {
  if (part.type !== 'tool-result' || part.blob === undefined) return { text: partText(part), trouble: null }
  const large = session.large(part)
  // One more than is shown, so that it is seen to be cut.
  if (large !== null && 'text' in large) return { text: large.text.slice(0, mostText + 1), trouble: null }
  const whole = large ?? session.whole(part)
  return 'part' in whole ? { text: partText(whole.part), trouble: null } : { text: partText(part), trouble: whole.trouble }
}

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text
    case 'tool-call':
      return inputText(part)
    case 'tool-result':
      return resultText(part)
    case 'media':
      return `[${part.mediaType}]`
  }
}

/** As many messages as make up what is shown; a fold may stand for a hundred thousand. */
function foldedText(messages: Iterable<Message>): string {
  const taken: Message[] = []
  let length = 0
  for (const message of messages) {
    taken.push(message)
    for (const part of message.parts) length += partText(part).length
    if (length > mostText) break
  }
  return transcriptOf(taken)
}
