import type { PermissionMode, ReasoningLevel } from '@plimsoll/core/policies'
import { providers } from '../../model/providers.ts'
import type { ModelChoiceProblem } from '../../model/server-access.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { CommandError } from '../command-io.ts'
import type { SessionOptions } from '../settings.ts'
import { quotedText } from '../terminal/clean-text.ts'

export interface AgentCommandOptions extends SessionOptions {
  /** The task to do without a user; `-` reads it from standard input. */
  readonly print?: string
  readonly model?: string
  readonly baseUrl?: string
  readonly mode?: string
  readonly maxCost?: string
  readonly maxSteps?: string
  readonly reasoning?: string
  /** The id of a session to resume, or `last`. */
  readonly resume?: string
}

/** Reads the flags for the agent's own settings. Throws `CommandError` for invalid values. */
export function agentFlags(options: AgentCommandOptions, { agent }: Strings): AgentFlags {
  return {
    ...(options.mode === undefined ? {} : { mode: modeOf(options.mode, agent) }),
    ...(options.maxCost === undefined
      ? {}
      : { max_cost: numberOf('--max-cost', options.maxCost, /^\d{1,9}(?:\.\d{1,9})?$/, agent) }),
    ...(options.maxSteps === undefined ? {} : { max_steps: numberOf('--max-steps', options.maxSteps, /^[1-9]\d{0,8}$/, agent) }),
  }
}

/** Reads `--reasoning`; undefined if it is not given. Throws `CommandError` for an invalid level. */
export function reasoningOf({ reasoning }: AgentCommandOptions, { agent }: Strings): ReasoningLevel | undefined {
  const level = reasoningLevels.find((known) => known === reasoning)
  if (reasoning !== undefined && level === undefined)
    throw new CommandError(agent.badReasoning(quotedText(reasoning), reasoningLevels.join(', ')), 2)
  return level
}

const reasoningLevels: readonly ReasoningLevel[] = ['none', 'low', 'medium', 'high']

export interface AgentFlags {
  readonly mode?: PermissionMode
  readonly max_cost?: number
  readonly max_steps?: number
}

/** From the least the agent may do without asking to the most. */
export const permissionModes: readonly PermissionMode[] = ['read-only', 'ask', 'accept-edits', 'auto']

function modeOf(given: string, strings: Strings['agent']): PermissionMode {
  const mode = permissionModes.find((known) => known === given)
  if (mode === undefined) throw new CommandError(strings.badMode(quotedText(given), permissionModes.join(', ')), 2)
  return mode
}

function numberOf(flag: string, given: string, form: RegExp, strings: Strings['agent']): number {
  if (!form.test(given)) throw new CommandError(strings.badNumber(flag, quotedText(given)), 2)
  return Number(given)
}

/** Explains why a model cannot be used, and what to set. */
export function modelProblemText(problem: ModelChoiceProblem, model: string, strings: Strings['requestCommands']): string {
  switch (problem.kind) {
    case 'no-server':
      return strings.noServer(model, providers.map(({ name }) => name).join(', '))
    case 'no-key':
      return strings.noKey(model, problem.variables.join(' / '))
    case 'bad-key':
      return strings.badKey(problem.variable)
    case 'bad-address':
      return strings.badAddress(problem.source ?? '--base-url')
  }
}
