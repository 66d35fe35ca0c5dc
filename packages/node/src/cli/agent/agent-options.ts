import type { Config, ReasoningLevel } from '@plimsoll/core/policies'
import { permissionModes } from '../../agent/turn/permissions.ts'
import { providers } from '../../model/providers.ts'
import type { ModelChoiceProblem } from '../../model/server-access.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { CommandError, oneOf } from '../command-io.ts'
import type { SessionOptions } from '../settings.ts'
import { quotedText } from '../terminal/text.ts'

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
export function agentFlags({ mode, maxCost, maxSteps }: AgentCommandOptions, { agent }: Strings): Partial<Config['agent']> {
  return {
    ...(mode === undefined ? {} : { mode: oneOf(mode, permissionModes, agent.badMode) }),
    ...(maxCost === undefined ? {} : { max_cost: numberOf('--max-cost', maxCost, /^\d{1,9}(?:\.\d{1,9})?$/, agent) }),
    ...(maxSteps === undefined ? {} : { max_steps: numberOf('--max-steps', maxSteps, /^[1-9]\d{0,8}$/, agent) }),
  }
}

/** Reads `--reasoning`; undefined if it is not given. Throws `CommandError` for an invalid level. */
export function reasoningOf({ reasoning }: AgentCommandOptions, { agent }: Strings): ReasoningLevel | undefined {
  return reasoning === undefined ? undefined : oneOf(reasoning, reasoningLevels, agent.badReasoning)
}

const reasoningLevels: readonly ReasoningLevel[] = ['none', 'low', 'medium', 'high']

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
