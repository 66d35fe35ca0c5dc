/** One event of a stream. */
export interface StreamEvent {
  readonly id: string | null
  readonly data: string
}

/** Takes the text of a stream piece by piece and gives the events that are whole. A piece may end anywhere. */
export function createEventParser(): (piece: string) => readonly StreamEvent[] {
  let open = ''
  let id: string | null = null
  let data: string[] = []
  return (piece) => {
    const events: StreamEvent[] = []
    const lines = (open + piece).split('\n')
    open = lines.pop() ?? ''
    for (const raw of lines) {
      const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
      if (line === '') {
        if (data.length > 0) events.push({ id, data: data.join('\n') })
        data = []
      } else if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5))
      else if (line.startsWith('id:')) id = line.slice(3).trim()
    }
    return events
  }
}
