import { createHash, randomUUID } from 'node:crypto'
import { mkdir, opendir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Edit, handleOf, type Message, type Part, type Policy, resultText, type ToolResultPart } from '@plimsoll/core'
import { codeOf } from '../../files/trouble.ts'
import { touchAfter } from '../../store/gateway-store.ts'

/** Keeps originals as files that an agent's own tools can read. */
export interface RecallFiles {
  /** The policies, and behind them one that says at the end of each replaced text where its original is. The same list for the same one. */
  readonly withNotes: (policies: readonly Policy[]) => readonly Policy[]
  /**
   * Makes sure that the originals of these parts are there. Rejects where they cannot be written, or where a file holds another text
   * that was made to have the same handle.
   */
  readonly keep: (originals: readonly ToolResultPart[]) => Promise<void>
}

/**
 * Files in a folder, which is made where it is missing. Only its owner reads them. The time of a file is that of its last use, by which
 * `expireRecallFiles` goes.
 */
export function createRecallFiles(folder: string, now: () => number): RecallFiles {
  /** When each of them was last known to be there, and the hash of what it holds. */
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
        const { id } = message
        const shown = withNote(part, noteOn(was))
        edit = {
          id: `${recallNoteName}:${id}.${index}`,
          policy: recallNoteName,
          kind: 'replace',
          message: id,
          part: index,
          with: shown,
          why: '',
        }
        edits.set(part, edit)
      }
      return [edit]
    })
  }

  return {
    withNotes(policies) {
      let made = noted.get(policies)
      if (made === undefined) {
        made = policies.length === 0 ? policies : [...policies, notePolicy]
        noted.set(policies, made)
      }
      return made
    },
    async keep(originals) {
      for (const original of originals) {
        const text = resultText(original)
        const handle = handleOf(text)
        const sha256 = sha256Of(text)
        const known = there.get(handle)
        if (known !== undefined && now() - known.at < touchAfter) {
          if (known.sha256 !== sha256) throw new Error(otherText)
          continue
        }
        const path = join(folder, `${handle}.txt`)
        if (!(await touched(path, now()))) await writeWhole(path, text)
        else if (sha256Of(await readFile(path, 'utf8')) !== sha256) throw new Error(otherText)
        if (there.size > mostRemembered) there.clear()
        there.set(handle, { at: now(), sha256 })
      }
    },
  }

  function noteOn(original: ToolResultPart): string {
    return `\n[The whole output: ${join(folder, `${handleOf(resultText(original))}.txt`)}]`
  }

  async function writeWhole(path: string, text: string): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const draft = `${path}.${randomUUID()}`
    try {
      await writeFile(draft, text, { mode: 0o600, flag: 'wx' })
      // Whoever looks for it finds all of it or nothing.
      await rename(draft, path)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }
}

/** The policy that names the files; what it adds belongs to the rule that made it necessary. */
export const recallNoteName = 'name-recall-file'

const mostRemembered = 100_000
const otherText = 'another text has the same handle'

function sha256Of(text: string): string {
  return createHash('sha256').update(text.toWellFormed(), 'utf8').digest('hex')
}

/** Whether there is such a file, which then is as if it had been written now. */
async function touched(path: string, now: number): Promise<boolean> {
  try {
    await utimes(path, now / 1000, now / 1000)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

/** At the end of the last text that there is; a value that is no text has no end to say anything at. */
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

/** Removes the originals in a folder that were last used before this time. What is no original stays. */
export async function expireRecallFiles(folder: string, before: number): Promise<void> {
  for await (const entry of await opendir(folder)) {
    if (!entry.isFile() || !originalName.test(entry.name)) continue
    const path = join(folder, entry.name)
    // Another gateway may have removed it meanwhile.
    const used = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => before,
    )
    if (used < before) await rm(path, { force: true })
  }
}

/** With what is left of one that was being written when a gateway ended. */
const originalName = /^[0-9a-f]{12}\.txt(?:\.[0-9a-f-]{36})?$/
