/** Answers with a text that is read as the client takes it; `done` is called once nothing more is read. */
export function streamedText(
  pieces: Iterable<string>,
  done: () => Promise<void>,
  headers: Readonly<Record<string, string>>,
): Response {
  const iterator = pieces[Symbol.iterator]()
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done: isDone } = iterator.next()
        if (isDone !== true) return controller.enqueue(encoder.encode(value))
        await done()
        controller.close()
      } catch (error) {
        await done()
        controller.error(error)
      }
    },
    async cancel() {
      iterator.return?.()
      await done()
    },
  })
  return new Response(body, { headers })
}
