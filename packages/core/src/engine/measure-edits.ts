import { type Earlier, eachRun, perChange, perPair, unchanging } from '../derive.ts'
import {
  createLocator,
  type Edit,
  type FoldEdit,
  type InsertEdit,
  type MessagesAndEdits,
  partKey,
  placeEdits,
  placeOf,
  type ReplaceEdit,
  structuralIn,
} from '../edit.ts'
import type { Facts, Tokenizer } from '../facts.ts'
import type { Message, Part } from '../message.ts'
import type { ReportedEdit } from '../report.ts'
import { firstAt, toolResults } from '../results/tool-results.ts'
import { countMessage, countPart, estimator } from '../tokens/count-tokens.ts'
import type { EditsInForce } from './edits-in-force.ts'
import type { Stage } from './plan-stages.ts'

/** Measures for each edit, in order, how it changes the size and whether it rewrites cached content. */
export function measureEdits(stages: readonly Stage[], inForce: EditsInForce): readonly ReportedEdit[] {
  const rows: ReportedEdit[] = []
  // The rows of each part that is reported as changed.
  const changes = new Map<string, number[]>()
  for (const { messages, facts, edits } of stages) {
    const { sent = null, changed: others, tools } = facts
    const lastSent = sent === null ? -1 : messages.findLastIndex(({ id }) => id === sent)
    const tokenizer = facts.tokens ?? estimator
    const all =
      structuralIn(edits).length === 0 ? measureReplacements(tokenizer, tools)(messages, edits as readonly ReplaceEdit[]) : null
    const toolAt = createToolFinder(messages, tools)
    const list = { messages, tokenizer, toolAt, folds: createFoldSizes(messages, tokenizer) }
    const rowOf = createRows(messages, toolAt, tokenizer)
    const locate = createLocator(messages)
    let index = 0
    for (let at = 0; at < edits.length; at += 1) {
      const edit = edits[at] as Edit
      index = all === null ? findPlace(list.folds, edit, index, locate) : (all.places[at] as number)
      // An insert changes the bytes of the next message, unless it was there before.
      const changed = edit.kind !== 'insert' || inForce.hasInsert(edit.id) ? index : edit.after === null ? 0 : index + 1
      const isKnown = inForce.has(edit) && !(others !== undefined && edit.kind === 'replace' && others.has(partKey(edit)))
      const cache = changed <= lastSent && !isKnown ? 'rewrite' : 'free'
      if (edit.kind !== 'replace') {
        rows.push(measure(list, index, edit, cache))
        continue
      }
      if (cache === 'rewrite' || changes.size > 0) noteChange(changes, rows, partKey(edit), cache)
      const row = all === null ? rowOf(edit, index) : (all.rows[at] as ReportedEdit)
      rows.push(cache === 'free' ? row : { ...row, cache })
    }
  }
  return rows
}

interface MeasuredReplacements {
  /** As if nothing was cached. */
  readonly rows: readonly ReportedEdit[]
  readonly places: Int32Array
}

const measureReplacements = perChange(function measureEach(
  [messages, edits]: MessagesAndEdits,
  earlier: Earlier<MessagesAndEdits, MeasuredReplacements> | null,
  tokenizer: Tokenizer,
  tools: Facts['tools'],
): MeasuredReplacements {
  const locate = createLocator(messages)
  const { places, isChanged } = placeEdits(messages, edits, earlier, ({ message }, from) => {
    const index = locate(message, from)
    return index < 0 ? from : index
  })
  const rowOf = createRows(messages, createToolFinder(messages, tools), tokenizer)
  const known = earlier?.answer.rows ?? []
  const rows: ReportedEdit[] = []
  const add = (at: number) => rows.push(rowOf(edits[at] as ReplaceEdit, places[at] as number))
  eachRun(edits, earlier?.lists[1] ?? [], {
    added: add,
    kept(start, before, count) {
      for (let next = 0; next < count; next += 1)
        if (isChanged[places[start + next] as number] === 0) rows.push(known[before + next] as ReportedEdit)
        else add(start + next)
    },
  })
  return { rows: unchanging(rows, 'own'), places }
})

/** Rows of replacements in their order: a later one replaces what an earlier one of the same part shows. */
function createRows(messages: readonly Message[], toolAt: ToolFinder, tokenizer: Tokenizer) {
  const shown = new Map<number, Part>()
  return (edit: ReplaceEdit, index: number): ReportedEdit => {
    const place = edit.part * messages.length + index
    const was = shown.get(place) ?? messages[index]?.parts[edit.part]
    shown.set(place, edit.with)
    return measureReplacement(edit, was, toolAt(index, was), tokenizer)
  }
}

