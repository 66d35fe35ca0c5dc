import { Hono } from 'hono'
import type { FileSuggestion } from '../shared/server-api.ts'
import { createWorkspaceFiles, fuzzyFind, mentionText } from '../tools/workspace-files.ts'
import type { ServerOptions } from './server-options.ts'

const mostSuggestions = 20
const longestSearch = 300

/** What is below `/api/files`: the files of the workspace that a few letters may mean. */
export function fileRoutes({ root, now }: Pick<ServerOptions, 'root' | 'now'>): Hono {
  const files = createWorkspaceFiles(root, now)
  return new Hono().get('/', async (context) => {
    const search = (context.req.query('search') ?? '').slice(0, longestSearch)
    const found = fuzzyFind(await files.found(), search, mostSuggestions)
    const suggestions = found.map(
      async (path): Promise<FileSuggestion> => ({ path, text: mentionText(path), tokens: await files.cost(path) }),
    )
    return context.json(await Promise.all(suggestions))
  })
}
