import { userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'

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

/** The folder of the user's configuration: under `XDG_CONFIG_HOME` if that is an absolute path, else under `~/.config`. */
export function userFolder(environment: Readonly<Record<string, string | undefined>>): string | null {
  const configured = environment['XDG_CONFIG_HOME'] ?? ''
  const home = homeFolder(environment)
  const folder = isAbsolute(configured) ? configured : home === null ? null : join(home, '.config')
  return folder === null ? null : join(folder, 'plimsoll')
}

/** The folder of sessions and the gateway's store: under `XDG_STATE_HOME` if that is an absolute path, else under `~/.local/state`. */
export function stateFolder(
  environment: Readonly<Record<string, string | undefined>>,
  home: string | null = homeFolder(environment),
): string | null {
  const given = environment['XDG_STATE_HOME'] ?? ''
  const folder = isAbsolute(given) ? given : home === null ? null : join(home, '.local', 'state')
  return folder === null ? null : join(folder, 'plimsoll')
}

/** The folder of what gateways and hooks keep on this machine; null if there is no home. */
export function gatewayFolderIn(environment: Readonly<Record<string, string | undefined>>): string | null {
  const state = stateFolder(environment)
  return state === null ? null : join(state, 'gateway')
}

/** The folder of files that can be made again at any time: under `XDG_CACHE_HOME` if that is an absolute path, else under `~/.cache`. */
export function cacheFolder(environment: Readonly<Record<string, string | undefined>>): string | null {
  const given = environment['XDG_CACHE_HOME'] ?? ''
  const home = homeFolder(environment)
  const folder = isAbsolute(given) ? given : home === null ? null : join(home, '.cache')
  return folder === null ? null : join(folder, 'plimsoll')
}
