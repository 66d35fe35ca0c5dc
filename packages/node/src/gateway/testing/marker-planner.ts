import type { Plan, Planner, RelayedRequest, RequestOutcome } from '../planner.ts'

/** A planner that records its calls, and replaces every `MARK` of a body by `mark!`. */
export interface MarkerPlanner extends Planner {
  readonly planned: RelayedRequest[]
  readonly observed: RelayedRequest[]
  readonly outcomes: RequestOutcome[]
}

/** Makes a planner for tests of the relay; parts of its plans and of itself can be given. */
export function createMarkerPlanner(
  given: { readonly plan?: Partial<Plan>; readonly planner?: Partial<Planner> } = {},
): MarkerPlanner {
  const planned: RelayedRequest[] = []
  const observed: RelayedRequest[] = []
  const outcomes: RequestOutcome[] = []
  return {
    planned,
    observed,
    outcomes,
    plan: async (request) => {
      planned.push(request)
      return { ...planOf(request), ...given.plan }
    },
    observe: (request) => {
      observed.push(request)
    },
    answered: (outcome) => {
      outcomes.push(outcome)
    },
    onMeasured: () => {},
    check: async () => {},
    close: async () => {},
    ...given.planner,
  }
}

function planOf({ body }: RelayedRequest): Plan {
  const text = Buffer.from(body).toString('latin1')
  const splices = [...text.matchAll(/MARK/g)].map(({ index }) => ({ start: index, end: index + 4, bytes: Buffer.from('mark!') }))
  return {
    splices,
    tokensBefore: 20,
    tokensAfter: 10,
    rules: splices.length === 0 ? [] : ['limit-tool-output'],
    prefixKept: 5,
    findings: [],
    appliedEdits: null,
  }
}
