import { z } from 'zod'
import { defineTool } from '../tool.ts'
import { applyReplacements, type Replacement } from './apply-replacements.ts'
import { changeFile, type FileChange, previewChange, type WantedChange } from './change-file.ts'
import { rangesText } from './file-diff.ts'
import { plainLines } from './line-endings.ts'
import type { TextFile } from './text-file.ts'

/** What Edit and every edit of MultiEdit say about one replacement. */
export const replacementShape = {
  old_string: z.string().describe('The exact text to replace, with its indentation, without the line numbers that Read shows.'),
  new_string: z.string().describe('The text to put there.'),
  replace_all: z.boolean().optional().describe('Replace every place. Without it old_string must be there exactly once.'),
}

/** Replaces a text in a file by another. */
export const editTool = defineTool({
  name: 'Edit',
  description:
    'Replaces a text in a file by another. The file must have been read before. old_string must be in the file exactly as given ' +
    'and only once: add lines around it until it is, or set replace_all. An empty old_string makes a new file.',
  access: 'write',
  isParallel: false,
  input: z.object({ file_path: z.string().describe('The file, relative to the workspace.'), ...replacementShape }),
  about: ({ file_path }) => file_path,
  preview: (input, context) => previewChange(edit(input.file_path, [input]), context),
  run: (input, context) => changeFile(edit(input.file_path, [input]), context),
})

/** The change that some replacements make to a file, one after the other, all or none. */
export function edit(path: string, replacements: readonly Replacement[]): WantedChange {
  return {
    path,
    make(before) {
      const made = replace(before, replacements)
      return 'problem' in made ? made : { ...made, hasMark: before?.hasMark ?? false }
    },
    tell: tellEdit,
  }
}

function replace(before: TextFile | null, replacements: readonly Replacement[]): ReturnType<typeof applyReplacements> {
  const [first, ...rest] = replacements
  if (first?.old_string !== '' || (before !== null && before.text !== '')) {
    return before === null
      ? { problem: 'there is no such file. Use Write to make it, or look for it with Glob.' }
      : applyReplacements(before.text, replacements)
  }
  if (first.new_string === '') return { problem: 'old_string and new_string are both empty, so nothing would change' }
  if (!first.new_string.isWellFormed()) return { problem: 'new_string holds half a character, which no file can hold' }
  if (rest.length === 0) return { text: first.new_string, count: 1 }
  const done = applyReplacements(first.new_string, rest)
  return 'problem' in done ? done : { ...done, count: done.count + 1 }
}

function tellEdit({ name, before, after, diff }: FileChange): string {
  if (before === null) return [`Created ${name}: ${lineCount(after.text)}.`, diff.fragment].join('\n')
  const times = `${after.count} replacement${after.count === 1 ? '' : 's'}`
  const where = diff.ranges.length === 0 ? '' : ` at ${rangesText(diff.ranges)}`
  return [`Edited ${name}: ${times}${where}.`, ...(diff.fragment === '' ? [] : [diff.fragment])].join('\n')
}

/** How many lines a text has, in words. */
export function lineCount(text: string): string {
  const plain = plainLines(text).text
  const lines = plain === '' ? 0 : plain.split('\n').length - (plain.endsWith('\n') ? 1 : 0)
  return `${lines} line${lines === 1 ? '' : 's'}`
}
