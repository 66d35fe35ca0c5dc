import type { AnswerLine } from '../../../node/src/shared/inspection/embedded-inspection.ts'
import type {
  ApiProblem,
  ChatMessage,
  FileSuggestion,
  Hello,
  LogListRow,
  LogSessions,
  SearchAnswer,
  SessionAnswers,
  SessionCommands,
  SessionListRow,
  SessionSnapshot,
} from '../../../node/src/shared/server-api.ts'
import type { HomeFigures, LogFigures } from '../../../node/src/shared/spending.ts'

/** The server's API. Every call rejects with `ApiError` if the server returns an error or cannot be reached. */
export type Api = Readonly<ReturnType<typeof createApi>>

/** An error that the server returned, or that it could not be reached. The message is a sentence for users. */
export class ApiError extends Error {
  readonly code: string
  readonly suggestion: string | null
  readonly status: number

  constructor(status: number, code: string, message: string, suggestion: string | null) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.suggestion = suggestion
  }
}

/** Calls the server that the page came from. */
export function createApi(token: string, locale: () => string, base = '') {
  const reach = createReach()
  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${token}`)
    headers.set('accept-language', locale())
    const response = await fetch(`${base}/api${path}`, { ...init, headers }).catch((error: unknown) => {
      if (init.signal?.aborted === true) throw error
      reach.tell(false)
      throw new ApiError(0, 'UNREACHABLE', '', null)
    })
    reach.tell(true)
    if (response.ok) return response
    throw await errorOf(response)
  }

  async function json<Answer>(path: string, init?: RequestInit): Promise<Answer> {
    const response = await ask(path, init)
    return (await response.json()) as Answer
  }

  /** The answer to a question that takes long. Called with each line before it. */
  async function inLines<Answer>(path: string, init: RequestInit, onLine: (line: WorkLine<Answer>) => void): Promise<Answer> {
    const headers = new Headers(init.headers)
    headers.set('accept', 'application/x-ndjson')
    const { body } = await ask(path, { ...init, headers })
    for await (const text of linesOf(body ?? new ReadableStream())) {
      const line = JSON.parse(text) as AnswerLine<Answer>
      if ('answer' in line) return line.answer
      if ('error' in line) throw new ApiError(0, line.error.code, line.error.message, line.error.suggestion)
      onLine(line)
    }
    throw new ApiError(0, 'UNREACHABLE', '', null)
  }

  const get = <Answer>(path: string, signal: AbortSignal | null = null) => json<Answer>(path, { signal })
  const post = <Answer>(path: string, body: unknown, signal: AbortSignal | null = null) =>
    json<Answer>(path, { signal, method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const session = (id: string) => `/sessions/${encodeURIComponent(id)}`

  return {
    /** Whether the last request reached the server. */
    reach,
    hello: (signal?: AbortSignal) => get<Hello>('/hello', signal),
    /** Called first with what was known before logs were looked at, if anything. */
    spending: (signal: AbortSignal, onKnown: (known: HomeFigures) => void) =>
      inLines<HomeFigures>('/spending', { signal }, (line) => 'soFar' in line && onKnown(line.soFar)),
    sessions: (search: string, signal?: AbortSignal) =>
      get<readonly SessionListRow[]>(`/sessions?search=${encodeURIComponent(search)}`, signal),
    newSession: () => post<{ readonly id: string }>('/sessions', {}),
    removeSession: async (id: string) => {
      await ask(session(id), { method: 'DELETE', headers: { 'content-type': 'application/json' } })
    },
    snapshot: (id: string, signal?: AbortSignal) => get<SessionSnapshot>(session(id), signal),
    messages: (id: string, from: number, to: number, signal?: AbortSignal) =>
      get<readonly ChatMessage[]>(`${session(id)}/messages?from=${from}&to=${to}`, signal),
    command: <Name extends keyof SessionCommands>(id: string, name: Name, body: SessionCommands[Name]) =>
      post<SessionAnswers[Name]>(`${session(id)}/${name}`, body),
    files: (search: string, signal?: AbortSignal) =>
      get<readonly FileSuggestion[]>(`/files?search=${encodeURIComponent(search)}`, signal),
    logs: (signal?: AbortSignal) => get<readonly LogListRow[]>('/logs', signal),
    /** By the ids of logs. */
    logFigures: (signal?: AbortSignal) => get<Readonly<Record<string, LogFigures>>>('/spending/logs', signal),
    /** Called each time with all that was found so far. */
    search: (text: string, signal: AbortSignal, onFound: (so: SearchAnswer) => void) =>
      inLines<SearchAnswer>(
        `/search?text=${encodeURIComponent(text)}`,
        { signal },
        (line) => 'soFar' in line && onFound(line.soFar),
      ),
    log: (id: string) => get<LogSessions>(`/logs/${encodeURIComponent(id)}`),
    upload: (file: File) => {
      const headers = { 'content-type': 'application/octet-stream' }
      return json<LogListRow>(`/logs?name=${encodeURIComponent(file.name)}`, { method: 'POST', headers, body: file })
    },
    /** Any other address of the server: its raw response, or its JSON. */
    fetch: ask,
    json,
    inLines,
    get,
    post,
  }
}

function createReach() {
  const watching = new Set<() => void>()
  let isThere = true
  let times = 0
  return {
    isLost: () => !isThere,
    /** How often the server was there again. */
    times: () => times,
    tell(isReached: boolean): void {
      if (isReached === isThere) return
      isThere = isReached
      if (isThere) times += 1
      for (const changed of [...watching]) changed()
    },
    watch: (changed: () => void): (() => void) => {
      watching.add(changed)
      return () => void watching.delete(changed)
    },
  }
}

/** Progress, or an answer of which some is still missing. */
export type WorkLine<Answer> = Exclude<AnswerLine<Answer>, { readonly answer: Answer } | { readonly error: unknown }>

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  // Kept in pieces: the last line may have megabytes.
  let pieces: string[] = []
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const [first = '', ...rest] = decoder.decode(read.value, { stream: true }).split('\n')
      pieces.push(first)
      for (const next of rest) {
        yield pieces.join('')
        pieces = [next]
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

async function errorOf(response: Response): Promise<ApiError> {
  try {
    const { error } = (await response.json()) as ApiProblem
    return new ApiError(response.status, error.code, error.message, error.suggestion)
  } catch {
    return new ApiError(response.status, 'UNEXPECTED', `${response.status} ${response.statusText}`.trim(), null)
  }
}
