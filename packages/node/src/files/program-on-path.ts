import { constants } from 'node:fs'
import { access, realpath } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { ifPossible } from './problem.ts'
import { isInside } from './read-text.ts'

/**
 * A program on the path that Plimsoll starts by itself, though never one that this folder brings: `npx` puts `node_modules/.bin` of the
 * folder before everything else, and a cloned repository may have programs of any name there.
 */
export async function programOnPath(
  program: string,
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
): Promise<string | null> {
  const name = process.platform === 'win32' ? `${program}.exe` : program
  for (const place of (environment['PATH'] ?? '').split(delimiter)) {
    const path = join(place, name)
    const real = () => access(path, constants.X_OK).then(() => realpath(path))
    const found = isAbsolute(place) ? await ifPossible(real(), null) : null
    // Some programs are links to one that acts by the name it is called with.
    if (found !== null && !isInside(folder, found) && !isInside(folder, path)) return path
  }
  return null
}
