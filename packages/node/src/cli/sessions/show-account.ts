import type { Edit } from '@plimsoll/core'
import type { SessionState } from '@plimsoll/core/session'
import { countMessage, estimator } from '@plimsoll/core/text'
import { isoTime } from '../../files/time-and-size.ts'
import { branchMessages } from '../../session/branch.ts'
import type { LineTrouble, StoredSession } from '../../session/session.ts'
import { createMessageLines, type MessageLine } from '../terminal/message-line.ts'

/** Everything that is shown of a stored session. The names are those of its JSON. */
export interface ShowAccount {
  readonly session: string
  readonly title: string | null
  readonly root: string | null
  readonly from: SessionState['header']['from'] | null
  readonly version: number
  readonly begun: string | null
  /** The last entry of the active branch. */
  readonly leaf: string
  /** How many ends of branches there are. */
  readonly branches: number
  readonly messages: readonly ShownMessage[]
  /** How many earlier messages are not among `messages`. */
  readonly earlier: number
  readonly folds: readonly ShownFold[]
  readonly edits: readonly ShownEdit[]
  /** Ids of the messages that stay whole. */
  readonly pins: readonly string[]
  readonly troubles: readonly LineTrouble[]
}

/** One message of the branch. */
export interface ShownMessage extends MessageLine {
  readonly number: number
  readonly id: string
  /** Null where it cannot be read. */
  readonly role: 'system' | 'user' | 'assistant' | 'tool' | null
  readonly at: string | null
  readonly tokens: number
  readonly summary: boolean
  readonly pinned: boolean
  /** The id of the fold that stands for it. */
  readonly fold: string | null
}

/** A fold in force, with the numbers of the messages it stands for. */
export interface ShownFold {
  readonly id: string
  readonly policy: string
  readonly first: number | null
  readonly last: number | null
  /** The id of the summary, and what it counts. */
  readonly summary: string | null
  readonly tokens: number
  readonly why: string
}

/** An edit in force. */
export interface ShownEdit {
  readonly id: string
  readonly policy: string
  readonly kind: Edit['kind']
  /** The number of its message; null for one at the very beginning. */
  readonly message: number | null
  readonly why: string
}

/** What a session holds: its active branch with everything in force on it. At most so many of the latest messages, null for all. */
export function showAccount(session: StoredSession, most: number | null): ShowAccount {
  const state = session.state()
  const { header } = state
  const heads = branchMessages(session)
  const numbers = new Map(heads.map(({ head, number }) => [head.id, number]))
  const folds = state.folds.map((fold) => shownFold(fold, numbers))
  const pins = new Set(state.pins)
  const lineOf = createMessageLines()
  const earlier = most === null ? 0 : Math.max(0, heads.length - most)
  // A result says what its call was about, and the call stands a little before it.
  const start = Math.max(0, earlier - callsBefore)
  const messages: ShownMessage[] = []
  for (const { number, head } of heads.slice(start)) {
    const entry = session.entry(head.id)
    const message = entry?.type === 'message' ? entry.message : null
    const line = message === null ? { tools: [], about: '', first: '' } : lineOf(message)
    if (number <= earlier) continue
    messages.push({
      number,
      id: head.id,
      role: message?.role ?? null,
      at: isoTime(message?.at),
      tokens: message === null ? 0 : countMessage(message, estimator),
      ...line,
      summary: message?.summary === true,
      pinned: pins.has(head.id),
      fold: folds.find((fold) => isWithin(number, fold))?.id ?? null,
    })
  }
  return {
    session: session.id,
    title: header.title ?? null,
    root: header.root ?? null,
    from: header.from ?? null,
    version: header.version,
    begun: isoTime(header.at),
    leaf: state.leaf,
    branches: leavesOf(session).length,
    messages,
    earlier,
    folds,
    edits: state.edits.map((edit) => shownEdit(edit, numbers)),
    pins: state.pins,
    troubles: session.troubles(),
  }
}

const callsBefore = 50

/** The entries that no other continues: the ends of the branches, the active one last. */
function leavesOf(session: StoredSession): readonly string[] {
  const heads = session.heads()
  const parents = new Set(heads.map(({ parentId }) => parentId))
  return heads.flatMap(({ id }, index) => (index === heads.length - 1 || !parents.has(id) ? [id] : []))
}

function isWithin(number: number, { first, last }: ShownFold): boolean {
  return first !== null && last !== null && number >= first && number <= last
}

function shownFold({ id, policy, first, last, into, why }: SessionState['folds'][number], numbers: ReadonlyMap<string, number>) {
  return {
    id,
    policy,
    first: numbers.get(first) ?? null,
    last: numbers.get(last) ?? null,
    summary: into?.id ?? null,
    tokens: into === null ? 0 : countMessage(into, estimator),
    why,
  }
}

function shownEdit(edit: Edit, numbers: ReadonlyMap<string, number>): ShownEdit {
  const { id, policy, kind, why } = edit
  const place = edit.kind === 'replace' ? edit.message : edit.kind === 'fold' ? edit.first : edit.after
  return { id, policy, kind, message: place === null ? null : (numbers.get(place) ?? null), why }
}
