/** The messages of a request that was written, whatever its dialect calls them. */
export function writtenList(request: Readonly<Record<string, unknown>>): readonly unknown[] {
  return (request['messages'] ?? request['input'] ?? request['contents']) as readonly unknown[]
}
