import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { promptTotal, type SentPrompt } from '@plimsoll/core/bill'
import { readHead, readLine } from '@plimsoll/core/session'
import { withFile } from './durable-file.ts'
import { sessionIds } from './list-sessions.ts'
import { createLineReader, readLineText, scanLines } from './log-index.ts'
import { pathsOf, sessionTime } from './session-folder.ts'

/** The prompts of the newest other sessions of a project's folder, for each session. What cannot be read is skipped; never rejects. */
export async function earlierPrompts(
  sessions: string,
  { root, except }: { readonly root: string; readonly except: string },
): Promise<readonly (readonly SentPrompt[])[]> {
  const ids = await sessionIds(sessions).catch(() => [])
  const found: (readonly SentPrompt[])[] = []
  let left = maxBytes
  for (const id of ids.toReversed().slice(0, maxLookedAt)) {
    if (id === except) continue
    const { log } = pathsOf(join(sessions, id))
    const prompts = await withFile(open(log, 'r'), async (handle) => {
      const { size } = await handle.stat()
      if (size > left || (await rootOf(handle)) !== root) return []
      left -= size
      return promptsIn(handle, sessionTime(id))
    }).catch(() => [])
    if (prompts.length > 0 && found.push(prompts) === maxSessions) break
  }
  return found
}

const maxSessions = 20
/** Only their first lines are read unless the project is the same. */
const maxLookedAt = 200
const maxBytes = 64 * 2 ** 20
const maxHeader = 16_384

async function rootOf(handle: FileHandle): Promise<string | null> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxHeader), 0, maxHeader, 0)
  const end = buffer.subarray(0, bytesRead).indexOf('\n')
  const first = end < 0 ? null : readLine(buffer.toString('utf8', 0, end))
  return first?.kind === 'entry' && first.entry.type === 'header' ? (first.entry.root ?? null) : null
}

/** Entries from before `start` are those of the session that it was split from. */
async function promptsIn(handle: FileHandle, start: number): Promise<readonly SentPrompt[]> {
  const readText = createLineReader(handle)
  const times = new Map<string, number>()
  const prompts: SentPrompt[] = []
  await scanLines(handle, 0, ({ offset, length, start: head }) => {
    const { type, id, at } = readHead(head, length) ?? {}
    if (at === undefined || id === undefined || at < start) return
    if (type === 'request') times.set(id, at)
    const read = type === 'usage' ? readLineText(readText(offset, length)) : null
    if (read?.kind !== 'entry' || read.entry.type !== 'usage') return
    const sent = times.get(read.entry.request)
    const tokens = promptTotal(read.entry.usage)
    // A usage that was not reported is stored as zeros.
    if (sent !== undefined && tokens > 0) prompts.push({ at: sent, tokens })
  })
  return prompts
}
