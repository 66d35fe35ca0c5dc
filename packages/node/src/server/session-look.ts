import { windowFill } from '@plimsoll/core/bill'
import type { Agent } from '../agent/agent.ts'
import type { SessionLook } from '../shared/server-api.ts'

/** Measures what the next request would be, and what the session has cost. */
export async function sessionLook(agent: Agent): Promise<SessionLook> {
  const { messages, report, window, usable, toolTokens } = await agent.look()
  const { tokens, source } = report.load
  const { dollars, unpriced } = agent.cost()
  return {
    fill: windowFill(messages, { window, reserve: Math.max(0, window - usable), toolTokens, whole: { tokens, source } }),
    report,
    cost: { dollars, unpriced },
  }
}
