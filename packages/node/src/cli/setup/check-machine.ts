import { statSync } from 'node:fs'
import { createServer } from 'node:net'
import { homeFolder } from '../../config/home-folder.ts'
import { urlHost } from '../../server/host-names.ts'
import { StoreError } from '../../store/gateway-store.ts'
import { openGatewayStore } from '../../store/open-gateway-store.ts'
import { gatewayFolder } from '../../store/store-location.ts'
import type { Strings } from '../../strings/strings-for.ts'
import type { CommandIo } from '../command-io.ts'
import { storeName } from '../gateway/gateway-command.ts'
import type { GatewayPlace } from '../gateway/gateway-place.ts'
import { cleanText } from '../terminal/clean-text.ts'
import { tildePath } from '../terminal/tilde-path.ts'
import { type DoctorCheck, note, well, wrong } from './doctor-check.ts'

/** The oldest Node that runs all of this. */
const oldestNode = [22, 18] as const

/** Whether this runs on a Node that is new enough. */
export function checkNode(version: string, { gateway: { doctor } }: Strings): DoctorCheck {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isNew = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])
  return isNew
    ? well('node', doctor.node(version))
    : wrong('node', doctor.oldNode(version, oldestNode.join('.')), doctor.newerNode)
}

/** Whether nobody else can read what a gateway keeps on this machine. */
export function checkFolder({ environment, platform }: CommandIo, { gateway: { doctor } }: Strings): DoctorCheck {
  const folder = gatewayFolder(environment)
  const shown = cleanText(tildePath(folder, homeFolder(environment)))
  try {
    const { mode } = statSync(folder)
    const isOpen = platform !== 'win32' && (mode & 0o077) !== 0
    if (!isOpen) return well('folder', doctor.folder(shown))
    return wrong('folder', doctor.openFolder(shown, (mode & 0o777).toString(8)), doctor.closeFolder(shown))
  } catch {
    return note('folder', doctor.noFolder(shown))
  }
}

/** Whether the store can be opened and answers. */
export async function checkStore(location: string, io: CommandIo, strings: Strings): Promise<DoctorCheck> {
  const { doctor, storeTrouble } = strings.gateway
  try {
    const store = await openGatewayStore(location, { now: io.now })
    try {
      await store.check()
    } finally {
      await store.close()
    }
    return well('store', doctor.storeOpens(cleanText(storeName(location, io, strings))))
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return wrong('store', storeTrouble(cleanText(error.message)), doctor.fixStore)
  }
}

/** Who has the gateway's port, or what is at an address that somebody named. */
export async function checkPort(
  { host, ports }: Pick<GatewayPlace, 'host' | 'ports'>,
  url: string | undefined,
  { gateway: { doctor } }: Strings,
): Promise<DoctorCheck> {
  const port = ports[0] ?? 0
  const address = url ?? `http://${urlHost(host)}:${port}`
  const alive = await ask(`${address}/livez`)
  if (alive?.status === 200 && alive.text.trim() === 'alive') {
    const ready = await ask(`${address}/readyz`)
    return ready?.status === 200
      ? well('gateway', doctor.gatewayAlive(cleanText(address)))
      : wrong('gateway', doctor.gatewayNotReady(cleanText(address)), doctor.checkStore)
  }
  if (url !== undefined) return wrong('gateway', doctor.gatewayGone(cleanText(url)), doctor.startGateway)
  if (await isFree(host, port)) return well('port', doctor.portFree(String(port)))
  return wrong('port', doctor.portTaken(String(port)), doctor.otherPort)
}

async function ask(address: string): Promise<{ readonly status: number; readonly text: string } | null> {
  try {
    const answer = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(5000) })
    return { status: answer.status, text: (await answer.text()).slice(0, 1000) }
  } catch {
    return null
  }
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}
