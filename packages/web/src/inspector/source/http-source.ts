import { type PackedInspection, unpackInspection } from '../../../../node/src/shared/inspection/pack-inspection.ts'
import type { Api } from '../../server/api.ts'
import type { InspectorSource } from './inspector-source.ts'

/** A session that the server inspects: its own, a log's, or the example; with `under`, as if that policy set had been in force. */
export function httpSource(api: Api, id: string, isOwn: boolean, under: string | null = null): InspectorSource {
  const path = `/inspect/${encodeURIComponent(id)}`
  const query = under === null ? '' : `under=${encodeURIComponent(under)}`
  const alone = query === '' ? '' : `?${query}`
  const isChangeable = isOwn && under === null
  const signalled = (signal: AbortSignal | undefined): RequestInit => (signal === undefined ? {} : { signal })
  return {
    inspection: async (signal) =>
      unpackInspection(await api.json<PackedInspection>(`${path}/inspection?form=columns&${query}`, signalled(signal))),
    messages: (from, to, signal) =>
      api.json(`${path}/messages?from=${from}&to=${to}${query === '' ? '' : `&${query}`}`, signalled(signal)),
    request: (request, signal) => api.json(`${path}/requests/${encodeURIComponent(request)}${alone}`, signalled(signal)),
    edit: (edit, signal) => api.json(`${path}/edits/${encodeURIComponent(edit)}${alone}`, signalled(signal)),
    whatIf: (question, signal) =>
      api.json(`${path}/what-if`, {
        ...signalled(signal),
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(question),
      }),
    whatIfChoices: (signal) => api.json(`${path}/what-if`, signalled(signal)),
    async blob(sha256, mediaType, signal) {
      const response = await api.fetch(`${path}/blobs/${sha256}`, signalled(signal))
      return URL.createObjectURL(new Blob([await response.arrayBuffer()], { type: mediaType }))
    },
    restore: isChangeable
      ? async (edit) => {
          await api.command(id, 'edits', { restore: [edit] })
        }
      : null,
    pin: isChangeable
      ? async (message, isPinned) => {
          await api.command(id, 'edits', isPinned ? { pin: [message] } : { unpin: [message] })
        }
      : null,
  }
}
