import { perItem, perList } from '../derive.ts'
import { type ReplaceEdit, replaceEdit } from '../edit.ts'
import { type Facts, reasonsOf, stringsOf } from '../facts.ts'
import { type Message, type Part, type ToolResultPart, withContent } from '../message.ts'
import type { Policy } from '../policy.ts'
import { resultHandle } from '../results/transcript.ts'
import type { ModelStrings } from '../strings/specification.ts'
import type { ReasonStrings } from '../strings/strings-for.ts'
import { type BinaryFilter, createBinaryFilter, isPlainText, kilobytes } from './filter.ts'

export const filterBinaryName = 'filter-binary'

/** Replaces base64 and binary fields in tool results with placeholders. Images in the provider’s own format stay. */
export const filterBinary: Policy = {
  name: filterBinaryName,
  plan: (messages, facts) => editsIn(stringsOf(facts), reasonsOf(facts))(messages),
}

export function withoutBinary<Any extends Part>(part: Any, facts: Facts): Any {
  return filtered(stringsOf(facts))(part).part as Any
}

const editsIn = perList({
  start: (_strings: ModelStrings, _reasons: ReasonStrings): ReplaceEdit[] => [],
  add(edits, message: Message, _index, strings, reasons) {
    if (message.role === 'tool') for (const edit of editsOf(strings, reasons)(message)) edits.push(edit)
  },
  finish: (edits): readonly ReplaceEdit[] => edits.slice(),
})

const editsOf = perItem(({ id, parts }: Message, strings: ModelStrings, reasons: ReasonStrings): readonly ReplaceEdit[] => {
  const edits: ReplaceEdit[] = []
  for (let index = 0; index < parts.length; index += 1) {
    const given = parts[index] as Part
    if (given.type === 'tool-result' && given.content.type === 'text' && isPlainText(given.content.text)) continue
    const { part, removed } = filterPart(given, strings)
    if (part === given) continue
    edits.push(replaceEdit(filterBinaryName, id, index, part, reasons.binaryFiltered(kilobytes(removed))))
  }
  return edits
})

const filtered = perItem(filterPart)

function filterPart(given: Part, strings: ModelStrings): { readonly part: Part; readonly removed: number } {
  const filter = createBinaryFilter(
    given.type === 'tool-result' && strings.namesOriginals === true ? naming(given, strings) : strings,
  )
  const part = withoutData(given, filter)
  return { part, removed: filter.removed() }
}

/** The same strings, whose placeholders also name the result that has the data. */
function naming(part: ToolResultPart, strings: ModelStrings): ModelStrings {
  let handle = ''
  const named = (placeholder: string) => {
    handle ||= resultHandle(part)
    return placeholder.replace(/\]$/, `; recall ${handle}]`)
  }
  return {
    ...strings,
    binaryFiltered: (size) => named(strings.binaryFiltered(size)),
    largeDataFiltered: (size) => named(strings.largeDataFiltered(size)),
  }
}

function withoutData(part: Part, filter: BinaryFilter): Part {
  if (part.type === 'tool-result') return withContent(part, filter)
  // The structured copy that some API formats keep next to a result's text.
  if (part.type !== 'media' || part.mediaType !== 'application/json') return part
  const data = filter.value(part.data)
  return data === part.data ? part : { ...part, data }
}
