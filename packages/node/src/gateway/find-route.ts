import type { WireDialect } from '../store/wire-dialect.ts'
import type { RequestHead } from './request-head.ts'
import type { RequestTarget } from './request-target.ts'

/** Where a request belongs. */
export interface Route {
  readonly dialect: WireDialect
  /** A name for it without anything that a client wrote. */
  readonly name: string
  /** What a planner may look at: a request for an answer, or for a count of its tokens; null for everything that only passes. */
  readonly kind: 'generate' | 'count' | null
  /** Where the path names the model. */
  readonly model: string | null
}

/** Finds the dialect that a request is written in, by its path, or else by the headers that only one kind of client sends. */
export function findRoute(method: string, { path, query }: RequestTarget, head: RequestHead): Route {
  const known = method === 'POST' ? planned.get(path) : undefined
  if (known !== undefined) return known
  if (method === 'POST') {
    const call = modelCall.exec(path)
    if (call !== null) return geminiRoute(call[1] as string, call[2] as string)
  }
  return passing(path, query, head)
}

const planned: ReadonlyMap<string, Route> = new Map(
  (
    [
      ['anthropic', '/messages', 'generate'],
      ['anthropic', '/messages/count_tokens', 'count'],
      ['openai-chat', '/chat/completions', 'generate'],
      ['openai-responses', '/responses', 'generate'],
    ] as const
  ).flatMap(([dialect, path, kind]) => {
    const route: Route = { dialect, name: `/v1${path}`, kind, model: null }
    return [
      [path, route],
      [`/v1${path}`, route],
    ]
  }),
)

/** Gemini's calls: `/v1beta/models/<model>:<what>`, and those of projects, which have more in front. */
const modelCall = /^\/v1[a-z0-9]*\/(?:[^:]*\/)?models\/([^/:]+):(generateContent|streamGenerateContent|countTokens)$/

function geminiRoute(model: string, call: string): Route {
  return { dialect: 'gemini', name: `/v1beta/models/*:${call}`, kind: call === 'countTokens' ? 'count' : 'generate', model }
}

/** What goes by untouched: to the dialect whose path it is, and where that says nothing to the one of the caller. */
function passing(path: string, query: string, head: RequestHead): Route {
  const bare = path.startsWith('/v1/') ? path.slice(3) : path
  if (isBelow(bare, '/messages')) return pass('anthropic', '/v1/messages/*')
  if (isBelow(bare, '/responses')) return pass('openai-responses', '/v1/responses/*')
  if (isBelow(bare, '/chat/completions')) return pass('openai-chat', '/v1/chat/completions/*')
  if (geminiPath.test(path)) return pass('gemini', '/v1beta/*')
  const dialect = callersDialect(query, head)
  return pass(dialect, isBelow(bare, '/models') ? '/v1/models' : 'other')
}

const geminiPath = /^\/(?:upload|download|v1(?:alpha|beta|internal))(?:[/:0-9]|$)/

function callersDialect(query: string, head: RequestHead): WireDialect {
  if (head.isAnthropic) return 'anthropic'
  return head.isGemini || keyInQuery.test(query) ? 'gemini' : 'openai-chat'
}

const keyInQuery = /[?&]key=/

function isBelow(path: string, parent: string): boolean {
  return path.startsWith(parent) && (path.length === parent.length || path[parent.length] === '/')
}

function pass(dialect: WireDialect, name: string): Route {
  return { dialect, name, kind: null, model: null }
}
