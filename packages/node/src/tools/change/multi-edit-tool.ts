import { z } from 'zod'
import { defineTool } from '../tool.ts'
import { changeFile, previewChange } from './change-file.ts'
import { edit, replacementShape } from './edit-tool.ts'

/** Makes several replacements in one file, all or none. */
export const multiEditTool = defineTool({
  name: 'MultiEdit',
  description:
    'Makes several replacements in one file, in order, each on what the ones before it left. All are made or none. ' +
    'Each follows the rules of Edit.',
  access: 'write',
  isParallel: false,
  input: z.object({
    file_path: z.string().describe('The file, relative to the workspace.'),
    edits: z.array(z.object(replacementShape)).min(1).max(200).describe('The replacements, in order.'),
  }),
  about: ({ file_path, edits }) => (edits.length === 1 ? file_path : `${file_path} (${edits.length} edits)`),
  preview: ({ file_path, edits }, context) => previewChange(edit(file_path, edits), context),
  run: ({ file_path, edits }, context) => changeFile(edit(file_path, edits), context),
})
