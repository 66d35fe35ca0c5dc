import { basename } from 'node:path'
import type { Hello } from '@plimsoll/core'
import { Hono } from 'hono'
import { modelInfo } from './model-info.ts'
import { modelWindows } from './model-windows.ts'
import type { ServerOptions } from './server-options.ts'

/** What the server says of itself. */
export function helloRoutes(options: ServerOptions): Hono {
  const { version, config, root, agents, models, notices } = options
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
      notices,
    }
    return context.json(hello)
  })
}
