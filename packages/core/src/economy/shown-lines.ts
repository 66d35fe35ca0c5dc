/** Where a text says what an earlier one has said already. Lines are counted from 0; `count` of them, from both places on. */
export interface RepeatedRun {
  readonly from: number
  readonly count: number
  /** The number of the text that has them, and where. */
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
  /** Finds the runs of lines in a text that earlier ones have shown in a row, and takes in the others. */
  readonly add: (lines: readonly string[]) => readonly RepeatedRun[]
}

/** Lines that nobody has shown yet. */
export function createShownLines(limits: RepeatLimits): ShownLines {
  const texts: (readonly string[])[] = []
  const places = new Map<string, Place[]>()
  return {
    add(given) {
      const lines = given.map(withoutNumber)
      const source = texts.length
      texts.push(lines)
      const runs: RepeatedRun[] = []
      for (let from = 0; from < lines.length; ) {
        const run = longestRun(lines, from)
        if (run === null) {
          remember(lines[from] as string, source, from)
          from += 1
        } else {
          runs.push({ from, ...run })
          from += run.count
        }
      }
      return runs
    },
  }

  function longestRun(lines: readonly string[], from: number): Omit<RepeatedRun, 'from'> | null {
    let best: Omit<RepeatedRun, 'from'> | null = null
    for (const { source, line } of places.get(lines[from] as string) ?? []) {
      const earlier = texts[source] as readonly string[]
      let count = 0
      let characters = 0
      while (from + count < lines.length && lines[from + count] === earlier[line + count]) {
        characters += (lines[from + count] as string).length
        count += 1
      }
      const isWorth = count >= limits.lines && characters >= limits.characters
      if (isWorth && count > (best?.count ?? 0)) best = { count, source, sourceFrom: line }
    }
    return best
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

/** A brace or a blank stands everywhere; a run may go through them but not begin with them. */
const shortestLine = 4
const mostPlaces = 4

/** A line as its file has it: tools that read files put its number before it, and that moves when something is put in above. */
export function withoutNumber(line: string): string {
  return line.replace(/^ {0,8}(?:\d{1,7}[→\t]|→)/, '')
}
