import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Entry } from '../../../packages/core/src/session/entry.ts'
import { writeLine } from '../../../packages/core/src/session/jsonl.ts'
import { plimsollLines } from '../../../packages/node/src/logs/testing/agent-recordings.ts'
import { createSealer } from '../../../packages/node/src/session/log-chain.ts'
import { logEndText } from '../../../packages/node/src/session/log-end.ts'
import { readSession } from '../../../packages/node/src/session/open-session.ts'
import { pathsOf } from '../../../packages/node/src/session/session-folder.ts'
import { holds, type Target } from '../target.ts'

const sealer = createSealer()
const sealed = plimsollLines.map((entry) => sealer.seal(writeLine(entry as unknown as Entry)).toString('utf8')).join('')
const id = '20260101-000000-aaaaaa'
let folder: string | null = null

/** Any text in the place of a log with checksums: whatever is read differently from what was written is named. */
export const damagedLogTarget: Target = {
  name: 'damaged-log',
  form: 'lines',
  choices: 1,
  longest: 8000,
  covers: [
    'packages/node/src/session/log-chain.ts',
    'packages/node/src/session/log-index.ts',
    'packages/node/src/session/log-end.ts',
  ],
  seeds: () => [sealed, sealed.replaceAll('\n', '\r\n'), sealed.split('\n').slice(0, 4).join('\n')],
  slowness: 20,
  async check({ text, choices: [cut = 0] }) {
    folder ??= makeFolder()
    const { log, end } = pathsOf(join(folder, id))
    writeFileSync(log, text)
    const known = logEndText(sealer.end())
    writeFileSync(end, cut % 4 === 0 ? known.subarray(0, cut % known.length) : known)
    const session = await readSession(folder, id)
    // Another program may have added lines without a checksum.
    const read = [...session.messages()].filter(({ id: name }) => names.has(name))
    const said = read.map((message) => JSON.stringify(message)).join('\n')
    const isNamed = session.troubles().length > 0
    await session.close()
    holds(isNamed || said === original, 'a message that differs from what was written is named')
    holds(readFileSync(log, 'utf8') === text.toWellFormed(), 'reading changes nothing')
  },
}

const messages = plimsollLines.flatMap(({ type, message }) => (type === 'message' ? [message as { readonly id: string }] : []))
const names = new Set(messages.map((message) => message.id))
const original = messages.map((message) => JSON.stringify(message)).join('\n')

function makeFolder(): string {
  const made = mkdtempSync(join(tmpdir(), 'plimsoll-fuzz-'))
  process.once('exit', () => rmSync(made, { recursive: true, force: true }))
  mkdirSync(join(made, id))
  return made
}
