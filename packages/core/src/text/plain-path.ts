import { openContainer, skipSpace, skipValue } from './json-spans.ts'
import type { Path } from './patch.ts'

/**
 * Whether a path leads to one place of a JSON text only: no object on the way has its field twice. Readers do not agree on which of two
 * fields of one name counts. False where the path leads nowhere.
 */
export function isPlainPath(text: string, path: Path): boolean {
  let start = skipSpace(text, 0)
  for (const step of path) {
    const found = findStep(text, start, step)
    if (found === null) return false
    start = found
  }
  return true
}

function findStep(text: string, start: number, step: string | number): number | null {
  const container = openContainer(text, start)
  if (container === null || (container.kind === 'list') !== (typeof step === 'number')) return null
  let found: number | null = null
  for (let index = 0; container.next(); index += 1) {
    const name = container.kind === 'object' ? container.key() : index
    const position = container.position()
    if (name === step) {
      if (found !== null) return null
      found = position
      if (container.kind === 'list') return found
    }
    container.leave(skipValue(text, position))
  }
  return found
}
