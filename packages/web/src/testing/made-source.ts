import type { Inspection } from '@plimsoll/core'
import type { InspectorSource } from '../inspector/inspector-source.ts'
import { madeMessages } from './made-messages.ts'

/** A source that tells of a made session. */
export function madeSource(inspection: Inspection): InspectorSource {
  const messageOf = madeMessages(inspection)
  return {
    inspection: async () => inspection,
    async messages(from, to) {
      const numbers = Array.from(
        { length: Math.max(0, Math.min(to, inspection.messages.ids.length) - from) },
        (_, index) => from + index,
      )
      return numbers.map(messageOf)
    },
    request: async () => Promise.reject(new Error('There are no requests in a made session.')),
    edit: async (id) => ({
      before: `The whole text that ${id} changed.\n`.repeat(30),
      after: '[trimmed: ask for it again with recall]',
      trouble: null,
    }),
    whatIf: async () => ({ prices: [], rows: [], requests: inspection.requests.length, isCalibrated: false, hasTimes: true }),
    blob: async () => Promise.reject(new Error('There are no blobs in a made session.')),
    restore: inspection.session.isOwn ? async () => {} : null,
    pin: inspection.session.isOwn ? async () => {} : null,
  }
}
