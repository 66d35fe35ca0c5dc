/** Setting of a remembered function. Compared by identity. */
export type Setting = object | string | number | boolean | null | undefined

/** Remembers a pure function of one immutable object for as long as the object lives, under the last eight settings. An answer must not be undefined. */
export function perItem<Item extends object, Settings extends readonly Setting[], Answer>(
  compute: (item: Item, ...settings: Settings) => Answer,
): (...settings: Settings) => (item: Item) => Answer {
  return keepBySettings((...settings) => {
    const answers = new WeakMap<Item, Answer>()
    return (item) => {
      if (isOff) return compute(item, ...settings)
      const known = answers.get(item)
      if (known !== undefined) return known
      computing?.push(compute.name)
      const answer = compute(item, ...settings)
      answers.set(item, answer)
      return answer
    }
  })
}

/** Remembers only the latest answer for each object, with the at most eight values it was asked with. `latest` returns both. */
export function perPair<Item extends object, Others extends readonly Setting[], Answer>(
  compute: (item: Item, ...others: Others) => Answer,
): PerPair<Item, Others, Answer> {
  const remembered = new WeakMap<Item, Latest<Others, Answer>>()
  // Compared one by one: a list would be allocated with every question.
  const ask = (
    item: Item,
    a?: Others[0],
    b?: Others[1],
    c?: Others[2],
    d?: Others[3],
    e?: Others[4],
    f?: Others[5],
    g?: Others[6],
    h?: Others[7],
  ): Answer => {
    const known = isOff ? undefined : remembered.get(item)
    if (
      known !== undefined &&
      known.a === a &&
      known.b === b &&
      known.c === c &&
      known.d === d &&
      known.e === e &&
      known.f === f &&
      known.g === g &&
      known.h === h
    )
      return known.answer
    computing?.push(compute.name)
    const answer = compute(item, ...([a, b, c, d, e, f, g, h] as readonly Setting[] as Others))
    if (!isOff) remembered.set(item, { a, b, c, d, e, f, g, h, answer })
    return answer
  }
  const latest = (item: Item) => (isOff ? undefined : remembered.get(item))
  return Object.assign(ask, { latest }) as object as PerPair<Item, Others, Answer>
}

export interface PerPair<Item extends object, Others extends readonly Setting[], Answer> {
  (item: Item, ...others: Others): Answer
  readonly latest: (item: Item) => Latest<Others, Answer> | undefined
}

export interface Latest<Others extends readonly Setting[], Answer> {
  readonly a: Others[0]
  readonly b: Others[1]
  readonly c: Others[2]
  readonly d: Others[3]
  readonly e: Others[4]
  readonly f: Others[5]
  readonly g: Others[6]
  readonly h: Others[7]
  readonly answer: Answer
}

export interface ListPass<Item extends object, Settings extends readonly Setting[], State, Answer> {
  readonly start: (...settings: Settings) => State
  /** May change the state. */
  readonly add: (state: State, item: Item, index: number, ...settings: Settings) => void
  /** Replaces an item that was added before; false if it cannot. Default: it cannot. */
  readonly change?: (state: State, index: number, was: Item, is: Item, ...settings: Settings) => boolean
  /** Copies what callers keep: the state continues to change. */
  readonly finish: (state: State) => Answer
}

/**
 * Remembers a pure pass over lists that mostly grow at their end. Items are compared by identity; an edited list is read from its start unless
 * `change` handles the few items that differ.
 */
export function perList<Item extends object, State, Answer, Settings extends readonly Setting[]>(
  pass: ListPass<Item, Settings, State, Answer>,
): (...settings: Settings) => (items: readonly Item[]) => Answer {
  return keepBySettings((...settings) => {
    // Held by one of the items, so all of it is collected with the conversation.
    const branches = new WeakMap<Item, Branch<Item, State>[]>()
    return (items) => {
      // Not by the first item: many conversations start with the same system prompt. Those before it hold shorter lists.
      const last = Math.min(items.length, 4) - 1
      let found: Branch<Item, State> | undefined
      for (let at = isOff ? -1 : last; at >= 0 && found === undefined; at -= 1)
        found = takeBranch(branches.get(items[at] as Item) ?? [], items, pass, settings)
      const branch = found ?? { items: [], state: pass.start(...settings), hasGrown: false }
      const from = branch.items.length
      if (from > 0 && from < items.length) branch.hasGrown = true
      for (let index = from; index < items.length; index += 1) {
        computing?.push(pass.add.name)
        pass.add(branch.state, items[index] as Item, index, ...settings)
      }
      branch.items = unchanging(items)
      const holder = items[last]
      if (holder !== undefined && !isOff) {
        const known = branches.get(holder) ?? []
        known.unshift(branch)
        if (known.length > maxBranches) known.pop()
        branches.set(holder, known)
      }
      return pass.finish(branch.state)
    }
  })
}

