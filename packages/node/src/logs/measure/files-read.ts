import { shellCommands } from '@plimsoll/core'

/**
 * The files that a command line only shows, such as `cat a.ts` or `cd src && sed -n 1,80p a.ts`; none where it does anything else.
 * A folder that is changed into stands before what is relative to it.
 */
export function filesRead(line: string): readonly string[] {
  if (line.length > longestLine) return []
  const files: string[] = []
  let folder = ''
  for (const { words, outputs } of shellCommands(line)) {
    const [program = '', ...rest] = words
    if (outputs.some(({ path }) => path !== '/dev/null' && !/^\d$/.test(path))) return []
    if (program === 'cd') folder = rest[0] ?? ''
    else if (showing.has(program)) for (const file of filesAmong(program, rest)) files.push(inFolder(folder, file))
    else if (!filters.has(program)) return []
  }
  return files
}

/** Nobody types more to look at a file. */
const longestLine = 2000
/** Programs that print files. */
const showing = new Set(['cat', 'head', 'tail', 'sed', 'nl', 'bat', 'less', 'more', 'type', 'Get-Content', 'gc'])
/** Programs between or behind them that only choose lines or count. */
const filters = new Set(['grep', 'wc', 'echo', 'pwd', 'printf', 'true', 'sort', 'uniq', 'cut', 'column'])

function filesAmong(program: string, words: readonly string[]): readonly string[] {
  // Other uses of sed change files, or text on its way through.
  if (program === 'sed' && (!words.includes('-n') || words.some((word) => /^-\w*i|^--in-place/.test(word)))) return []
  const files: string[] = []
  let script = program === 'sed'
  for (const [index, word] of words.entries()) {
    if (word.startsWith('-') || /^\+?\d+$/.test(word)) continue
    if (script && words[index - 1] !== '-f') script = false
    else if (!/[*?$`]/.test(word)) files.push(word)
  }
  return files
}

function inFolder(folder: string, file: string): string {
  return folder === '' || /^(?:[/~]|[A-Za-z]:[\\/])/.test(file) ? file : `${folder}/${file}`
}
