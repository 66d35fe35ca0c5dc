import { dirname, join } from 'node:path'
import { sessionsFolder } from '../session/session-folder.ts'

/** The folder of what gateways keep on this machine. Throws `SessionError` where there is no home. */
export function gatewayFolder(environment: Readonly<Record<string, string | undefined>>): string {
  return join(dirname(sessionsFolder(environment)), 'gateway')
}

/** Where gateways of this user remember things: as it is configured, else in a file in the state folder. */
export function storeLocation(configured: string | null, environment: Readonly<Record<string, string | undefined>>): string {
  return configured ?? join(gatewayFolder(environment), 'store.sqlite')
}

/** Whether it is a database that several machines may share. */
export function isSharedStore(location: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(location)
}
