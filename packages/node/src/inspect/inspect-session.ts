import { stat } from 'node:fs/promises'
import type { Edit, Message } from '@plimsoll/core'
import { costOfTurn, type Price, plainCounts, sizeMessage, type Usage, usageTotal, type WindowLimits } from '@plimsoll/core/bill'
import type { EntryHead, HeaderEntry } from '@plimsoll/core/session'
import { learnedLimits } from '../agent/request/learned-limits.ts'
import { layerIn, type OfferedServer, rebuildRequest, serversIn } from '../agent/request/record-request.ts'
import { sideUsageIn } from '../agent/request/session-cost.ts'
import { readLog } from '../logs/read-log.ts'
import { createSampledTokenizer, sampledEstimator } from '../model/sampled-tokenizer.ts'
import { createBlobStore } from '../session/blob-store.ts'
import { branchBack } from '../session/branch.ts'
import { readSession, sessionPaths } from '../session/open-session.ts'
import type { StoredSession } from '../session/session.ts'
import { titleOf, titleText } from '../session/shown-message.ts'
import { getOrMake } from '../shared/get-or-make.ts'
import type { Inspection } from '../shared/inspection/inspection.ts'
import { stringsFor } from '../strings/strings-for.ts'
import { inspectBranch } from './inspect-branch.ts'
import { createInspectFacts, InspectError, type InspectSettings, problemSentences } from './inspect-facts.ts'
import { editTexts, messagePage, type OpenLogged } from './inspected-texts.ts'
import { sessionFindings } from './session-findings.ts'
import { unusedServers } from './unused-tools.ts'

/**
 * Reads one of Plimsoll's sessions once, in file order, and keeps only the sizes of messages in memory.
 * Never throws because of its content.
 */
export function inspectSession(session: StoredSession, options: InspectSettings & { readonly bytes: number }): Inspection {
  const facts = createInspectFacts(options)
  const tokens = options.bytes > maxFullyCounted ? coarseEstimator : sampledEstimator
  const count = plainCounts(tokens)
  const calls = new Map<string, string>()
  const layers = new Map<string, string>()
  const servers = new Map<string, readonly OfferedServer[]>()
  const toolsOf = new Map<string, string>()
  const toolOf = (callId: string) => calls.get(callId)
  const cost = createCostSum(facts.priceOf)
  const limits = new Map<string | null, WindowLimits>()
  const limitsOf = (model: string | null) => getOrMake(limits, model, () => withLearned(session, model, facts.limitsOf(model)))
  const branch = inspectBranch({ layer: (handle) => layers.get(handle), toolOf, tokens, limitsOf, priceOf: facts.priceOf })
  let header: HeaderEntry | null = null
  let title: string | null = null

  const takeMessage = (message: Message) => {
    for (const part of message.parts) if (part.type === 'tool-call') calls.set(part.callId, part.tool)
    branch.message(sizeMessage(message, toolOf, count))
    title ??= titleOf([message])
  }

  const heads = session.heads()
  const isOnBranch = createBranchWalk(session, heads)
  for (const head of heads) {
    const onBranch = isOnBranch(head)
    if (!onBranch && (head.type === 'message' || head.type === 'edits')) continue
    const entry = session.read(head)
    if (entry === null) continue
    switch (entry.type) {
      case 'message':
        takeMessage(entry.message)
        continue
      case 'header':
        header = entry
        break
      case 'request':
        cost.asked(entry.id, entry.model, entry.at)
        if (entry.tools !== undefined) toolsOf.set(entry.id, entry.tools)
        break
      case 'usage':
        cost.answered(entry.request, entry.usage)
        break
      case 'note': {
        const side = sideUsageIn(entry)
        if (side !== null) cost.beside(side.model, entry.at, side.usage)
        const layer = layerIn(entry)
        if (layer !== null) layers.set(layer.handle, layer.text)
        const offered = serversIn(entry)
        if (offered !== null) servers.set(offered.tools, offered.servers)
        break
      }
      case 'edits':
      case 'failure':
      case 'rewind':
        break
    }
    if (onBranch) branch.entry(entry)
  }

  const { messages, requests, edits, fill, pins, hides, model } = branch.finish()
  return {
    session: {
      id: session.id,
      title: header?.title === undefined ? title : titleText(header.title),
      format: 'plimsoll',
      isOwn: true,
      root: header?.root ?? null,
      model,
      first: heads[0]?.at ?? null,
      last: heads.length === 0 ? null : heads.reduce((latest, { at }) => Math.max(latest, at), 0),
      bytes: options.bytes,
      cost: cost.sum(),
      pins,
      ...(hides === undefined ? {} : { hides }),
    },
    messages,
    requests,
    edits,
    fill,
    troubles: problemSentences(session.troubles().map((problem) => problem.message)),
    findings: unusedServers({
      requests,
      serversOf: ({ id }) => servers.get(toolsOf.get(id) ?? '') ?? [],
      called: new Set(calls.values()),
    }),
  }
}

/** The findings with those that need the texts of all messages. A long session is not read twice. */
async function withFindings(inspection: Inspection, path: string, { config }: InspectSettings): Promise<Inspection> {
  if ((inspection.session.bytes ?? 0) > maxInMemoryBytes) return inspection
  const read = (await readLog(path)).value?.sessions[0]
  if (read === undefined) return inspection
  const { requests, messages, findings = [] } = inspection
  const numbers = new Map(messages.ids.map((id, number) => [id, number]))
  const facts = { prices: config.prices, requests, numberOf: (id: string) => numbers.get(id) ?? null, more: findings }
  return { ...inspection, findings: sessionFindings(read, facts) }
}

