/** What nobody could have thought of in a text: hashes, UUIDs, URLs, versions, ports, numbers of issues, numbers with their key. */
export function idsIn(text: string): readonly string[] {
  const found = new Set<string>()
  for (const { pattern, accepts, group } of forms) {
    for (const match of text.matchAll(pattern)) {
      const id = match[group] ?? ''
      if (accepts === undefined || accepts(id)) found.add(id)
    }
  }
  return [...found]
}

interface Form {
  readonly pattern: RegExp
  readonly group: 0 | 1
  readonly accepts?: (id: string) => boolean
}

const edge = '(?<![0-9A-Za-z_.-])'

const forms: readonly Form[] = [
  { pattern: /\bhttps?:\/\/[\w.-]{3,200}(?::\d{2,5})?(?:\/[\w./%+~#?=&@:-]{0,300}[\w/])?/g, group: 0 },
  { pattern: /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, group: 0 },
  { pattern: /(?<![\w-])[0-9a-f]{7,64}(?![\w-])/g, group: 0, accepts: (id) => /\d/.test(id) && /[a-f]/.test(id) },
  { pattern: new RegExp(`${edge}v?\\d{1,5}\\.\\d{1,5}\\.\\d{1,6}(?:[-+][0-9A-Za-z.]{1,30})?(?![\\w.]\\d)`, 'g'), group: 0 },
  { pattern: /\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0):(\d{2,5})\b/g, group: 1 },
  { pattern: /(?<![\w&])#\d{2,7}\b/g, group: 0 },
  { pattern: /(?<![\w.-])[A-Za-z_][\w-]{2,40}(?:=|: ?)\d{2,12}\b(?!\.\d|[\w-])/g, group: 0 },
]
