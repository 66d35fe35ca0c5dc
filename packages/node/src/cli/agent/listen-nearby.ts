import { codeOf } from '../../files/trouble.ts'
import type { PlimsollServer } from '../../server/create-server.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { CommandError } from '../command-error.ts'
import type { ServePlace } from './serve-options.ts'

/** Listens at the first of the ports that is free. Throws `CommandError` where none is, or where listening fails otherwise. */
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
