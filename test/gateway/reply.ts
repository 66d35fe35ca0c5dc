/** A model's answer, independent of the dialect. */
export type Reply = ModelReply | RefusedReply

/** An answer of a model. */
export interface ModelReply {
  readonly text?: string
  readonly calls?: readonly ReplyCall[]
  /** Whether the stream stays open after its first chunk until the client disconnects. */
  readonly hangs?: true
}

/** A tool call of a model. */
export interface ReplyCall {
  readonly id: string
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
}

/** An error response, as sent on the wire. */
export interface RefusedReply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/** The usage reported by every reply. */
export const replyUsage = { input: 1200, cacheRead: 300, cacheWrite: 50, output: 40 }

/** One event of a stream: its data as JSON, with a name if the dialect has names. */
export function serverEvent(data: unknown, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
}

/** A text in two halves, for a stream. */
export function halves(text: string): readonly string[] {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)]
}
