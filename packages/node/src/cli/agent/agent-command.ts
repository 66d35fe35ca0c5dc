import { resultText } from '@plimsoll/core'
import { usageTotal } from '@plimsoll/core/bill'
import type { TurnOutcome } from '../../agent/agent.ts'
import { modesAllowing } from '../../agent/turn/permissions.ts'
import type { AgentEvent, Emit, ToolCallStart } from '../../shared/event.ts'
import { agentErrorText, noticeText } from '../../shared/strings/strings-for.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { CommandError, type CommandIo } from '../command-io.ts'
import { chooseSession } from '../sessions/session-choice.ts'
import { sayNotices } from '../settings.ts'
import { type ColourOptions, paintFor } from '../terminal/screen.ts'
import { cleanText, cutToWidth, grouped, moneyText, writeText } from '../terminal/text.ts'
import { escapedLine } from '../terminal/write-out.ts'
import type { AgentCommandOptions } from './agent-options.ts'
import { type AgentHost, isOfflineUnasked, openAgentHost } from './open-agent-host.ts'

/** Runs the agent in a chat, or on one task. */
export async function agentCommand(options: AgentCommandOptions, io: CommandIo): Promise<void> {
  const isDrawn = options.print === undefined && io.stdout.isTerminal && process.stdin.isTTY && io.environment['TERM'] !== 'dumb'
  const host = await openAgentHost(options, io, isDrawn)
  try {
    if (options.print !== undefined) return await runTask(host, options, io)
    if (options.json === true) throw new CommandError(host.context.strings.agent.jsonNeedsTask, 2)
    const { chatCommand } = await import('../chat/chat-command.ts')
    await chatCommand(host, options, io, isDrawn)
  } finally {
    await host.close()
  }
}

/** Continues a session in a chat, as `chat --resume` does. */
export function resumeCommand(resume: string, options: ColourOptions, io: CommandIo): Promise<void> {
  return agentCommand({ ...options, resume }, io)
}

/** Does one task without a user: the answer, or with `--json` every event, goes to standard output, all else to standard error. */
async function runTask(host: AgentHost, options: AgentCommandOptions, io: CommandIo): Promise<void> {
  const { context } = host
  const { strings, sessions, settings } = context
  const task = await taskOf(options, io, strings.agent)
  const session = options.resume === undefined ? null : await chooseSession(sessions, options.resume, strings.sessionCommands)
  const isJson = options.json === true
  sayNotices(io, [...settings.warnings.map(cleanText), ...(isJson ? [] : [startLine(host, options)])], options)
  const printJson: Emit = (event) => {
    for (const piece of escapedLine(JSON.stringify(event))) io.stdout.write(piece)
  }
  const tell = isJson ? printJson : followTask(io, options, settings.config.locale)
  const calls = new Map<string, ToolCallStart>()
  const refused: ToolCallStart[] = []
  const emit: Emit = (event) => {
    const { type, data } = event
    if (type === 'tool_call_start') calls.set(data.callId, data)
    const call = type === 'tool_call_end' && data.result.metadata?.['refused'] === true ? calls.get(data.callId) : undefined
    if (call !== undefined) refused.push(call)
    tell(event)
  }
  // Ctrl-C, or the system, also ends the programs that the task runs.
  const signal = (io.stopped ?? io.interrupted)?.() ?? new AbortController().signal
  for (const data of host.notices) emit({ type: 'notification', data })
  const agent = await host.start({ session, emit, ask: null })
  const outcome = await agent.turn(task, signal)
  if (!isJson) {
    const { requests, usage, dollars: spent, unpriced } = agent.cost()
    const cost = unpriced === requests ? null : unpriced > 0 ? strings.chat.atLeast(moneyText(spent)) : moneyText(spent)
    const account = { requests: grouped(requests), tokens: grouped(usageTotal(usage)), cost, session: agent.session.id }
    if (outcome.kind === 'finished') writeText(`${outcome.text}\n`, io.stdout)
    sayNotices(io, [strings.agent.account(account)], options)
  }
  const problems = [refusalText(refused, strings.agent), failureText(outcome, host)].filter((text) => text !== null)
  if (problems.length > 0) throw new CommandError(problems.join('\n'), 1)
}

/** Names the calls that needed a permission, and the mode that gives it; null if there are none. */
function refusalText(refused: readonly ToolCallStart[], { notAllowed }: Strings['agent']): string | null {
  if (refused.length === 0) return null
  const [...calls] = new Set(refused.map(({ tool, about }) => cutToWidth(cleanText(`${tool} ${about}`), 80)))
  const shown = [...calls.slice(0, 5), ...(calls.length > 5 ? ['…'] : [])].join(', ')
  const access = refused.some((call) => call.access === 'run') ? 'run' : 'write'
  return notAllowed(shown, modesAllowing(access)[0] ?? 'auto')
}

const maxTaskLength = 1_000_000

async function taskOf({ print = '' }: AgentCommandOptions, { stdin }: CommandIo, strings: Strings['agent']): Promise<string> {
  const task = print === '-' ? await readAll(stdin, strings) : print
  if (task.trim() === '') throw new CommandError(strings.emptyTask, 2)
  if (task.length > maxTaskLength) throw new CommandError(strings.taskTooLong(grouped(maxTaskLength)), 2)
  return task
}

async function readAll(stdin: CommandIo['stdin'], strings: Strings['agent']): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of stdin) {
    bytes += piece.byteLength
    if (bytes > maxTaskLength * 4) throw new CommandError(strings.taskTooLong(grouped(maxTaskLength)), 2)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function startLine(host: AgentHost, options: AgentCommandOptions): string {
  const { defaultModel, why, context } = host
  const { agent } = context.strings
  if (isOfflineUnasked(host, options)) return agent.offline
  return agent.modelChosen(cleanText(defaultModel.name), cleanText(why ?? '--model'))
}

function followTask({ stderr, ...io }: CommandIo, options: AgentCommandOptions, locale: string | null): Emit {
  const paint = paintFor(stderr, options, { ...io, stderr })
  const say = (text: string) => stderr.write(`${paint('dim', cleanText(text))}\n`)
  return ({ type, data }: AgentEvent) => {
    if (type === 'tool_call_start') say(`● ${data.tool} ${data.about}`)
    if (type === 'tool_call_end' && data.isError) {
      const text = resultText({ type: 'tool-result', callId: null, tool: null, content: data.result.content })
      say(`  ${text.split('\n', 1)[0]}`)
    }
    if (type === 'notification') {
      const message = noticeText(data.code, data.message, locale)
      say(data.details === null ? message : `${message} (${data.details})`)
    }
    // An error that ends the task is reported by the command itself.
    if (type === 'error' && data.details['recovering'] === true) say(agentErrorText(data, locale).message)
  }
}

function failureText(outcome: TurnOutcome, { context: { strings, settings } }: AgentHost): string | null {
  if (outcome.kind === 'cancelled') return strings.agent.cancelled
  if (outcome.kind === 'stopped') return strings.agent.stopped[outcome.reason]
  if (outcome.kind !== 'failed') return null
  const { message, suggestion } = agentErrorText(outcome.error, settings.config.locale)
  return [message, ...(suggestion === null ? [] : [`→ ${suggestion}`])].map(cleanText).join('\n')
}
