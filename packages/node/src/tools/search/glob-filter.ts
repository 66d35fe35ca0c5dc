import { shownPath } from '../workspace.ts'

/** Why a glob pattern cannot be used, or null. */
export function troubleInGlob(glob: string): string | null {
  const shown = `the pattern ${JSON.stringify(shownPath(glob.slice(0, 80)))}`
  if (glob.trim() === '') return 'the pattern is empty'
  if (glob.length > maxGlob) return `${shown} has ${glob.length} characters; at most ${maxGlob} are allowed`
  if (glob.includes('\0')) return `${shown} holds a NUL character`
  // Wildcards become a regular expression whose time grows with the power of their number.
  if (
    glob.split('/').some((segment) => (segment.match(/\*+/g) ?? []).length > maxStars) ||
    (glob.match(/\*\*/g) ?? []).length > maxGlobstars
  )
    return `${shown} has too many "*"; at most ${maxStars} in a name and ${maxGlobstars} "**" in all are allowed`
  const spellings = expandBraces(glob)
  if (spellings === null) return `${shown} has too many alternatives in braces`
  return spellings.some(leadsUp) ? `${shown} leads out of the workspace` : null
}

/**
 * Whether a path matches one of several patterns that `troubleInGlob` accepts. A pattern without `/` matches names in every folder,
 * one with `/` paths from the workspace's folder; `{a,b}` are alternatives, and a `!` in front negates a pattern.
 */
export async function createGlobFilter(globs: readonly string[]): Promise<(path: string) => boolean> {
  const { default: ignore } = await import('ignore')
  const filters = globs.map((glob) => {
    const isNegative = glob.startsWith('!')
    const patterns = (expandBraces(isNegative ? glob.slice(1) : glob) ?? []).map(literalStart)
    const rules = ignore({ ignoreCase: false }).add(patterns)
    return (path: string) => ignore.isPathValid(path) && rules.ignores(path) !== isNegative
  })
  return (path) => filters.some((matches) => matches(path))
}

const maxGlob = 500
const maxStars = 3
const maxGlobstars = 4
const maxAlternatives = 100

/** A backslash before a dot leaves it a dot. */
function leadsUp(spelling: string): boolean {
  return /^!?(?:.*\/)?\.\.(?:\/|$)/.test(spelling.replaceAll(/\\(?=[./])/g, ''))
}

/** `./` says nothing, and `#` starts a comment in the rules that patterns become. */
function literalStart(pattern: string): string {
  const bare = pattern.replace(/^(?:\.\/+)+/, '/')
  return /^[#!]/.test(bare) ? `\\${bare}` : bare
}

/** Every spelling that braces stand for; null if there are too many. Unclosed braces stand for themselves. */
function expandBraces(glob: string): readonly string[] | null {
  let spellings: readonly string[] = [glob]
  for (let pending = true; pending; ) {
    pending = false
    const next: string[] = []
    for (const spelling of spellings) {
      // The innermost first, so that a pair of braces never holds another.
      const braces = /\{([^{},]*(?:,[^{},]*)+)\}/.exec(spelling)
      if (braces === null) next.push(spelling)
      else {
        pending = true
        const [head, tail] = [spelling.slice(0, braces.index), spelling.slice(braces.index + braces[0].length)]
        for (const alternative of (braces[1] as string).split(',')) next.push(head + alternative + tail)
      }
      if (next.length > maxAlternatives) return null
    }
    spellings = next
  }
  return spellings
}

/** The patterns for the files of a language; any other word is taken for a file extension. */
export function globsOfType(type: string): readonly string[] {
  const name = type.toLowerCase().replace(/^\./, '')
  const extensions = types.find(([names]) => names.split(' ').includes(name))?.[1] ?? name
  return extensions.split(' ').map((extension) => `*.${extension}`)
}

const types = [
  ['ts typescript', 'ts tsx mts cts'],
  ['js javascript', 'js jsx mjs cjs vue'],
  ['py python', 'py pyi'],
  ['rust', 'rs'],
  ['ruby', 'rb gemspec'],
  ['c', 'c h'],
  ['cpp', 'cpp cc cxx hpp hh hxx h'],
  ['csharp', 'cs'],
  ['kotlin', 'kt kts'],
  ['md markdown', 'md markdown mdx'],
  ['yaml', 'yaml yml'],
  ['html', 'html htm'],
  ['css', 'css scss sass less'],
  ['sh shell', 'sh bash zsh'],
] as const
