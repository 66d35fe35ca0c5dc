import { userInfo } from 'node:os'
import { isAbsolute } from 'node:path'

/**
 * The home folder of whoever runs this: as the environment says, else as the system knows. Null where nobody knows it, as in a
 * container that runs under a number without a name.
 */
export function homeFolder(
  environment: Readonly<Record<string, string | undefined>>,
  ofSystem: () => string = () => userInfo().homedir,
): string | null {
  // A relative one would lead into whatever folder this is called in.
  const given = [environment['HOME'], environment['USERPROFILE']].find((path) => path !== undefined && isAbsolute(path))
  if (given !== undefined) return given
  try {
    const home = ofSystem()
    return isAbsolute(home) ? home : null
  } catch {
    return null
  }
}