/** `perItem` for every item of a list; faster if most items keep their places. */
export function perEach<Item extends object, Settings extends readonly Setting[], Answer>(
  compute: (item: Item, ...settings: Settings) => Answer,
): (...settings: Settings) => (items: readonly Item[]) => readonly Answer[] {
  const answerOf = perItem(compute)
  return perList({
    start: (..._settings: Settings): Answer[] => [],
    add(answers, item: Item, _index, ...settings) {
      answers.push(answerOf(...settings)(item))
    },
    change(answers, index, _was, is, ...settings) {
      answers[index] = answerOf(...settings)(is)
      return true
    },
    finish: (answers): readonly Answer[] => answers,
  })
}

/** `perEach` for items of which each comes with a value, in a second list, that may be another one at the next request. */
export function perBoth<Item extends object, Other extends object, Settings extends readonly Setting[], Answer>(
  compute: (item: Item, other: Other, ...settings: Settings) => Answer,
): (...settings: Settings) => (items: readonly Item[], others: readonly Other[]) => readonly Answer[] {
  return perChange(
    function answerBoth(
      [items, others]: readonly [readonly Item[], readonly Other[]],
      earlier: Earlier<readonly [readonly Item[], readonly Other[]], readonly Answer[]> | null,
      ...settings: Settings
    ): readonly Answer[] {
      const [itemsBefore, othersBefore] = earlier?.lists ?? [[], []]
      const before = placesBefore(items, itemsBefore)
      const answers: Answer[] = []
      for (let at = 0; at < items.length; at += 1) {
        const place = before[at] as number
        const isKnown = place >= 0 && othersBefore[place] === others[at]
        answers.push(isKnown ? (earlier?.answer[place] as Answer) : compute(items[at] as Item, others[at] as Other, ...settings))
      }
      return answers
    },
    { hasOneList: true },
  )
}

/** The sum of a number over a list that mostly grows at its end. */
export function perSum<Item extends object, Settings extends readonly Setting[]>(
  measure: (item: Item, ...settings: Settings) => number,
): (...settings: Settings) => (items: readonly Item[]) => number {
  return perList({
    start: (..._settings: Settings) => ({ sum: 0 }),
    add(state, item: Item, _index, ...settings) {
      state.sum += measure(item, ...settings)
    },
    change(state, _index, was, is, ...settings) {
      state.sum += measure(is, ...settings) - measure(was, ...settings)
      return true
    },
    finish: ({ sum }) => sum,
  })
}

/** Lists that a function was asked about, and what it answered. */
export interface Earlier<Lists, Answer> {
  readonly lists: Lists
  readonly answer: Answer
}

type ItemLists = readonly [readonly object[], ...(readonly object[])[]]

/**
 * Remembers a pure function of lists that mostly stay the same from request to request. It is given its earlier answer for the most similar last list,
 * to take over what has not changed; null if none is similar. With `hasOneList` there is one list for each request, and the latest one counts if none is.
 */
export function perChange<Lists extends ItemLists, Settings extends readonly Setting[], Answer extends object>(
  compute: (lists: Lists, earlier: Earlier<Lists, Answer> | null, ...settings: Settings) => Answer,
  { hasOneList = false }: { readonly hasOneList?: boolean } = {},
): (...settings: Settings) => (...lists: Lists) => Answer {
  return keepBySettings((...settings) => {
    const known = new WeakMap<object, Earlier<Lists, Answer>[]>()
    return (...lists) => {
      // Held like a branch of `perList`.
      const holder = lists[0][Math.min(lists[0].length, 4) - 1]
      if (holder === undefined || isOff) return compute(lists, null, ...settings)
      const all = known.get(holder) ?? []
      const asked = all.find((each) => hasLists(each, lists))
      if (asked !== undefined) return asked.answer
      const similar = mostSimilar(all, lists)
      const at = similar < 0 && hasOneList && all.length > 0 ? 0 : similar
      if (at < 0) computing?.push(compute.name)
      const answer = compute(lists, all[at] ?? null, ...settings)
      if (at >= 0) all.splice(at, 1)
      all.unshift({ lists: lists.map((list) => unchanging(list)) as readonly (readonly object[])[] as Lists, answer })
      if (all.length > maxBranches) all.pop()
      known.set(holder, all)
      return answer
    }
  })
}

