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
      const isNew = from === 0
      for (let index = from; index < items.length; index += 1) {
        computing?.push(pass.add.name)
        const item = items[index] as Item
        pass.add(branch.state, item, index, ...settings)
        if (!isNew) branch.items.push(item)
      }
      if (isNew) branch.items = items.slice()
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

/** Computes a value when it is first asked for. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
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
  /** A copy: the caller may add to its own list. */
  items: Item[]
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
    branch.items[index] = is
  }
  return branch
}

function continues(items: readonly object[], earlier: readonly object[]): boolean {
  if (earlier.length > items.length) return false
  // From the end, where lists of one conversation mostly differ.
  for (let index = earlier.length - 1; index >= 0; index -= 1) if (earlier[index] !== items[index]) return false
  return true
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

function changedPlaces(items: readonly object[], earlier: readonly object[], max: number): readonly number[] | null {
  if (earlier.length > items.length) return null
  const places: number[] = []
  for (let index = earlier.length - 1; index >= 0; index -= 1) {
    if (earlier[index] === items[index]) continue
    if (places.length >= max) return null
    places.push(index)
  }
  return places
}
