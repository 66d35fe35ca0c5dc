import { once, perItem, perKey, perList } from '../../derive.ts'
import { type Edit, partKey } from '../../edit.ts'
import type { Facts } from '../../facts.ts'
import type { Message } from '../../message.ts'
import { fitWindowName } from '../../policy.ts'
import { protect } from '../../results/protect.ts'
import type { PlacedResult } from '../../results/tool-results.ts'
import { allLines, coversRange, type LineRange } from './command-reads.ts'
import type { EconomyRules, ResultClass } from './economy-rules.ts'
import type { ResultProfile } from './result-profile.ts'
import { filesNamedByUser, type ResultsInUse, requestAges } from './results-in-use.ts'
import { namesOf, type WeighedResult, weighResults } from './weighed-results.ts'

export const stubOldResultsName = 'stub-old-results'

/** The same object for the same rule. */
export interface ResultLevel {
  readonly show: 'capped' | 'stub' | 'placeholder'
  readonly rule: 'superseded' | 'repeated' | 'old' | 'large'
  /** The age from which the rule applies. */
  readonly after: number
}

/** The results that are no longer shown in full, and the level of each. */
export interface ResultLevels {
  readonly results: readonly PlacedResult[]
  readonly levels: readonly ResultLevel[]
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
): ResultLevels {
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
  const { isRepeated, editedAt, indexes, roles } = aboutResults(rules.minTokens)(results)
  const possible = levelsBy(rules)
  const stubbed = stubbedBy(facts.kept ?? [])
  const hasReferences = (facts.references?.size ?? 0) > 0
  const namedAge = new Map<string, number>()
  const shortened: PlacedResult[] = []
  const levels: ResultLevel[] = []

  for (let at = results.length - 1; at >= 0; at -= 1) {
    const role = roles[at] as Role
    const ownAge = ageOf(indexes[at] as number)
    // It stays, and shows no file to others.
    if (!hasReferences && (role === 'none' || (role === 'writes' && ownAge >= rules.argumentsAfter))) continue
    const weighed = results[at] as WeighedResult
    const { result, key, profile } = weighed
    const isRead = profile.class === 'read'
    const isSmall = weighed.tokens < rules.minTokens || weighed.isStub
    const named = namedAge.size === 0 ? undefined : namedAge.get(key)
    const age = named === undefined ? ownAge : Math.min(ownAge, named)
    const isRecent = results.length - at <= kept
    const decided = isRecent || isSmall ? null : decide(weighed, at, age, named !== undefined)
    if (decided !== null) {
      shortened.push(result)
      levels.push(decided)
    }
    // A result that a newer one refers to is needed for as long as the newer one.
    else if (hasReferences)
      for (const source of namesOf(key, facts)) namedAge.set(source, Math.min(age, namedAge.get(source) ?? age))
    if (!result.isError) shown.add(profile, ownAge, decided === null && isRead && !stubbed.has(key))
  }
  return { results: shortened.reverse(), levels: levels.reverse() }

  function decide(weighed: WeighedResult, at: number, age: number, isNamed: boolean): ResultLevel | null {
    const { result, profile, tokens } = weighed
    if (age < 1) return null
    const reason = protectedBy(result)
    if (reason === 'unseen' || reason === 'pinned') return null
    if (result.isError) {
      const level = isRepeated[at] === true ? possible.resolvedError : possible.error
      return age >= level.after && !isInUse(weighed) ? level : null
    }
    const isRead = profile.class === 'read'
    if (isRead && !isNamed && age >= rules.supersededAfter && shown.covers(profile)) return possible.superseded
    if (isRead && !isCold) return isCostly && age >= possible.costly.after && !isInUse(weighed) ? possible.costly : null
    if (profile.class === 'terminal' && !isNamed && age >= rules.repeatedAfter && isRepeated[at] === true)
      return possible.repeated
    // Lines that a newer result refers to were not changed by an edit before it.
    const edited = isNamed ? -1 : (editedAt[at] as number)
    const isOutdated = edited >= 0 && ageOf(indexes[edited] as number) >= rules.stubReadAfterEdit
    const old = isOutdated ? possible.outdated : possible.old[profile.class]
    const isOld = age >= old.after
    const isVeryOld = age >= rules.placeholderAfter
    const isLarge = tokens > rules.capOver && age >= rules.capAfter
    if (!(isOld || isVeryOld || isLarge) || isInUse(weighed) || isNamedByUser(profile)) return null
    return isVeryOld ? possible.veryOld : isOld ? old : possible.large
  }
}

