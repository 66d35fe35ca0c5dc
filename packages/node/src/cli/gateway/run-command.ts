import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, resolve as resolvePath } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { GatewaySettings } from '@plimsoll/core/policies'
import { unusableProxies } from '../../config/upstream-address.ts'
import { codeOf } from '../../files/problem.ts'
import { isSharedStore } from '../../store/gateway-store.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { type OpenInspector, openInspector } from '../agent/serve-command.ts'
import { tokenVariable } from '../agent/serve-options.ts'
import { CommandError, type CommandIo, EndedWith } from '../command-io.ts'
import { isLogHidden, openTrimLog } from '../open-log.ts'
import { readSettings, sayNotices } from '../settings.ts'
import type { ColourOptions } from '../terminal/screen.ts'
import { cleanText } from '../terminal/text.ts'
import { agentOf, piExtension, wireAgent } from './agent-wiring.ts'
import { type GatewayPlace, gatewayPlace, gatewayTokenVariable } from './gateway-place.ts'
import { cutsReads, forOtherAgents, openGateway, tallyText } from './open-gateway.ts'
import {
  type ChosenUpstreams,
  codexLogin,
  hasCopilotModel,
  hasGeminiLogin,
  hasGeminiRecall,
  loopbackPastProxies,
  ownUpstreams,
} from './own-environment.ts'
import { pastGateway, takesNoAddress } from './past-gateway.ts'
import { windowsProgram } from './windows-program.ts'

export interface RunOptions extends ColourOptions {
  readonly strings?: string
  readonly timing?: string
  readonly trim?: string
  readonly upstream?: readonly string[]
  readonly unencrypted?: boolean
  readonly store?: string
  readonly keepText?: boolean
  readonly keepCacheAlive?: boolean
  readonly inspector?: boolean
  readonly open?: boolean
}

/**
 * Runs an agent through its own gateway in this process and exits with the agent's code, by throwing `EndedWith`. No file of the user
 * is changed.
 */
export async function runCommand(command: readonly string[], options: RunOptions, io: CommandIo): Promise<void> {
  const settings = await readSettings({ strings: options.strings, timing: options.timing }, io)
  const { strings } = settings
  const { config, limited } = forOtherAgents(settings.config, settings.origins)
  const { run } = strings.gateway
  const say = (...notices: readonly string[]) => sayNotices(io, notices.map(cleanText), options)
  const [program = '', ...rest] = command
  if (isMissing(program, io)) throw new CommandError(run.notFound(cleanText(program)), 127)
  const agent = agentOf(program)
  const login = agent === 'codex' ? codexLogin(io.environment) : 'none'
  const configured = ownUpstreams(config.gateway.upstreams, io.environment, agent)
  // Codex with an account of ChatGPT uses another service than with a key.
  const chatGpt = { url: 'https://chatgpt.com/backend-api/codex', path: '', variable: null }
  const own = login === 'chatgpt' ? { ...configured, openai: chatGpt } : configured
  const place = placeFor(own, options, config.gateway, io, strings)
  // The agent draws on the terminal.
  const trimLog = openTrimLog(settings, io, { ...options, isDrawn: true })
  const gateway = await openGateway({ place, config, isWindowSet: settings.windowSetBy !== null, io, strings, trimLog })
  let inspector: OpenInspector | null = null
  let hasEnded = false
  try {
    say(...settings.warnings, run.ready(gateway.address, place.mode))
    if (place.keepsCacheAlive) say(place.mode === 'observe' ? strings.gateway.keepsNothing : strings.gateway.keepsCache)
    const proxies = unusableProxies(io.environment).join(', ')
    if (proxies !== '') say(strings.gateway.unusableProxy(proxies))
    if (limited.length > 0 && cutsReads(place.mode)) say(strings.gateway.readLimits(limited.join(', ')))
    if (isLogHidden(settings, io, true)) say(strings.command.logHidden)
    for (const { variable, url } of Object.values(own)) if (variable !== null) say(run.ownUpstream(variable, url))
    if (takesNoAddress(program)) say(run.noAddress)
    const elsewhere = pastGateway(program, io).variables.join(', ')
    if (elsewhere !== '') say(run.elsewhere(elsewhere))
    if (agent === 'gemini' && !hasGeminiLogin(io)) say(run.geminiLogin)
    const isRecallable = place.mode !== 'observe' && config.gateway.recall === 'handle'
    if (agent === 'gemini' && isRecallable && !hasGeminiRecall(io)) say(run.geminiRecall)
    if (agent === 'copilot' && !hasCopilotModel(io.environment)) say(strings.gateway.env.copilotModel)
    if (options.inspector !== false) inspector = await openInspector({ ...options, store: place.store }, io)
    if (inspector !== null)
      say(inspector.address === null ? run.noInspector(inspector.problem) : run.inspector(inspector.address))
    const wiring = wireAgent(agent, {
      address: gateway.address,
      paths: { anthropic: own.anthropic.path, openai: own.openai.path, gemini: own.gemini.path },
      ...reachesAnthropic(place),
      hasCodexLogin: login !== 'none',
      piExtension,
      environment: io.environment,
      ...(isRecallable ? { recall: recallCommand(place) } : {}),
    })
    const code = await runToItsEnd(program, [...wiring.arguments, ...rest], wiring.variables, io, strings)
    hasEnded = true
    throw new EndedWith(code)
  } finally {
    await inspector?.close()
    await gateway.close()
    say(tallyText(gateway.tally(), strings.gateway))
    // Printing its help needs no model.
    if (hasEnded && !gateway.hasArrived() && !rest.some((word) => /^(?:-h|--help|-[vV]|--version)$/.test(word))) {
      const { variables, files } = pastGateway(program, io)
      say(takesNoAddress(program) ? run.noAddress : run.noRequests(variables.join(', '), files.join(', ')))
    }
  }
}