/** A part counts as changed by its final text: an edit that a later one hides changes nothing. */
function noteChange(changes: Map<string, number[]>, rows: ReportedEdit[], place: string, cache: ReportedEdit['cache']): void {
  const known = changes.get(place)
  if (cache === 'rewrite') changes.set(place, [...(known ?? []), rows.length])
  else if (known !== undefined) {
    for (const at of known) rows[at] = { ...(rows[at] as ReportedEdit), cache: 'free' }
    changes.delete(place)
  }
}

interface MeasuredList {
  readonly messages: readonly Message[]
  readonly tokenizer: Tokenizer
  readonly toolAt: ToolFinder
  readonly folds: FoldSizes
}

function findPlace(folds: FoldSizes, edit: Edit, from: number, locate: (id: string, from: number) => number): number {
  const place = placeOf(edit)
  const left = place === null ? undefined : folds.placeOf(place)
  if (left !== undefined) return left
  const index = place === null ? -1 : locate(place, from)
  // An insert may follow another one of the same stage, which is not in the list yet: it belongs to the same place.
  return index < 0 ? from : index
}

type ToolFinder = (index: number, part: Part | undefined) => string | null

function createToolFinder(messages: readonly Message[], tools: Facts['tools']): ToolFinder {
  const facts: Facts = tools === undefined ? {} : { tools }
  return (index, part) => {
    if (part?.type === 'tool-call') return part.tool
    if (part?.type !== 'tool-result') return null
    const results = toolResults(messages, facts)
    const found = results[firstAt(results, index)]
    return found?.index === index ? found.tool : part.tool
  }
}

function measure(list: MeasuredList, index: number, edit: FoldEdit | InsertEdit, cache: ReportedEdit['cache']): ReportedEdit {
  const { messages, tokenizer, toolAt, folds } = list
  const { id, policy, kind, why } = edit
  if (edit.kind === 'insert') {
    const tool = toolAt(-1, edit.message.parts[0])
    const tokensAfter = countMessage(edit.message, tokenizer)
    return { id, policy, kind, message: edit.after ?? edit.message.id, part: 0, tool, tokensBefore: 0, tokensAfter, why, cache }
  }
  const tokensBefore = folds.take(edit, index)
  const tokensAfter = edit.into === null ? 0 : countMessage(edit.into, tokenizer)
  const tool = toolAt(index, messages[index]?.parts[0])
  return { id, policy, kind, message: edit.first, part: 0, tool, tokensBefore, tokensAfter, why, cache }
}

const measureReplacement = perPair(
  (edit: ReplaceEdit, was: Part | undefined, tool: string | null, tokenizer: Tokenizer): ReportedEdit => {
    const { id, policy, kind, message, part, why } = edit
    const tokensBefore = was === undefined ? 0 : countPart(was, tokenizer)
    const tokensAfter = countPart(edit.with, tokenizer)
    return { id, policy, kind, message, part, tool, tokensBefore, tokensAfter, why, cache: 'free' }
  },
)

/** Sizes of what folds remove, asked in the order they are applied: a later one may fold what an earlier one left. */
interface FoldSizes {
  /** The index of a message that an earlier fold left; undefined for any other. */
  readonly placeOf: (id: string) => number | undefined
  /** The tokens that a fold removes, starting at index `from`. */
  readonly take: (edit: FoldEdit, from: number) => number
}

function createFoldSizes(messages: readonly Message[], tokenizer: Tokenizer): FoldSizes {
  const places = new Map<string, number>()
  const left = new Map<number, { readonly id: string | undefined; readonly tokens: number; readonly last: number }>()
  const countOf = (message: Message) => countMessage(message, tokenizer)
  return {
    placeOf: (id) => (places.size === 0 ? undefined : places.get(id)),
    take(edit, from) {
      let tokens = 0
      let last = from
      for (let index = from; index < messages.length; index = last + 1) {
        const message = messages[index] as Message
        const stands = left.get(index)
        tokens += stands === undefined ? countOf(message) : stands.tokens
        last = stands?.last ?? index
        if ((stands === undefined ? message.id : stands.id) === edit.last) break
      }
      left.set(from, { id: edit.into?.id, tokens: edit.into === null ? 0 : countOf(edit.into), last })
      if (edit.into !== null) places.set(edit.into.id, from)
      return tokens
    },
  }
}