/** The few items of a list for which a question is answered with yes, in order. */
export function perFew<Item extends object, Few extends Item>(
  isOne: (item: Item) => item is Few,
): (items: readonly Item[]) => readonly Few[]
export function perFew<Item extends object>(isOne: (item: Item) => boolean): (items: readonly Item[]) => readonly Item[]
export function perFew<Item extends object>(isOne: (item: Item) => boolean): (items: readonly Item[]) => readonly Item[] {
  const find = perChange(
    function findFew(
      [items]: readonly [readonly Item[]],
      earlier: Earlier<readonly [readonly Item[]], { readonly isFound: Uint8Array; readonly found: readonly Item[] }> | null,
    ) {
      const isFound = new Uint8Array(items.length)
      const known = earlier?.answer.isFound ?? isFound
      eachRun(items, earlier?.lists[0] ?? [], {
        kept: (at, before, count) => isFound.set(known.subarray(before, before + count), at),
        added(at) {
          if (isOne(items[at] as Item)) isFound[at] = 1
        },
      })
      const found: Item[] = []
      for (let at = isFound.indexOf(1); at >= 0; at = isFound.indexOf(1, at + 1)) found.push(items[at] as Item)
      return { isFound, found: unchanging(found, 'own') }
    },
    { hasOneList: true },
  )()
  return (items) => find(items).found
}

export interface BagPass<Item extends object, State extends object> {
  readonly start: () => State
  /** Both change the state. The order of the items must not matter. */
  readonly add: (state: State, item: Item) => void
  readonly remove: (state: State, item: Item) => void
}

/** Remembers what is gathered from a list that mostly stays the same, wherever it changes. Valid until another list is asked about. */
export function perBag<Item extends object, State extends object>({
  start,
  add,
  remove,
}: BagPass<Item, State>): (items: readonly Item[]) => State {
  return perChange(
    function gather([items]: readonly [readonly Item[]], earlier: Earlier<readonly [readonly Item[]], State> | null): State {
      const state = earlier?.answer ?? start()
      const was = earlier?.lists[0] ?? []
      eachRun(items, was, {
        added: (at) => add(state, items[at] as Item),
        gone: (before) => remove(state, was[before] as Item),
      })
      return state
    },
    { hasOneList: true },
  )()
}

/** The items of a list, by key; null for an item without one. Valid until another list is asked about. */
export function perKey<Item extends object>(keyOf: (item: Item) => string | null): (items: readonly Item[]) => Keyed<Item> {
  return perBag({
    start: () => new Map<string, ItemsOfKey<Item>>(),
    add(byKey, item: Item) {
      const key = keyOf(item)
      const known = key === null ? undefined : byKey.get(key)
      if (known !== undefined) {
        known.count += 1
        known.only = null
      } else if (key !== null) byKey.set(key, { count: 1, only: item })
    },
    remove(byKey, item) {
      const key = keyOf(item)
      const known = key === null ? undefined : byKey.get(key)
      if (key === null || known === undefined) return
      known.count -= 1
      if (known.count === 0) byKey.delete(key)
    },
  })
}

export type Keyed<Item> = ReadonlyMap<string, Readonly<ItemsOfKey<Item>>>

interface ItemsOfKey<Item> {
  count: number
  /** Null if there are several, or were. */
  only: Item | null
}

/** What has to be decided again: items by their places, and all that have one of these names. */
export interface Again {
  readonly places: readonly number[]
  readonly names: readonly string[]
}

