/**
 * Fetches like the built-in function, and breaks off an answer that is longer than so many bytes: whatever reads it keeps it in
 * memory, and a server that never stops would fill that up long before any time limit. Gives a redirection back in place of
 * following it: the conversation, and with some providers the key, would go to an address that nobody named.
 */
export function createBoundedFetch(mostBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual' })
    if (response.body === null) return response
    let bytes = 0
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        bytes += piece.byteLength
        if (bytes > mostBytes) controller.error(new Error(`the server sent more than ${mostBytes} bytes`))
        else controller.enqueue(piece)
      },
    })
    const { status, statusText, headers } = response
    return new Response(response.body.pipeThrough(counted), { status, statusText, headers })
  }
}
