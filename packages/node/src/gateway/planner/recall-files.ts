import { createHash, randomUUID } from 'node:crypto'
import { opendir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Edit, handleOf, type Message, type Part, type Policy, resultText, type ToolResultPart } from '@plimsoll/core'
import { makeFolder } from '../../files/make-folder.ts'
import { codeOf } from '../../files/problem.ts'
import { touchAfter } from '../../store/gateway-store.ts'

export type RecallFiles = ReturnType<typeof createRecallFiles>

/**
 * Keeps originals as files that an agent's own tools can read, in a folder that is created with the first one. Only its owner can read
 * them. The time of a file is that of its last use, for `expireRecallFiles`.
 */
export function createRecallFiles(folder: string, now: () => number) {
  const there = new Map<string, { readonly at: number; readonly sha256: string }>()
  const noted = new WeakMap<readonly Policy[], readonly Policy[]>()
  const edits = new WeakMap<Part, Edit>()
  const notePolicy: Policy = {
    name: recallNoteName,
    plan(messages, { originals = [] }) {
      const byId = new Map(originals.map((message) => [message.id, message]))
      return messages.flatMap((message) => notesIn(message, byId.get(message.id)))
    },
  }

  function notesIn(message: Message, original: Message | undefined): readonly Edit[] {
    if (message === original || original === undefined) return []
    return message.parts.flatMap((part, index): readonly Edit[] => {
      const was = original.parts[index]
      if (part === was || part.type !== 'tool-result' || was?.type !== 'tool-result') return []
      let edit = edits.get(part)
      if (edit === undefined) {
        const id = `${recallNoteName}:${message.id}.${index}`
        const shown = withNote(part, `\n[The whole output: ${pathOf(handleOf(resultText(was)))}]`)
        edit = { id, policy: recallNoteName, kind: 'replace', message: message.id, part: index, with: shown, why: '' }
        edits.set(part, edit)
      }
      return [edit]
    })
  }

  return {
    /** The policies, and one more that adds to each replaced text where its original is. The same list for the same one. */
    withNotes(policies: readonly Policy[]): readonly Policy[] {
      let made = noted.get(policies)
      if (made === undefined) {
        made = policies.length === 0 ? policies : [...policies, notePolicy]
        noted.set(policies, made)
      }
      return made
    },
    /** Makes sure that the originals of these parts are there. Rejects if they cannot be written, or if another text has the same handle. */
    keep: (originals: readonly ToolResultPart[]): Promise<void> => keepTexts(originals.map(resultText)),
    keepTexts,
  }

  async function keepTexts(texts: readonly string[]): Promise<void> {
    for (const text of texts) {
      const handle = handleOf(text)
      const sha256 = sha256Of(text)
      const known = there.get(handle)
      if (known !== undefined && now() - known.at < touchAfter) {
        if (known.sha256 !== sha256) throw new Error(otherText)
        continue
      }
      const path = pathOf(handle)
      if (!(await touched(path, now()))) await writeComplete(path, text)
      else if (sha256Of(await readFile(path, 'utf8')) !== sha256) throw new Error(otherText)
      if (there.size > maxRemembered) there.clear()
      there.set(handle, { at: now(), sha256 })
    }
  }

  function pathOf(handle: string): string {
    return join(folder, `${handle}.txt`)
  }

  async function writeComplete(path: string, text: string): Promise<void> {
    makeFolder(folder)
    const draft = `${path}.${randomUUID()}`
    try {
      await writeFile(draft, text, { mode: 0o600, flag: 'wx' })
      // A reader finds all of it or nothing.
      await rename(draft, path)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }
}

export const recallNoteName = 'name-recall-file'

const maxRemembered = 100_000
const otherText = 'another text has the same handle'

function sha256Of(text: string): string {
  return createHash('sha256').update(text.toWellFormed(), 'utf8').digest('hex')
}

async function touched(path: string, now: number): Promise<boolean> {
  try {
    await utimes(path, now / 1000, now / 1000)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

/** Adds a note to the last text; a JSON value stays unchanged. */
function withNote(part: ToolResultPart, note: string): Part {
  const { content } = part
  if (content.type === 'text') return { ...part, content: { type: 'text', text: content.text + note } }
  if (content.type === 'json') return part
  const last = content.items.findLastIndex((item) => item.type === 'text')
  if (last < 0) return part
  const items = content.items.map((item, index) =>
    index === last && item.type === 'text' ? { ...item, text: item.text + note } : item,
  )
  return { ...part, content: { type: 'list', items } }
}

/** Removes the originals in a folder that were last used before this time. Other files stay. */
export async function expireRecallFiles(folder: string, before: number): Promise<void> {
  for await (const entry of await opendir(folder)) {
    if (!entry.isFile() || !originalName.test(entry.name)) continue
    const path = join(folder, entry.name)
    const used = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => before,
    )
    if (used < before) await rm(path, { force: true })
  }
}

/** Also the rest of one that was being written when a gateway ended. */
const originalName = /^[0-9a-f]{12}\.txt(?:\.[0-9a-f-]{36})?$/