/** What is decided about later items: those before them have no answer yet. */
export interface Later<Answer> {
  /** The places of items with a name whose answers tell something, the last one first. */
  readonly telling: (name: string) => readonly number[]
  /** The places of all items with a name. */
  readonly named: (name: string) => readonly number[]
  readonly answerAt: (place: number) => Answer
}

export interface LaterPass<Item extends object, Now extends object, Settings extends readonly Setting[], Answer> {
  /** An item may concern those before it with a common name. */
  readonly namesOf: (item: Item) => readonly string[]
  /** Names of items before it that are decided whenever an item of this name is. */
  readonly leadsTo: (name: string, now: Now) => readonly string[]
  /** What may be decided otherwise than in the last request, besides items that are new or others and what follows from decisions that tell something; null for all. */
  readonly again: (
    before: { readonly items: readonly Item[]; readonly now: Now },
    items: readonly Item[],
    now: Now,
    ...settings: Settings
  ) => Again | null
  /** Decides about one item of a request after another, the last one first. */
  readonly decide: (items: readonly Item[], now: Now, later: Later<Answer>, ...settings: Settings) => (place: number) => Answer
  readonly isEqual: (one: Answer, other: Answer) => boolean
  /** Whether an answer matters to earlier items with a common name. */
  readonly tells: (answer: Answer) => boolean
}

/**
 * Remembers decisions about the items of a list that mostly grows at its end, each for as long as nothing changes that it depends on: the item, what
 * `again` names, and the telling decisions about later items with a common name. Valid until the next request.
 */
export function perLater<Item extends object, Now extends object, Answer, Settings extends readonly Setting[]>(
  pass: LaterPass<Item, Now, Settings, Answer>,
): (...settings: Settings) => (items: readonly Item[], now: Now) => readonly Answer[] {
  return keepBySettings((...settings) => {
    const known = new WeakMap<Item, Decided<Item, Now, Answer>>()
    return (items, now) => {
      const holder = items[Math.min(items.length, 4) - 1]
      if (holder === undefined) return []
      const last = isOff ? undefined : known.get(holder)
      // It is changed now, and of no use if that fails.
      known.delete(holder)
      const due = last === undefined ? null : dueItems(pass, last, items, now, settings)
      if (due === null) computing?.push(pass.decide.name)
      const decided = due === null || last === undefined ? startDecided<Item, Now, Answer>(items, now) : last
      decideDue(pass, decided, items, now, due ?? new Uint8Array(items.length).fill(1), settings)
      decided.items = unchanging(items)
      decided.now = now
      if (!isOff) known.set(holder, decided)
      return decided.answers
    }
  })
}

interface Decided<Item, Now, Answer> {
  items: readonly Item[]
  now: Now
  readonly answers: Answer[]
  /** The places of all items by name, and of those that tell something, the last one first. */
  readonly named: Map<string, number[]>
  readonly telling: Map<string, number[]>
}

function startDecided<Item, Now, Answer>(items: readonly Item[], now: Now): Decided<Item, Now, Answer> {
  return { items: items.slice(0, 0), now, answers: [], named: new Map(), telling: new Map() }
}

/** By place: 1 for items that are to be decided again; null if nothing of the last request can be used. */
function dueItems<Item extends object, Now extends object, Settings extends readonly Setting[], Answer>(
  { namesOf, again }: LaterPass<Item, Now, Settings, Answer>,
  last: Decided<Item, Now, Answer>,
  items: readonly Item[],
  now: Now,
  settings: Settings,
): Uint8Array | null {
  const changes = changedPlaces(items, last.items)
  const isRenamed = (at: number) => String(namesOf(items[at] as Item)) !== String(namesOf(last.items[at] as Item))
  const asked = changes === null || changes.some(isRenamed) ? null : again(last, items, now, ...settings)
  if (changes === null || asked === null) return null
  const due = new Uint8Array(items.length).fill(1, last.items.length)
  for (const at of asked.places) due[at] = 1
  // Another item is to those with a common name what a new one is.
  const names = asked.names.concat(...changes.map((at) => namesOf(items[at] as Item)))
  for (const name of names) for (const at of last.named.get(name) ?? noPlaces) due[at] = 1
  return due
}

