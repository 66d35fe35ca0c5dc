import type { RelayedRequest } from '../planner.ts'
import { oldestOfLargest } from '../turns.ts'

/**
 * Where a request is planned: `quick` is for small bodies and for what continues a conversation that was planned there, `side` for large
 * bodies that are new. `none`: planning it took too long before.
 */
type LaneName = 'quick' | 'side' | 'none'

interface ChosenLane {
  readonly lane: LaneName
  /** Whether the thread has not planned this conversation before. */
  readonly isNew: boolean
  /** Whether so much of it is new that planning it takes long. */
  readonly isHeavy: boolean
}

interface LaneChoiceOptions {
  /** Conversations that are remembered. Default: 512. */
  readonly max?: number
  readonly now?: () => number
}

/**
 * Decides by the bytes of a request where it is planned, so that no request waits for the work that a large, new one needs. A conversation
 * stays where it was planned before. It is recognised by a few bytes in its middle; a wrong guess costs time and changes nothing.
 */
export function createLaneChoice({ max = 512, now = () => performance.now() }: LaneChoiceOptions = {}) {
  let known: readonly KnownBody[] = []

  function note(body: KnownBody, earlier: KnownBody | null): void {
    const next = [body, ...known.filter((each) => each !== earlier)]
    if (next.length > max)
      next.splice(
        oldestOfLargest(next, () => 1),
        1,
      )
    known = next
  }

  function find(owner: string, body: Uint8Array): KnownBody | null {
    return known.find((each) => each.owner === owner && continues(body, each)) ?? null
  }

  return {
    choose: ({ credential, dialect, body }: RelayedRequest): ChosenLane => {
      if (body.byteLength < smallest) return { lane: 'quick', isNew: false, isHeavy: false }
      const owner = `${dialect} ${credential ?? ''}`
      const earlier = find(owner, body)
      const isHeavy =
        earlier === null
          ? body.byteLength > maxNew || countObjects(body, 0) > maxObjects
          : body.byteLength - earlier.length > maxAdded || countObjects(body, earlier.length) > maxObjects
      const isExcluded = earlier !== null && now() < earlier.excludedUntil
      const lane = isHeavy ? 'side' : (earlier?.lane ?? 'quick')
      const excludedUntil = isExcluded ? earlier.excludedUntil : 0
      note({ owner, length: body.byteLength, samples: samplesOf(body), lane, excludedUntil }, earlier)
      return { lane: isExcluded ? 'none' : lane, isNew: earlier?.lane !== lane, isHeavy }
    },
    /** Remembers that planning a large body took too long, so that its conversation is not planned for a while. */
    exclude: ({ credential, dialect, body }: RelayedRequest): void => {
      const earlier = find(`${dialect} ${credential ?? ''}`, body)
      if (earlier?.lane === 'side') note({ ...earlier, excludedUntil: now() + excludedMs }, earlier)
    },
  }
}

/** Bytes. Anything smaller is planned within milliseconds. */
const smallest = 16 * 1024
const maxNew = 64 * 1024
const maxAdded = 512 * 1024
/** Objects in what is new. Tiny messages take far longer than their bytes. */
const maxObjects = 1000
const excludedMs = 120_000

interface KnownBody {
  readonly owner: string
  readonly length: number
  readonly samples: readonly Sample[]
  readonly lane: 'quick' | 'side'
  readonly excludedUntil: number
}

interface Sample {
  readonly at: number
  readonly bytes: Buffer
}

/** Some bytes at every power of two in the last three quarters of a body: an edit near the end changes only some of them. */
function samplesOf(given: Uint8Array): readonly Sample[] {
  const body = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  const samples: Sample[] = []
  for (let at = smallest / 4; at + sampleBytes <= body.length; at *= 2)
    if (at >= body.length / 4) samples.push({ at, bytes: Buffer.from(body.subarray(at, at + sampleBytes)) })
  return samples
}

const sampleBytes = 48

function continues(given: Uint8Array, { samples }: KnownBody): boolean {
  const body = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  return samples.some(({ at, bytes }) => body.length >= at + sampleBytes && bytes.compare(body, at, at + sampleBytes) === 0)
}

/** Objects from a place on, counted by their braces; stops when there are too many. */
function countObjects(body: Uint8Array, from: number): number {
  let count = 0
  for (let index = from; index < body.length && count <= maxObjects; index += 1) if (body[index] === openBrace) count += 1
  return count
}

const openBrace = 0x7b
