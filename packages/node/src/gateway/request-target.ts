/** What a request asks for, as it was written, without the tag in front. */
export interface RequestTarget {
  readonly path: string
  /** With its question mark; empty where there is none. */
  readonly query: string
  /** The name in `/t/<name>/…`, which labels a session; null where there is none. */
  readonly tag: string | null
}

/**
 * Takes a request's target apart. Null for one that could lead to somewhere else than below the upstream's own path: a whole address, dot
 * segments and empty ones, however they are encoded.
 */
export function readTarget(target: string): RequestTarget | null {
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  if (!isPlain(path) && !isHarmless(path)) return null
  const query = mark < 0 ? '' : target.slice(mark)
  if (query !== '' && !visible.test(query)) return null
  if (!path.startsWith('/t/')) return { path, query, tag: null }
  const end = path.indexOf('/', 3)
  const name = end < 0 ? '' : path.slice(3, end)
  return name === '' ? { path, query, tag: null } : { path: path.slice(end), query, tag: decoded(name).slice(0, 200) }
}

/** Segments of nothing but letters, digits and signs, none of them dots alone: nearly every path there is. */
const plain = /^(?:\/(?!\.{1,2}(?:[/;]|$))[A-Za-z0-9._~!$&'()*+,;=:@-]+)+\/?$/

const visible = /^[\x21-\x22\x24-\x7e]*$/

function isPlain(path: string): boolean {
  return path === '/' || plain.test(path)
}

/** Whether a path with encoded signs stays where it is for whoever decodes it, be it more than once. */
function isHarmless(path: string): boolean {
  if (!path.startsWith('/') || !visible.test(path)) return false
  let seen = path
  for (let times = 0; times < 4; times++) {
    if (leadsElsewhere(seen)) return false
    const next = decoded(seen)
    if (next === seen) return true
    seen = next
  }
  // Encoded over and over again: nobody means well by that.
  return false
}

function leadsElsewhere(path: string): boolean {
  for (let at = 0; at < path.length; at++) {
    const code = path.charCodeAt(at)
    if (code < 0x20 || code === 0x7f) return true
  }
  const segments = path.slice(1).split(/[/\\]/)
  return segments.some((segment, index) => (segment === '' ? index < segments.length - 1 : /^\.{1,2}(?:;|$)/.test(segment)))
}

/** Every `%41` as the character of that code; what is no such sequence stays. */
function decoded(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
