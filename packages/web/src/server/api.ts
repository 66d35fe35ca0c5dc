import type {
  ApiTrouble,
  ChatMessage,
  FileSuggestion,
  Hello,
  LogListRow,
  LogSessions,
  SessionAnswers,
  SessionCommands,
  SessionListRow,
  SessionSnapshot,
} from '../../../node/src/shared/server-api.ts'

/** What can be asked of the server. Every call rejects with `ApiError` where it says no, or cannot be reached. */
export interface Api {
  readonly hello: (signal?: AbortSignal) => Promise<Hello>
  readonly sessions: (search: string, signal?: AbortSignal) => Promise<readonly SessionListRow[]>
  readonly newSession: () => Promise<{ readonly id: string }>
  readonly removeSession: (id: string) => Promise<void>
  readonly snapshot: (id: string, signal?: AbortSignal) => Promise<SessionSnapshot>
  readonly messages: (id: string, from: number, to: number, signal?: AbortSignal) => Promise<readonly ChatMessage[]>
  readonly command: <Name extends keyof SessionCommands>(
    id: string,
    name: Name,
    body: SessionCommands[Name],
  ) => Promise<SessionAnswers[Name]>
  readonly files: (search: string, signal?: AbortSignal) => Promise<readonly FileSuggestion[]>
  readonly logs: (signal?: AbortSignal) => Promise<readonly LogListRow[]>
  readonly log: (id: string, signal?: AbortSignal) => Promise<LogSessions>
  readonly upload: (file: File) => Promise<LogListRow>
  /** Any other address of the server, as it answers. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>
  readonly json: <Answer>(path: string, init?: RequestInit) => Promise<Answer>
}

/** What the server refused, or that it cannot be reached. The message is a sentence for people. */
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

/** Speaks to the server that the page came from. */
export function createApi(token: string, locale: () => string, base = ''): Api {
  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${token}`)
    headers.set('accept-language', locale())
    const response = await fetch(`${base}/api${path}`, { ...init, headers }).catch((error: unknown) => {
      if (init.signal?.aborted === true) throw error
      throw new ApiError(0, 'UNREACHABLE', '', null)
    })
    if (response.ok) return response
    throw await troubleOf(response)
  }

  async function json<Answer>(path: string, init?: RequestInit): Promise<Answer> {
    const response = await ask(path, init)
    return (await response.json()) as Answer
  }

  const signalled = (signal: AbortSignal | undefined): RequestInit => (signal === undefined ? {} : { signal })
  const post = (body: unknown): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const session = (id: string) => `/sessions/${encodeURIComponent(id)}`

  return {
    hello: (signal) => json('/hello', signalled(signal)),
    sessions: (search, signal) => json(`/sessions?search=${encodeURIComponent(search)}`, signalled(signal)),
    newSession: () => json('/sessions', post({})),
    async removeSession(id) {
      await ask(session(id), { method: 'DELETE', headers: { 'content-type': 'application/json' } })
    },
    snapshot: (id, signal) => json(session(id), signalled(signal)),
    messages: (id, from, to, signal) => json(`${session(id)}/messages?from=${from}&to=${to}`, signalled(signal)),
    command: (id, name, body) => json(`${session(id)}/${name}`, post(body)),
    files: (search, signal) => json(`/files?search=${encodeURIComponent(search)}`, signalled(signal)),
    logs: (signal) => json('/logs', signalled(signal)),
    log: (id, signal) => json(`/logs/${encodeURIComponent(id)}`, signalled(signal)),
    upload: (file) =>
      json(`/logs?name=${encodeURIComponent(file.name)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        body: file,
      }),
    fetch: ask,
    json,
  }
}

async function troubleOf(response: Response): Promise<ApiError> {
  try {
    const { error } = (await response.json()) as ApiTrouble
    return new ApiError(response.status, error.code, error.message, error.suggestion)
  } catch {
    return new ApiError(response.status, 'UNEXPECTED', `${response.status} ${response.statusText}`.trim(), null)
  }
}
