import { planOnce } from '../derive.ts'
import type { ReplaceEdit } from '../edit.ts'
import { configOf, type Facts, reasonsOf, stringsOf } from '../facts.ts'
import { type Message, type Part, withContent } from '../message.ts'
import type { Policy } from '../policy.ts'
import { type BinaryFilter, createBinaryFilter, kilobytes } from './filter.ts'

const name = 'filter-binary'

/**
 * Shows a placeholder with the size in place of base64 and binary fields in tool results, errors and results not yet seen
 * included: as text they fill the window and tell a model nothing. Pictures in the provider's own form stay.
 * Costs nothing where results are filtered before they are first sent.
 */
export const filterBinary: Policy = {
  name,
  plan: planOnce({
    settingsOf: (facts) => [facts.strings, configOf(facts).locale],
    editsFrom(messages, from, facts) {
      const edits: ReplaceEdit[] = []
      for (let at = from; at < messages.length; at += 1) {
        const message = messages[at] as Message
        if (message.role !== 'tool') continue
        for (let index = 0; index < message.parts.length; index += 1) {
          const edit = editFor(message, index, facts)
          if (edit !== null) edits.push(edit)
        }
      }
      return edits
    },
  }),
}

interface Remembered {
  readonly strings: Facts['strings']
  readonly locale: string | null
  readonly edit: ReplaceEdit | null
}

// Parts never change, so neither does what filtering them gives.
const remembered = new WeakMap<Part, Remembered>()

function editFor(message: Message, index: number, facts: Facts): ReplaceEdit | null {
  const part = message.parts[index] as Part
  const { locale } = configOf(facts)
  const known = remembered.get(part)
  if (known !== undefined && known.strings === facts.strings && known.locale === locale && fits(known.edit, message, index))
    return known.edit
  const filter = createBinaryFilter(stringsOf(facts))
  const filtered = filterPart(part, filter)
  const edit: ReplaceEdit | null =
    filtered === part
      ? null
      : {
          id: `${name}:${message.id}.${index}`,
          policy: name,
          kind: 'replace',
          message: message.id,
          part: index,
          with: filtered,
          why: reasonsOf(facts).binaryFiltered(kilobytes(filter.removed())),
        }
  remembered.set(part, { strings: facts.strings, locale, edit })
  return edit
}

function fits(edit: ReplaceEdit | null, message: Message, index: number): boolean {
  return edit === null || (edit.message === message.id && edit.part === index)
}

function filterPart(part: Part, filter: BinaryFilter): Part {
  if (part.type === 'tool-result') return withContent(part, filter)
  // The structured twin that some dialects keep beside a result's text.
  if (part.type !== 'media' || part.mediaType !== 'application/json') return part
  const data = filter.value(part.data)
  return data === part.data ? part : { ...part, data }
}
