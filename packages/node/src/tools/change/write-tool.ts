import { z } from 'zod'
import { defineTool } from '../tool.ts'
import { changeFile, type FileChange, previewChange, type WantedChange } from './change-file.ts'
import { lineCount } from './edit-tool.ts'
import { plainLines } from './line-endings.ts'
import type { TextFile } from './text-file.ts'

const input = z.object({
  file_path: z.string().describe('The file, relative to the workspace. Folders that are missing are made.'),
  content: z.string().describe('Everything the file is to hold, exactly as given.'),
})

/** Writes a whole file. */
export const writeTool = defineTool({
  name: 'Write',
  description:
    'Writes a whole file: a new one, or in place of one that was read before. To change parts of a file, use Edit. ' +
    'The old file stays as it is if writing fails.',
  access: 'write',
  isParallel: false,
  input,
  about: ({ file_path }) => file_path,
  preview: (wanted, context) => previewChange(write(wanted), context),
  run: (wanted, context) => changeFile(write(wanted), context),
})

/** Lines of the written text that are shown, since the model has just given all of it. */
const fragmentLines = 20

function write({ file_path, content }: z.infer<typeof input>): WantedChange {
  return {
    path: file_path,
    make: () =>
      content.isWellFormed()
        ? { text: content, hasMark: false, count: 1 }
        : { problem: 'content holds half a character, which no file can hold' },
    tell: tellWrite,
    fragmentLines,
  }
}

function tellWrite({ name, before, after, diff }: FileChange): string {
  const lines = lineCount(after.text)
  if (before === null) return [`Created ${name}: ${lines}.`, ...shown(diff.fragment)].join('\n')
  const counts = `${lines} (${diff.added} added, ${diff.removed} removed; it had ${lineCount(before.text)})`
  return [`Overwrote ${name}: ${counts}.${unseenChanges(before, after.text)}`, ...shown(diff.fragment)].join('\n')
}

function shown(fragment: string): readonly string[] {
  return fragment === '' ? [] : [fragment]
}

/** What changes although nobody can see it in the text. */
function unseenChanges(before: TextFile, after: string): string {
  const [was, is] = [plainLines(before.text), plainLines(after)]
  const isEnding = was.text.includes('\n') && is.text.includes('\n') && was.ending !== is.ending
  const ending = isEnding
    ? ` Lines now end in ${is.ending === '\n' ? 'LF' : 'CRLF'}; they ended in ${was.ending === '\n' ? 'LF' : 'CRLF'}.`
    : ''
  return `${ending}${before.hasMark && !after.startsWith('\ufeff') ? ' Its byte order mark is gone.' : ''}`
}
