/** One event of a stream. */
export interface StreamEvent {
  readonly id: string | null
  readonly data: string
}

/** Takes the text of a stream piece by piece and gives the events that are whole. A piece may end anywhere. */
export function createEventParser(): (piece: string) => readonly StreamEvent[] {
  // In pieces, because a picture comes in hundreds: what is there already is not looked through again.
  let open: string[] = []
  let id: string | null = null
  let data: string[] = []
  return (piece) => {
    const events: StreamEvent[] = []
    let start = 0
    for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', start)) {
      const raw = [...open, piece.slice(start, end)].join('')
      open = []
      start = end + 1
      const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
      if (line === '') {
        if (data.length > 0) events.push({ id, data: data.join('\n') })
        data = []
      } else if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5))
      else if (line.startsWith('id:')) id = line.slice(3).trim()
    }
    if (start < piece.length) open.push(piece.slice(start))
    return events
  }
}
