import { type Again, eachRun, type Later, type Once, once, perItem, perKey, perLater, perList } from '../../derive.ts'
import { type Edit, partKey } from '../../edit.ts'
import type { Facts } from '../../facts.ts'
import type { Message } from '../../message.ts'
import { fitWindowName } from '../../policy.ts'
import { lastSeenIndex, protect } from '../../results/protect.ts'
import { noReferences, type References } from '../../results/references.ts'
import type { PlacedResult } from '../../results/tool-results.ts'
import { coversRange, type LineRange } from './command-reads.ts'
import type { EconomyRules, ResultClass } from './economy-rules.ts'
import type { ResultProfile } from './result-profile.ts'
import { type AgeOf, filesNamedByUser, type ResultsInUse, requestAges } from './results-in-use.ts'
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
  const isCold = facts.cold === true
  const isCostly = (facts.cache?.read ?? 0) >= rules.costlyCacheRead || facts.cache?.lifetimeSeconds === null
  const originals = facts.originals ?? messages
  const weighed = weighResults(messages, facts)
  const decisions = decisionsOf(
    rules,
    isCold,
    isCostly,
  )(weighed, {
    messages,
    facts,
    ageOf: requestAges(messages),
    lastSeen: lastSeenIndex(messages, facts),
    inUse: once(() => resultsInUse(originals)),
    namedByUser: once(() => filesNamedByUser(originals)),
    referring: once(() => referringTo(facts.references ?? noReferences)),
    about: aboutResults(rules.minTokens)(weighed),
  })
  const results: PlacedResult[] = []
  const levels: ResultLevel[] = []
  for (let at = 0; at < decisions.length; at += 1) {
    const { level } = decisions[at] as Decision
    if (level === null) continue
    results.push((weighed[at] as WeighedResult).result)
    levels.push(level)
  }
  return { results, levels }
}

/** What decisions about results depend on, besides the results. */
interface Request {
  readonly messages: readonly Message[]
  readonly facts: Facts
  readonly ageOf: AgeOf
  readonly lastSeen: number
  readonly inUse: Once<ReadonlySet<string>>
  readonly namedByUser: Once<ReadonlySet<string>>
  /** The results that refer to a part. */
  readonly referring: Once<ReadonlyMap<string, readonly string[]>>
  readonly about: AboutResults
}

interface Decision {
  /** Null if the result stays. */
  readonly level: ResultLevel | null
  /** Whether it shows in full the lines that it read, or its arguments the file that it wrote. */
  readonly shows: boolean
  /** The place of the result whose age counts: its own, or that of a newer one that refers to it and stays. */
  readonly agedAs: number
}

const decisionsOf = perLater({
  namesOf: ({ names }: WeighedResult) => names,
  leadsTo: (name, { facts }: Request) => namesOf(name, facts),
  again: otherwise,
  decide: decideEach,
  // Results that it refers to are decided with it in any case.
  isEqual: (one: Decision, other: Decision) => one.shows === other.shows,
  tells: ({ shows }) => shows,
})

