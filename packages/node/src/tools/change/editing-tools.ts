import { z } from 'zod'
import { counted, defineTool } from '../tool.ts'
import { changeFile, type FileChange, previewChange, type TextFile, type WantedChange } from './change-file.ts'
import { explainMismatch } from './explain-mismatch.ts'
import { rangesText } from './file-diff.ts'
import { lineAt, occurrencesOf, plainLines, toPlainLines } from './find-text.ts'

const replacementShape = {
  old_string: z.string().describe('The exact text to replace, with its indentation, without the line numbers that Read shows.'),
  new_string: z.string().describe('The text to put there.'),
  replace_all: z.boolean().optional().describe('Replace every place. Without it old_string must be there exactly once.'),
}

export type Replacement = z.infer<z.ZodObject<typeof replacementShape>>

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
  about: ({ file_path, edits }) => (edits.length === 1 ? file_path : `${file_path} ×${edits.length}`),
  preview: ({ file_path, edits }, context) => previewChange(edit(file_path, edits), context),
  run: ({ file_path, edits }, context) => changeFile(edit(file_path, edits), context),
})

const writeInput = z.object({
  file_path: z.string().describe('The file, relative to the workspace. Folders that are missing are made.'),
  content: z.string().describe('Everything the file is to hold, exactly as given.'),
})

export const writeTool = defineTool({
  name: 'Write',
  description:
    'Writes a whole file: a new one, or in place of one that was read before. To change parts of a file, use Edit. ' +
    'The old file stays as it is if writing fails.',
  access: 'write',
  isParallel: false,
  input: writeInput,
  about: ({ file_path }) => file_path,
  preview: (wanted, context) => previewChange(write(wanted), context),
  run: (wanted, context) => changeFile(write(wanted), context),
})

function edit(path: string, replacements: readonly Replacement[]): WantedChange {
  return {
    path,
    make(before) {
      const made = replace(before, replacements)
      return 'problem' in made ? made : { ...made, hasMark: before?.hasMark ?? false }
    },
    tell({ name, before, after, diff }) {
      if (before === null) return `Created ${name}: ${lineCount(after.text)}.\n${diff.fragment}`
      const where = diff.ranges.length === 0 ? '' : ` at ${rangesText(diff.ranges)}`
      return withFragment(`Edited ${name}: ${counted(after.count, 'replacement')}${where}.`, diff)
    },
  }
}

function replace(before: TextFile | null, replacements: readonly Replacement[]): Replaced {
  const [first, ...rest] = replacements
  if (first?.old_string !== '' || (before !== null && before.text !== '')) {
    return before === null
      ? { problem: 'there is no such file. Use Write to make it, or look for it with Glob.' }
      : applyReplacements(before.text, replacements)
  }
  if (first.new_string === '') return { problem: 'old_string and new_string are both empty, so nothing would change' }
  if (!first.new_string.isWellFormed()) return { problem: halfCharacter('new_string') }
  if (rest.length === 0) return { text: first.new_string, count: 1 }
  const done = applyReplacements(first.new_string, rest)
  return 'problem' in done ? done : { ...done, count: done.count + 1 }
}

function write({ file_path, content }: z.infer<typeof writeInput>): WantedChange {
  return {
    path: file_path,
    make: () => (content.isWellFormed() ? { text: content, hasMark: false, count: 1 } : { problem: halfCharacter('content') }),
    tell({ name, before, after, diff }) {
      const lines = lineCount(after.text)
      if (before === null) return withFragment(`Created ${name}: ${lines}.`, diff)
      const counts = `${lines} (${diff.added} added, ${diff.removed} removed; it had ${lineCount(before.text)})`
      return withFragment(`Overwrote ${name}: ${counts}.${unseenChanges(before, after.text)}`, diff)
    },
    // The model has just written all of it.
    fragmentLines: 20,
  }
}

function unseenChanges(before: TextFile, after: string): string {
  const [was, is] = [plainLines(before.text), plainLines(after)]
  const isEnding = was.text.includes('\n') && is.text.includes('\n') && was.ending !== is.ending
  const [now, once] = is.ending === '\n' ? ['LF', 'CRLF'] : ['CRLF', 'LF']
  const ending = isEnding ? ` Lines now end in ${now}; they ended in ${once}.` : ''
  return `${ending}${before.hasMark && !after.startsWith('\ufeff') ? ' Its byte order mark is gone.' : ''}`
}

function withFragment(sentence: string, { fragment }: FileChange['diff']): string {
  return fragment === '' ? sentence : `${sentence}\n${fragment}`
}

function halfCharacter(field: string): string {
  return `${field} holds half a character, which no file can hold`
}

function lineCount(text: string): string {
  const plain = toPlainLines(text)
  return counted(plain === '' ? 0 : plain.split('\n').length - (plain.endsWith('\n') ? 1 : 0), 'line')
}

type Replaced = { readonly text: string; readonly count: number } | { readonly problem: string }

/** Replaces texts in order, all or none. Line endings do not matter for finding a text, and lines keep their own. */
export function applyReplacements(text: string, replacements: readonly Replacement[]): Replaced {
  let current = text
  let count = 0
  for (const [index, replacement] of replacements.entries()) {
    const done = replaceOne(current, replacement)
    if ('problem' in done) {
      if (replacements.length === 1) return done
      return { problem: `edit ${index + 1} of ${replacements.length}: ${done.problem}\nNone of the edits was made.` }
    }
    current = done.text
    count += done.count
  }
  return current === text ? { problem: 'the edits undo each other, so the file would stay as it is' } : { text: current, count }
}

const maxLength = 64 * 1024 * 1024

function replaceOne(text: string, { old_string, new_string, replace_all = false }: Replacement): Replaced {
  const [wanted, instead] = [toPlainLines(old_string), toPlainLines(new_string)]
  if (wanted === '') return { problem: 'old_string is empty, and only a file that is missing or empty can be filled so' }
  if (old_string === new_string) return { problem: 'old_string and new_string are the same, so nothing would change' }
  if (wanted === instead) return { problem: 'old_string and new_string differ only in how lines end, and lines keep their ends' }
  if (!new_string.isWellFormed()) return { problem: halfCharacter('new_string') }
  const plain = plainLines(text)
  const places = occurrencesOf(plain.text, wanted, replace_all ? 'apart' : 'overlapping')
  if (places.length === 0) return { problem: explainMismatch(plain.text, wanted) }
  if (places.length > 1 && !replace_all) return { problem: severalPlaces(plain.text, places) }
  const written = instead.replaceAll('\n', plain.ending)
  if (text.length + places.length * written.length > maxLength)
    return { problem: `${places.length} replacements would make the file too big` }
  const pieces: string[] = []
  let end = 0
  for (const place of places) {
    pieces.push(text.slice(end, plain.originalIndex(place)), written)
    end = plain.originalIndex(place + wanted.length)
  }
  return { text: pieces.join('') + text.slice(end), count: places.length }
}

function severalPlaces(text: string, places: readonly number[]): string {
  const lines = places.slice(0, 10).map((place) => lineAt(text, place))
  const more = places.length > lines.length ? ` and ${places.length - lines.length} more` : ''
  return (
    `old_string is there ${places.length} times, at lines ${lines.join(', ')}${more}. ` +
    'Add lines around it until it is there once, or set replace_all.'
  )
}
