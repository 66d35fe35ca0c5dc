import type { Message } from '@plimsoll/core'
import type { TrimMode } from '@plimsoll/core/policies'
import { writeRequest } from '@plimsoll/core/wire'
import type { Measured } from '../../packages/node/src/gateway/planner.ts'
import type { WireDialect } from '../../packages/node/src/store/gateway-record.ts'
import type { GatewayStore } from '../../packages/node/src/store/gateway-store.ts'
import { startGateway } from './start-gateway.ts'

/** The API formats in which savings are checked. */
export type SavingsDialect = WireDialect

/** One request of a conversation. */
export interface SavingsRequest {
  readonly messages: readonly Message[]
  readonly model: string
  /** Milliseconds. */
  readonly at: number
}

/** How a conversation is run through a gateway. */
export interface SavingsRun {
  readonly dialect: SavingsDialect
  readonly mode: TrimMode
  readonly requests: readonly SavingsRequest[]
  readonly upstream: string
  /** The credential, by which the upstream knows the client. */
  readonly key: string
  readonly setNow: (at: number) => void
  readonly now: () => number
  /** Requests of another conversation that are sent first, untrimmed. Default: none. */
  readonly untouched?: readonly SavingsRequest[]
  /** The mode of the first requests, and how many those are: the gateway is restarted with the other mode after them. Default: none. */
  readonly first?: { readonly mode: TrimMode; readonly requests: number }
}

/** The totals of a conversation. */
export interface SavingsResult {
  readonly paid: number
  readonly untrimmed: number
  /** The reported error margin of `untrimmed`, in dollars. */
  readonly doubt: number
  readonly measured: readonly Measured[]
}

/** Sends the requests of a conversation through a real gateway, one after the other. */
export async function runForSavings(run: SavingsRun): Promise<SavingsResult> {
  const { dialect, requests, upstream, key, now, setNow, first, untouched = [] } = run
  const measured: Measured[] = []
  const split = first?.requests ?? 0
  let folder: string | undefined
  let doubt = 0
  for (const [mode, list] of [
    ['observe', untouched],
    [first?.mode ?? run.mode, requests.slice(0, split)],
    [run.mode, requests.slice(split)],
  ] as const) {
    if (list.length === 0) continue
    const gateway = await startGateway({ mode, upstream, now, ...(folder === undefined ? {} : { folder }) })
    folder = gateway.folder
    try {
      for (const [index, request] of list.entries()) {
        setNow(request.at)
        const answer = await fetch(`${gateway.url}${paths[dialect](request.model)}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
          body: JSON.stringify(bodyOf(dialect, request)),
        })
        if (answer.status !== 200) throw new Error(`request ${index}: status ${answer.status}: ${await answer.text()}`)
        await answer.text()
        // The next request must use the usage of this one.
        await until(() => gateway.events.filter(({ type }) => type === 'answered').length > index)
      }
    } finally {
      // Writes pending records.
      await gateway.close()
      if (list !== untouched) measured.push(...gateway.measured)
      doubt = await doubtIn(gateway.store)
      if (list.at(-1) === requests.at(-1)) await gateway.remove()
    }
  }
  return {
    paid: measured.reduce((sum, { dollars }) => sum + (dollars ?? Number.NaN), 0),
    untrimmed: measured.reduce((sum, { untrimmedDollars }) => sum + (untrimmedDollars ?? Number.NaN), 0),
    doubt,
    measured,
  }
}

async function doubtIn(store: GatewayStore): Promise<number> {
  let doubt = 0
  for (const tenant of await store.tenants())
    for (const { id } of await store.conversations(tenant))
      for (const request of (await store.conversation(tenant, id))?.requests ?? []) doubt += request.untrimmedDoubt ?? 0
  return doubt
}

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 1))
}

const paths: Readonly<Record<SavingsDialect, (model: string) => string>> = {
  anthropic: () => '/v1/messages',
  'openai-chat': () => '/v1/chat/completions',
  'openai-responses': () => '/v1/responses',
  gemini: (model) => `/v1beta/models/${model}:generateContent`,
}

function bodyOf(dialect: SavingsDialect, { messages, model }: SavingsRequest): unknown {
  const request: Fields = writeRequest(dialect, messages, { model, system: systemPrompt, isShared: true })
  const tools = toolNames.map((name) => toolIn[dialect](name))
  if (dialect === 'gemini') {
    // In Gemini's API the URL names the model.
    const { model: _model, ...rest } = request
    return { ...rest, tools: [{ functionDeclarations: tools }] }
  }
  return { ...(dialect === 'anthropic' ? withMarks(request) : request), tools }
}

type Fields = Readonly<Record<string, unknown>>

/** Marks the system prompt and the last two user messages for the cache, as agents do. */
function withMarks(request: Fields): Fields {
  const messages = (request['messages'] as readonly Fields[]).map((message) => ({ ...message }))
  const system = request['system']
  let left = 2
  for (let index = messages.length - 1; index >= 0 && left > 0; index -= 1) {
    const message = messages[index] as Fields
    if (message['role'] !== 'user') continue
    const { content } = message
    const blocks = Array.isArray(content) ? (content as readonly Fields[]) : [{ type: 'text', text: content }]
    messages[index] = {
      ...message,
      content: blocks.map((block, at) => (at === blocks.length - 1 ? { ...block, ...mark } : block)),
    }
    left -= 1
  }
  return {
    ...request,
    messages,
    system: Array.isArray(system)
      ? system.map((block: Fields, at) => (at === system.length - 1 ? { ...block, ...mark } : block))
      : [{ type: 'text', text: system, ...mark }],
  }
}

const mark = { cache_control: { type: 'ephemeral' } }

const systemPrompt = Array.from(
  { length: 60 },
  (_, line) => `${line}. Read a file before you change it, keep changes small, and run the tests after each of them.`,
).join('\n')

const toolNames = ['Bash', 'Read', 'Edit', 'Write', 'Grep', 'Glob', 'TodoWrite', 'WebFetch']
const description = 'Does what its name says. Pass absolute paths. Long output is returned in full. '.repeat(6)
const schema = {
  type: 'object',
  properties: { path: { type: 'string', description: 'An absolute path.' }, limit: { type: 'number', minimum: 1 } },
  required: ['path'],
}
const toolIn = {
  anthropic: (name: string) => ({ name, description, input_schema: schema }),
  'openai-chat': (name: string) => ({ type: 'function', function: { name, description, parameters: schema } }),
  'openai-responses': (name: string) => ({ type: 'function', name, description, parameters: schema }),
  gemini: (name: string) => ({ name, description, parameters: schema }),
}
