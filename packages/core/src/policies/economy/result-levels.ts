import { once, perKeys } from '../../derive.ts'
import { type Edit, partKey } from '../../edit.ts'
import type { Facts } from '../../facts.ts'
import type { Message } from '../../message.ts'
import { fitWindowName } from '../../policy.ts'
import { protect } from '../../results/protect.ts'
import type { PlacedResult } from '../../results/tool-results.ts'
import { allLines, coversRange, type LineRange } from './command-reads.ts'
import type { EconomyRules } from './economy-rules.ts'
import type { ResultProfile } from './result-profile.ts'
import { filesNamedByUser, type ResultsInUse, requestAges } from './results-in-use.ts'
import { namesOf, type WeighedResult, weighResults } from './weighed-results.ts'

export const stubOldResultsName = 'stub-old-results'

export interface ResultLevel {
  readonly result: PlacedResult
  readonly show: 'capped' | 'stub' | 'placeholder'
  readonly rule: 'superseded' | 'repeated' | 'old' | 'large'
  /** The age from which the rule applies. */
  readonly after: number
}

/**
 * Decides for every result how much of it is still shown. One level each, so no two rules change the same result. Newest first: a result gives way to
 * a newer copy only while that copy is shown.
 */
export function resultLevels(
  messages: readonly Message[],
  facts: Facts,
  rules: EconomyRules,
  resultsInUse: ResultsInUse,
): readonly ResultLevel[] {
  const results = weighResults(messages, facts)
  const ageOf = requestAges(messages)
  const protectedBy = protect(messages, facts, [])
  const isCold = facts.cold === true
  const isCostly = (facts.cache?.read ?? 0) >= rules.costlyCacheRead
  const kept = isCold ? rules.keepRecentCold : rules.keepRecent
  let inUse: ReadonlySet<string> | undefined
  const isInUse = ({ key }: WeighedResult) => {
    inUse ??= resultsInUse(facts.originals ?? messages)
    return inUse.has(key)
  }
  const namedByUser = once(() => filesNamedByUser(facts.originals ?? messages))
  const isNamedByUser = ({ reads }: ResultProfile) =>
    reads.some(({ file }) => namedByUser().has(file.slice(file.lastIndexOf('/') + 1).toLowerCase()))
  const newer = createNewer(rules)
  const stubbed = stubbedBy(facts.kept ?? [])
  const namedAge = new Map<string, number>()
  const levels: ResultLevel[] = []

  for (let at = results.length - 1; at >= 0; at -= 1) {
    const weighed = results[at] as WeighedResult
    const { result, key, profile } = weighed
    const named = namedAge.size === 0 ? undefined : namedAge.get(key)
    const ownAge = ageOf(result.index)
    const age = named === undefined ? ownAge : Math.min(ownAge, named)
    const isRecent = results.length - at <= kept
    const decided = isRecent ? null : decide(weighed, age, named !== undefined)
    if (decided !== null) levels.push(decided)
    // A result that a newer one refers to is needed for as long as the newer one.
    else for (const source of namesOf(key, facts)) namedAge.set(source, Math.min(age, namedAge.get(source) ?? age))
    newer.add(result, profile, ownAge, decided === null && profile.class === 'read' && !stubbed.has(key))
  }
  return levels.reverse()

  function decide(weighed: WeighedResult, age: number, isNamed: boolean): ResultLevel | null {
    const { result, profile, tokens } = weighed
    if (age < 1 || tokens < rules.minTokens || weighed.isStub) return null
    const reason = protectedBy(result)
    if (reason === 'unseen' || reason === 'pinned') return null
    if (result.isError) {
      const after = newer.hasSucceeded(profile) ? rules.stubResolvedErrorAfter : rules.stubErrorAfter
      return age >= after && !isInUse(weighed) ? { result, show: 'stub', rule: 'old', after } : null
    }
    const isRead = profile.class === 'read'
    if (isRead && !isNamed && age >= rules.supersededAfter && newer.covers(profile))
      return { result, show: 'placeholder', rule: 'superseded', after: rules.supersededAfter }
    if (isRead && !isCold) {
      const after = rules.stubAfterIfCacheIsCostly
      return isCostly && age >= after && !isInUse(weighed) ? { result, show: 'stub', rule: 'old', after } : null
    }
    if (profile.class === 'terminal' && !isNamed && age >= rules.repeatedAfter && newer.hasSucceeded(profile))
      return { result, show: 'stub', rule: 'repeated', after: rules.repeatedAfter }
    // Lines that a newer result refers to were not changed by an edit before it.
    const editAge = isNamed ? null : newer.editAge(profile)
    const isOutdated = editAge !== null && editAge >= rules.stubReadAfterEdit
    const stubAfter = isOutdated ? rules.stubReadAfterEdit : rules.stubAfter[profile.class]
    const isOld = age >= stubAfter
    const isVeryOld = age >= rules.placeholderAfter
    const isLarge = tokens > rules.capOver && age >= rules.capAfter
    if (!(isOld || isVeryOld || isLarge) || isInUse(weighed) || isNamedByUser(profile)) return null
    if (isVeryOld) return { result, show: 'placeholder', rule: 'old', after: rules.placeholderAfter }
    if (isOld) return { result, show: 'stub', rule: 'old', after: stubAfter }
    return { result, show: 'capped', rule: 'large', after: rules.capAfter }
  }
}

/** Results that stay short because their edit stays active, proposed again or not. */
const stubbedBy = perKeys((edit: Edit) =>
  edit.kind === 'replace' && (edit.policy === stubOldResultsName || edit.policy === fitWindowName) ? partKey(edit) : null,
)

function createNewer({ argumentsAfter }: EconomyRules) {
  const shown = new Map<string, (LineRange | null)[]>()
  const succeeded = new Set<string | null>()
  const shownAgain = new Set<string | null>()
  const edits = new Map<string, number>()
  const show = (file: string, range: LineRange | null) => {
    const ranges = shown.get(file)
    if (ranges === undefined) shown.set(file, [range])
    else if (ranges.length < maxRanges) ranges.push(range)
  }
  return {
    add({ isError }: PlacedResult, { subject, reads, changes, writes }: ResultProfile, age: number, isWholeRead: boolean) {
      if (isError) return
      if (subject !== null) succeeded.add(subject)
      if (isWholeRead) {
        shownAgain.add(subject)
        for (const { file, range } of reads) show(file, range)
      }
      for (const file of changes) edits.set(file, age)
      // The arguments show what a file was written with.
      if (age < argumentsAfter) for (const file of writes) show(file, allLines)
    },
    /** Whether everything that a read shows is shown in full later. */
    covers({ subject, reads }: ResultProfile) {
      if (subject !== null && shownAgain.has(subject)) return true
      return reads.length > 0 && reads.every(({ file, range }) => shown.get(file)?.some((other) => coversRange(other, range)))
    },
    hasSucceeded: ({ subject }: ResultProfile) => subject !== null && succeeded.has(subject),
    /** The age of the first change to a file after it was read; null if there was none. */
    editAge({ reads }: ResultProfile) {
      let oldest: number | null = null
      for (const { file } of reads) {
        const age = edits.get(file)
        if (age !== undefined) oldest = Math.max(oldest ?? 0, age)
      }
      return oldest
    },
  }
}

const maxRanges = 200
