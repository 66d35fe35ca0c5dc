import { type EmbeddedInspection, isRecord, unpackInspection, type WrittenInspection } from '@plimsoll/core'

/** The session that a page carries, or what is wrong with it. */
export type ReadEmbedded =
  | { readonly data: EmbeddedInspection; readonly trouble?: never }
  | { readonly trouble: 'missing' | 'damaged'; readonly data?: never }
  | { readonly trouble: 'version'; readonly version: string; readonly data?: never }

/** Reads what a page carries, as it stands in the page. Never throws, whatever that is. */
export function readEmbedded(text: string | null): ReadEmbedded {
  if (text === null || text.trim() === '') return { trouble: 'missing' }
  const value = parsed(text)
  if (!isRecord(value)) return { trouble: 'damaged' }
  if (value['version'] !== 1) return { trouble: 'version', version: String(value['version']).slice(0, 20) }
  const data = isWritten(value) ? unpacked(value) : null
  return data === null ? { trouble: 'damaged' } : { data }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Null where something is not as it was packed. */
function unpacked(written: WrittenInspection): EmbeddedInspection | null {
  try {
    const inspection = unpackInspection(written.inspection)
    return inspection.requests.length === inspection.requestCount ? { ...written, inspection } : null
  } catch {
    return null
  }
}

/** The page was written as a whole by one program: what is checked is that nothing of it is missing. */
function isWritten(value: unknown): value is WrittenInspection {
  if (!isRecord(value)) return false
  const { locale, inspection, edits, blobs, whatIf } = value
  return (
    (locale === null || typeof locale === 'string') &&
    isInspection(inspection) &&
    ['messages', 'views', 'pool'].every((name) => Array.isArray(value[name])) &&
    isRecord(edits) &&
    isRecord(blobs) &&
    (whatIf === null || isRecord(whatIf))
  )
}

function isInspection(value: unknown): boolean {
  if (!isRecord(value)) return false
  return (
    ['session', 'fill', 'messages', 'requests'].every((name) => isRecord(value[name])) &&
    ['edits', 'troubles'].every((name) => Array.isArray(value[name]))
  )
}
