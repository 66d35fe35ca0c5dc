import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Message } from '@plimsoll/core'
import type { Usage } from '@plimsoll/core/bill'
import { estimator } from '@plimsoll/core/text'
import fc from 'fast-check'
import { repeatingSessions } from '../../packages/core/src/testing/repeating-sessions.ts'
import { workingSessions } from '../../packages/core/src/testing/working-sessions.ts'
import { exampleLog } from '../../packages/node/src/inspect/inspector.ts'
import { readLogs } from '../../packages/node/src/logs/read-logs.ts'
import { agentRecordings } from '../../packages/node/src/logs/testing/agent-recordings.ts'
import { recordings as smallRecordings } from '../../packages/node/src/logs/testing/recordings.ts'
import { recordSession } from '../../packages/node/src/replay/record-session.ts'

/** A conversation as a list of requests. */
export interface RecordedConversation {
  readonly name: string
  readonly model: string | null
  readonly root?: string
  readonly requests: readonly RecordedRequest[]
}

/** One request: the full history up to it. */
export interface RecordedRequest {
  readonly messages: readonly Message[]
  readonly at: number
  /** Usage as the provider reported it, if the log has it. */
  readonly usage: Usage | null
}

/** Conversations in every checkout: written here, bundled, and generated. */
export async function ownConversations(): Promise<readonly RecordedConversation[]> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-laws-'))
  try {
    for (const [index, { text }] of [...smallRecordings, ...agentRecordings].entries())
      writeFileSync(join(folder, `${index}.jsonl`), text)
    return [...(await readConversations([folder, exampleLog()])), ...generatedConversations()]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Conversations of real agents, if any: next to the repository and in the folders of PLIMSOLL_RECORDINGS. */
export async function realConversations(): Promise<readonly RecordedConversation[]> {
  const named = (process.env['PLIMSOLL_RECORDINGS'] ?? '').split(delimiter).filter((path) => path !== '')
  const beside = fileURLToPath(new URL('../../../shared/sessions', import.meta.url))
  return readConversations([...(existsSync(beside) ? [beside] : []), ...named])
}

async function readConversations(paths: readonly string[]): Promise<readonly RecordedConversation[]> {
  const conversations: RecordedConversation[] = []
  for await (const { path, log } of readLogs(paths)) {
    for (const [number, session] of (log?.sessions ?? []).entries()) {
      const name = `${path.split('/').slice(-2).join('/')}#${number}`
      const { segments, steps, model, root } = recordSession(session, { name, format: log?.format ?? '', tokens: estimator })
      const requests = steps.map(({ segment, length, at, usage }) => ({
        messages: (segments[segment] as readonly Message[]).slice(0, length),
        at,
        usage,
      }))
      if (requests.length > 0) conversations.push({ name, model, requests, ...(root === undefined ? {} : { root }) })
    }
  }
  return conversations
}

/** The same sessions at every run. */
function generatedConversations(): readonly RecordedConversation[] {
  const seeded = { seed: 7, numRuns: 4 }
  return [
    ...fc.sample(repeatingSessions, seeded).map((messages, index) => conversationOf(`repeating ${index}`, messages)),
    ...fc.sample(workingSessions, seeded).map((messages, index) => conversationOf(`working ${index}`, messages)),
  ]
}

/** A list of messages as one request for each answer. */
export function conversationOf(name: string, messages: readonly Message[]): RecordedConversation {
  let now = Date.UTC(2026, 0, 5, 9)
  const requests = messages.flatMap(({ role }, index): readonly RecordedRequest[] => {
    if (role !== 'assistant' || index === 0 || messages[index - 1]?.role === 'assistant') return []
    // Some pauses are longer than any cache lifetime.
    now = Math.max(messages[index - 1]?.at ?? 0, now + (index % 37 === 0 ? 4_000_000 : 20_000))
    return [{ messages: messages.slice(0, index), at: now, usage: null }]
  })
  return { name, model: null, requests }
}
