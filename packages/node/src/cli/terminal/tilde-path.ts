/** A path with the user's own folder as `~`. */
export function tildePath(path: string, home: string | null): string {
  if (home === null || home === '' || home === '/') return path
  const isBelow = path === home || path.startsWith(`${home}/`) || path.startsWith(`${home}\\`)
  return isBelow ? `~${path.slice(home.length)}` : path
}
