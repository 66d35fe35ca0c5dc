import type { Config, TimingName } from '@plimsoll/core/policies'

/** When changes of what the provider has cached take effect in the agent: as it is set, else when it pays. */
export function agentTiming({ timing }: Pick<Config, 'timing'>): TimingName {
  return timing ?? 'auto'
}
