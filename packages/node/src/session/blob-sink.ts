import type { BlobReference } from '@plimsoll/core'
import { blobOf, createBlobStore } from './blob-store.ts'
import type { StoredSession } from './session.ts'
import { pathsOf } from './session-folder.ts'
import { openSpool } from './spool-blob.ts'

/** Keeps content outside the log. */
export interface BlobSink {
  /** Keeps bytes; once it resolves, they survive a crash. */
  readonly write: (bytes: Uint8Array) => Promise<BlobReference>
  /** Begins content whose size nobody knows yet, which is written piece by piece to the disk. */
  readonly spool: () => Promise<Spool>
}

/** Content that is being written. One of `finish` and `discard` ends it. */
export interface Spool {
  /** Adds a piece; the next one waits for it. Rejects where it cannot be kept, and then all that is left is `discard`. */
  readonly write: (piece: Uint8Array) => Promise<void>
  /** Makes it durable under its hash. `handle` is that of the text, where it is one that can be asked back. */
  readonly finish: (handle?: string) => Promise<BlobReference>
  readonly discard: () => Promise<void>
}

/** A sink that keeps content beside the log of a session, where it goes when the session does. */
export function createBlobSink({ folder }: Pick<StoredSession, 'folder'>): BlobSink {
  const { blobs } = pathsOf(folder)
  const store = createBlobStore(blobs)
  return {
    async write(bytes) {
      const blob = blobOf(bytes)
      await store.write([blob])
      return { sha256: blob.sha256, bytes: bytes.byteLength }
    },
    spool: () => openSpool(blobs),
  }
}
