import { perItem, perList } from '../derive.ts'
import { type ReplaceEdit, replaceEdit } from '../edit.ts'
import { type Facts, reasonsOf, stringsOf } from '../facts.ts'
import { type Message, type Part, type ToolResultPart, withContent } from '../message.ts'
import type { Policy } from '../policy.ts'
import { resultHandle } from '../results/transcript.ts'
import type { ModelStrings } from '../strings/specification.ts'
import type { ReasonStrings } from '../strings/strings-for.ts'
import { type BinaryFilter, createBinaryFilter, kilobytes } from './filter.ts'

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
    if (message.role === 'tool') edits.push(...editsOf(strings, reasons)(message))
  },
  finish: (edits): readonly ReplaceEdit[] => edits.slice(),
})

const editsOf = perItem(({ id, parts }: Message, strings: ModelStrings, reasons: ReasonStrings) =>
  parts.flatMap((given, index) => {
    const { part, removed } = filtered(strings)(given)
    if (part === given) return []
    return [replaceEdit(filterBinaryName, id, index, part, reasons.binaryFiltered(kilobytes(removed)))]
  }),
)

const filtered = perItem((given: Part, strings: ModelStrings) => {
  const filter = createBinaryFilter(
    given.type === 'tool-result' && strings.namesOriginals === true ? naming(given, strings) : strings,
  )
  const part = filterPart(given, filter)
  return { part, removed: filter.removed() }
})

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

function filterPart(part: Part, filter: BinaryFilter): Part {
  if (part.type === 'tool-result') return withContent(part, filter)
  // The structured copy that some API formats keep next to a result's text.
  if (part.type !== 'media' || part.mediaType !== 'application/json') return part
  const data = filter.value(part.data)
  return data === part.data ? part : { ...part, data }
}
