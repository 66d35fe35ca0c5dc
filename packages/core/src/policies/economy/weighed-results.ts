import { perEach } from '../../derive.ts'
import type { Facts, Tokenizer } from '../../facts.ts'
import { type Message, resultText } from '../../message.ts'
import { noReferences } from '../../results/references.ts'
import { type PlacedResult, toolResults } from '../../results/tool-results.ts'
import { countPart, estimator } from '../../tokens/count-tokens.ts'
import { profileOf, type ResultProfile } from './result-profile.ts'
import { isStub } from './stub-text.ts'

/** Facts about a result that do not depend on later messages. */
export interface WeighedResult {
  readonly result: PlacedResult
  /** As `message.part`. */
  readonly key: string
  readonly profile: ResultProfile
  readonly tokens: number
  /** Whether the log itself has a stub there. */
  readonly isStub: boolean
  /** Its key, subject and files: what it has in common with results that concern it. */
  readonly names: readonly string[]
}

export function weighResults(messages: readonly Message[], facts: Facts): readonly WeighedResult[] {
  return weighAll(facts.tokens ?? estimator, facts.root, facts.platform)(toolResults(messages, facts))
}

const weighAll = perEach(
  (result: PlacedResult, tokenizer: Tokenizer, root: string | undefined, platform: string | undefined): WeighedResult => {
    const key = `${result.message.id}.${result.partIndex}`
    const profile = profileOf(root, platform)(result)
    const { subject, reads, changes, writes } = profile
    return {
      result,
      key,
      profile,
      tokens: countPart(result.part, tokenizer),
      isStub: isStub(resultText(result.whole)),
      names: [...new Set([key, subject ?? key, ...reads.map(({ file }) => file), ...changes, ...writes])],
    }
  },
)

/** The other parts that show lines which this one omits. */
export function namesOf(key: string, { references = noReferences }: Facts): readonly string[] {
  const found = references.size === 0 ? undefined : references.get(key)
  return found === undefined ? noNames : [...new Set(found.map(({ part }) => part).filter((part) => part !== key))]
}

const noNames: readonly string[] = []
