/** Smaller versions of a JSON text, largest savings first: without a field or an item, or with a value instead of its container. */
export function* smallerJson(text: string): Generator<string, void> {
  const lines = text.split('\n')
  if (lines.length > 1) for (let at = 0; at < lines.length; at += 1) yield lines.toSpliced(at, 1).join('\n')
  for (let at = 0; at < lines.length; at += 1) {
    const root = parse(lines[at] as string)
    if (root === undefined) continue
    for (const smaller of smallerValues(root)) yield lines.with(at, smaller).join('\n')
  }
}

function* smallerValues(root: unknown): Generator<string, void> {
  const top = { '': root }
  const open: object[] = [top]
  for (let index = 0; index < open.length && index < 500; index += 1) {
    const holder = open[index] as Record<string, unknown>
    for (const key of Object.keys(holder)) {
      const value = holder[key]
      const write = () => JSON.stringify(top[''])
      if (holder !== top) yield without(holder, key, write)
      if (typeof value === 'object' && value !== null) {
        for (const inner of Object.values(value).slice(0, 4)) {
          holder[key] = inner
          yield write()
        }
        holder[key] = value
        open.push(value)
      } else if (value !== null && value !== '') {
        holder[key] = null
        yield write()
        holder[key] = value
      }
    }
  }
}

function without(holder: Record<string, unknown>, key: string, write: () => string): string {
  if (Array.isArray(holder)) {
    const [value] = holder.splice(Number(key), 1) as unknown[]
    const text = write()
    holder.splice(Number(key), 0, value)
    return text
  }
  const fields = Object.entries(holder)
  delete holder[key]
  const text = write()
  // Restores the original order.
  for (const [name] of fields) delete holder[name]
  for (const [name, value] of fields)
    Object.defineProperty(holder, name, { value, writable: true, enumerable: true, configurable: true })
  return text
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
