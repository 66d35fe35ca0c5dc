/** Called by mutated files while they run; decides which mutant is on. */
export interface Switchboard {
  /** Whether a mutant is on; records that it was reached. */
  readonly on: (id: number) => boolean
  /** Counts a step in a file. Throws when there are more than allowed. */
  readonly step: (fileNumber: number) => void
  /** Registers the code that creates the module-level values of a file. */
  readonly again: (fileNumber: number, make: () => void) => void
  /** A WeakMap that drops the entries of a run when another starts. */
  readonly WeakMap: WeakMapConstructor
  /** A list that is emptied when another run starts. */
  readonly list: <List extends unknown[]>(empty: List) => List
  /** The number of values that `again` can create. */
  readonly made: () => number
  /** Starts a run with one mutant on, or none. */
  readonly begin: (mutant: number | null, maxSteps: number) => void
  /** Creates the module-level values of some files again, as part of the run. Default: of all files. */
  readonly makeAgain: (files?: ReadonlySet<number>) => void
  /** Ends a run and returns what it reached. */
  readonly end: () => Reached
}

/** The numbers of the mutants and files that a run reached, and how many steps it took. */
export interface Reached {
  readonly mutants: readonly number[]
  readonly files: readonly number[]
  readonly steps: number
}

declare global {
  /** The global name of the switchboard in mutated files. */
  var mutationSwitches: Switchboard | undefined
}

/** Creates a switchboard for this many mutants and files, with everything off. */
export function createSwitchboard(size: { readonly mutants: number; readonly files: number }): Switchboard {
  const makers: { readonly fileNumber: number; readonly make: () => void }[] = []
  const mutants = new Uint8Array(size.mutants)
  const files = new Uint8Array(size.files)
  const lists: unknown[][] = []
  let active: number | null = null
  let steps = 0
  let allowed = Number.POSITIVE_INFINITY
  let run = 0
  let isRunning = false

  return {
    on(id) {
      mutants[id] = 1
      return active === id
    },
    step(fileNumber) {
      files[fileNumber] = 1
      steps += 1
      if (steps > allowed) throw new Error('More steps than a mutant is allowed')
    },
    again: (fileNumber, make) => void makers.push({ fileNumber, make }),
    WeakMap: forgetfulWeakMap(() => (isRunning ? run : null)) as unknown as WeakMapConstructor,
    list(empty) {
      lists.push(empty)
      return empty
    },
    made: () => makers.length,
    begin(mutant, maxSteps) {
      active = mutant
      allowed = maxSteps
      steps = 0
      run += 1
      isRunning = true
      mutants.fill(0)
      files.fill(0)
      for (const list of lists) list.length = 0
    },
    makeAgain(only) {
      for (const { fileNumber, make } of makers) if (only === undefined || only.has(fileNumber)) make()
    },
    end() {
      active = null
      allowed = Number.POSITIVE_INFINITY
      isRunning = false
      return { mutants: placesOfOnes(mutants), files: placesOfOnes(files), steps }
    },
  }
}

/** Keeps entries made between runs, because tests may create messages when they are loaded. */
function forgetfulWeakMap(currentRun: () => number | null) {
  return class<Key extends WeakKey, Value> {
    readonly #kept = new WeakMap<Key, Value>()
    #held = new WeakMap<Key, Value>()
    #run: number | null = null
    get(key: Key): Value | undefined {
      return this.#current().get(key) ?? this.#kept.get(key)
    }
    has(key: Key): boolean {
      return this.#current().has(key) || this.#kept.has(key)
    }
    set(key: Key, value: Value): this {
      this.#current().set(key, value)
      return this
    }
    delete(key: Key): boolean {
      return this.#current().delete(key)
    }
    #current(): WeakMap<Key, Value> {
      const run = currentRun()
      if (run === null) return this.#kept
      if (this.#run !== run) this.#held = new WeakMap()
      this.#run = run
      return this.#held
    }
  }
}

function placesOfOnes(list: Uint8Array): readonly number[] {
  const places: number[] = []
  for (const [place, value] of list.entries()) if (value === 1) places.push(place)
  return places
}
