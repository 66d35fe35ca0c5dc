import { join } from 'node:path'
import { gatewayFolderIn } from '../config/home-folder.ts'
import { SessionError } from '../session/session-error.ts'
import { storeFile } from './gateway-store.ts'

/** The folder of what gateways keep on this machine. Throws `SessionError` if there is no home. */
export function gatewayFolder(environment: Readonly<Record<string, string | undefined>>): string {
  const folder = gatewayFolderIn(environment)
  if (folder === null) throw new SessionError({ kind: 'no-home' })
  return folder
}

/** The location of this user's store: as configured, else a file in the state folder. */
export function storeLocation(configured: string | null, environment: Readonly<Record<string, string | undefined>>): string {
  return configured ?? join(gatewayFolder(environment), storeFile)
}
