import { setFlagsFromString } from 'node:v8'
import { mostBytes } from '@plimsoll/core/policies'
import { createExtractor } from '@plimsoll/core/session'
import { type BlobReference } from '@plimsoll/core/wire'
import { thrownText } from '../../files/trouble.ts'
import type { BlobSink, Spool } from '../../session/blob-sink.ts'

/** Takes a text of any length: a short one is held, of a long one an extract, while the whole goes to the disk. */
export interface CommandOutput {
  /** Never rejects: a whole that cannot be kept is given up. */
  readonly write: (text: string) => Promise<void>
  readonly isEmpty: () => boolean
  readonly endsLine: () => boolean
  /** Why the whole cannot be kept; null where it can. */
  readonly trouble: () => string | null
  readonly end: () => Promise<KeptOutput>
  /** To be called in place of `end` when nobody wants it any more. */
  readonly discard: () => Promise<void>
}

/** What became of a text. */
export interface KeptOutput {
  /** All of it, or an extract. */
  readonly text: string
  /** Where the whole is, behind an extract. */
  readonly blob: BlobReference | null
}

/** An output whose whole goes to a sink once it is too long for the log. */
export function createCommandOutput(blobs: BlobSink): CommandOutput {
  const extractor = createExtractor()
  let held: string[] = []
  let bytes = 0
  let last = ''
  let spool: Spool | null = null
  let trouble: string | null = null
  let release: (() => void) | null = null
  // One for all pieces: what is thrown away a thousand times a second is not collected as fast.
  let scratch = Buffer.alloc(0)

  const encode = (text: string): Buffer => {
    const most = text.length * 3
    if (scratch.length < most) scratch = Buffer.allocUnsafeSlow(most)
    return scratch.subarray(0, scratch.write(text, 'utf8'))
  }

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      trouble = thrownText(error)
      await spool?.discard()
      spool = null
    }
  }

  return {
    async write(text) {
      if (text === '') return
      extractor.write(text)
      last = text
      const isHeld = bytes <= mostBytes
      const encoded = encode(text)
      bytes += encoded.length
      if (isHeld) held.push(text)
      if (bytes <= mostBytes) return
      release ??= holdHeapSmall()
      if (trouble !== null) return
      await attempt(async () => {
        spool ??= await blobs.spool()
        await spool.write(isHeld ? Buffer.from(held.join(''), 'utf8') : encoded)
      })
      held = []
    },
    isEmpty: () => bytes === 0,
    endsLine: () => last.endsWith('\n'),
    trouble: () => trouble,
    async end() {
      release?.()
      if (bytes <= mostBytes) return { text: held.join(''), blob: null }
      const { text, handle } = extractor.end()
      let blob: BlobReference | null = null
      await attempt(async () => {
        blob = (await spool?.finish(handle)) ?? null
      })
      return { text: blob === null ? withoutHandle(text, handle) : text, blob }
    },
    async discard() {
      release?.()
      await spool?.discard()
      spool = null
    },
  }
}

/** A text that sends nobody to look for what is not there. */
function withoutHandle(text: string, handle: string): string {
  return text.replaceAll(`; recall ${handle}]`, ']').replaceAll(`\n[recall ${handle}]`, '')
}

/**
 * Keeps the engine from making more room for short-lived values, until what comes back is called. Where gigabytes of text go by it
 * would make all the room it may, and never give it back, though none of it is needed.
 */
function holdHeapSmall(): () => void {
  let isHeld = true
  holders += 1
  setFlagsFromString(`${flag}=1`)
  return () => {
    if (!isHeld) return
    isHeld = false
    holders -= 1
    if (holders === 0) setFlagsFromString(`${flag}=${usual}`)
  }
}

/** By how much that room grows each time. It may be set while the engine runs: it is looked at whenever the room might grow. */
const flag = '--semi-space-growth-factor'
const usual = 2

let holders = 0
