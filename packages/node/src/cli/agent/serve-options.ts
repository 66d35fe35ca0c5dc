import { randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stateFolder } from '../../config/home-folder.ts'
import { codeOf } from '../../files/problem.ts'
import { isLoopbackHost } from '../../gateway/relay/host-guard.ts'
import type { PlimsollServer } from '../../server/create-server.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { CommandError } from '../command-io.ts'
import { quotedText } from '../terminal/text.ts'
import type { AgentCommandOptions } from './agent-options.ts'

export interface ServeCommandOptions extends Omit<AgentCommandOptions, 'print' | 'resume'> {
  readonly port?: string
  readonly host?: string
  readonly public?: boolean
  readonly token?: string
  readonly open?: boolean
}

export type ServePlace = Readonly<ReturnType<typeof servePlace>>

/** The variable for the token; other users of the machine see an option in the list of processes. */
export const tokenVariable = 'PLIMSOLL_SERVER_TOKEN'

/**
 * Reads the options and the environment. Throws `CommandError` for invalid values, and for dangerous ones that may be a mistake.
 */
export function servePlace(
  options: ServeCommandOptions,
  environment: Readonly<Record<string, string | undefined>>,
  { server }: Strings,
  /** Makes the token of a server that is given none. Default: a new one each time. */
  makeToken: () => string = newToken,
) {
  const strings = server.serve
  const host = hostOf(options.host ?? '127.0.0.1', strings)
  const given = tokenOf(options.token, tokenVariable, environment, strings)
  const isPublic = !isLoopbackHost(host)
  if (isPublic && options.public !== true) throw new CommandError(strings.needsPublic(host), 2)
  if (isPublic && given === null) throw new CommandError(strings.needsToken(host), 2)
  const token = given ?? makeToken()
  const ports: readonly number[] = options.port === undefined ? [firstPort, ...nextPorts] : [portOf(options.port, strings)]
  return { host, ports, token, isPublic }
}

function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * The token of this user's servers on this machine, made by the first of them: an open page finds a server again that was restarted. A file
 * that others could have read or written is replaced; without a place for it, each server has a new token.
 */
export function userToken(environment: Readonly<Record<string, string | undefined>>): string {
  const folder = stateFolder(environment)
  if (folder === null) return newToken()
  const file = join(folder, 'server-token')
  const known = readOwnToken(file)
  if (known !== null) return known
  const token = newToken()
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    rmSync(file, { force: true })
    writeFileSync(file, `${token}\n`, { flag: 'wx', mode: 0o600 })
    return token
  } catch {
    // Another server may have been faster.
    return readOwnToken(file) ?? token
  }
}

function readOwnToken(file: string): string | null {
  try {
    const facts = lstatSync(file)
    const isOwn = process.platform === 'win32' || (facts.uid === process.getuid?.() && (facts.mode & 0o077) === 0)
    const token = isOwn && facts.isFile() && facts.size < 300 ? readFileSync(file, 'utf8').trim() : ''
    return /^[\w-]{43}$/.test(token) ? token : null
  } catch {
    return null
  }
}

const firstPort = 7477

/** The port after it is the gateway's, which may be started later. */
const nextPorts = [7480, 7481, 7482, 7483, 7484, 7485, 7486, 7487]

export function hostOf(given: string, { badHost }: Strings['server']['serve']): string {
  if (!/^(?:[\w.-]{1,253}|[\da-f:.]{2,45})$/i.test(given)) throw new CommandError(badHost(quotedText(given)), 2)
  return given
}

export function portOf(given: string, { badPort }: Strings['server']['serve']): number {
  if (!/^\d{1,5}$/.test(given) || Number(given) > 65_535) throw new CommandError(badPort(quotedText(given)), 2)
  return Number(given)
}

/** The token of a flag, otherwise of a variable; null if neither is set. Throws `CommandError` for one that is easily guessed. */
export function tokenOf(
  flag: string | undefined,
  variable: string,
  environment: Readonly<Record<string, string | undefined>>,
  { badToken }: Strings['server']['serve'],
): string | null {
  const given = flag ?? (environment[variable] || null)
  if (given !== null && !/^[\w-]{16,200}$/.test(given))
    throw new CommandError(badToken(flag === undefined ? variable : '--token'), 2)
  return given
}

/** Listens on the first free port. Throws `CommandError` if there is none, or if listening fails otherwise. */
export async function listenNearby(
  server: Pick<PlimsollServer, 'listen'>,
  { host, ports }: Pick<ServePlace, 'host' | 'ports'>,
  { server: { serve } }: Strings,
): Promise<number> {
  for (const port of ports) {
    try {
      return (await server.listen(port)).port
    } catch (error) {
      const code = codeOf(error)
      if (code === null) throw error
      if (code !== 'EADDRINUSE') throw new CommandError(serve.cannotListen(host, String(port), serve.listenReason(code)), 1)
    }
  }
  const [first, last] = [String(ports[0]), String(ports.at(-1))]
  throw new CommandError(ports.length === 1 ? serve.portTaken(first) : serve.portsTaken(first, last), 1)
}
