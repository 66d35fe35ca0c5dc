import { shownPath } from '../workspace.ts'

/** Why a glob pattern cannot be used, or null. */
export function troubleInGlob(glob: string): string | null {
  const shown = `the pattern ${JSON.stringify(shownPath(glob.slice(0, 80)))}`
  if (glob.trim() === '') return 'the pattern is empty'
  if (glob.length > longestGlob) return `${shown} has ${glob.length} characters; at most ${longestGlob} are allowed`
  if (glob.includes('\0')) return `${shown} holds a NUL character`
  // Wildcards become a regular expression whose time grows with the power of their number.
  if (glob.split('/').some((segment) => countRuns(segment) > mostStars) || (glob.match(/\*\*/g) ?? []).length > mostGlobstars)
    return `${shown} has too many "*"; at most ${mostStars} in a name and ${mostGlobstars} "**" in all are allowed`
  const spellings = expandBraces(glob)
  if (spellings === null) return `${shown} has too many alternatives in braces`
  return spellings.some(leadsUp) ? `${shown} leads out of the workspace` : null
}

/**
 * Whether a path matches one of several patterns, each of which `troubleInGlob` has nothing against. A pattern without `/` matches
 * names in every folder, one with `/` paths from the workspace's folder; `{a,b}` are alternatives, and a `!` in front turns a
 * pattern round.
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

const longestGlob = 500
const mostStars = 3
const mostGlobstars = 4
const mostAlternatives = 100

/** A backslash before a dot leaves it a dot. */
function leadsUp(spelling: string): boolean {
  return /^!?(?:.*\/)?\.\.(?:\/|$)/.test(spelling.replaceAll(/\\(?=[./])/g, ''))
}

function countRuns(segment: string): number {
  return (segment.match(/\*+/g) ?? []).length
}

/** `./` says nothing, and `#` begins a comment in the rules that patterns become. */
function literalStart(pattern: string): string {
  const bare = pattern.replace(/^(?:\.\/+)+/, '/')
  return /^[#!]/.test(bare) ? `\\${bare}` : bare
}

/** Every spelling that braces stand for; null where there are too many. Unclosed braces stand for themselves. */
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
      if (next.length > mostAlternatives) return null
    }
    spellings = next
  }
  return spellings
}

/** The patterns for the files of a language; a word that names none is taken for the ending of files. */
export function globsOfType(type: string): readonly string[] {
  const name = type.toLowerCase().replace(/^\./, '')
  const endings = Object.hasOwn(types, name) ? types[name] : undefined
  return (endings ?? [name]).map((ending) => `*.${ending}`)
}

const types: Readonly<Record<string, readonly string[]>> = {
  ts: ['ts', 'tsx', 'mts', 'cts'],
  typescript: ['ts', 'tsx', 'mts', 'cts'],
  js: ['js', 'jsx', 'mjs', 'cjs', 'vue'],
  javascript: ['js', 'jsx', 'mjs', 'cjs', 'vue'],
  py: ['py', 'pyi'],
  python: ['py', 'pyi'],
  rust: ['rs'],
  ruby: ['rb', 'gemspec'],
  c: ['c', 'h'],
  cpp: ['cpp', 'cc', 'cxx', 'hpp', 'hh', 'hxx', 'h'],
  csharp: ['cs'],
  kotlin: ['kt', 'kts'],
  markdown: ['md', 'markdown', 'mdx'],
  md: ['md', 'markdown', 'mdx'],
  yaml: ['yaml', 'yml'],
  html: ['html', 'htm'],
  css: ['css', 'scss', 'sass', 'less'],
  sh: ['sh', 'bash', 'zsh'],
  shell: ['sh', 'bash', 'zsh'],
}
