/** Reads `key=value;` pairs, with a deliberate bug that only a certain order of certain keys triggers. */
export function plantedParser(text: string): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>()
  let depth = 0
  for (const pair of text.split(';')) {
    const at = pair.indexOf('=')
    if (at < 0) continue
    const [key, value] = [pair.slice(0, at), pair.slice(at + 1)]
    if (depth === 0 && key === 'mode') depth = value === 'load' ? 1 : 0
    else if (depth === 1 && key === 'line') depth = value.length > 3 ? 2 : 1
    else if (depth === 2 && key === 'mark') depth = 3
    if (depth === 3 && pairs.has('ballast')) throw new Error('the planted bug')
    pairs.set(key, value)
  }
  return pairs
}
