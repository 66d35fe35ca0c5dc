import { createHash } from 'node:crypto'
import type { PartialConfig } from '@plimsoll/core'
import { completeConfig } from '@plimsoll/core/policies'
import { modelStrings } from '@plimsoll/core/text'
import { createFreshness, createSeenFiles, type ToolContext } from '../tool.ts'

/** The context of a tool in a test: blobs are counted and dropped. */
export function lookingContext(root: string, given: Partial<ToolContext> = {}, config: PartialConfig = {}): ToolContext {
  return {
    root,
    config: completeConfig(config),
    strings: modelStrings,
    environment: {},
    signal: new AbortController().signal,
    freshness: createFreshness(),
    seen: createSeenFiles(),
    blobs: {
      write: async (bytes) => ({ sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.byteLength }),
      spool: () => Promise.reject(new Error('nothing is spooled here')),
    },
    now: () => 0,
    ...given,
  }
}
