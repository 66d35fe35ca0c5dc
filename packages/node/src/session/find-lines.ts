import { runInNewContext } from 'node:vm'

/** The lines that match, counted from 0; or why the pattern cannot be used. */
export type FoundLines = { readonly found: readonly number[] } | { readonly trouble: string }

/**
 * Looks for a regular expression that a person or a model wrote in lines of text. Such a pattern may be wrong, or need longer
 * than the universe is old: it is then ended, and said so. Never throws. A pattern that begins with `(?i)` ignores case.
 */
export function findLines(pattern: string, lines: readonly string[], { milliseconds = 1000 } = {}): FoundLines {
  if (pattern.length > longestPattern) {
    return {
      trouble: `The pattern has ${pattern.length} characters; at most ${longestPattern} are looked for. Use a shorter one.`,
    }
  }
  const ignoresCase = pattern.startsWith('(?i)')
  try {
    const expression = new RegExp(ignoresCase ? pattern.slice(4) : pattern, ignoresCase ? 'i' : '')
    const found: number[] = []
    // An expression cannot be interrupted from within its own thread of work; a script with a time limit can.
    runInNewContext(script, { expression, lines, found }, { timeout: Math.max(1, milliseconds) })
    return { found }
  } catch (error) {
    return { trouble: describe(error, pattern, milliseconds) }
  }
}

const longestPattern = 1000

// Only our own words are run; the pattern comes in as a value. Names of the context are slow to look up, those of a function not.
const script = `
((expression, lines, found) => {
  for (let index = 0; index < lines.length; index += 1) {
    expression.lastIndex = 0
    if (expression.test(lines[index])) found.push(index)
  }
})(expression, lines, found)`

function describe(error: unknown, pattern: string, milliseconds: number): string {
  const shown = JSON.stringify(pattern.length > 80 ? `${pattern.slice(0, 79)}…` : pattern)
  // An error from another context is no `Error` of this one.
  const { code, message } = error as Partial<NodeJS.ErrnoException>
  if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
    return `The pattern ${shown} was not done after ${milliseconds} ms and was ended. Use one without nested repetition, or plain words.`
  }
  return `The pattern ${shown} cannot be used: ${message ?? String(error)}. It has to be a JavaScript regular expression.`
}
