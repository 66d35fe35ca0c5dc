import type { Facts } from '../../facts.ts'
import { type Tokenizer } from '../../facts.ts'
import { type Message, resultText } from '../../message.ts'
import { noReferences } from '../../results/references.ts'
import { type PlacedResult, toolResults } from '../../results/tool-results.ts'
import { uncut } from '../../results/uncut.ts'
import { countPart, estimator } from '../../tokens/count-tokens.ts'
import { profileOf, type ResultProfile } from './result-profile.ts'
import { isStub } from './stub-text.ts'

/** What is known of a result by itself, whatever comes after it. */
export interface WeighedResult {
  readonly result: PlacedResult
  /** Its message and part. */
  readonly key: string
  readonly profile: ResultProfile
  readonly tokens: number
  /** Whether the log itself has a stub there. */
  readonly isStub: boolean
  /** The results and calls whose lines it leaves out. */
  readonly names: readonly string[]
}

/** Weighs the results of a conversation, each once as long as it stands where it does. */
export function weighResults(messages: readonly Message[], facts: Facts): readonly WeighedResult[] {
  const results = toolResults(messages, facts)
  const [first] = messages
  if (first === undefined) return []
  const { tokens = estimator, root, platform } = facts
  const known = remembered.get(first)
  const isKnown = known?.tokens === tokens && known.root === root && known.platform === platform
  const before = isKnown ? known.weighed : nothing
  const weighed = results.map((result, at) => {
    const same = before[at]
    return same?.result === result ? same : weigh(result, tokens, facts)
  })
  remembered.set(first, { tokens, root, platform, weighed })
  return weighed
}

interface Remembered {
  readonly root: string | undefined
  readonly platform: string | undefined
  readonly tokens: Tokenizer
  readonly weighed: readonly WeighedResult[]
}

const nothing: readonly WeighedResult[] = []
// Held by the first message: results stay at their places in a list that grows.
const remembered = new WeakMap<Message, Remembered>()

function weigh(result: PlacedResult, tokenizer: Tokenizer, facts: Facts): WeighedResult {
  const { message, part, partIndex } = result
  return {
    result,
    key: `${message.id}.${partIndex}`,
    profile: profileOf(result, facts),
    tokens: countPart(part, tokenizer),
    isStub: isStub(resultText(uncut(part))),
    names: namesOf(`${message.id}.${partIndex}`, facts),
  }
}

/** The other parts that show lines which this one leaves out. */
export function namesOf(key: string, { references = noReferences }: Facts): readonly string[] {
  const names = new Set<string>()
  for (const { part } of references.get(key) ?? []) if (part !== key) names.add(part)
  return names.size === 0 ? noNames : [...names]
}

const noNames: readonly string[] = []
