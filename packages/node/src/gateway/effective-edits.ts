import { countPart, type Edit, estimator, type Message, type ReportedEdit } from '@plimsoll/core'

/**
 * Edits as a report tells them, each with what it does to the part as the client sent it. `reported` are those that were planned; others
 * may hold in their place.
 */
export function effectiveEdits(
  edits: readonly Edit[],
  messages: readonly Message[],
  reported: readonly ReportedEdit[],
): readonly ReportedEdit[] {
  if (edits.length === 0) return []
  const planned = new Map(reported.map((row) => [`${row.message}.${row.part}`, row]))
  const byId = new Map(messages.map((message) => [message.id, message]))
  return edits.flatMap((edit) => {
    const original = edit.kind === 'replace' ? byId.get(edit.message)?.parts[edit.part] : undefined
    if (edit.kind !== 'replace' || original === undefined) return []
    const row = planned.get(`${edit.message}.${edit.part}`)
    const named = original.type === 'tool-result' || original.type === 'tool-call' ? original.tool : null
    const { id, policy, kind, message, part, why } = edit
    return [
      {
        id,
        policy,
        kind,
        message,
        part,
        tool: row?.tool ?? named,
        tokensBefore: countPart(original, estimator),
        tokensAfter: countPart(edit.with, estimator),
        why,
        cache: row?.cache ?? 'free',
      },
    ]
  })
}
