import { buildView, type Message, type PartialConfig, specPolicies } from '@plimsoll/core'
import type { SummaryWriter } from '@plimsoll/core/compaction'
import { completeConfig } from '@plimsoll/core/policies'
import type { Entry, SessionState } from '@plimsoll/core/session'
import { chooseModel } from '../../model/choose-model.ts'
import { createModelWriter } from '../../model/summary-writer.ts'
import { longConversation } from '../../model/testing/long-conversation.ts'
import { type Answer, type OpenAiServer, startOpenAiServer } from '../../model/testing/openai-server.ts'
import type { OpenSession } from '../../session/session.ts'
import type { AgentEvent } from '../../shared/event.ts'
import { type CompactOptions, compactSession } from '../compaction/compact-session.ts'
import { startSession, type TestSession } from './start-session.ts'

/** A summary that has the form and knows nothing of the file, the instruction, the correction or the failure. */
export const forgetful = `## 📌 Archived Session Summary
*(Contains context from Monday to Tuesday)*

### 🎯 Objectives & Status
* **Original Goal**: Build all parts of the tree

### 🏗️ Technical Context (Static)
* **Stack**: a compiler
* **Environment**: make

### ✅ Completed Milestones (The "Done" Pile)
* [✓] The first parts - built without trouble, says the model

### 🧠 Key Insights & Decisions (Persistent Memory)
* **Decisions**: one part at a time
* **Learnings**: none
* **User Preferences**: none

### 📂 File System State (Snapshot)
*(Modified files in this archive segment)*
* none
`
/** A model that answers with it. */
export const good: Answer = { kind: 'text', text: forgetful }
/** A model that begins and does not go on. */
export const hanging: Answer = { kind: 'hang', text: '## 📌 Archived' }
/** The error of a model whose window is too small. */
export const refusal: Answer = {
  kind: 'body',
  status: 400,
  body: '{"error":{"message":"maximum context length is 4096 tokens","code":"context_length_exceeded"}}',
}
// The next request comes long after the last message.
const at = Date.UTC(2026, 0, 5, 12)

const opened: TestSession[] = []
const servers: OpenAiServer[] = []

/** Ends every session and server that a test started. */
export async function endAll(): Promise<void> {
  for (const { close } of opened.splice(0)) await close()
  for (const server of servers.splice(0)) await server.close()
}

/** A session with these messages in its log. */
export async function start(messages: readonly Message[] = longConversation()): Promise<OpenSession> {
  const session = await startSession(messages)
  opened.push(session)
  return session.session
}

/** The writer and the compaction settings. */
export interface Setting {
  readonly config?: PartialConfig
  readonly answers?: readonly [Answer, ...Answer[]]
  readonly writer?: SummaryWriter | null
  readonly options?: Partial<CompactOptions>
}

/** Compacts, with a real server as the model if answers are given. */
export async function compact(session: OpenSession, { config, answers, writer = null, options }: Setting) {
  const events: AgentEvent[] = []
  const server = answers === undefined ? null : await startOpenAiServer(...answers)
  if (server !== null) servers.push(server)
  const model = server === null ? null : chooseModel('small', { url: server.url, environment: {} })
  const outcome = await compactSession(session, {
    config: completeConfig(config),
    writer: model === null ? writer : createModelWriter({ model, maxInputTokens: 100_000 }),
    emit: (event) => events.push(event),
    now: at,
    ...options,
  })
  const notices = events.flatMap((event) => (event.type === 'notification' ? [event.data.message] : []))
  return { outcome, events, notices, requests: server?.requests ?? [] }
}

/** Every entry of the log. */
export function entriesOf(session: OpenSession): readonly (Entry | null)[] {
  return session.heads().map(({ id }) => session.entry(id))
}

/** The view of the next request. */
export function nextView({ messages, edits, sent }: SessionState): readonly Message[] {
  return buildView({ messages, edits, sent, policies: specPolicies, facts: { now: at } }).view
}

/** The text of a message. */
export function textOf(message: Message | undefined): string {
  return (message?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('\n')
}

/** The text of the first summary in sight. */
export function summaryOf(session: OpenSession): string {
  return textOf(session.state().messages.find(({ summary }) => summary === true))
}

/** A time limit that a test can wait for. */
export const quick: PartialConfig = { compaction: { timeout_seconds: 0.3 } }
/** The same, with nothing but the notice when it is up. */
export const quickNone: PartialConfig = { compaction: { timeout_seconds: 0.3, fallback: 'none' } }