function decideDue<Item extends object, Now extends object, Settings extends readonly Setting[], Answer>(
  { namesOf, leadsTo, decide, isEqual, tells }: LaterPass<Item, Now, Settings, Answer>,
  { items: before, answers, named, telling }: Decided<Item, Now, Answer>,
  items: readonly Item[],
  now: Now,
  due: Uint8Array,
  settings: Settings,
): void {
  for (let at = before.length; at < items.length; at += 1)
    for (const name of namesOf(items[at] as Item)) {
      const places = named.get(name)
      if (places === undefined) named.set(name, [at])
      else places.push(at)
    }
  const markBefore = (name: string, place: number) => {
    const places = named.get(name) ?? noPlaces
    for (let next = 0; next < places.length && (places[next] as number) < place; next += 1) due[places[next] as number] = 1
  }
  const later: Later<Answer> = {
    telling: (name) => telling.get(name) ?? noPlaces,
    named: (name) => named.get(name) ?? noPlaces,
    answerAt: (place) => answers[place] as Answer,
  }
  const answerOf = decide(items, now, later, ...settings)
  const known = answers.length
  answers.length = items.length
  for (let at = due.lastIndexOf(1); at >= 0; at = at === 0 ? -1 : due.lastIndexOf(1, at - 1)) {
    const names = namesOf(items[at] as Item)
    const was = at < known ? (answers[at] as Answer) : null
    const is = answerOf(at)
    answers[at] = is
    for (const name of names) for (const other of leadsTo(name, now)) markBefore(other, at)
    if (was !== null && isEqual(was, is)) continue
    const [told, isTelling] = [was !== null && tells(was), tells(is)]
    if (!told && !isTelling) continue
    for (const name of names) {
      if (told !== isTelling) noteTelling(telling, name, at, isTelling)
      markBefore(name, at)
    }
  }
}

/** Adds or removes a place in a list with the last one first. */
function noteTelling(telling: Map<string, number[]>, name: string, place: number, isTelling: boolean): void {
  const places = telling.get(name)
  if (places === undefined) {
    if (isTelling) telling.set(name, [place])
    return
  }
  let low = 0
  let high = places.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((places[middle] as number) > place) low = middle + 1
    else high = middle
  }
  if (isTelling) places.splice(low, 0, place)
  else places.splice(low, 1)
}

const noPlaces: readonly number[] = []

/** A list that nobody will change: a copy, unless it is known to be one or is the caller's own. */
export function unchanging<Item>(list: readonly Item[], whose: 'own' | 'any' = 'any'): readonly Item[] {
  if (unchangingLists.has(list)) return list
  const kept = whose === 'own' ? list : list.slice()
  unchangingLists.add(kept)
  return kept
}

const unchangingLists = new WeakSet<readonly unknown[]>()

/** What to do with the items of a list that mostly stays the same: with runs of those that it has in common with an earlier one, and with each other. */
export interface Runs {
  readonly kept?: (at: number, before: number, count: number) => void
  readonly added?: (at: number) => void
  readonly gone?: (before: number) => void
}

/** Goes through what two lists have in common, in order, and what they do not. Lists that nobody will change are compared once for all who ask. */
export function eachRun(items: readonly object[], earlier: readonly object[], { kept, added, gone }: Runs): void {
  const runs = sharedRuns(items, earlier)
  let at = 0
  let before = 0
  for (let run = 0; run <= runs.length; run += 3) {
    const isEnd = run === runs.length
    const nextAt = isEnd ? items.length : (runs[run] as number)
    const nextBefore = isEnd ? earlier.length : (runs[run + 1] as number)
    if (gone !== undefined) for (; before < nextBefore; before += 1) gone(before)
    if (added !== undefined) for (; at < nextAt; at += 1) added(at)
    if (isEnd) return
    const count = runs[run + 2] as number
    kept?.(nextAt, nextBefore, count)
    at = nextAt + count
    before = nextBefore + count
  }
}

/** Where each item of a list was in an earlier one; -1 for those that were not, or in another order. */
export function placesBefore(items: readonly object[], earlier: readonly object[]): Int32Array {
  const places = new Int32Array(items.length).fill(-1)
  eachRun(items, earlier, {
    kept(at, before, count) {
      for (let next = 0; next < count; next += 1) places[at + next] = before + next
    },
  })
  return places
}

