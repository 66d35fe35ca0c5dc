import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PartialConfig } from '@plimsoll/core'
import { completeConfig } from '@plimsoll/core/policies'
import { modelStrings } from '@plimsoll/core/text'
import { onTestFinished } from 'vitest'
import type { BlobSink } from '../../session/blob-sink.ts'
import { blobOf, createBlobStore } from '../../session/blob-store.ts'
import type { ToolProgress } from '../../shared/event.ts'
import { createFreshness, createSeenFiles, type ToolContext } from '../tool.ts'

/** A new folder that goes away with the test. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-tools-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Blobs in a folder, as a session keeps them. */
export function blobsIn(folder: string): BlobSink {
  const store = createBlobStore(folder)
  return {
    async write(bytes) {
      const blob = blobOf(bytes)
      await store.write([blob])
      return { sha256: blob.sha256, bytes: bytes.byteLength }
    },
    spool: () => Promise.reject(new Error('nothing is spooled here')),
  }
}

/** The context of a tool in a separate workspace, and the progress it reported. */
export function toolContext(given: Partial<ToolContext> & { readonly settings?: PartialConfig } = {}) {
  const { settings, ...rest } = given
  const root = rest.root ?? temporaryFolder()
  const told: ToolProgress[] = []
  const context: ToolContext = {
    root,
    config: completeConfig(settings),
    strings: modelStrings,
    environment: {},
    signal: new AbortController().signal,
    progress: (progress) => void told.push(progress),
    freshness: createFreshness({ root }),
    seen: createSeenFiles(),
    blobs: blobsIn(join(root, '.blobs')),
    now: Date.now,
    ...rest,
  }
  return { context, told }
}
