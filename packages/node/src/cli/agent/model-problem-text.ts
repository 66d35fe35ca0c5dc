import { providers } from '../../model/providers.ts'
import type { ModelChoiceProblem } from '../../model/server-access.ts'
import type { Strings } from '../../strings/strings-for.ts'

/** Why a model cannot be had, and what to set. */
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
