/**
 * Lines as their file has them: tools that read files put numbers before them, which move when something is put in above. Only what
 * really counts up is taken for such a number: a column of a table is part of what its line says.
 */
export function withoutNumbers(lines: readonly string[]): string[] {
  let due = Number.NaN
  return lines.map((line, index) => {
    if (!mayBeNumbered(line)) {
      due = Number.NaN
      return line
    }
    const number = numberOf(line, due)
    const isCounted = number === due || numberOf(lines[index + 1] ?? '', number + 1) === number + 1
    due = number + 1
    return isCounted ? line.slice(line.search(mark) + 1) : line
  })
}

const mark = /[→\t]/

/** Most lines are told by their first character. */
function mayBeNumbered(line: string): boolean {
  const first = line.charCodeAt(0)
  return first === 0x20 || first === 0x2192 || (first >= 0x30 && first <= 0x39)
}

/** The number before a line; that which is due where only the mark is left of it; NaN where there is none. */
function numberOf(line: string, due: number): number {
  if (line.startsWith('→')) return due
  const found = numbered.exec(line)
  return found === null ? Number.NaN : Number(found[1])
}

/** The way tools number the lines of a file: the number, and an arrow or a tab before the text. */
export const numbered = /^ {0,8}(0|[1-9]\d{0,6})[→\t]/