/** Whether there is no such program, so that nothing has to be opened for it. On Windows, starting it tells. */
function isMissing(program: string, io: CommandIo): boolean {
  const { environment, folder, platform } = io
  if (platform === 'win32') return windowsProgram(program, io) === null
  const { PATH: path } = environment
  if (path === undefined) return false
  const folders = program.includes('/') ? [''] : path.split(delimiter)
  return !folders.some((place) => existsSync(resolvePath(folder, place, program)))
}

/** A model that reads “recall 92922e” needs the tool. The address of a database may have a password, which other users could read in a list of processes. */
function recallCommand({ store }: GatewayPlace): readonly [string, ...string[]] {
  const program = fileURLToPath(new URL('../../../bin/plimsoll.js', import.meta.url))
  return [process.execPath, program, 'mcp', ...(isSharedStore(store) ? [] : ['--store', store])]
}

/** Whether Anthropic itself receives an agent's requests; and if so, byte for byte. */
export function reachesAnthropic({ mode, upstreams }: Pick<GatewayPlace, 'mode' | 'upstreams'>) {
  const isAnthropic = upstreams.anthropic === 'https://api.anthropic.com'
  return { isAnthropic, isAnthropicUnchanged: isAnthropic && mode === 'observe' }
}

function placeFor(
  own: ChosenUpstreams,
  { trim, upstream, unencrypted, store, keepText, keepCacheAlive }: RunOptions,
  settings: GatewaySettings,
  io: CommandIo,
  strings: Strings,
): GatewayPlace {
  const upstreams = { anthropic: own.anthropic.url, openai: own.openai.url, gemini: own.gemini.url }
  const options = {
    port: '0',
    host: '127.0.0.1',
    // Lines of a log would appear in the middle of the agent's screen.
    log: 'silent',
    ...(trim === undefined ? {} : { trim }),
    ...(upstream === undefined ? {} : { upstream }),
    ...(unencrypted === undefined ? {} : { unencrypted }),
    ...(store === undefined ? {} : { store }),
    ...(keepText === undefined ? {} : { keepText }),
    ...(keepCacheAlive === undefined ? {} : { keepCacheAlive }),
  }
  // The agent would need the token, and only this machine reaches the gateway anyway.
  const environment = { ...io.environment, [gatewayTokenVariable]: undefined }
  return gatewayPlace(options, { ...settings, upstreams }, { ...io, environment }, strings)
}

/** Runs a program with our own input and output, and returns the code that a shell would. Throws if it cannot be started. */
async function runToItsEnd(
  program: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
  io: CommandIo,
  strings: Strings,
): Promise<number> {
  const { notFound, notExecutable, cannotRun } = strings.gateway.run
  const env: Record<string, string | undefined> = { ...io.environment, ...loopbackPastProxies(io.environment), ...variables }
  for (const secret of [tokenVariable, gatewayTokenVariable]) delete env[secret]
  const [file, ...before] = (io.platform === 'win32' ? windowsProgram(program, io) : null) ?? [program]
  const child = spawn(file, [...before, ...args], { stdio: 'inherit', env, cwd: io.folder })
  const forget = io.onSignal?.((signal) => {
    // A terminal sends Ctrl-C to both processes; a signal to this one alone is meant for the agent.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  })
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', (error) => {
        const code = codeOf(error) ?? 'unknown'
        const shown = cleanText(program)
        if (code === 'ENOENT') reject(new CommandError(notFound(shown), 127))
        else if (code === 'EACCES') reject(new CommandError(notExecutable(shown), 126))
        else reject(new CommandError(cannotRun(shown, strings.session.reason(code)), 126))
      })
      child.once('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])))
    })
  } finally {
    forget?.()
  }
}