function decideEach(
  results: readonly WeighedResult[],
  { messages, facts, ageOf, inUse, namedByUser, referring, about }: Request,
  later: Later<Decision>,
  rules: EconomyRules,
  isCold: boolean,
  isCostly: boolean,
): (at: number) => Decision {
  const protectedBy = protect(messages, facts, [])
  const isInUse = ({ key }: WeighedResult) => inUse().has(key)
  const isNamedByUser = ({ reads }: ResultProfile) => reads.some(({ file }) => namedByUser().has(nameOf(file)))
  const isShownAfter = createShownAfter(results, later)
  const { isRepeated, editedAt, indexes, roles } = about
  const possible = levelsBy(rules)
  const stubbed = stubbedBy(facts.kept ?? [])
  const hasReferences = (facts.references?.size ?? 0) > 0
  const keptFrom = results.length - keptRecent(rules, isCold)

  return (at) => {
    const role = roles[at] as Role
    const ownAge = ageOf(indexes[at] as number)
    const weighed = results[at] as WeighedResult
    const agedAs = hasReferences ? newestReferring(weighed, at) : at
    // It stays, and shows no file to others.
    if (role === 'none' || (role === 'writes' && ownAge >= rules.argumentsAfter)) return stays(agedAs)
    const { result, key, profile } = weighed
    const isRead = profile.class === 'read'
    const isSmall = weighed.tokens < rules.minTokens || weighed.isStub
    const isNamed = agedAs !== at
    const age = ageOf(indexes[agedAs] as number)
    const level = at >= keptFrom || isSmall ? null : decide(weighed, at, age, isNamed)
    const showsRead = isRead && level === null && !stubbed.has(key)
    const showsWritten = profile.writes.length > 0 && ownAge < rules.argumentsAfter
    return { level, shows: !result.isError && (showsRead || showsWritten), agedAs }
  }

  /** A result that a newer one refers to is needed for as long as the newer one. */
  function newestReferring({ key }: WeighedResult, at: number): number {
    let newest = at
    for (const name of referring().get(key) ?? nowhere)
      for (const place of later.named(name)) {
        if (place <= at) continue
        const { level, agedAs } = later.answerAt(place)
        if (level === null && agedAs > newest) newest = agedAs
      }
    return newest
  }

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
    if (isRead && !isNamed && age >= rules.supersededAfter && isShownAfter(at, profile)) return possible.superseded
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

function stays(agedAs: number): Decision {
  return { level: null, shows: false, agedAs }
}

function keptRecent({ keepRecent, keepRecentCold }: EconomyRules, isCold: boolean): number {
  return isCold ? keepRecentCold : keepRecent
}

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1).toLowerCase()
}

/**
 * Which results may have another level than in the last request: those that reached an age of the rules, the newest, and those about which something else
 * that a decision asks has changed. Null: all.
 */
function otherwise(
  { items: before, now: was }: { readonly items: readonly WeighedResult[]; readonly now: Request },
  results: readonly WeighedResult[],
  now: Request,
  rules: EconomyRules,
  isCold: boolean,
  _isCostly: boolean,
): Again | null {
  if (String(was.facts.pins) !== String(now.facts.pins)) return null
  const firstWhere = (isFrom: (index: number) => boolean) => firstPlace(before, ({ result }) => isFrom(result.index))
  const places = now.about.followed.slice(before.length).flat()
  const names: string[] = []
  const addRange = (from: number, to: number) => {
    for (let at = from; at < to; at += 1) places.push(at)
  }
  for (const age of agesIn(rules)) {
    const [one, other] = [was, now].map(({ ageOf }) => firstWhere((index) => ageOf(index) < age)) as [number, number]
    const [from, to] = [Math.min(one, other), Math.max(one, other)]
    addRange(from, to)
    // An edit that is old enough makes earlier reads outdated.
    if (age === rules.stubReadAfterEdit) for (const followed of now.about.followed.slice(from, to)) places.push(...followed)
  }
  const lastSeen = Math.min(was.lastSeen, now.lastSeen)
  const newest = Math.max(0, before.length - keptRecent(rules, isCold))
  addRange(
    Math.min(
      newest,
      firstWhere((index) => index > lastSeen),
    ),
    results.length,
  )
  if (was.inUse.wasAsked()) names.push(...differing(was.inUse(), now.inUse()))
  if (was.namedByUser.wasAsked()) {
    const files = new Set(differing(was.namedByUser(), now.namedByUser()))
    if (files.size > 0)
      for (let at = 0; at < before.length; at += 1)
        if ((before[at] as WeighedResult).profile.reads.some(({ file }) => files.has(nameOf(file)))) places.push(at)
  }
  const [keptBefore, kept] = [was.facts.kept ?? [], now.facts.kept ?? []]
  const addStubbed = (edit: Edit) => {
    const key = stubbedKey(edit)
    if (key !== null) names.push(key)
  }
  eachRun(kept, keptBefore, {
    added: (at) => addStubbed(kept[at] as Edit),
    gone: (at) => addStubbed(keptBefore[at] as Edit),
  })
  const [referencesBefore, references] = [was.facts.references ?? noReferences, now.facts.references ?? noReferences]
  for (const [some, others] of [
    [referencesBefore, references],
    [references, referencesBefore],
  ] as const)
    for (const [key, refers] of some) if (others.get(key) !== refers) names.push(...refers.map(({ part }) => part))
  return { places, names }
}