const levelsBy = perItem((rules: EconomyRules) => {
  const stub = (after: number): ResultLevel => ({ show: 'stub', rule: 'old', after })
  const { read, search, terminal, edit, recall, other } = rules.stubAfter
  const old: Readonly<Record<ResultClass, ResultLevel>> = {
    read: stub(read),
    search: stub(search),
    terminal: stub(terminal),
    edit: stub(edit),
    recall: stub(recall),
    other: stub(other),
  }
  const superseded: ResultLevel = { show: 'placeholder', rule: 'superseded', after: rules.supersededAfter }
  const repeated: ResultLevel = { show: 'stub', rule: 'repeated', after: rules.repeatedAfter }
  const placeholder = (after: number): ResultLevel => ({ show: 'placeholder', rule: 'old', after })
  const veryOld = placeholder(rules.placeholderAfter)
  const costly = placeholder(rules.placeholderAfterIfCacheIsCostly)
  const large: ResultLevel = { show: 'capped', rule: 'large', after: rules.capAfter }
  return {
    error: stub(rules.stubErrorAfter),
    resolvedError: stub(rules.stubResolvedErrorAfter),
    costly,
    outdated: stub(rules.stubReadAfterEdit),
    old,
    superseded,
    repeated,
    veryOld,
    large,
  }
})()

/** Results that stay short because their edit stays active, proposed again or not. */
const stubbedBy = perKey((edit: Edit) =>
  edit.kind === 'replace' && (edit.policy === stubOldResultsName || edit.policy === fitWindowName) ? partKey(edit) : null,
)

/** What a small result matters for: as a read, for the file that its arguments show, or not at all. */
type Role = 'all' | 'writes' | 'none'

interface AboutResults {
  /** The place of each one's message. */
  readonly indexes: number[]
  readonly roles: Role[]
  /** Whether a later result of the same subject succeeded. */
  readonly isRepeated: boolean[]
  /** The place of the first later result that changed a file which this one read; -1 if there is none. */
  readonly editedAt: number[]
  /** The places still without one, by subject and by file. */
  readonly open: Map<string, number[]>
  readonly unedited: Map<string, number[]>
}

const aboutResults = perList({
  start: (_minTokens: number): AboutResults => ({
    indexes: [],
    roles: [],
    isRepeated: [],
    editedAt: [],
    open: new Map(),
    unedited: new Map(),
  }),
  add({ indexes, roles, isRepeated, editedAt, open, unedited }, weighed: WeighedResult, at, minTokens) {
    const { result, profile } = weighed
    const { subject, reads, changes } = profile
    indexes.push(result.index)
    roles.push(roleOf(weighed, minTokens))
    if (!result.isError) {
      for (const before of take(open, subject)) isRepeated[before] = true
      for (const file of changes) for (const before of take(unedited, file)) if (editedAt[before] === -1) editedAt[before] = at
    }
    isRepeated.push(false)
    editedAt.push(-1)
    if (subject !== null) put(open, subject, at)
    for (const { file } of reads) put(unedited, file, at)
  },
  change({ indexes, roles }, at, was, is, minTokens) {
    indexes[at] = is.result.index
    roles[at] = roleOf(is, minTokens)
    return isSameUse(was, is)
  },
  finish: (about) => about,
})

function roleOf({ tokens, isStub, profile }: WeighedResult, minTokens: number): Role {
  if (tokens >= minTokens && !isStub) return 'all'
  return profile.class === 'read' ? 'all' : profile.writes.length > 0 ? 'writes' : 'none'
}

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
  const files = new Map<string, { count: number; readonly ranges: LineRange[] }>()
  const subjects = new Set<string | null>()
  const isShown = (file: string, range: LineRange | null) => {
    const { ranges = [] } = files.get(file) ?? {}
    for (let at = 0; at < ranges.length; at += 1) if (coversRange(ranges[at] as LineRange, range)) return true
    return false
  }
  const show = (file: string, range: LineRange | null) => {
    let known = files.get(file)
    if (known === undefined) files.set(file, (known = { count: 0, ranges: [] }))
    known.count += 1
    if (known.count <= maxRanges && range !== null && !isShown(file, range)) known.ranges.push(range)
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
      return reads.length > 0 && reads.every(({ file, range }) => isShown(file, range))
    },
  }
}

const maxRanges = 200
