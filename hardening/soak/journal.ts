/** What must hold, whatever is done to the machine. */
export type Law =
  | 'workloads run to their end'
  | 'logs read without an unnamed trouble'
  | 'acknowledged messages are stored bit for bit'
  | 'recorded requests can be rebuilt'
  | 'blobs match their hashes'
  | 'no secret in files, logs or answers'
  | 'commands end with a code and a sentence'
  | 'no process is left behind'
  | 'no temporary file is left behind'
  | 'memory stays flat'
  | 'descriptors come back'
  | 'the event loop answers'
  | 'clients get answers in the agreed form'
  | 'observe changes no byte'
  | 'only tool results change, and never back'
  | 'a request repeated is the same bytes'
  | 'where there is doubt nothing new is decided'
  | 'clients get the upstream’s bytes or an error in their dialect'
  | 'whatever is hidden can be had back'

/** How often a law was looked at, and how often it was broken. */
export interface LawRow {
  readonly law: Law
  readonly checks: number
  readonly broken: number
  /** The first few ways in which it was. */
  readonly examples: readonly string[]
}

/** What was done and what was seen. */
export interface Journal {
  /** Looks at a law. The detail is asked for only where it is broken. */
  readonly check: (law: Law, holds: boolean, detail: () => string) => void
  /** Counts something that was done or that happened. */
  readonly count: (what: string, times?: number) => void
  readonly laws: () => readonly LawRow[]
  readonly counts: () => ReadonlyMap<string, number>
  /** How many laws were broken at least once. */
  readonly broken: () => number
}

const mostExamples = 5
const longestExample = 600

/** Begins a journal. `onBroken` hears of the first ways in which a law is broken, as they happen. */
export function createJournal(onBroken: (line: string) => void = () => undefined): Journal {
  const laws = new Map<Law, { checks: number; broken: number; readonly examples: string[] }>()
  const counts = new Map<string, number>()
  return {
    check(law, holds, detail) {
      const row = laws.get(law) ?? { checks: 0, broken: 0, examples: [] }
      laws.set(law, row)
      row.checks += 1
      if (holds) return
      row.broken += 1
      if (row.examples.length >= mostExamples) return
      const example = detail().slice(0, longestExample)
      row.examples.push(example)
      onBroken(`BROKEN ${law}: ${example}`)
    },
    count: (what, times = 1) => void counts.set(what, (counts.get(what) ?? 0) + times),
    laws: () => [...laws].map(([law, row]) => ({ law, ...row })),
    counts: () => counts,
    broken: () => [...laws.values()].filter(({ broken }) => broken > 0).length,
  }
}
