import { changesOf } from '../compaction/changed-files.ts'
import type { Edit, ReplaceEdit } from '../edit.ts'
import { type Facts, reasonsOf } from '../facts.ts'
import { inputText, type Message, type ToolCallPart } from '../message.ts'
import type { Policy } from '../policy.ts'
import { protect } from '../results/protect.ts'
import { type PlacedResult, toolResults } from '../results/tool-results.ts'
import type { ReasonStrings } from '../strings/strings-for.ts'
import { grouped } from '../text/lines.ts'
import type { EconomyRules } from './economy/economy-rules.ts'
import { profileOf } from './economy/result-profile.ts'
import { type AgeOf, requestAges } from './economy/results-in-use.ts'
import { type InputRoom, shortenInput } from './economy/shorten-input.ts'
import { namesOf } from './economy/weighed-results.ts'

const name = 'shorten-written-arguments'

/**
 * Shortens the long texts in the arguments of old calls that changed a file with success: the file has them, and each names its
 * handle. Text that was replaced is gone and goes first. What a provider has signed stays.
 */
export function createShortenWrittenArguments(rules: EconomyRules): Policy {
  const remembered = new WeakMap<ToolCallPart, Map<InputRoom['which'], Remembered>>()
  const soonest = Math.min(rules.oldTextAfter, rules.argumentsAfter)
  return {
    name,
    plan(messages, facts) {
      if (!Number.isFinite(soonest)) return []
      const ageOf = requestAges(messages)
      const reasons = reasonsOf(facts)
      const protectedBy = protect(messages, facts, [])
      const isInUse = filesInUse(messages, facts, ageOf, rules)
      const wanted = new Map<ToolCallPart, readonly [result: PlacedResult, which: InputRoom['which']]>()
      for (const result of toolResults(messages, facts)) {
        const age = ageOf(result.index)
        if (age < soonest) break
        const { call } = result
        if (call === null || !isLong(call) || protectedBy(result) !== null || !changesFiles(result, call)) continue
        wanted.set(call, [result, age >= rules.argumentsAfter && !isInUse(result) ? 'all' : 'replaced'])
      }
      if (wanted.size === 0) return []
      const named = namedCalls(messages, facts, ageOf, rules)
      const pins = new Set(facts.pins)
      const edits: Edit[] = []
      for (const message of messages) {
        if (message.role !== 'assistant' || pins.has(message.id)) continue
        for (let index = 0; index < message.parts.length; index += 1) {
          const part = message.parts[index] as ToolCallPart
          const found = wanted.get(part)
          if (found === undefined || named.has(`${message.id}.${index}`)) continue
          const edit = editFor(part, found, message.id, index, reasons)
          if (edit !== null) edits.push(edit)
        }
      }
      return edits
    },
  }

  function isLong(call: ToolCallPart): boolean {
    if (call.providerOptions !== undefined || call.pending === true) return false
    return inputTextOf(call).length > rules.argumentsOver
  }

  function editFor(
    call: ToolCallPart,
    [result, which]: readonly [PlacedResult, InputRoom['which']],
    message: string,
    part: number,
    reasons: ReasonStrings,
  ): ReplaceEdit | null {
    let levels = remembered.get(call)
    if (levels === undefined) {
      levels = new Map()
      remembered.set(call, levels)
    }
    const known = levels.get(which)
    if (
      known !== undefined &&
      known.rules === result.rules &&
      known.reasons === reasons &&
      known.message === message &&
      known.part === part
    )
      return known.edit
    const shortened = shorten(call, result, which)
    const edit = shortened === null ? null : makeEdit(call, shortened, message, part, reasons)
    levels.set(which, { rules: result.rules, reasons, message, part, edit })
    return edit
  }

  function shorten(call: ToolCallPart, result: PlacedResult, which: InputRoom['which']): ToolCallPart | null {
    const files = [...new Set(changesOf(result).map(({ path }) => path))]
    return shortenInput(call, { over: rules.argumentsOver, to: rules.argumentsTo, which, files })
  }
}

/** Says of a call whether one of its files was read or changed again not long ago: then its text is likely to be built on. */
function filesInUse(
  messages: readonly Message[],
  facts: Facts,
  ageOf: AgeOf,
  rules: EconomyRules,
): (result: PlacedResult) => boolean {
  const inUse = new Set<string>()
  for (const result of resultsYoungerThan(rules.inUseFor, messages, facts, ageOf)) {
    const { reads, changes } = profileOf(result, facts)
    for (const { file } of reads) inUse.add(file)
    for (const file of changes) inUse.add(file)
  }
  return (result) => profileOf(result, facts).changes.some((file) => inUse.has(file))
}

/** Calls whose text a result of not too long ago names instead of showing it. */
function namedCalls(messages: readonly Message[], facts: Facts, ageOf: AgeOf, rules: EconomyRules): ReadonlySet<string> {
  const named = new Set<string>()
  for (const { message, partIndex } of resultsYoungerThan(rules.argumentsAfter, messages, facts, ageOf))
    for (const key of namesOf(`${message.id}.${partIndex}`, facts)) named.add(key)
  return named
}

function resultsYoungerThan(age: number, messages: readonly Message[], facts: Facts, ageOf: AgeOf): readonly PlacedResult[] {
  const results = toolResults(messages, facts)
  return results.slice(results.findLastIndex(({ index }) => ageOf(index) >= age) + 1)
}

interface Remembered {
  /** Of the tool: they say which files a call is about. */
  readonly rules: PlacedResult['rules']
  readonly reasons: ReasonStrings
  readonly message: string
  readonly part: number
  readonly edit: ReplaceEdit | null
}

// Values are written as JSON only once.
const texts = new WeakMap<ToolCallPart, string>()

function inputTextOf(call: ToolCallPart): string {
  let text = texts.get(call)
  if (text === undefined) {
    text = inputText(call)
    texts.set(call, text)
  }
  return text
}

/** Whether what the arguments hold is in a file: they were for an edit, or the command plainly writes one. */
function changesFiles(result: PlacedResult, call: ToolCallPart): boolean {
  if (result.kind === 'edit' || result.kind === 'write') return true
  if (result.kind !== 'terminal') return false
  const known = writers.get(call)
  if (known !== undefined && known.rules === result.rules) return known.writes
  const writes = changesOf(result).some(({ change }) => change === 'written' || change === 'created' || change === 'edited')
  writers.set(call, { rules: result.rules, writes })
  return writes
}

const writers = new WeakMap<ToolCallPart, { readonly rules: PlacedResult['rules']; readonly writes: boolean }>()

function makeEdit(
  call: ToolCallPart,
  shortened: ToolCallPart,
  message: string,
  part: number,
  reasons: ReasonStrings,
): ReplaceEdit {
  const [before, after] = [inputText(call).length, inputText(shortened).length]
  return {
    id: `${name}:${message}.${part}`,
    policy: name,
    kind: 'replace',
    message,
    part,
    with: shortened,
    why: reasons.economy.written(grouped(before), grouped(after)),
  }
}
