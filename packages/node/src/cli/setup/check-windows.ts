import { modelFacts } from '@plimsoll/core'
import type { Config } from '@plimsoll/core/policies'
import { StoreError } from '../../store/gateway-store.ts'
import { openGatewayStore } from '../../store/open-gateway-store.ts'
import type { Strings } from '../../strings/strings-for.ts'
import type { CommandIo } from '../command-io.ts'
import { cleanText } from '../terminal/clean-text.ts'
import { grouped } from '../terminal/format-number.ts'
import { type DoctorCheck, note, wrong } from './doctor-check.ts'

/** Which windows are reckoned with, for the model that was named or those that went through the gateway last. */
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

/** Claude Code trusts only Anthropic's own address to know its models; what is set in this shell shows what it believes. */
function claudeTrap({ environment }: CommandIo, strings: Strings['gateway']['doctor']): readonly DoctorCheck[] {
  const address = environment['ANTHROPIC_BASE_URL'] ?? ''
  const isKnown = address === '' || URL.parse(address)?.host === 'api.anthropic.com'
  const isTold = ['_CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL', 'CLAUDE_CODE_MAX_CONTEXT_TOKENS'].some(
    (name) => (environment[name] ?? '') !== '',
  )
  return isKnown || isTold ? [] : [wrong('claude', strings.claudeWindow, strings.claudeAdvice)]
}

const mostModels = 5

async function modelsIn(location: string, { now }: CommandIo): Promise<readonly string[]> {
  try {
    const store = await openGatewayStore(location, { now })
    try {
      const names = new Set<string>()
      for (const tenant of await store.tenants())
        for (const { model } of await store.conversations(tenant, { limit: 20 })) if (model !== null) names.add(model)
      return [...names].slice(0, mostModels)
    } finally {
      await store.close()
    }
  } catch (error) {
    // The store's own check has said so.
    if (error instanceof StoreError) return []
    throw error
  }
}
