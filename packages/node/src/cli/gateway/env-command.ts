import { urlHost } from '../../server/host-names.ts'
import { portOf } from '../agent/serve-options.ts'
import { CommandError, type CommandIo, oneOf } from '../command-io.ts'
import { readSettings, sayNotices } from '../settings.ts'
import type { ColourOptions } from '../terminal/screen.ts'
import { quotedText } from '../terminal/text.ts'
import { writeJson } from '../terminal/write-out.ts'
import {
  exportLine,
  functionLine,
  piExtension,
  type Shell,
  shells,
  unsetFunctionLine,
  unsetLine,
  wireAgent,
  wiredAgents,
} from './agent-wiring.ts'
import { reachedAt } from './gateway-place.ts'
import { codexLogin, hasCopilotModel } from './own-environment.ts'
import { takesNoAddress } from './past-gateway.ts'

interface EnvOptions extends ColourOptions {
  readonly port?: string
  readonly unset?: boolean
  readonly shell?: string
  readonly json?: boolean
}

/** Prints lines for a shell that point an agent at the gateway, or undo that. Changes nothing on its own. */
export async function envCommand(given: string, options: EnvOptions, io: CommandIo): Promise<void> {
  const { strings, config } = await readSettings({ json: options.json === true }, io)
  const { env } = strings.gateway
  if (takesNoAddress(given)) throw new CommandError(strings.gateway.run.noAddress, 2)
  const agent = oneOf(given, wiredAgents, env.unknownAgent)
  const wanted = options.shell ?? 'sh'
  const shell = oneOf(shellNamesOf[wanted] ?? wanted, shells, (_, known) => env.unknownShell(quotedText(wanted), known))
  const { gateway: settings } = config
  const port = options.port === undefined ? settings.port : portOf(options.port, strings.server.serve)
  if (port === 0) throw new CommandError(env.anyPort, 2)
  const wiring = wireAgent(agent, {
    address: `http://${urlHost(reachedAt(settings.host))}:${port}`,
    paths: { anthropic: '', openai: '/v1', gemini: '' },
    // It is unknown how a running gateway was started.
    isAnthropic: false,
    isAnthropicUnchanged: false,
    hasCodexLogin: codexLogin(io.environment) !== 'none',
    piExtension,
    environment: io.environment,
  })
  if (options.json === true) return writeJson(wiring, agent, strings, io.stdout)
  const isUnset = options.unset === true
  const lines = [
    ...Object.entries(wiring.variables).flatMap(([name, value]) =>
      isUnset
        ? giveBack(shell, name, io.environment)
        : [...keep(shell, name, value, io.environment), exportLine(shell, name, value)],
    ),
    ...(wiring.arguments.length === 0
      ? []
      : [isUnset ? unsetFunctionLine(shell, agent) : functionLine(shell, agent, wiring.arguments)]),
  ]
  io.stdout.write(`${lines.join('\n')}\n`)
  if (isUnset) return
  if (agent === 'gemini') sayNotices(io, [env.geminiLogin], options)
  if (agent === 'copilot' && !hasCopilotModel(io.environment)) sayNotices(io, [env.copilotModel], options)
}

/** Where a shell keeps the user's own value, so that `--unset` can give it back. */
const keptName = (name: string) => `PLIMSOLL_OWN_${name}`

function keep(shell: Shell, name: string, value: string, environment: CommandIo['environment']): readonly string[] {
  const own = environment[name] ?? ''
  const isKept = environment[keptName(name)] !== undefined
  return own === '' || own === value || isKept ? [] : [exportLine(shell, keptName(name), own)]
}

function giveBack(shell: Shell, name: string, environment: CommandIo['environment']): readonly string[] {
  const own = environment[keptName(name)]
  return own === undefined ? [unsetLine(shell, name)] : [exportLine(shell, name, own), unsetLine(shell, keptName(name))]
}

const shellNamesOf: Readonly<Record<string, string>> = { bash: 'sh', zsh: 'sh', pwsh: 'powershell' }