/** In a larger log, short texts are estimated from pieces of them too. */
const maxFullyCounted = 24_000_000

const coarseEstimator = createSampledTokenizer({ fullUpTo: 400, pieces: 2, pieceLength: 60 })

/** Whether a head is on the active branch. Called in file order, which is also the order of the branch. */
function createBranchWalk(session: StoredSession, heads: readonly EntryHead[]): (head: EntryHead) => boolean {
  // In most sessions nothing was rewound.
  if (heads.every(({ parentId }, index) => index === 0 || parentId === heads[index - 1]?.id)) return () => true
  const leaf = heads.at(-1)
  const path = leaf === undefined ? [] : [...branchBack(session, leaf.id)].reverse()
  let next = 0
  return (head) => {
    if (path[next] !== head) return false
    next += 1
    return true
  }
}

/** The window may be smaller than the model's if the provider rejected requests. */
function withLearned(session: StoredSession, model: string | null, limits: WindowLimits): WindowLimits {
  const { window } = learnedLimits(session, model ?? '')
  if (window === null || window >= limits.window) return limits
  return { window, reserve: Math.min(limits.reserve, Math.floor(window / 4)) }
}

/** Adds up the cost of a session, including rewound requests. */
function createCostSum(priceOf: (model: string, at: number | null) => Price | null) {
  const asked = new Map<string, { readonly model: string; readonly at: number }>()
  let dollars = 0
  let unpriced = 0
  let unreported = 0
  const add = (model: string | undefined, at: number | null, usage: Usage) => {
    // A provider that reported no usage is recorded with zeros, but was not free.
    const cost = model !== undefined && usageTotal(usage) > 0 ? costOfTurn(usage, priceOf(model, at)) : null
    dollars += cost?.dollars ?? 0
    unpriced += cost === null ? 1 : 0
    unreported += usageTotal(usage) === 0 ? 1 : 0
  }
  return {
    asked: (request: string, model: string, at: number) => asked.set(request, { model, at }),
    answered(request: string, usage: Usage): void {
      const known = asked.get(request)
      add(known?.model, known?.at ?? null, usage)
      asked.delete(request)
    },
    /** Requests that are not part of the conversation. */
    beside: add,
    sum: () => ({ dollars, unpriced, ...(unreported === 0 ? {} : { unreported }) }),
  }
}

/** Opens one of Plimsoll's sessions, even while it is being written. Rejects with `SessionError` if there is none. */
export async function openInspectedSession(sessions: string, id: string, settings: InspectSettings): Promise<OpenLogged> {
  const paths = sessionPaths(sessions, id)
  const session = await readSession(sessions, id)
  const { size } = await stat(paths.log)
  const blobs = createBlobStore(paths.blobs)
  let known: Inspection | null = null
  let found: Promise<Inspection> | null = null
  let edits: ReadonlyMap<string, Edit> | null = null

  const inspection = (): Inspection => {
    known ??= inspectSession(session, { ...settings, bytes: size })
    return known
  }
  const allEdits = () => {
    edits ??= editsOf(session)
    return edits
  }
  const messageNamed = (name: string): Message | null => {
    const entry = session.entry(name)
    return entry?.type === 'message' ? entry.message : madeMessage(name, allEdits())
  }

  return {
    logged: { path: paths.log, number: 0 },
    close: () => session.close(),
    texts: {
      inspection: () => (found ??= withFindings(inspection(), paths.log, settings)),
      messages: async (from, to) => messagePage(inspection(), from, to, messageNamed),
      async request(name) {
        // Once the active branch is read, all of its requests share the same message objects.
        if (size <= maxInMemoryBytes) session.state()
        const rebuilt = rebuildRequest(session, name)
        if (rebuilt === null) throw new InspectError('no-such-request')
        return { id: name, ...rebuilt }
      },
      async edit(name, locale = null) {
        const edit = allEdits().get(name)
        const row = inspection().edits.find((one) => one.id === name)
        if (edit === undefined || row === undefined) throw new InspectError('no-such-edit')
        const { ids } = inspection().messages
        const folded = function* () {
          for (let number = row.number; number <= row.lastNumber; number += 1) {
            const message = messageNamed(ids[number] ?? '')
            if (message !== null) yield message
          }
        }
        return editTexts(edit, { session, message: messageNamed, folded }, stringsFor(locale))
      },
      async blob(sha256) {
        const read = blobs.read(sha256)
        return 'bytes' in read ? read.bytes : null
      },
    },
  }
}

/** The messages of the branch are kept in memory for logs of up to this many bytes. */
export const maxInMemoryBytes = 32_000_000

/** Every edit that ever took effect, by its id; the latest of each. */
function editsOf(session: StoredSession): ReadonlyMap<string, Edit> {
  const edits = new Map<string, Edit>()
  for (const { id, type } of session.heads()) {
    const entry = type === 'edits' ? session.entry(id) : null
    for (const edit of entry?.type === 'edits' ? (entry.apply ?? []) : []) edits.set(edit.id, edit)
  }
  return edits
}

function madeMessage(id: string, edits: ReadonlyMap<string, Edit>): Message | null {
  for (const edit of edits.values()) {
    const made = edit.kind === 'insert' ? edit.message : edit.kind === 'fold' ? edit.into : null
    if (made?.id === id) return made
  }
  return null
}
