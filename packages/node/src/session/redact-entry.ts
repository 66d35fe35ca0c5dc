import type { Edit, Message } from '@plimsoll/core'
import type { Entry } from '@plimsoll/core/session'

export type Redact = (text: string) => string

/** An entry with redacted texts. Ids stay, because other entries name them. */
export function redactEntry(entry: Entry, redact: Redact): Entry {
  const clean = <Value>(value: Value): Value => redactValue(value, redact)
  const message = (value: Message): Message => ({ ...value, parts: clean(value.parts) })
  switch (entry.type) {
    case 'header':
      return { ...entry, ...(entry.title === undefined ? {} : { title: redact(entry.title) }) }
    case 'message':
      return { ...entry, message: message(entry.message) }
    case 'edits': {
      const { apply, report } = entry
      return {
        ...entry,
        ...(apply === undefined ? {} : { apply: apply.map((edit) => redactEdit(edit, clean, message)) }),
        ...(report === undefined ? {} : { report: report.map((row) => ({ ...row, why: redact(row.why) })) }),
      }
    }
    case 'request':
      return entry.parameters === undefined ? entry : { ...entry, parameters: clean(entry.parameters) }
    case 'failure':
      return { ...entry, kind: redact(entry.kind), message: redact(entry.message) }
    case 'note':
      return {
        ...entry,
        code: redact(entry.code),
        ...(entry.text === undefined ? {} : { text: redact(entry.text) }),
        ...(entry.data === undefined ? {} : { data: clean(entry.data) }),
      }
    case 'usage':
    case 'rewind':
      return entry
  }
}

function redactEdit(edit: Edit, clean: <Value>(value: Value) => Value, message: (value: Message) => Message): Edit {
  const why = clean(edit.why)
  switch (edit.kind) {
    case 'replace':
      return { ...edit, why, with: clean(edit.with) }
    case 'fold':
      return { ...edit, why, into: edit.into === null ? null : message(edit.into) }
    case 'insert':
      return { ...edit, why, message: message(edit.message) }
  }
}

/** A JSON value with redacted texts, each looked at with its field name. */
export function redactValue<Value>(value: Value, redact: Redact): Value {
  return redacted(value, redact, 0) as Value
}

/** Deeper values are walked by `JSON.stringify`, which throws for circles. */
const maxDepth = 500

function redacted(value: unknown, redact: Redact, depth: number): unknown {
  if (typeof value === 'string') return redact(value)
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  if (depth >= maxDepth) {
    return JSON.parse(JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'string' ? redact(inner) : inner)))
  }
  if (Array.isArray(value)) return value.map((item) => redacted(item, redact, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, redactedField(key, child, redact, depth + 1)]))
}

/** Some secrets are known only by their field name, so both are looked at as one text. */
function redactedField(key: string, value: unknown, redact: Redact, depth: number): unknown {
  const clean = redacted(value, redact, depth)
  if (typeof clean !== 'string' || clean !== value || clean.length > maxValue || key.length > maxValue) return clean
  const before = `"${key}":"`
  const whole = redact(`${before}${clean}"`)
  return whole.startsWith(before) && whole.endsWith('"') ? whole.slice(before.length, -1) : clean
}

/** A longer value is a text, not a secret with a name. */
const maxValue = 512
