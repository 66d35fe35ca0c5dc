import type { HidingCost } from '@plimsoll/core/session'
import type { WhatIf, WhatIfChoices, WhatIfQuestion } from '../../../../node/src/shared/inspection/embedded-inspection.ts'
import type { EditTexts, InspectedMessage, Inspection, SentRequest } from '../../../../node/src/shared/inspection/inspection.ts'
import { type PackedInspection, unpackInspection } from '../../../../node/src/shared/inspection/pack-inspection.ts'
import { requiredContext } from '../../parts/required-context.ts'
import type { InspectorTab } from '../../parts/routes.ts'
import type { Api, WorkLine } from '../../server/api.ts'
import type { TypedPrices } from './typed-prices.ts'

interface InspectorContextValue {
  readonly inspection: Inspection
  readonly source: InspectorSource
  readonly onOpenMessage: (message: number) => void
  /** The session was changed here: its inspection is to be asked for again. */
  readonly onChanged: () => void
  /** Goes to another tab, which then starts with these requests by their places: two to compare, one whose edits are listed, or one in the timeline. */
  readonly onOpenTab: (tab: InspectorTab, requests: readonly number[]) => void
  /** The requests that `onOpenTab` was called with. */
  readonly focus: readonly number[]
  /** The text that is searched for, and the numbers of the messages that contain it, in order; null without a search. */
  readonly find: string | null
  readonly hits: readonly number[] | null
  /** Shows the session as if a policy set had been active. Without it there are no buttons that do. */
  readonly onUnder: ((policies: string | null) => void) | undefined
  /** Prices that the user typed; the inspection is already at them. */
  readonly typed: TypedPrices
  readonly onTyped: (typed: TypedPrices) => void
}

/** The session that is inspected, and what can be done with it. */
export const [InspectorContext, useInspector] = requiredContext<InspectorContextValue>('the inspector')

/** Where an inspector gets one session from: a server, or the page itself. Each rejects with an `Error` whose message users can read. */
export interface InspectorSource {
  readonly inspection: (signal?: AbortSignal, onProgress?: (share: number) => void) => Promise<Inspection>
  /** Messages by number, from the first up to and without the last; fewer at the end. */
  readonly messages: (from: number, to: number, signal?: AbortSignal) => Promise<readonly InspectedMessage[]>
  /** The numbers of the messages that contain a text, in order. */
  readonly search: (text: string, signal?: AbortSignal) => Promise<readonly number[]>
  readonly request: (id: string, signal?: AbortSignal) => Promise<SentRequest>
  readonly edit: (id: string, signal?: AbortSignal) => Promise<EditTexts>
  /** Reports the share that is done, and the rows so far, before it answers. Aborting stops the work. */
  readonly whatIf: (question: WhatIfQuestion, signal?: AbortSignal, onLine?: (line: WorkLine<WhatIf>) => void) => Promise<WhatIf>
  /** What `whatIf` can be asked for, by name. */
  readonly whatIfChoices: (signal?: AbortSignal) => Promise<WhatIfChoices>
  /** The bytes of a stored image or result, as an address that a page may show. */
  readonly blob: (sha256: string, mediaType: string, signal?: AbortSignal) => Promise<string>
  /** Shows again what an edit omitted, permanently; null if the session cannot be changed here. */
  readonly restore: ((edit: string) => Promise<void>) | null
  /** Keeps a message untrimmed, or lets it be trimmed again; null if the session cannot be changed here. */
  readonly pin: ((message: string, isPinned: boolean) => Promise<void>) | null
  /** Hides the result of a message from the model, or shows it again; null if the session cannot be changed here. */
  readonly hide: ((message: string, isHidden: boolean) => Promise<void>) | null
  /** What hiding would change in the next request. */
  readonly hidingCost: ((message: string) => Promise<HidingCost>) | null
}

/** A session that the server inspects: its own, a log's, or the example; with `under`, as if that policy set had been active. */
export function httpSource(api: Api, id: string, isOwn: boolean, under: string | null = null): InspectorSource {
  const address = (path: string, query: Readonly<Record<string, string>> = {}) => {
    const all = new URLSearchParams({ ...query, ...(under === null ? {} : { under }) }).toString()
    return `/inspect/${encodeURIComponent(id)}/${path}${all === '' ? '' : `?${all}`}`
  }
  const change = async (body: Parameters<typeof api.command<'edits'>>[2]) => {
    await api.command(id, 'edits', body)
  }
  const isChangeable = isOwn && under === null
  return {
    async inspection(signal, onProgress) {
      const path = address('inspection', { form: 'columns' })
      if (under === null) return unpackInspection(await api.get<PackedInspection>(path, signal))
      const init = signal === undefined ? {} : { signal }
      return unpackInspection(
        await api.inLines<PackedInspection>(path, init, (line) => 'share' in line && onProgress?.(line.share)),
      )
    },
    messages: (from, to, signal) => api.get(address('messages', { from: `${from}`, to: `${to}` }), signal),
    search: (text, signal) => api.get(address('search', { text }), signal),
    request: (request, signal) => api.get(address(`requests/${encodeURIComponent(request)}`), signal),
    edit: (edit, signal) => api.get(address(`edits/${encodeURIComponent(edit)}`), signal),
    whatIf: (question, signal, onLine) => {
      const asked = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(question) }
      const init = signal === undefined ? asked : { ...asked, signal }
      return api.inLines<WhatIf>(`/inspect/${encodeURIComponent(id)}/what-if`, init, (line) => onLine?.(line))
    },
    whatIfChoices: (signal) => api.get(`/inspect/${encodeURIComponent(id)}/what-if`, signal),
    async blob(sha256, mediaType, signal) {
      const response = await api.fetch(`/inspect/${encodeURIComponent(id)}/blobs/${sha256}`, { signal: signal ?? null })
      return URL.createObjectURL(new Blob([await response.arrayBuffer()], { type: mediaType }))
    },
    restore: isChangeable ? (edit) => change({ restore: [edit] }) : null,
    pin: isChangeable ? (message, isPinned) => change(isPinned ? { pin: [message] } : { unpin: [message] }) : null,
    hide: isChangeable ? (message, isHidden) => change(isHidden ? { hide: [message] } : { unhide: [message] }) : null,
    hidingCost: isChangeable ? (message) => api.command(id, 'hiding-cost', { message }) : null,
  }
}
