import { basename } from 'node:path'
import { withModelWindow } from '@plimsoll/core/bill'
import { Hono } from 'hono'
import type { ModelClient } from '../model/model-client.ts'
import { factsByName, offlineProvider } from '../model/model-knowledge.ts'
import type { FileSuggestion, Hello, ModelInfo } from '../shared/server-api.ts'
import { createWorkspaceFiles, fuzzyFind, mentionText } from '../tools/workspace-files.ts'
import type { ServerOptions } from './server-options.ts'

/** Facts about the server; `greetings` run each time a page asks for them. */
export function helloRoutes(options: ServerOptions, greetings: readonly (() => void)[] = []): Hono {
  const { version, config, root, agents, models, isOfflineUnasked, notices } = options
  const windows = modelWindows(options)
  return new Hono().get('/', (context) => {
    const hello: Hello = {
      version,
      locale: config.locale,
      folder: basename(root),
      root,
      model: modelInfo(agents.defaultModel, options),
      models,
      windows,
      mode: config.agent.mode,
      isOfflineUnasked,
      notices,
    }
    for (const greet of greetings) greet()
    return context.json(hello)
  })
}

export function modelInfo(model: ModelClient, { config, isWindowSet }: Pick<ServerOptions, 'config' | 'isWindowSet'>): ModelInfo {
  const { context_window: window } = isWindowSet ? config : withModelWindow(config, model.facts)
  return { name: model.name, isOffline: model.provider === offlineProvider, window }
}

export function modelWindows(
  options: Pick<ServerOptions, 'models' | 'config' | 'isWindowSet'>,
): Readonly<Record<string, number>> {
  const { models, config, isWindowSet } = options
  const known = models.flatMap((name): readonly (readonly [string, number])[] => {
    if (isWindowSet) return [[name, config.context_window]]
    const facts = factsByName(name, config)
    return facts.window === null ? [] : [[name, withModelWindow(config, facts).context_window]]
  })
  return Object.fromEntries(known)
}

const maxSuggestions = 20
const maxSearch = 300

/** Everything below `/api/files`: the files of the workspace that match a few letters. */
export function fileRoutes({ root, now }: Pick<ServerOptions, 'root' | 'now'>): Hono {
  const files = createWorkspaceFiles(root, now)
  return new Hono().get('/', async (context) => {
    const search = (context.req.query('search') ?? '').slice(0, maxSearch)
    const found = fuzzyFind(await files.found(), search, maxSuggestions)
    const suggestions = found.map(
      async (path): Promise<FileSuggestion> => ({ path, text: mentionText(path), tokens: await files.cost(path) }),
    )
    return context.json(await Promise.all(suggestions))
  })
}
