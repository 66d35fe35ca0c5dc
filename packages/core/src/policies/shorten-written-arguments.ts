import { changesOf } from '../compaction/changed-files.ts'
import { perEach, perFew, perPair } from '../derive.ts'
import { type Edit, type ReplaceEdit, replaceEdit } from '../edit.ts'
import { type Facts, reasonsOf } from '../facts.ts'
import { inputText, type Message, type Part, type ToolCallPart } from '../message.ts'
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
 * Shortens the long texts in the arguments of old calls that changed a file with success: the file has them, and each names its handle. Replaced text
 * goes first. Signed content stays.
 */
export function createShortenWrittenArguments(rules: EconomyRules): Policy {
  const isLong = (part: Part) => part.type === 'tool-call' && inputText(part).length > rules.argumentsOver
  const longCallsIn = perFew(({ role, parts }: Message) => role === 'assistant' && parts.some(isLong))
  const soonest = Math.min(rules.oldTextAfter, rules.argumentsAfter)
  const editFor = perPair(
    (
      call: ToolCallPart,
      result: PlacedResult,
      which: InputRoom['which'],
      message: string,
      part: number,
      reasons: ReasonStrings,
    ): ReplaceEdit | null => {
      const files = [...new Set(changesOf(result).map(({ path }) => path))]
      const short = shortenInput(call, { over: rules.argumentsOver, to: rules.argumentsTo, which, files })
      if (short === null) return null
      const [before, after] = [call, short].map((each) => grouped(inputText(each).length)) as [string, string]
      return replaceEdit(name, message, part, short, reasons.economy.written(before, after))
    },
  )
  return {
    name,
    plan(messages, facts) {
      if (!Number.isFinite(soonest)) return []
      const ageOf = requestAges(messages)
      const reasons = reasonsOf(facts)
      const protectedBy = protect(messages, facts, [])
      const isInUse = filesInUse(messages, facts, ageOf, rules)
      const wanted = new Map<ToolCallPart, readonly [result: PlacedResult, which: InputRoom['which']]>()
      const results = toolResults(messages, facts)
      const writing = writingCalls(rules.argumentsOver)(results)
      for (let at = 0; at < results.length; at += 1) {
        const call = writing[at] ?? null
        if (call === null) continue
        const result = results[at] as PlacedResult
        const age = ageOf(result.index)
        if (age < soonest) break
        if (protectedBy(result) !== null) continue
        wanted.set(call, [result, age >= rules.argumentsAfter && !isInUse(result) ? 'all' : 'replaced'])
      }
      if (wanted.size === 0) return []
      const named = namedCalls(messages, facts, ageOf, rules)
      const pins = new Set(facts.pins)
      const edits: Edit[] = []
      for (const message of longCallsIn(messages)) {
        if (pins.has(message.id)) continue
        for (let index = 0; index < message.parts.length; index += 1) {
          const part = message.parts[index] as ToolCallPart
          const [result, which] = wanted.get(part) ?? []
          if (result === undefined || which === undefined || named.has(`${message.id}.${index}`)) continue
          const edit = editFor(part, result, which, message.id, index, reasons)
          if (edit !== null) edits.push(edit)
        }
      }
      return edits
    },
  }
}

/** The call of a result if it is long and changed a file; null for others, and for signed or pending ones. */
const writingCalls = perEach((result: PlacedResult, over: number): ToolCallPart | null => {
  const { call } = result
  if (call === null || call.providerOptions !== undefined || call.pending === true) return null
  return inputText(call).length > over && changesFiles(result) ? call : null
})

/** Whether the arguments are in a file: they were for an edit, or the command plainly writes one. */
function changesFiles(result: PlacedResult): boolean {
  if (result.kind === 'edit' || result.kind === 'write') return true
  if (result.kind !== 'terminal') return false
  return changesOf(result).some(({ change }) => change === 'written' || change === 'created' || change === 'edited')
}

/** Whether a file of the call was read or changed again recently: its text is likely to be built on. */
function filesInUse(
  messages: readonly Message[],
  facts: Facts,
  ageOf: AgeOf,
  rules: EconomyRules,
): (result: PlacedResult) => boolean {
  const inUse = new Set<string>()
  const profiles = profileOf(facts.root, facts.platform)
  for (const result of resultsYoungerThan(rules.inUseFor, messages, facts, ageOf)) {
    const { reads, changes } = profiles(result)
    for (const { file } of reads) inUse.add(file)
    for (const file of changes) inUse.add(file)
  }
  return (result) => profiles(result).changes.some((file) => inUse.has(file))
}

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
