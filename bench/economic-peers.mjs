import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { trimMessages } from '@langchain/core/messages'
import { TokenLimiterProcessor, ToolCallFilter } from '@mastra/core/processors'
import { pruneMessages } from 'ai'
import { ClearToolUsesEdit } from 'langchain'
import { createLangChainDialect } from './langchain-dialect.mjs'
import { createModelDialect } from './model-dialect.mjs'
import { createOpencodeDialect } from './opencode-dialect.mjs'

/** The number of tokens at which hosts usually start to trim. */
const limit = 100_000

/**
 * The output of other libraries for the messages of a session, request by request. `start` starts a session and returns a function
 * from messages to what the peer would send. Each uses its defaults, unless they would leave too little.
 */
export const economicPeers = [
  {
    name: 'AI SDK pruneMessages, calls before the last 6 messages',
    // A call and its result are two messages.
    recallLasts: 3,
    start: () =>
      onPrompts((messages) => pruneMessages({ messages, toolCalls: 'before-last-6-messages', emptyMessages: 'remove' })),
  },
  {
    name: 'LangChain trimMessages, last 100k tokens',
    start: () =>
      onLangChain((messages) =>
        trimMessages(messages, {
          maxTokens: limit,
          strategy: 'last',
          includeSystem: true,
          startOn: ['human', 'ai'],
          tokenCounter: countTokens,
        }),
      ),
  },
  {
    name: 'LangChain ClearToolUsesEdit, 100k, keep 3',
    start: () =>
      onLangChain(async (messages) => {
        // It edits its list in place.
        const list = messages.slice()
        await new ClearToolUsesEdit({ trigger: { tokens: limit }, keep: { messages: 3 } }).apply({ messages: list, countTokens })
        return list
      }),
  },
  {
    name: 'Mastra TokenLimiterProcessor, 100k',
    start: () => {
      const limiter = new TokenLimiterProcessor({ limit })
      return onPrompts(async (prompt) => (await limiter.processLLMRequest({ prompt, state: {} }))?.prompt ?? prompt)
    },
  },
  {
    name: 'Mastra ToolCallFilter, after 10 tool steps',
    recallLasts: 10,
    start: () => {
      const filter = new ToolCallFilter({ filterAfterToolSteps: 10 })
      return onPrompts(async (prompt) => (await filter.processLLMRequest({ prompt, state: {} }))?.prompt ?? prompt)
    },
  },
  { name: 'opencode DCP, its tool not called', start: startDcp },
]

function onPrompts(run) {
  const dialect = createModelDialect()
  return async (messages) => dialect.read(await run(dialect.write(messages)))
}

function onLangChain(run) {
  const dialect = createLangChainDialect()
  return async (messages) => dialect.read(await run(dialect.write(messages)))
}

let sessions = 0

/** A plugin of opencode with a minimal host. It writes to its own folder. */
async function startDcp() {
  const { dcp, home } = await loadDcp()
  sessions += 1
  const sessionID = `ses_${sessions}`
  const dialect = createOpencodeDialect(sessionID)
  let current = []
  const answer = (data) => async () => ({ data })
  const client = {
    session: {
      get: answer({ id: sessionID }),
      messages: async () => ({ data: structuredClone(current) }),
      children: answer([]),
      prompt: answer({}),
      promptAsync: answer({}),
    },
    app: { log: answer({}), agents: answer([]) },
    tui: { showToast: answer({}) },
    config: { get: answer({}), providers: answer({ providers: [] }) },
  }
  const hooks = await dcp({
    client,
    directory: home,
    worktree: home,
    project: { id: 'bench' },
    $: answer(undefined),
    serverUrl: new URL('http://127.0.0.1:1'),
  })
  await hooks.config?.({})
  return async (messages) => {
    current = dialect.write(messages)
    const output = { messages: structuredClone(current) }
    await hooks['experimental.chat.messages.transform']({}, output)
    return dialect.read(output.messages, messages)
  }
}

let loaded = null

async function loadDcp() {
  if (loaded !== null) return loaded
  const home = mkdtempSync(join(tmpdir(), 'plimsoll-bench-dcp-'))
  process.on('exit', () => rmSync(home, { recursive: true, force: true }))
  const before = { ...process.env }
  const inHome = { HOME: home, XDG_CONFIG_HOME: join(home, '.config'), XDG_DATA_HOME: join(home, '.local', 'share') }
  Object.assign(process.env, inHome, { XDG_CACHE_HOME: join(home, '.cache'), XDG_STATE_HOME: join(home, '.state') })
  loaded = { dcp: (await import('@tarquinen/opencode-dcp')).default, home, before }
  return loaded
}

/** Four characters per token; each message is counted once and cached. */
function countTokens(messages) {
  let total = 0
  for (const message of messages) total += countMessage(message)
  return total
}

const counts = new WeakMap()

function countMessage(message) {
  const known = counts.get(message)
  if (known !== undefined) return known
  let characters = message.content.length
  for (const call of message.tool_calls ?? []) characters += JSON.stringify(call.args).length
  counts.set(message, characters >> 2)
  return characters >> 2
}
