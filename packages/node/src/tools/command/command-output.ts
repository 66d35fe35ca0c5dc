import { setFlagsFromString } from 'node:v8'
import { mostBytes } from '@plimsoll/core/policies'
import { createExtractor } from '@plimsoll/core/session'
import type { BlobReference } from '@plimsoll/core/wire'
import { thrownText } from '../../files/trouble.ts'
import type { BlobSink, Spool } from '../../session/blob-sink.ts'

/** Takes a text of any length: a short one is held, of a long one an extract, while all of it goes to the disk. */
export function createCommandOutput(blobs: BlobSink) {
  const extractor = createExtractor()
  let held: string[] = []
  let bytes = 0
  let last = ''
  let spool: Spool | null = null
  let trouble: string | null = null
  let release: (() => void) | null = null
  // One for all pieces: thousands of buffers a second are not collected fast enough.
  let scratch = Buffer.alloc(0)

  const encode = (text: string): Buffer => {
    const size = text.length * 3
    if (scratch.length < size) scratch = Buffer.allocUnsafeSlow(size)
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
    /** Never rejects: if the text cannot be stored, only the extract is kept. */
    async write(text: string): Promise<void> {
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
    /** Why the text cannot be stored, or null. */
    trouble: () => trouble,
    /** All of the text, or an extract and where the rest is stored. */
    async end(): Promise<{ readonly text: string; readonly blob: BlobReference | null }> {
      release?.()
      if (bytes <= mostBytes) return { text: held.join(''), blob: null }
      const { text, handle } = extractor.end()
      let blob: BlobReference | null = null
      await attempt(async () => {
        blob = (await spool?.finish(handle)) ?? null
      })
      return { text: blob === null ? withoutHandle(text, handle) : text, blob }
    },
    /** Called instead of `end` if that is not needed. */
    async discard(): Promise<void> {
      release?.()
      await spool?.discard()
      spool = null
    },
  }
}

/** The text without its offer to recall what is not stored. */
function withoutHandle(text: string, handle: string): string {
  return text.replaceAll(`; recall ${handle}]`, ']').replaceAll(`\n[recall ${handle}]`, '')
}

/** By how much the heap's room for young values grows each time. The engine reads it whenever that room might grow. */
const growth = '--semi-space-growth-factor'
let holders = 0

/**
 * Keeps that room small until the returned function is called. Gigabytes of text passing through would make the engine take all the
 * room it may and never give it back.
 */
function holdHeapSmall(): () => void {
  let isHeld = true
  holders += 1
  setFlagsFromString(`${growth}=1`)
  return () => {
    if (!isHeld) return
    isHeld = false
    holders -= 1
    // 2 is the engine's own value.
    if (holders === 0) setFlagsFromString(`${growth}=2`)
  }
}