/** Every age at which a rule begins or ends, in requests. */
const agesIn = perItem((rules: EconomyRules): readonly number[] => {
  const { stubReadAfterEdit, stubErrorAfter, stubResolvedErrorAfter, supersededAfter, repeatedAfter } = rules
  const { placeholderAfter, capAfter, placeholderAfterIfCacheIsCostly, argumentsAfter } = rules
  const some = [stubReadAfterEdit, stubErrorAfter, stubResolvedErrorAfter, supersededAfter, repeatedAfter, placeholderAfter]
  const others = [capAfter, placeholderAfterIfCacheIsCostly, argumentsAfter, ...Object.values(rules.stubAfter)]
  return [...new Set([1, ...some, ...others])]
})()

/** The first result for which this holds; it holds for all after it. */
function firstPlace(results: readonly WeighedResult[], holds: (weighed: WeighedResult) => boolean): number {
  let low = 0
  let high = results.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(results[middle] as WeighedResult)) high = middle
    else low = middle + 1
  }
  return low
}

/** What only one of two sets has. */
function differing(some: ReadonlySet<string>, others: ReadonlySet<string>): readonly string[] {
  return [...[...some].filter((one) => !others.has(one)), ...[...others].filter((one) => !some.has(one))]
}

function referringTo(references: References): ReadonlyMap<string, readonly string[]> {
  const referring = new Map<string, string[]>()
  for (const [key, refers] of references) for (const { part } of refers) put(referring, part, key)
  return referring
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
const stubbedBy = perKey(stubbedKey)

function stubbedKey(edit: Edit): string | null {
  const isStub = edit.kind === 'replace' && (edit.policy === stubOldResultsName || edit.policy === fitWindowName)
  return isStub ? partKey(edit) : null
}

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
  /** Of which earlier results each one showed one of these. */
  readonly followed: number[][]
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
    followed: [],
    open: new Map(),
    unedited: new Map(),
  }),
  add({ indexes, roles, isRepeated, editedAt, followed, open, unedited }, weighed: WeighedResult, at, minTokens) {
    const { result, profile } = weighed
    const { subject, reads, changes } = profile
    indexes.push(result.index)
    roles.push(roleOf(weighed, minTokens))
    const earlier: number[] = []
    followed.push(earlier)
    if (!result.isError) {
      for (const before of take(open, subject)) {
        isRepeated[before] = true
        earlier.push(before)
      }
      for (const file of changes)
        for (const before of take(unedited, file)) {
          if (editedAt[before] === -1) editedAt[before] = at
          earlier.push(before)
        }
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

function put<Place>(places: Map<string, Place[]>, key: string, place: Place): void {
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

const nowhere: readonly never[] = []

/** Whether newer results and arguments show everything in full that a read shows. */
function createShownAfter(results: readonly WeighedResult[], later: Later<Decision>) {
  const profileAt = (place: number) => (results[place] as WeighedResult).profile
  const isFileShown = (at: number, file: string, range: LineRange | null) => {
    let count = 0
    for (const place of later.telling(file)) {
      if (place <= at || count >= maxRanges) return false
      const { reads, writes } = profileAt(place)
      for (const read of reads)
        if (read.file === file) {
          count += 1
          if (coversRange(read.range, range)) return true
        }
      // The arguments show what a file was written with.
      if (writes.includes(file)) return true
    }
    return false
  }
  const isSubjectShown = (at: number, subject: string) => {
    for (const place of later.telling(subject)) {
      if (place <= at) return false
      const shown = profileAt(place)
      if (shown.class === 'read' && shown.subject === subject) return true
    }
    return false
  }
  return (at: number, { subject, reads }: ResultProfile) =>
    (subject !== null && isSubjectShown(at, subject)) ||
    (reads.length > 0 && reads.every(({ file, range }) => isFileShown(at, file, range)))
}

const maxRanges = 200
