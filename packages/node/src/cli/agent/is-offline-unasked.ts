import { offlineProvider } from '../../model/model-knowledge.ts'
import type { AgentHost } from './agent-host.ts'
import type { AgentCommandOptions } from './agent-options.ts'

/** Whether the offline model answers because there is no other, and nobody asked for it. */
export function isOfflineUnasked({ defaultModel, context }: AgentHost, { model }: AgentCommandOptions): boolean {
  return defaultModel.provider === offlineProvider && model === undefined && context.settings.config.model === null
}
