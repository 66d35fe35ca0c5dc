/** One key for all spellings of a file: relative to the root if inside, else the full path. Empty if it cannot be a file. */
export function pathKey(path: string, root: string | undefined, platform: string | undefined): string {
  if (path.trim() === '' || path.includes('\0')) return ''
  const windows = platform === 'win32' || isWindowsAbsolute(path) || (root !== undefined && isWindowsAbsolute(root))
  const foldsCase = windows || platform === 'darwin'
  const base = root === undefined || root.trim() === '' ? null : split(root, windows, foldsCase)
  const given = split(path, windows, foldsCase)
  const whole =
    given.absolute || base === null
      ? given
      : { ...given, prefix: base.prefix, names: resolve([...base.names, ...given.names], true) }
  return base === null ? join(whole) : joinRelative(whole, base)
}

interface SplitPath {
  readonly absolute: boolean
  /** `/`, `c:/`, `//server/share/`, or empty for a relative path. */
  readonly prefix: string
  readonly names: readonly string[]
}

function isWindowsAbsolute(path: string): boolean {
  return /^[A-Za-z]:[\\/]/.test(path) || path.startsWith('\\\\')
}

function split(path: string, windows: boolean, foldsCase: boolean): SplitPath {
  const slashed = windows ? path.replaceAll('\\', '/') : path
  const folded = foldsCase ? slashed.toLowerCase() : slashed
  const prefix = (windows ? /^(?:[A-Za-z]:\/|\/\/[^/]+\/[^/]+\/?|\/)/ : /^\//).exec(folded)?.[0] ?? ''
  const names = folded.slice(prefix.length).split('/')
  // A share is a root with or without a final slash.
  return { absolute: prefix !== '', prefix: prefix.replace(/[^/]$/, '$&/'), names: resolve(names, prefix !== '') }
}

function resolve(names: readonly string[], absolute: boolean): readonly string[] {
  const result: string[] = []
  for (const name of names) {
    if (name === '' || name === '.') continue
    if (name !== '..') result.push(name)
    else if (result.length > 0 && result.at(-1) !== '..') result.pop()
    else if (!absolute) result.push(name)
  }
  return result
}

function join({ prefix, names }: SplitPath): string {
  return prefix + names.join('/') || '.'
}

function joinRelative(path: SplitPath, base: SplitPath): string {
  const inside = path.prefix === base.prefix && base.names.every((name, index) => path.names[index] === name)
  return inside ? path.names.slice(base.names.length).join('/') || '.' : join(path)
}