/** Where each run starts in both lists, and how long it is. */
function sharedRuns(items: readonly object[], earlier: readonly object[]): readonly number[] {
  const known = shared.get(items)
  if (known?.earlier === earlier) return known.runs
  const runs: number[] = []
  let index = 0
  let at = 0
  while (index < items.length && at < earlier.length) {
    const start = index
    while (index < items.length && at < earlier.length && items[index] === earlier[at]) {
      index += 1
      at += 1
    }
    if (index > start) runs.push(start, at - (index - start), index - start)
    if (index >= items.length || at >= earlier.length) break
    const { added, gone } = nextMeeting(items, index, earlier, at)
    index += added
    at += gone
  }
  if (unchangingLists.has(items) && unchangingLists.has(earlier)) {
    // The one before the last is not asked about again, and must not be held.
    shared.delete(earlier)
    shared.set(items, { earlier, runs })
  }
  return runs
}

const shared = new WeakMap<readonly object[], { readonly earlier: readonly object[]; readonly runs: readonly number[] }>()

/** How far to go on in two lists until both have the same item; to their ends if that is not near. */
function nextMeeting(items: readonly object[], from: number, earlier: readonly object[], at: number) {
  for (let steps = 1; steps <= maxSteps; steps += 1)
    for (let fewer = 0; fewer <= steps; fewer += 1) {
      if (at + steps < earlier.length && items[from + fewer] === earlier[at + steps]) return { added: fewer, gone: steps }
      if (from + steps < items.length && items[from + steps] === earlier[at + fewer]) return { added: steps, gone: fewer }
    }
  return { added: items.length - from, gone: earlier.length - at }
}

/** More are seldom added or gone in one place between two requests. */
const maxSteps = 24

/** Computes a value when it is first asked for. */
export function once<Value>(make: () => Value): Once<Value> {
  let made: { readonly value: Value } | null = null
  const ask = () => {
    made ??= { value: make() }
    return made.value
  }
  return Object.assign(ask, { wasAsked: () => made !== null })
}

export interface Once<Value> {
  (): Value
  readonly wasAsked: () => boolean
}

/** Runs with every remembered function as a plain call, to show that caching changes nothing. */
export function withoutCaches<Answer>(run: () => Answer): Answer {
  const was = isOff
  isOff = true
  try {
    return run()
  } finally {
    isOff = was
  }
}

/** The names of the functions computed during a run, once per computation. */
export function computedDuring(run: () => void): readonly string[] {
  const names: string[] = []
  computing = names
  try {
    run()
  } finally {
    computing = null
  }
  return names
}

let isOff = false
let computing: string[] | null = null

const maxSettings = 8
/** One per planning stage, for a conversation and one branch of it. */
const maxBranches = 12
/** More than usually change between two requests, fewer than make reading from the start cheaper. */
const maxChanges = 40

/** Latest settings first: several conversations may run side by side. */
function keepBySettings<Settings extends readonly Setting[], Made>(
  make: (...settings: Settings) => Made,
): (...settings: Settings) => Made {
  const kept: { readonly settings: Settings; readonly made: Made }[] = []
  return (...settings) => {
    const [latest] = kept
    if (latest !== undefined && isSame(latest.settings, settings)) return latest.made
    const at = kept.findIndex((each) => isSame(each.settings, settings))
    const found = (at < 0 ? undefined : kept.splice(at, 1)[0]) ?? { settings, made: make(...settings) }
    kept.unshift(found)
    if (kept.length > maxSettings) kept.pop()
    return found.made
  }
}

function isSame(one: readonly Setting[], other: readonly Setting[]): boolean {
  if (one.length !== other.length) return false
  for (let index = 0; index < one.length; index += 1) if (one[index] !== other[index]) return false
  return true
}

interface Branch<Item, State> {
  items: readonly Item[]
  readonly state: State
  hasGrown: boolean
}

