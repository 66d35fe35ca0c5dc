import type { WireDialect } from '../../store/gateway-record.ts'
import type { RequestHead } from './request-head.ts'

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

/** What a request asks for, as it was written, without the tag in front. */
export interface RequestTarget {
  readonly path: string
  /** With its question mark; empty where there is none. */
  readonly query: string
  /** The name in `/t/<name>/…`, which labels a session; null where there is none. */
  readonly tag: string | null
}

/**
 * Takes a request's target apart. Null for one that could lead to somewhere else than below the upstream's own path: a whole address, dot
 * segments and empty ones, however they are encoded.
 */
export function readTarget(target: string): RequestTarget | null {
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  if (!isPlain(path) && !isHarmless(path)) return null
  const query = mark < 0 ? '' : target.slice(mark)
  if (query !== '' && !visible.test(query)) return null
  if (!path.startsWith('/t/')) return { path, query, tag: null }
  const end = path.indexOf('/', 3)
  const name = end < 0 ? '' : path.slice(3, end)
  return name === '' ? { path, query, tag: null } : { path: path.slice(end), query, tag: decoded(name).slice(0, 200) }
}

/** Segments of nothing but letters, digits and signs, none of them dots alone: nearly every path there is. */
const plain = /^(?:\/(?!\.{1,2}(?:[/;]|$))[A-Za-z0-9._~!$&'()*+,;=:@-]+)+\/?$/

const visible = /^[\x21-\x22\x24-\x7e]*$/

function isPlain(path: string): boolean {
  return path === '/' || plain.test(path)
}

/** Whether a path with encoded signs stays where it is for whoever decodes it, be it more than once. */
function isHarmless(path: string): boolean {
  if (!path.startsWith('/') || !visible.test(path)) return false
  let seen = path
  for (let times = 0; times < 4; times++) {
    if (leadsElsewhere(seen)) return false
    const next = decoded(seen)
    if (next === seen) return true
    seen = next
  }
  // Encoded over and over again: nobody means well by that.
  return false
}

function leadsElsewhere(path: string): boolean {
  for (let at = 0; at < path.length; at++) {
    const code = path.charCodeAt(at)
    if (code < 0x20 || code === 0x7f) return true
  }
  const segments = path.slice(1).split(/[/\\]/)
  return segments.some((segment, index) => (segment === '' ? index < segments.length - 1 : /^\.{1,2}(?:;|$)/.test(segment)))
}

/** Every `%41` as the character of that code; what is no such sequence stays. */
function decoded(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
