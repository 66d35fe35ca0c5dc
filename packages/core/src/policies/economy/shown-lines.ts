import { withoutNumbers } from '../../text/without-numbers.ts'

/** Where a text says what an earlier one, or itself further up, shows already. Lines are counted from 0. */
export interface RepeatedRun {
  readonly from: number
  readonly count: number
  /** The number of the text that has them, and where. */
  readonly source: number
  readonly sourceFrom: number
  /** How many lines are meant there: fewer than `count` where they come over and over. */
  readonly sourceCount: number
  /** Texts that leave the same lines out for the same place, latest first: where it is not shown any more, they may show them. */
  readonly copies: readonly Copy[]
}

/** Where a text has lines that it leaves out. */
export interface Copy {
  readonly source: number
  readonly sourceFrom: number
}

/** What is repeated of a text is worth a line that says so: this many lines at least, and this many characters. */
export interface RepeatLimits {
  readonly lines: number
  readonly characters: number
}

/** All lines that texts have shown so far. */
export interface ShownLines {
  /** Finds the runs of lines in a text that are shown in a row already, and takes in the others: the runs are not shown again. */
  readonly add: (lines: readonly string[]) => readonly RepeatedRun[]
  /** Takes in a text that is shown whole, whatever it repeats. */
  readonly addWhole: (lines: readonly string[]) => void
}

/** Lines that nobody has shown yet. */
export function createShownLines(limits: RepeatLimits): ShownLines {
  const texts: (string | null)[][] = []
  const places = new Map<string, Place[]>()
  const leftOut = new Map<number, LeftOut[]>()
  return {
    add: (given) => read(given, 'left out'),
    addWhole(given) {
      read(given, 'shown')
    },
  }

  function read(given: readonly string[], repeated: 'shown' | 'left out'): readonly RepeatedRun[] {
    const lines: (string | null)[] = withoutNumbers(given)
    const source = texts.length
    texts.push(lines)
    const runs: RepeatedRun[] = []
    for (let from = 0; from < lines.length; ) {
      const run = runAt(lines, source, from)
      if (run === null) {
        remember(lines[from] as string, source, from)
        from += 1
      } else {
        runs.push(run)
        // What is left out here is shown elsewhere, and nobody can be sent here for it.
        if (repeated === 'left out') {
          lines.fill(null, from, from + run.count)
          leaveOut(run, source)
        }
        from += run.count
      }
    }
    return runs
  }

  /** At most one of the places goes on for long enough: a later one that did would have been left out for the earlier. */
  function runAt(lines: readonly (string | null)[], own: number, from: number): RepeatedRun | null {
    for (const { source, line } of places.get(lines[from] as string) ?? []) {
      const earlier = texts[source] as readonly (string | null)[]
      let count = 0
      let characters = 0
      while (from + count < lines.length && lines[from + count] === earlier[line + count]) {
        characters += (lines[from + count] as string).length
        count += 1
      }
      if (count < limits.lines || characters < limits.characters) continue
      // Lines that come over and over reach into themselves; what stands before them is what is shown.
      const sourceCount = source === own ? Math.min(count, from - line) : count
      return { from, count, source, sourceFrom: line, sourceCount, copies: copiesOf(source, line, count) }
    }
    return null
  }

  function copiesOf(source: number, sourceFrom: number, count: number): readonly Copy[] {
    const known = leftOut.get(source) ?? []
    return known.flatMap((one) =>
      one.sourceFrom <= sourceFrom && one.sourceFrom + one.count >= sourceFrom + count
        ? [{ source: one.text, sourceFrom: one.from + sourceFrom - one.sourceFrom }]
        : [],
    )
  }

  function leaveOut({ from, count, source, sourceFrom }: RepeatedRun, text: number): void {
    if (source === text) return
    const known = leftOut.get(source) ?? []
    leftOut.set(source, [{ text, from, count, sourceFrom }, ...known.slice(0, mostCopies - 1)])
  }

  function remember(line: string, source: number, at: number): void {
    if (line.trim().length < shortestLine) return
    const known = places.get(line)
    if (known === undefined) places.set(line, [{ source, line: at }])
    // The latest places are the likeliest to go on alike.
    else {
      if (known.length >= mostPlaces) known.shift()
      known.push({ source, line: at })
    }
  }
}

interface Place {
  readonly source: number
  readonly line: number
}

interface LeftOut {
  readonly text: number
  readonly from: number
  readonly count: number
  readonly sourceFrom: number
}

/** A brace or a blank stands everywhere; a run may go through them but not begin with them. */
const shortestLine = 4
const mostPlaces = 4
const mostCopies = 16
