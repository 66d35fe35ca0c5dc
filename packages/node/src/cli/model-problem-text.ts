import { providers } from '../model/providers.ts'
import type { ModelChoiceProblem } from '../model/server-access.ts'
import type { Strings } from '../strings/strings-for.ts'

/** Why a model cannot be had, and what to set. */
export function modelProblemText(problem: ModelChoiceProblem, model: string, words: Strings['requestCommands']): string {
  switch (problem.kind) {
    case 'no-server':
      return words.noServer(model, providers.map(({ name }) => name).join(', '))
    case 'no-key':
      return words.noKey(model, problem.variables.join(' / '))
    case 'bad-key':
      return words.badKey(problem.variable)
    case 'bad-address':
      return words.badAddress(problem.source ?? '--base-url')
  }
}
