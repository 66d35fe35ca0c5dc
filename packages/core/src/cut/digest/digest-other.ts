import type { DigestFields, DigestSource } from '../../facts.ts'
import { countCodePoints } from '../../text/code-points.ts'
import { jsonText } from '../../text/json-text.ts'
import { clip } from './clip.ts'
import { shortFields } from './short-fields.ts'

/** The digest of a tool nobody knows more about: the head and the tail of its text. */
export function digestOther(text: string, { settings }: DigestSource): DigestFields {
  const content = clip(text, settings.other_chars)
  return content === text ? { content } : { content, omitted_chars: countCodePoints(text) - countCodePoints(content) + 1 }
}

/** The same for data: its fields in short where that is enough, else the head and tail of its JSON, with its flags. */
export function digestOtherFields(fields: DigestFields, source: DigestSource): DigestFields {
  const whole = jsonText(fields)
  if (whole.length <= source.settings.other_chars) return fields
  const short = shortFields(fields, { items: source.settings.search_matches })
  if (jsonText(short).length <= source.settings.other_chars) return short
  const flags = Object.entries(fields).filter(([, value]) => typeof value === 'boolean')
  return { ...digestOther(whole, source), ...Object.fromEntries(flags.slice(0, 10)) }
}
