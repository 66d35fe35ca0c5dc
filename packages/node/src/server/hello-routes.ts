import { basename } from 'node:path'
import { Hono } from 'hono'
import type { Hello } from '../shared/server-api.ts'
import { modelInfo } from './model-info.ts'
import { modelWindows } from './model-windows.ts'
import type { ServerOptions } from './server-options.ts'

/** What the server says of itself; `greetings` are done each time it does. */
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
