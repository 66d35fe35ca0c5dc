import type { GatewayEvent } from '../gateway-options.ts'
import type { Measured } from '../planner.ts'

/** An answered request, with the fields that a test sets. */
export function answeredEvent(
  fields: Partial<Extract<GatewayEvent, { type: 'answered' }>> = {},
): Extract<GatewayEvent, { type: 'answered' }> {
  return {
    type: 'answered',
    id: 'request-1',
    dialect: 'anthropic',
    method: 'POST',
    route: '/v1/messages',
    model: 'claude-sonnet-4-5-20250929',
    mode: 'safe',
    status: 200,
    end: 'complete',
    isChanged: false,
    requestBytes: 2000,
    answerBytes: 300,
    firstByteMilliseconds: 12,
    wholeMilliseconds: 40,
    overheadMilliseconds: 0.4,
    ...fields,
  }
}

/** A request that only passed: it was neither planned nor measured. */
export function passedEvent(
  fields: Partial<Extract<GatewayEvent, { type: 'answered' }>> = {},
): Extract<GatewayEvent, { type: 'answered' }> {
  const { mode: _mode, ...event } = answeredEvent({ route: '/v1/models', method: 'GET', model: null, ...fields })
  return event
}

/** The measurements of a request, with the fields that a test sets. */
export function measuredRequest(fields: Partial<Measured> = {}): Measured {
  return {
    id: 'request-1',
    dialect: 'anthropic',
    model: 'claude-sonnet-4-5-20250929',
    mode: 'safe',
    tokensBefore: 1000,
    tokensAfter: 600,
    removed: { 'filter-binary': 300, 'limit-tool-output': 100 },
    breaks: [],
    trims: { records: [], edits: { 'limit-tool-output': 1 }, tokensSaved: 400, results: 4 },
    usage: { input: 500, cacheRead: 90, cacheWrite: 10, output: 40 },
    dollars: 0.25,
    untrimmedDollars: 0.5,
    overflow: null,
    findings: [],
    plannedMilliseconds: 3,
    ...fields,
  }
}
