import { existsSync } from 'node:fs'
import type { Message } from '@plimsoll/core'
import { readLog } from '../packages/node/src/logs/read-log.ts'
import { root } from './source-files.ts'

/** A long conversation with many rounds, by name. */
export interface LongConversation {
  readonly name: string
  readonly messages: readonly Message[]
}

// Recorded sessions may be next to the repository.
const recorded = [
  'badlogic-pi-mono/large-session.jsonl',
  'badlogic-pi-mono/before-compaction.jsonl',
  'entireio-skills/fe3ed705-946a-49c1-9c31-0a5ec7a62aba.jsonl',
  'entireio-skills/019dc0d3-6b22-7052-b168-4487a38e0f4d.jsonl',
  'entireio-cli/f4237e82-ca7b-48a3-bfed-36548f3e4f6b.jsonl',
].map((name) => ({ name, path: `${root}/../shared/sessions/${name}` }))

/** Recorded conversations of many rounds if there are any, else an invented one. */
export async function longConversations(): Promise<readonly LongConversation[]> {
  const found: LongConversation[] = []
  for (const { name, path } of recorded) {
    if (!existsSync(path)) continue
    const log = await readLog(path)
    const [session] = log.problem === undefined ? log.value.sessions : []
    if (session !== undefined) found.push({ name, messages: session.messages })
  }
  return found.length > 0 ? found : [{ name: 'our own', messages: ownConversation(60) }]
}

/** An invented day of work: reads, searches, failing and passing commands, edits, images, an occasional long log. */
function ownConversation(rounds: number): readonly Message[] {
  const messages: Message[] = []
  let at = Date.UTC(2026, 0, 5, 9)
  const add = (role: Message['role'], parts: Message['parts']) => {
    at += 20_000
    messages.push({ id: `m${messages.length}`, role, parts, at })
  }
  const call = (round: number, step: number, tool: string, input: unknown, text: string, isError = false) => {
    const callId = `call-${round}-${step}`
    add('assistant', [{ type: 'tool-call', callId, tool, input }])
    add('tool', [{ type: 'tool-result', callId, tool, content: { type: 'text', text }, ...(isError ? { isError } : {}) }])
  }
  for (let round = 0; round < rounds; round += 1) {
    const file = `src/part-${round % 7}.ts`
    add('user', [{ type: 'text', text: `Round ${round}: make ${file} count from ${round}. Keep the old names.` }])
    call(round, 0, 'Read', { file_path: file }, numbered(round, 120))
    call(
      round,
      1,
      'Grep',
      { pattern: `count${round % 5}` },
      Array.from({ length: 30 }, (_, line) => `${file}:${line + 1}: count${round}`).join('\n'),
    )
    if (round % 4 === 1)
      call(round, 2, 'Bash', { command: 'npm test' }, `Error: expected ${round}, got ${round + 1}\n${numbered(round, 40)}`, true)
    call(
      round,
      3,
      'Edit',
      { file_path: file, old_string: `${round}`, new_string: `${round + 1}` },
      `The file ${file} has been updated.`,
    )
    call(round, 4, 'Bash', { command: 'npm test' }, `${numbered(round, round % 9 === 0 ? 2000 : 60)}\nok ${round} passed`)
    add('assistant', [{ type: 'text', text: `Done with round ${round}: ${file} counts from ${round}.` }])
  }
  return messages
}

function numbered(seed: number, lines: number): string {
  return Array.from(
    { length: lines },
    (_, line) => `${line + 1}→  const value${line} = ${(seed * 7919 + line * 104_729) % 9973}`,
  ).join('\n')
}
