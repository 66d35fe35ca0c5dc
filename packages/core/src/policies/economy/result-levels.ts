import { once, perKeys, perList } from '../../derive.ts'
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
  const isCostly = (facts.cache?.read ?? 0) >= rules.costlyCacheRead || facts.cache?.lifetimeSeconds === null
  const kept = isCold ? rules.keepRecentCold : rules.keepRecent
  let inUse: ReadonlySet<string> | undefined
  const isInUse = ({ key }: WeighedResult) => {
    inUse ??= resultsInUse(facts.originals ?? messages)
    return inUse.has(key)
  }
  const namedByUser = once(() => filesNamedByUser(facts.originals ?? messages))
  const isNamedByUser = ({ reads }: ResultProfile) =>
    reads.some(({ file }) => namedByUser().has(file.slice(file.lastIndexOf('/') + 1).toLowerCase()))
  const shown = createShown(rules)
  const { isRepeated, editedAt } = laterResults(results)
  const stubbed = stubbedBy(facts.kept ?? [])
  const hasReferences = (facts.references?.size ?? 0) > 0
  const namedAge = new Map<string, number>()
  const levels: ResultLevel[] = []

  for (let at = results.length - 1; at >= 0; at -= 1) {
    const weighed = results[at] as WeighedResult
    const { result, key, profile } = weighed
    const isRead = profile.class === 'read'
    const isSmall = weighed.tokens < rules.minTokens || weighed.isStub
    // It stays, and shows no file to others.
    if (isSmall && !isRead && !hasReferences && profile.writes.length === 0) continue
    const named = namedAge.size === 0 ? undefined : namedAge.get(key)
    const ownAge = ageOf(result.index)
    const age = named === undefined ? ownAge : Math.min(ownAge, named)
    const isRecent = results.length - at <= kept
    const decided = isRecent || isSmall ? null : decide(weighed, at, age, named !== undefined)
    if (decided !== null) levels.push(decided)
    // A result that a newer one refers to is needed for as long as the newer one.
    else if (hasReferences)
      for (const source of namesOf(key, facts)) namedAge.set(source, Math.min(age, namedAge.get(source) ?? age))
    if (!result.isError) shown.add(profile, ownAge, decided === null && isRead && !stubbed.has(key))
  }
  return levels.reverse()

  function decide(weighed: WeighedResult, at: number, age: number, isNamed: boolean): ResultLevel | null {
    const { result, profile, tokens } = weighed
    if (age < 1) return null
    const reason = protectedBy(result)
    if (reason === 'unseen' || reason === 'pinned') return null
    if (result.isError) {
      const after = isRepeated[at] === true ? rules.stubResolvedErrorAfter : rules.stubErrorAfter
      return age >= after && !isInUse(weighed) ? { result, show: 'stub', rule: 'old', after } : null
    }
    const isRead = profile.class === 'read'
    if (isRead && !isNamed && age >= rules.supersededAfter && shown.covers(profile))
      return { result, show: 'placeholder', rule: 'superseded', after: rules.supersededAfter }
    if (isRead && !isCold) {
      const after = rules.placeholderAfterIfCacheIsCostly
      return isCostly && age >= after && !isInUse(weighed) ? { result, show: 'placeholder', rule: 'old', after } : null
    }
    if (profile.class === 'terminal' && !isNamed && age >= rules.repeatedAfter && isRepeated[at] === true)
      return { result, show: 'stub', rule: 'repeated', after: rules.repeatedAfter }
    // Lines that a newer result refers to were not changed by an edit before it.
    const edited = isNamed ? -1 : (editedAt[at] as number)
    const isOutdated = edited >= 0 && ageOf((results[edited] as WeighedResult).result.index) >= rules.stubReadAfterEdit
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

interface LaterResults {
  /** Whether a later result of the same subject succeeded. */
  readonly isRepeated: boolean[]
  /** The place of the first later result that changed a file which this one read; -1 if there is none. */
  readonly editedAt: number[]
  /** The places still without one, by subject and by file. */
  readonly open: Map<string, number[]>
  readonly unedited: Map<string, number[]>
}

const laterResults = perList({
  start: (): LaterResults => ({ isRepeated: [], editedAt: [], open: new Map(), unedited: new Map() }),
  add({ isRepeated, editedAt, open, unedited }, { result, profile }: WeighedResult, at) {
    const { subject, reads, changes } = profile
    if (!result.isError) {
      for (const before of take(open, subject)) isRepeated[before] = true
      for (const file of changes) for (const before of take(unedited, file)) if (editedAt[before] === -1) editedAt[before] = at
    }
    isRepeated.push(false)
    editedAt.push(-1)
    if (subject !== null) put(open, subject, at)
    for (const { file } of reads) put(unedited, file, at)
  },
  change: (_later, _at, was, is) => isSameUse(was, is),
  finish: ({ isRepeated, editedAt }) => ({ isRepeated, editedAt }),
})()

function isSameUse({ result: before, profile: was }: WeighedResult, { result: now, profile: is }: WeighedResult): boolean {
  if (was === is) return true
  const files = ({ reads, changes }: ResultProfile) => JSON.stringify([reads.map(({ file }) => file), changes])
  return before.isError === now.isError && was.subject === is.subject && files(was) === files(is)
}

function put(places: Map<string, number[]>, key: string, place: number): void {
  const known = places.get(key)
  if (known === undefined) places.set(key, [place])
  else known.push(place)
}

function take(places: Map<string, number[]>, key: string | null): readonly number[] {
  const known = key === null ? undefined : places.get(key)
  if (key === null || known === undefined) return nowhere
  places.delete(key)
  return known
}

const nowhere: readonly number[] = []

/** What newer results and arguments show of files. */
function createShown({ argumentsAfter }: EconomyRules) {
  const ranges = new Map<string, (LineRange | null)[]>()
  const subjects = new Set<string | null>()
  const show = (file: string, range: LineRange | null) => {
    const known = ranges.get(file)
    if (known === undefined) ranges.set(file, [range])
    else if (known.length < maxRanges) known.push(range)
  }
  return {
    add({ subject, reads, writes }: ResultProfile, age: number, isWholeRead: boolean) {
      if (isWholeRead) {
        subjects.add(subject)
        for (const { file, range } of reads) show(file, range)
      }
      // The arguments show what a file was written with.
      if (age < argumentsAfter) for (const file of writes) show(file, allLines)
    },
    /** Whether everything that a read shows is shown in full later. */
    covers({ subject, reads }: ResultProfile) {
      if (subject !== null && subjects.has(subject)) return true
      return reads.length > 0 && reads.every(({ file, range }) => ranges.get(file)?.some((other) => coversRange(other, range)))
    },
  }
}

const maxRanges = 200
