import { isSharedStore } from '../../store/gateway-store.ts'
import { type CommandIo, oneOf } from '../command-io.ts'
import { readSettings, sayNotices } from '../settings.ts'
import type { ColourOptions } from '../terminal/screen.ts'
import { hookedAgents, hookSettings } from './hook-agents.ts'
import { runHook } from './run-hook.ts'

/** Answers an agent's hook, or prints the settings that make the agent call it. */
export async function hookCommand(
  agent: string,
  options: ColourOptions & { readonly print?: boolean },
  io: CommandIo,
): Promise<void> {
  const { strings, config } = await readSettings({}, io)
  const { hook } = strings.gateway
  const chosen = oneOf(agent, hookedAgents, hook.badAgent)
  if (options.print !== true) return runHook(chosen, { ...io, write: io.stdout.write })
  const { file, settings } = hookSettings(chosen, 'plimsoll')
  const notices = [
    hook.putInto(file),
    hook.forGood,
    ...(chosen === 'codex' ? [hook.codex] : []),
    ...(isSharedStore(config.gateway.store ?? '') ? [hook.sharedStore] : []),
  ]
  sayNotices(io, notices, options)
  io.stdout.write(`${JSON.stringify(settings, null, 2)}\n`)
}
