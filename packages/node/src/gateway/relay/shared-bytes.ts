/** Memory that two threads see and that is used again and again: large pieces made anew for each request keep a process collecting garbage. */
export interface SharedBytes {
  /** So many bytes, with whatever stood in them before; of their own where they are too many to be kept. */
  readonly take: (length: number) => Buffer
  /** Takes back what nobody looks at any more. What is not of this kind is left alone. */
  readonly giveBack: (bytes: Uint8Array) => void
}

/** How much is kept for later. */
export interface SharedBytesOptions {
  /** Default: 16 MB. */
  readonly mostKept?: number
  /** Default: 4 MB. */
  readonly largest?: number
}

/** Pieces of a power of two each, none yet. */
export function createSharedBytes({ mostKept = 2 ** 24, largest = 2 ** 22 }: SharedBytesOptions = {}): SharedBytes {
  const free = new Map<number, SharedArrayBuffer[]>()
  let kept = 0
  return {
    take(length) {
      const size = Math.max(smallest, 2 ** Math.ceil(Math.log2(Math.max(1, length))))
      if (size > largest) return Buffer.allocUnsafeSlow(length)
      const known = free.get(size)?.pop()
      if (known !== undefined) kept -= size
      return Buffer.from(known ?? new SharedArrayBuffer(size), 0, length)
    },
    giveBack({ buffer }) {
      if (!(buffer instanceof SharedArrayBuffer) || kept + buffer.byteLength > mostKept) return
      kept += buffer.byteLength
      const list = free.get(buffer.byteLength)
      if (list === undefined) free.set(buffer.byteLength, [buffer])
      else list.push(buffer)
    },
  }
}

const smallest = 2 ** 16

/** Whether bytes are of this kind. */
export function isShared({ buffer }: Uint8Array): boolean {
  return buffer instanceof SharedArrayBuffer
}

/** The bodies on their way to the planner of this process. */
export const bodyBytes: SharedBytes = createSharedBytes()
