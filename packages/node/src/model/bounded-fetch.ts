/** Sees what goes over the wire, and changes nothing of it. */
export interface Watch {
  readonly onRequest: (address: string) => void
  readonly onResponse: (response: Response) => void
  readonly onPiece: (piece: Uint8Array) => void
}

/** Finds who watches a request, by the signal that it is sent with: the one thing of a call that comes through to the wire. */
export type FindWatch = (signal: AbortSignal | null) => Watch | undefined

/** How a server is asked. */
export interface BoundedFetchOptions {
  /** The most bytes that one answer may have. */
  readonly mostBytes: number
  /** Default: the built-in function. */
  readonly fetch?: typeof fetch | undefined
  /** Default: nobody watches. */
  readonly watch?: FindWatch | undefined
}

/**
 * Fetches like the built-in function, and breaks off an answer that is longer than so many bytes: whatever reads it keeps it in
 * memory, and a server that never stops would fill that up long before any time limit. Gives a redirection back in place of
 * following it: the conversation, and with some providers the key, would go to an address that nobody named.
 */
export function createBoundedFetch({ mostBytes, fetch: base, watch: findWatch }: BoundedFetchOptions): typeof fetch {
  return async (input, init) => {
    const watch = findWatch?.(init?.signal ?? null)
    watch?.onRequest(input instanceof Request ? input.url : String(input))
    const response = await (base ?? fetch)(input, { ...init, ...inBytes(init?.body), redirect: 'manual' })
    watch?.onResponse(response)
    if (response.body === null) return response
    let bytes = 0
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        bytes += piece.byteLength
        watch?.onPiece(piece)
        if (bytes > mostBytes) controller.error(new Error(`the server sent more than ${mostBytes} bytes`))
        else controller.enqueue(piece)
      },
    })
    const { status, statusText, headers } = response
    return new Response(response.body.pipeThrough(counted), { status, statusText, headers })
  }
}

/** A text is read over three times on its way to bytes, and a conversation is a long one. */
function inBytes(body: RequestInit['body']): Pick<RequestInit, 'body'> {
  return typeof body === 'string' ? { body: Buffer.from(body, 'utf8') } : {}
}
