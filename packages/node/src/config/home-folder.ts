import { userInfo } from 'node:os'
import { isAbsolute } from 'node:path'

/** The user's home folder: from the environment, else from the system. Null if both lack it, as for a user without a name in a container. */
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
