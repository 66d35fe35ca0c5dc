import type { Message } from '@plimsoll/core'
import { branchOf, checkEntry, type Entry } from '@plimsoll/core/session'
import { createLineCheck, createLogChain, foreignSum } from '../../session/log-chain.ts'
import { createUniqueIds } from '../draft.ts'
import { type Fields, fieldsOf, listAt } from '../fields.ts'
import { type FoundUsage, type LogNotes, type LogReader, readSessionOf, type Take } from '../log-reader.ts'
import { readUsage } from '../read-usage.ts'

/**
 * Plimsoll's own log, as it is in a session's folder or was exported. The branch of the last entry counts; a fold becomes a summary
 * at the place where it was made. Content in separate files stays an extract, or empty.
 */
export const plimsoll: LogReader = {
  name: 'plimsoll',
  detect: (entry) =>
    (entry['type'] === 'header' && typeof entry['session'] === 'string' && typeof entry['version'] === 'number') ||
    (typeof entry['type'] === 'string' &&
      typeof entry['id'] === 'string' &&
      typeof entry['at'] === 'number' &&
      typeof entry['bytes'] === 'number' &&
      'parentId' in entry),
  start,
}

function start(notes: LogNotes, take: Take) {
  const heads: Entry[] = []
  const places = new Map<string, number>()
  const check = createLineCheck()
  const chain = createLogChain(null)

  return { add, finish }

  function add(fields: Fields, line: number, text?: string): void {
    if (text !== undefined) follow(fields, line, text)
    const { entry, newer } = checkEntry(fields)
    if (newer !== undefined) return notes.pass('entry of a newer version')
    if (entry === undefined) return notes.skip(line, 'no-message')
    if (places.has(entry.id)) return notes.skip(line, 'repeated')
    if (listAt(fields, 'blobs').length > 0) notes.pass('content beside the log')
    places.set(entry.id, heads.length)
    heads.push(entry.type === 'message' ? { ...entry, message: take(entry.message) } : entry)
  }

  function follow({ type, sum: field }: Fields, line: number, text: string): void {
    const sum = check.whole(Buffer.from(text)) ?? (typeof field === 'string' ? foreignSum(field) : null)
    const isPlainHeader = line === 1 && type === 'header' && sum === null
    chain.take({ line, offset: 0, sum, isPlainHeader, isReported: false, isLost: false })
  }

  function finish() {
    for (const line of new Set(chain.problems().map((problem) => problem.line))) notes.skip(line, 'changed')
    const path = branchOf({ heads, indexOf: (id) => places.get(id) ?? -1 }, heads.length - 1)
    const session = branchSession(path, take)
    return session === null ? [] : [{ ...session, abandoned: countMessages(heads) - countMessages(path) }]
  }
}

function countMessages(entries: readonly Entry[]): number {
  return entries.filter(({ type }) => type === 'message').length
}

function branchSession(path: readonly Entry[], take: Take) {
  const unique = createUniqueIds()
  const messages: Message[] = []
  const usages: (FoundUsage & { readonly after: string })[] = []
  const keptFrom = new Map<string, string>()
  const places = new Map<string, number>()
  const requests = new Map<string, Extract<Entry, { type: 'request' }>>()
  const waiting: { readonly last: string | null; readonly report: Omit<FoundUsage, 'after'> }[] = []
  const counted = new Set<string>()
  let header: Extract<Entry, { type: 'header' }> | null = null
  let model: string | null = null

  const count = (after: string, report: Omit<FoundUsage, 'after'>) => {
    if (counted.has(after)) return
    counted.add(after)
    usages.push({ after, ...report })
  }

  for (const entry of path) {
    switch (entry.type) {
      case 'header':
        header = entry
        break
      case 'message':
        places.set(entry.id, messages.length)
        messages.push({ ...entry.message, id: unique(entry.id) })
        break
      case 'edits':
        for (const edit of entry.apply ?? []) {
          if (edit.kind !== 'fold' || edit.into === null || (edit.first === edit.last && edit.into.id === edit.first)) continue
          const id = unique(edit.into.id)
          const folded = places.get(edit.last)
          const kept = folded === undefined ? undefined : messages[folded + 1]
          messages.push(take({ ...edit.into, id, role: 'system', summary: true, at: entry.at }))
          if (kept !== undefined) keptFrom.set(id, kept.id)
        }
        break
      case 'request':
        requests.set(entry.id, entry)
        model = entry.model
        break
      case 'usage': {
        const request = requests.get(entry.request)
        const reported = readUsage(entry.usage)
        if (request !== undefined && reported !== null)
          waiting.push({ last: request.last, report: { ...reported, model: request.model } })
        break
      }
      case 'note': {
        const data = fieldsOf(entry.data)
        const named = typeof data['model'] === 'string' ? data['model'] : null
        const reported = readUsage(data['usage'], data['cost'])
        if (entry.code === 'imported') model ??= named
        // An import keeps what the other agent's log reported.
        else if (entry.code === 'reported-usage' && typeof data['message'] === 'string' && reported !== null)
          count(data['message'], { ...reported, model: named })
        break
      }
      case 'failure':
      case 'rewind':
        break
    }
  }
  const answers = nextAnswers(messages)
  for (const { last, report } of waiting) {
    const answer = answers[last === null ? 0 : (places.get(last) ?? messages.length) + 1]
    if (answer != null) count(answer, report)
  }
  if (messages.length === 0) return null
  usages.sort((one, other) => (places.get(one.after) ?? 0) - (places.get(other.after) ?? 0))
  const { title = null, root = null, session = null } = header ?? {}
  return readSessionOf({ id: session, title, root, model, messages, usages, keptFrom })
}

/** For each place, the id of the model's first message there or later. */
function nextAnswers(messages: readonly Message[]): readonly (string | null)[] {
  let next: string | null = null
  return messages
    .toReversed()
    .map(({ role, id }) => {
      next = role === 'assistant' ? id : next
      return next
    })
    .reverse()
}
