import { perFew, perItem, perPair, perSum, unchanging } from '../derive.ts'
import { createLocator, type Edit, type Places, partKey, placesOf, type Reference, type ReplaceEdit } from '../edit.ts'
import { callInput, isRecord, type Message, type Part, resultText, type ToolResultPart, withShownText } from '../message.ts'
import { createHasher, handleOf } from '../text/hash.ts'
import { type AboveClaim, hasAboveMarker, readAboveMarker, restated, withoutNumbers } from '../text/shown-above.ts'
import { resultHandle } from './transcript.ts'

/** By `message.part`. */
export type References = ReadonlyMap<string, readonly Reference[]>

export interface Settling {
  /**
   * For an edit that refers to lines no longer shown: say only that they were there (`restate`), or show them after all (`drop`), because no model
   * has seen them yet.
   */
  readonly onFalse: (edit: ReplaceEdit) => 'restate' | 'drop'
  /** The reason of a restated edit. */
  readonly why: string
}

/**
 * Keeps every reference true: "lines as shown above" holds only while the named part shows these lines, before the edit or further up in the same
 * text. A reference breaks only if something before it changed in this request, so correcting it costs no further cache. Returns the same list if all
 * hold. `view` is the result of the edits.
 */
export function settleReferences(
  edits: readonly Edit[],
  view: readonly Message[],
  originals: readonly Message[],
  { onFalse, why }: Settling,
): readonly Edit[] {
  const referring = lastReferring(edits)
  if (referring.size === 0) return edits
  const places = placesOf(view)
  const originalPlaces = placesOf(originals)
  const inserted = new Map(edits.flatMap((edit) => (edit.kind === 'insert' ? [[edit.message.id, edit.message]] : [])))
  const settled = new Map<ReplaceEdit, ReplaceEdit>()
  const dropped = new Set<string>()
  for (const edit of referring.values()) {
    const own = places.get(edit.message)
    // Its message is folded away.
    if (own === undefined) continue
    const wrong = (edit.refers ?? []).filter((reference) => !holds(reference, edit, own, places, view))
    if (wrong.length === 0) continue
    if (onFalse(edit) === 'drop') dropped.add(partKey(edit))
    else {
      const message = originals[originalPlaces.get(edit.message) ?? -1] ?? inserted.get(edit.message)
      settled.set(edit, restate(edit, wrong, message, why))
    }
  }
  if (settled.size + dropped.size === 0) return edits
  return edits.flatMap((edit): readonly Edit[] => {
    if (edit.kind !== 'replace') return [edit]
    // A later edit of the same text is dropped with it.
    if (edit.refers !== undefined && dropped.has(partKey(edit))) return []
    return [settled.get(edit) ?? edit]
  })
}

/** `lines` are those of the edit's own text that it omits, without line numbers. */
export function referenceTo(line: number, source: string, from: number, lines: readonly string[]): Reference {
  return { line, part: source, from, count: lines.length, shows: handleOfLines(lines, 0, lines.length) }
}

/**
 * Edits from a log or a store. Those from before references were stored have them only in their text, which is parsed once. An unknown reference
 * counts as false.
 */
export function readReferences(edits: readonly Edit[], messages: readonly Message[]): readonly Edit[] {
  if (countUnread(edits) === 0) return edits
  const sources = createSources(messages)
  return edits.map((edit) => (isUnread(edit) ? withRead(edit, sources) : edit))
}

const countUnread = perSum((edit: Edit) => (isUnread(edit) ? 1 : 0))()

/** Whether the references of an edit must be read from its text: it has none, or the stored placeholder. */
function isUnread(edit: Edit): edit is ReplaceEdit {
  return edit.kind === 'replace' && lacksReferences(edit)
}

const lacksReferences = perItem(({ refers, with: part }: ReplaceEdit): boolean => {
  const given: unknown = refers
  if (given !== undefined) return !Array.isArray(given) || !given.every(isReference)
  return part.type === 'tool-result' && hasAboveMarker(resultText(part))
})()

function isReference(value: unknown): value is Reference {
  if (!isRecord(value)) return false
  const { line, part, from, count, shows } = value
  return [line, from, count].every(Number.isSafeInteger) && typeof part === 'string' && typeof shows === 'string'
}

function withRead({ refers: _refers, ...edit }: ReplaceEdit, sources: Sources): ReplaceEdit {
  const { with: part } = edit
  if (part.type !== 'tool-result') return edit
  const original = sources.original(edit)
  const given = new Set(original === null ? [] : resultText(original).split('\n'))
  const refers = resultText(part)
    .split('\n')
    .flatMap((text, line): readonly Reference[] => {
      const claim = given.has(text) ? null : readAboveMarker(text)
      return claim === null ? [] : [sources.reference(line, claim)]
    })
  return refers.length === 0 ? edit : { ...edit, refers }
}

interface Sources {
  readonly original: (edit: ReplaceEdit) => ToolResultPart | null
  readonly reference: (line: number, claim: AboveClaim) => Reference
}

function createSources(messages: readonly Message[]): Sources {
  let byHandle: Map<string, { readonly part: string; readonly text: string }> | null = null
  const places = placesOf(messages)
  const find = (handle: string) => {
    if (byHandle === null) {
      byHandle = new Map()
      for (const { id, parts } of messages)
        for (const [index, part] of parts.entries())
          for (const text of textsOf(part)) {
            const name = handleOf(text)
            if (!byHandle.has(name)) byHandle.set(name, { part: `${id}.${index}`, text })
          }
    }
    return byHandle.get(handle)
  }
  return {
    original({ message, part }) {
      const found = messages[places.get(message) ?? -1]?.parts[part]
      return found?.type === 'tool-result' ? found : null
    },
    reference(line, { handle, lines }) {
      const source = find(handle)
      if (source === undefined || lines === null) return { line, part: source?.part ?? '', from: 0, count: 0, shows: '' }
      const shown = withoutNumbers(source.text.split('\n')).slice(lines.from, lines.to)
      return referenceTo(line, source.part, lines.from, shown)
    },
  }
}

