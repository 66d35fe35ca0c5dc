import type { WireDialect } from '../../store/gateway-record.ts'
import type { RequestHead } from './request-head.ts'

export interface Route {
  readonly dialect: WireDialect
  /** Its name, without anything that a client wrote. */
  readonly name: string
  /** A request for an answer, a token count or a summary, which a planner looks at; null for everything that only passes. */
  readonly kind: 'generate' | 'count' | 'compact' | null
  readonly model: string | null
}

/** Finds the dialect of a request by its path, or else by the headers that only one kind of client sends. */
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
      ['openai-responses', '/responses/compact', 'compact', '/responses/*'],
    ] as const
  ).flatMap(([dialect, path, kind, name = path]) => {
    const route: Route = { dialect, name: `/v1${name}`, kind, model: null }
    return [
      [path, route],
      [`/v1${path}`, route],
    ]
  }),
)

/** Gemini's calls: `/v1beta/models/<model>:<call>`; those of projects have a longer path. */
const modelCall = /^\/v1[a-z0-9]*\/(?:[^:]*\/)?models\/([^/:]+):(generateContent|streamGenerateContent|countTokens)$/

function geminiRoute(model: string, call: string): Route {
  return { dialect: 'gemini', name: `/v1beta/models/*:${call}`, kind: call === 'countTokens' ? 'count' : 'generate', model }
}

/** Requests that only pass: by their path, or else by the caller's dialect. */
function passing(path: string, query: string, head: RequestHead): Route {
  const bare = path.startsWith('/v1/') ? path.slice(3) : path
  if (isBelow(bare, '/messages')) return pass('anthropic', '/v1/messages/*')
  if (isBelow(bare, '/responses')) return pass('openai-responses', '/v1/responses/*')
  if (isBelow(bare, '/chat/completions')) return pass('openai-chat', '/v1/chat/completions/*')
  if (geminiPath.test(path)) return pass('gemini', '/v1beta/*')
  const dialect = head.isAnthropic ? 'anthropic' : head.isGemini || /[?&]key=/.test(query) ? 'gemini' : 'openai-chat'
  return pass(dialect, isBelow(bare, '/models') ? '/v1/models' : 'other')
}

const geminiPath = /^\/(?:upload|download|v1(?:alpha|beta|internal))(?:[/:0-9]|$)/

function isBelow(path: string, parent: string): boolean {
  return path.startsWith(parent) && (path.length === parent.length || path[parent.length] === '/')
}

function pass(dialect: WireDialect, name: string): Route {
  return { dialect, name, kind: null, model: null }
}

/** The target of a request as it was written, without the tag. */
export interface RequestTarget {
  readonly path: string
  readonly query: string
  /** The name in `/t/<name>/…`, which labels a session, or null. */
  readonly tag: string | null
}

/** Null for a target that could leave the upstream's path: a full address, dot segments or empty ones, in any encoding. */
export function readTarget(target: string): RequestTarget | null {
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  if (path !== '/' && !plain.test(path) && !isHarmless(path)) return null
  const query = mark < 0 ? '' : target.slice(mark)
  if (query !== '' && !visible.test(query)) return null
  if (!path.startsWith('/t/')) return { path, query, tag: null }
  const end = path.indexOf('/', 3)
  const name = end < 0 ? '' : path.slice(3, end)
  return name === '' ? { path, query, tag: null } : { path: path.slice(end), query, tag: decoded(name).slice(0, 200) }
}

const plain = /^(?:\/(?!\.{1,2}(?:[/;]|$))[A-Za-z0-9._~!$&'()*+,;=:@-]+)+\/?$/

const visible = /^[\x21-\x22\x24-\x7e]*$/

/** Whether a path with encoded characters stays in its place, even if it is decoded more than once. */
function isHarmless(path: string): boolean {
  if (!path.startsWith('/') || !visible.test(path)) return false
  let seen = path
  for (let times = 0; times < 4; times++) {
    if (leadsElsewhere(seen)) return false
    const next = decoded(seen)
    if (next === seen) return true
    seen = next
  }
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

function decoded(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
