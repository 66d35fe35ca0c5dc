import { withModelWindow } from '@plimsoll/core/bill'
import type { ModelClient } from '../model/model-client.ts'
import { offlineProvider } from '../model/model-knowledge.ts'
import type { ModelInfo } from '../shared/server-api.ts'
import type { ServerOptions } from './server-options.ts'

/** What clients are told about a model. */
export function modelInfo(model: ModelClient, { config, isWindowSet }: Pick<ServerOptions, 'config' | 'isWindowSet'>): ModelInfo {
  const { context_window: window } = isWindowSet ? config : withModelWindow(config, model.facts)
  return { name: model.name, isOffline: model.provider === offlineProvider, window }
}