/** Gives edits of a later policy the references of the text they were made from, if those lines are still there. */
export function carryReferences(
  edits: readonly Edit[],
  messages: readonly Message[],
  references: References,
): { readonly edits: readonly Edit[]; readonly references: References } {
  if (references.size === 0 && referringIn(edits).length === 0) return { edits, references }
  let next: Map<string, readonly Reference[]> | null = null
  const carried: Edit[] = []
  let isChanged = false
  const locate = createLocator(messages)
  let index = 0
  for (const edit of edits) {
    if (edit.kind !== 'replace') {
      carried.push(edit)
      continue
    }
    const before = references.get(partKey(edit))
    if (before !== undefined) index = Math.max(0, locate(edit.message, index))
    const now =
      before === undefined || edit.refers !== undefined ? edit : withReferences(edit, before, messages[index]?.parts[edit.part])
    isChanged ||= now !== edit
    carried.push(now)
    if (before === undefined && now.refers === undefined) continue
    next ??= new Map(references)
    if (now.refers === undefined) next.delete(partKey(now))
    else next.set(partKey(now), now.refers)
  }
  return { edits: isChanged ? unchanging(carried, 'own') : edits, references: next ?? references }
}

export const noReferences: References = new Map()

const referringIn = perFew((edit: Edit) => edit.kind === 'replace' && edit.refers !== undefined)

function lastReferring(edits: readonly Edit[]): ReadonlyMap<string, ReplaceEdit> {
  const last = new Map<string, ReplaceEdit>()
  if (referringIn(edits).length === 0) return last
  for (const edit of edits) {
    if (edit.kind !== 'replace') continue
    if (edit.refers !== undefined) last.set(partKey(edit), edit)
    else if (last.size > 0) last.delete(partKey(edit))
  }
  return last
}

function holds(reference: Reference, edit: ReplaceEdit, own: number, places: Places, view: readonly Message[]): boolean {
  const { part: source, line } = reference
  if (source === partKey(edit)) return showsLines(reference, edit.with, line)
  const dot = source.lastIndexOf('.')
  const at = places.get(source.slice(0, dot))
  if (at === undefined || at > own) return false
  const part = view[at]?.parts[Number(source.slice(dot + 1))]
  return part !== undefined && showsLines(reference, part, null)
}

const showsLines = perPair(({ from, count, shows }: Reference, part: Part, until: number | null): boolean =>
  textsOf(part).some((text) => {
    const lines = withoutNumbers(text.split('\n'))
    return hasLines(until === null ? lines : lines.slice(0, until), from, count, shows)
  }),
)

function textsOf(part: Part): readonly string[] {
  if (part.type === 'tool-result') return [resultText(part)]
  if (part.type !== 'tool-call') return []
  return Object.values(callInput(part) ?? {}).filter((value) => typeof value === 'string')
}

/** Looks at the earlier place first, then everywhere. A text that takes too long counts as not showing them. */
function hasLines(lines: readonly string[], from: number, count: number, shows: string): boolean {
  if (count < 1 || count > lines.length) return false
  if (from + count <= lines.length && handleOfLines(lines, from, count) === shows) return true
  let left = maxHashed
  for (let at = 0; at + count <= lines.length && left > 0; at += 1) {
    for (let line = at; line < at + count; line += 1) left -= (lines[line] as string).length + 1
    if (handleOfLines(lines, at, count) === shows) return true
  }
  return false
}

const maxHashed = 2_000_000

function handleOfLines(lines: readonly string[], from: number, count: number): string {
  const hasher = createHasher()
  for (let line = from; line < from + count; line += 1) {
    hasher.update(lines[line] as string)
    hasher.update('\n')
  }
  return hasher.digest()
}

function restate(edit: ReplaceEdit, wrong: readonly Reference[], message: Message | undefined, why: string): ReplaceEdit {
  const original = message?.parts[edit.part]
  if (original?.type !== 'tool-result') return edit
  return restateLines(edit, wrong.map(({ line }) => line).join(), resultHandle(original), why)
}

const restateLines = perPair((edit: ReplaceEdit, wrong: string, handle: string, why: string): ReplaceEdit => {
  const { refers = [], with: part, ...rest } = edit
  if (part.type !== 'tool-result') return edit
  const isWrong = new Set(wrong.split(',').map(Number))
  const lines = resultText(part).split('\n')
  const text = lines.map((line, index) => (isWrong.has(index) ? restated(line, handle) : line)).join('\n')
  const left = refers.filter(({ line }) => !isWrong.has(line))
  return { ...rest, why, with: withShownText(part, text), ...(left.length === 0 ? {} : { refers: left }) }
})

const withReferences = perPair((edit: ReplaceEdit, before: readonly Reference[], was: Part | undefined): ReplaceEdit => {
  if (was?.type !== 'tool-result' || edit.with.type !== 'tool-result') return edit
  const lines = resultText(was).split('\n')
  const byText = new Map(before.map((reference) => [lines[reference.line], reference]))
  const refers = resultText(edit.with)
    .split('\n')
    .flatMap((text, line): readonly Reference[] => {
      const reference = byText.get(text)
      return reference === undefined ? [] : [{ ...reference, line }]
    })
  return refers.length === 0 ? edit : { ...edit, refers }
})
