import type { MediaPart, TextPart } from '@plimsoll/core/wire'
import { z } from 'zod'
import type { ToolOutcome } from '../../shared/event.ts'
import { defineTool, failed, type ToolContext } from '../tool.ts'
import { missingText, resolveInside, shownPath } from '../workspace.ts'
import { listFolder } from './list-tool.ts'
import { type ReadWindow, readFile } from './read-file.ts'

const range = {
  offset: z.number().int().min(0).optional().describe('The first line to show, counted from 1. Default: 1.'),
  limit: z.number().int().min(1).optional().describe('How many lines to show. Default: 2000.'),
}

export const readTool = defineTool({
  name: 'Read',
  description:
    'Reads a file of the workspace: lines with their numbers from "offset" on, up to 2000 of them; pictures (PNG, JPEG, GIF, WebP) are shown, of a PDF the text. A folder is listed. Several files can be read at once with "paths".',
  input: z.object({
    file_path: z.string().optional().describe('The file, relative to the workspace.'),
    path: z.string().optional().describe('The same as file_path.'),
    paths: z
      .array(z.union([z.string(), z.object({ path: z.string(), ...range })]))
      .max(20)
      .optional()
      .describe('Several files, each a path or { path, offset, limit }.'),
    ...range,
    pages: z.string().optional().describe('Pages of a PDF, such as "3" or "1-5". Default: from the first on.'),
  }),
  access: 'read',
  about: ({ file_path, path, paths = [] }) =>
    [file_path ?? path ?? [], paths.map((item) => (typeof item === 'string' ? item : item.path))].flat().join(', '),
  async run({ file_path, path, paths = [], offset, limit, pages }, context) {
    const single = file_path ?? path
    const wanted = [
      ...(single === undefined ? [] : [{ path: single, offset, limit }]),
      ...paths.map((item) => ({ offset, limit, ...(typeof item === 'string' ? { path: item } : item) })),
    ]
    const [first] = wanted
    if (first === undefined) return failed('no file is named: give file_path, or paths for several')
    if (wanted.length === 1) return readPlace(first.path, { ...first, pages, maxChars: maxCharacters }, context)

    const outcomes: ReadOutcome[] = []
    let left = maxCharacters
    for (const item of wanted) {
      const outcome =
        left > 0
          ? await readPlace(item.path, { ...item, pages, maxChars: left }, context)
          : failed('not read: the files before it took all the room of one answer; read it on its own')
      left -= outcome.content.type === 'text' ? outcome.content.text.length : 0
      outcomes.push({ path: item.path, outcome })
    }
    return together(outcomes)
  },
})

interface ReadOutcome {
  readonly path: string
  readonly outcome: ToolOutcome
}

/** Characters of one answer; more would be over a fifth of most windows. */
const maxCharacters = 160_000

async function readPlace(path: string, window: ReadWindow, context: ToolContext): Promise<ToolOutcome> {
  const place = await resolveInside(context.root, path)
  if ('reason' in place) return failed(place.reason)
  switch (place.kind) {
    case 'file':
      return readFile(place, window, context)
    case 'folder':
      return listFolder(place, context)
    case 'missing':
      return failed(await missingText(place))
  }
}

/** Several answers as one, which is a failure if all of them are. */
function together(outcomes: readonly ReadOutcome[]): ToolOutcome {
  const items = outcomes.flatMap(({ path, outcome }, index): readonly (TextPart | MediaPart)[] => {
    const heading = `${index === 0 ? '' : '\n'}== ${shownPath(path)} ==`
    const { content } = outcome
    if (content.type === 'list') return [{ type: 'text', text: heading }, ...content.items]
    return [{ type: 'text', text: `${heading}\n${content.type === 'text' ? content.text : ''}` }]
  })
  const hasPictures = items.some(({ type }) => type === 'media')
  const text = items.flatMap((item) => (item.type === 'text' ? [item.text] : [])).join('\n')
  return {
    content: hasPictures ? { type: 'list', items } : { type: 'text', text },
    ...(outcomes.every(({ outcome }) => outcome.isError === true) ? { isError: true } : {}),
    metadata: { files: outcomes.map(({ path, outcome }) => ({ path, isError: outcome.isError === true, ...outcome.metadata })) },
  }
}