function takeBranch<Item extends object, Settings extends readonly Setting[], State, Answer>(
  known: Branch<Item, State>[],
  items: readonly Item[],
  { change }: ListPass<Item, Settings, State, Answer>,
  settings: Settings,
): Branch<Item, State> | undefined {
  let at = -1
  // The longest: a stage may have added messages after those of the stage before it.
  for (let place = 0; place < known.length; place += 1) {
    const { length } = (known[place] as Branch<Item, State>).items
    if (length > (known[at]?.items.length ?? -1) && continues(items, (known[place] as Branch<Item, State>).items)) at = place
  }
  if (at >= 0) return known.splice(at, 1)[0]
  const near = change === undefined ? null : nearest(known, items)
  if (change === undefined || near === null) return undefined
  const { branch, places } = near
  known.splice(near.at, 1)
  for (const index of places) {
    const is = items[index] as Item
    if (!change(branch.state, index, branch.items[index] as Item, is, ...settings)) return undefined
  }
  return branch
}

/** Whether it was asked about these very lists, which nobody has changed since. */
function hasLists({ lists: known }: Earlier<ItemLists, unknown>, lists: ItemLists): boolean {
  for (let index = 0; index < lists.length; index += 1) if (known[index] !== lists[index]) return false
  return true
}

/** The place of the question whose last list starts most like this one; -1 if none has half of it. */
function mostSimilar(all: readonly Earlier<ItemLists, unknown>[], lists: ItemLists): number {
  const list = lists.at(-1) as readonly object[]
  let best = -1
  let most = -1
  // The oldest first: if each request asks about several lists, that is the one before this.
  for (let at = all.length - 1; at >= 0; at -= 1) {
    const earlier = (all[at] as Earlier<ItemLists, unknown>).lists.at(-1) as readonly object[]
    // Most others differ there, and are not read from their start.
    if (most >= 0 && earlier[most] !== list[most]) continue
    const same = sameStart(list, earlier)
    if (same > most && same * 2 >= earlier.length) {
      best = at
      most = same
    }
  }
  return best
}

/** How many items two lists have in common at their start. */
export function sameStart(one: readonly object[], other: readonly object[]): number {
  const length = Math.min(one.length, other.length)
  const known = other.length <= one.length ? comparisons.get(one)?.get(other) : undefined
  if (known !== undefined) return known.at(-1) ?? length
  if (one === other) return length
  const runs = shared.get(one)
  if (runs?.earlier === other) return runs.runs[0] === 0 && runs.runs[1] === 0 ? (runs.runs[2] as number) : 0
  let same = 0
  while (same < length && one[same] === other[same]) same += 1
  return same
}

function continues(items: readonly object[], earlier: readonly object[]): boolean {
  return changedPlaces(items, earlier, 0) !== null
}

/**
 * The branch with the fewest changed items. One that has grown to the same length belongs to another stage of the same request and is reused by the
 * next one.
 */
function nearest<Item extends object, State>(known: readonly Branch<Item, State>[], items: readonly Item[]) {
  let best: { readonly at: number; readonly branch: Branch<Item, State>; readonly places: readonly number[] } | null = null
  for (const [at, branch] of known.entries()) {
    if (branch.hasGrown && branch.items.length === items.length) continue
    const places = changedPlaces(items, branch.items, best === null ? maxChanges : best.places.length - 1)
    if (places !== null) best = { at, branch, places }
  }
  return best
}

/**
 * The places at which a list differs from a shorter or equally long one, last first; null if there are more than `max`. Two lists are compared once for
 * all passes over them.
 */
export function changedPlaces(items: readonly object[], earlier: readonly object[], max = maxChanges): readonly number[] | null {
  if (earlier.length > items.length) return null
  if (earlier === items) return []
  const known = comparisons.get(items)
  const found = known?.get(earlier)
  if (found !== undefined) return found.length <= max ? found : null
  const places: number[] = []
  // From the end, where lists of one conversation mostly differ.
  for (let index = earlier.length - 1; index >= 0; index -= 1) {
    if (earlier[index] === items[index]) continue
    if (places.length >= max) return null
    places.push(index)
  }
  rememberChanges(items, earlier, places)
  return places
}

/** Remembers at which places two lists that nobody will change differ, last first: for whoever made one of the other. */
export function rememberChanges(items: readonly object[], earlier: readonly object[], places: readonly number[]): void {
  if (places.length > maxChanges || !unchangingLists.has(items) || !unchangingLists.has(earlier)) return
  const known = comparisons.get(items)
  if (known === undefined) comparisons.set(items, new WeakMap([[earlier, places]]))
  else known.set(earlier, places)
}

const comparisons = new WeakMap<readonly object[], WeakMap<readonly object[], readonly number[]>>()
