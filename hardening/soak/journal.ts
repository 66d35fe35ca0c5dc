/** The laws, which must hold under every fault. */
export type Law =
  | 'workloads run to their end'
  | 'logs have only reported problems'
  | 'acknowledged messages are stored bit for bit'
  | 'recorded requests can be rebuilt'
  | 'blobs match their hashes'
  | 'no secret in files, logs or answers'
  | 'commands end with a code and a sentence'
  | 'no process is left behind'
  | 'no temporary file is left behind'
  | 'memory stays flat'
  | 'descriptors are released'
  | 'the event loop responds'
  | 'clients get answers in the agreed form'
  | 'observe changes no byte'
  | 'only tool results change, and never back'
  | 'a repeated request has the same bytes'
  | 'in doubt nothing new is decided'
  | 'clients get the upstream’s bytes or an error in their dialect'
  | 'everything hidden can be recalled'
  | 'a resumed turn says what was interrupted'
  | 'what was written before a kill is there'

/** How often a law was checked, and how often it was broken. */
export interface LawRow {
  readonly law: Law
  readonly checks: number
  readonly broken: number
  /** The first violations. */
  readonly examples: readonly string[]
}

/** A record of actions and checks. */
export interface Journal {
  /** Checks a law. `detail` is called only if it is broken. */
  readonly check: (law: Law, holds: boolean, detail: () => string) => void
  /** Counts an action or an event. */
  readonly count: (what: string, times?: number) => void
  readonly laws: () => readonly LawRow[]
  readonly counts: () => ReadonlyMap<string, number>
  /** The number of broken laws. */
  readonly broken: () => number
}

const maxExamples = 5
const maxExampleLength = 600

/** Starts a journal. `onBroken` is called with the first violations of each law as they happen. */
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
      if (row.examples.length >= maxExamples) return
      const example = detail().slice(0, maxExampleLength)
      row.examples.push(example)
      onBroken(`BROKEN ${law}: ${example}`)
    },
    count: (what, times = 1) => void counts.set(what, (counts.get(what) ?? 0) + times),
    laws: () => [...laws].map(([law, row]) => ({ law, ...row })),
    counts: () => counts,
    broken: () => [...laws.values()].filter(({ broken }) => broken > 0).length,
  }
}
