import type { Config } from '@plimsoll/core/policies'
import type { Agent } from './agent.ts'

/** Folds older rounds of a conversation that is too long: what was too long with the usual rounds kept needs fewer of them. */
export async function compactHarder(agent: Agent, { compaction }: Config, signal: AbortSignal): Promise<void> {
  const { keep_rounds: usual } = compaction
  for (const keepRounds of [usual, Math.max(1, Math.floor(usual / 2)), 1]) {
    const { kind } = await agent.compact({ keepRounds }, signal)
    if (kind !== 'unchanged') return
  }
}
