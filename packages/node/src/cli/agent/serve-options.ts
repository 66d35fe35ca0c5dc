import { randomBytes } from 'node:crypto'
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
) {
  const strings = server.serve
  const host = hostOf(options.host ?? '127.0.0.1', strings)
  const given = tokenOf(options.token, tokenVariable, environment, strings)
  const isPublic = !isLoopbackHost(host)
  if (isPublic && options.public !== true) throw new CommandError(strings.needsPublic(host), 2)
  if (isPublic && given === null) throw new CommandError(strings.needsToken(host), 2)
  const token = given ?? randomBytes(32).toString('base64url')
  const ports: readonly number[] = options.port === undefined ? [firstPort, ...nextPorts] : [portOf(options.port, strings)]
  return { host, ports, token, isPublic }
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
