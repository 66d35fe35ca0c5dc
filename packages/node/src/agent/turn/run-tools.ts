import { callInput, type ToolCallPart, type ToolResultPart } from '@plimsoll/core'
import { isRecord } from '@plimsoll/core/text'
import { thrownText } from '../../files/problem.ts'
import type { Emit, ToolOutcome } from '../../shared/event.ts'
import { forHistory } from '../../tools/summarize-result.ts'
import { failed, type Tool, type ToolContext } from '../../tools/tool.ts'
import type { Permissions } from './permissions.ts'

export interface RunToolsOptions {
  readonly tools: readonly Tool[]
  readonly context: Omit<ToolContext, 'signal' | 'progress'>
  readonly permissions: Permissions
  readonly emit: Emit
  readonly shorten: (tool: string, outcome: ToolOutcome, signal: AbortSignal) => Promise<ToolOutcome>
  readonly keep: (results: readonly ToolResultPart[]) => Promise<void>
}

/** Runs each call exactly once: reading ones in parallel, the others in order. Every call gets a result, also if aborted. */
export async function runTools(calls: readonly ToolCallPart[], options: RunToolsOptions, signal: AbortSignal): Promise<void> {
  for (const group of groupsOf(calls, options.tools)) {
    const results = await Promise.all(group.map((call) => runCall(call, options, signal)))
    await options.keep(results)
  }
}

function groupsOf(calls: readonly ToolCallPart[], tools: readonly Tool[]): readonly (readonly ToolCallPart[])[] {
  const groups: { readonly isParallel: boolean; readonly calls: ToolCallPart[] }[] = []
  for (const call of calls) {
    const tool = tools.find(({ name }) => name === call.tool)
    const isParallel = tool?.isParallel ?? tool?.access === 'read'
    const last = groups.at(-1)
    if (isParallel && last?.isParallel === true && last.calls.length < maxAtOnce) last.calls.push(call)
    else groups.push({ isParallel, calls: [call] })
  }
  return groups.map((group) => group.calls)
}

const maxAtOnce = 8

async function runCall(call: ToolCallPart, options: RunToolsOptions, signal: AbortSignal): Promise<ToolResultPart> {
  const { emit } = options
  const { callId } = call
  const tool = options.tools.find(({ name }) => name === call.tool)
  const input = callInput(call) ?? call.input
  const about = tool?.about(input) ?? ''
  emit({ type: 'tool_call_start', data: { callId, tool: call.tool, input, about, access: tool?.access ?? 'read' } })
  const { now } = options.context
  let start: number | null = null
  const begin = () => {
    start = now()
  }
  const outcome = await outcomeOf(call, tool, input, options, signal, begin)
  const durationMs = start === null ? 0 : Math.max(0, now() - start)
  const isError = outcome.isError === true
  // Interfaces show the complete outcome.
  emit({ type: 'tool_call_end', data: { callId, tool: call.tool, result: outcome, isError, durationMs } })
  const { content, blob, metadata } = forHistory(await shortened(call.tool, outcome, options, signal))
  return {
    type: 'tool-result',
    callId,
    tool: call.tool,
    content,
    ...(isError ? { isError } : {}),
    ...(blob === undefined ? {} : { blob }),
    ...(metadata === undefined ? {} : { metadata }),
  }
}

/** If the user stops the turn while an outcome is shortened, it is kept unchanged: the call did run. */
async function shortened(
  tool: string,
  outcome: ToolOutcome,
  options: RunToolsOptions,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  if (outcome.isError === true || signal.aborted) return outcome
  try {
    return await options.shorten(tool, outcome, signal)
  } catch (error) {
    if (!signal.aborted) throw error
    return outcome
  }
}

async function outcomeOf(
  call: ToolCallPart,
  tool: Tool | undefined,
  input: unknown,
  { tools, context, permissions, emit }: RunToolsOptions,
  signal: AbortSignal,
  begin: () => void,
): Promise<ToolOutcome> {
  if (signal.aborted) return failed(didNotRun)
  if (tool === undefined)
    return failed(`there is no tool named ${call.tool}. The tools are ${tools.map(({ name }) => name).join(', ')}.`)
  if (!isRecord(input))
    return failed(
      `the arguments of ${call.tool} are not a JSON object. They may have been cut off; send the call again, complete.`,
    )
  const problem = tool.check?.(input) ?? null
  if (problem !== null) return failed(problem)
  const { callId } = call
  const running: ToolContext = {
    ...context,
    signal,
    progress: (progress) => emit({ type: 'tool_progress', data: { tool: tool.name, ...progress, callId } }),
  }
  let hasBegun = false
  try {
    const refusal = await permissions.check({ callId, tool, input }, running)
    signal.throwIfAborted()
    if (refusal !== null) return refusal
    hasBegun = true
    begin()
    return await tool.run(input, running)
  } catch (error) {
    if (signal.aborted) return failed(hasBegun ? didNotEnd : didNotRun)
    return failed(thrownText(error))
  }
}

const didNotRun = 'this call did not run: the user stopped the turn before it.'
const didNotEnd = 'the user stopped this call before it ended. It may already have had effects.'
