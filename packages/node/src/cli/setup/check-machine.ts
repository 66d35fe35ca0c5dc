import { statSync } from 'node:fs'
import { createServer } from 'node:net'
import { modelFacts } from '@plimsoll/core'
import type { Config } from '@plimsoll/core/policies'
import { homeFolder } from '../../config/home-folder.ts'
import { urlHost } from '../../server/host-names.ts'
import { StoreError } from '../../store/gateway-store.ts'
import { openGatewayStore } from '../../store/open-gateway-store.ts'
import { gatewayFolder } from '../../store/store-location.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { type CommandIo, closing } from '../command-io.ts'
import { type GatewayPlace, storeName } from '../gateway/gateway-place.ts'
import { cleanText, grouped, tildePath } from '../terminal/text.ts'

/** The result of one check. */
export interface DoctorCheck {
  readonly name: string
  readonly state: 'ok' | 'problem' | 'note'
  readonly text: string
  readonly advice: string | null
}

export function well(name: string, text: string): DoctorCheck {
  return { name, state: 'ok', text, advice: null }
}

export function wrong(name: string, text: string, advice: string): DoctorCheck {
  return { name, state: 'problem', text, advice }
}

export function note(name: string, text: string, advice: string | null = null): DoctorCheck {
  return { name, state: 'note', text, advice }
}

const oldestNode = [22, 18] as const

export function checkNode(version: string, { gateway: { doctor } }: Strings): DoctorCheck {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isNew = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])
  return isNew
    ? well('node', doctor.node(version))
    : wrong('node', doctor.oldNode(version, oldestNode.join('.')), doctor.newerNode)
}

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

export async function checkStore(location: string, io: CommandIo, strings: Strings): Promise<DoctorCheck> {
  const { doctor, storeProblem } = strings.gateway
  try {
    await closing(await openGatewayStore(location, { now: io.now }), (store) => store.check())
    return well('store', doctor.storeOpens(cleanText(storeName(location, io, strings))))
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return wrong('store', storeProblem(cleanText(storeName(location, io, strings)), cleanText(error.message)), doctor.fixStore)
  }
}

/** Checks who has the gateway's port, or what answers at an address that the user named. */
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

/** Reports the windows of the named model, or of the latest ones that went through the gateway. */
export async function checkWindows(
  { model, location, config }: { readonly model: string | null; readonly location: string; readonly config: Config },
  io: CommandIo,
  { gateway: { doctor } }: Strings,
): Promise<readonly DoctorCheck[]> {
  const models = model === null ? await modelsIn(location, io) : [model]
  return [
    ...models.map((name) => {
      const own = Object.hasOwn(config.models, name) ? config.models[name]?.window : undefined
      const window = own ?? modelFacts(name).window
      const shown = cleanText(name)
      return window === null
        ? note(`window:${shown}`, doctor.unknownWindow(shown), doctor.setWindow)
        : note(`window:${shown}`, doctor.window(shown, grouped(window)))
    }),
    ...claudeTrap(io, doctor),
  ]
}

/** Claude Code trusts only Anthropic's own address to know its models. */
function claudeTrap({ environment }: CommandIo, strings: Strings['gateway']['doctor']): readonly DoctorCheck[] {
  const address = environment['ANTHROPIC_BASE_URL'] ?? ''
  const isKnown = address === '' || URL.parse(address)?.host === 'api.anthropic.com'
  const isTold = ['_CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL', 'CLAUDE_CODE_MAX_CONTEXT_TOKENS'].some(
    (name) => (environment[name] ?? '') !== '',
  )
  return isKnown || isTold ? [] : [wrong('claude', strings.claudeWindow, strings.claudeAdvice)]
}

const maxModels = 5

async function modelsIn(location: string, { now }: CommandIo): Promise<readonly string[]> {
  try {
    return await closing(await openGatewayStore(location, { now }), async (store) => {
      const names = new Set<string>()
      for (const tenant of await store.tenants())
        for (const { model } of await store.conversations(tenant, { limit: 20 })) if (model !== null) names.add(model)
      return [...names].slice(0, maxModels)
    })
  } catch (error) {
    // The store's own check has reported it.
    if (error instanceof StoreError) return []
    throw error
  }
}
