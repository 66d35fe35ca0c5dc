import {
  codecs,
  createConversation,
  createTrimmer,
  type Message,
  type PartialConfig,
  type Policy,
  recall,
  type ToolResultPart,
} from '@plimsoll/core'
import type { TimingName } from '@plimsoll/core/policies'
import { type DialectName, type Reading, writeRequest } from '@plimsoll/core/wire'
import { commonStart, originsOf, type ShownRequest } from './request.ts'

/** One conversation with the engine, through any of its entry points. */
export interface Door {
  readonly next: (messages: readonly Message[], facts: DoorFacts) => DoorRequest
  readonly accepted: (usage?: unknown) => void
  /** Plain JSON, for `open`. */
  readonly state: () => unknown
  readonly by: 'id' | 'content'
}

/** A request with the bytes that would go out. */
export interface DoorRequest extends ShownRequest {
  readonly bytes: () => string
  readonly isRecallable: (handle: string) => boolean
}

/** Facts for both kinds of door. */
export interface DoorFacts {
  readonly now: number
  readonly root?: string
  readonly config?: PartialConfig
  readonly pins?: readonly string[]
  readonly model?: string
}

/** How a door is opened. */
export interface DoorOptions {
  readonly policies: readonly Policy[]
  readonly timing: TimingName
  /** From `state()` of an earlier door of the same kind. */
  readonly state?: unknown
}

/** The names of the doors: without a codec, and each dialect. */
export const doorNames = ['messages', 'anthropic', 'openai-chat', 'openai-responses', 'gemini', 'ai-sdk'] as const
export type DoorName = (typeof doorNames)[number]

/** Opens a door of the library. */
export function openDoor(name: DoorName, options: DoorOptions): Door {
  return name === 'messages' ? openPlain(options) : openCodec(name, options)
}

type PlainState = NonNullable<Parameters<typeof createConversation>[0]['state']>
type CodecState = NonNullable<Parameters<typeof createTrimmer>[0]['state']>

function openPlain({ policies, timing, state }: DoorOptions): Door {
  let conversation = createConversation({ policies, timing, ...(state === undefined ? {} : { state: state as PlainState }) })
  let model: string | undefined
  const recallable = createRecallable()
  return {
    by: 'id',
    next(messages, { model: wanted, ...facts }) {
      if (wanted !== undefined && wanted !== model) {
        model = wanted
        conversation = createConversation({ policies, timing, model, state: conversation.state() })
      }
      const { messages: view, report } = conversation.next(messages, facts)
      return {
        originals: messages,
        view,
        report,
        place: (message, part) => ({ message: messages[message]?.id ?? '', part }),
        bytes: () => JSON.stringify(view),
        isRecallable: recallable(messages),
      }
    },
    accepted: (usage) => conversation.accepted(usage),
    state: () => conversation.state(),
  }
}

function openCodec(name: DialectName, { policies, timing, state }: DoorOptions): Door {
  const codec = codecs[name]
  const trimmer = createTrimmer({ codec, policies, timing, ...(state === undefined ? {} : { state: state as CodecState }) })
  const recallable = createRecallable()
  return {
    by: 'content',
    next(messages, { model = 'claude-opus-4-5', pins, ...facts }) {
      const given = writeRequest(name, messages, { model, isShared: true })
      const reading = codec.read(given)
      const { request, report } = trimmer.next(given, {
        ...facts,
        ...(pins === undefined ? {} : { pins: placesOf(pins, messages, reading) }),
      })
      return {
        originals: reading.messages,
        view: request === given ? reading.messages : codec.read(request).messages,
        report,
        place: (message, part) => reading.locate(reading.messages[message]?.id ?? '', part),
        bytes: () => JSON.stringify(request),
        isRecallable: recallable(reading.messages),
      }
    },
    accepted: (usage) => trimmer.accepted(usage),
    state: () => trimmer.state(),
  }
}

/** Pinned messages as a report names them. */
function placesOf(pins: readonly string[], messages: readonly Message[], reading: Reading): readonly string[] {
  const pinned = new Set(pins)
  return originsOf(messages, reading.messages, 'content').flatMap((origin, index) =>
    origin !== null && pinned.has(messages[origin]?.id ?? '')
      ? [reading.locate(reading.messages[index]?.id ?? '', 0).message]
      : [],
  )
}

/** Checks each handle once while the history only grows: recallable content stays recallable in a longer history. */
function createRecallable(): (messages: readonly Message[]) => (handle: string) => boolean {
  const found = new Set<string>()
  let last: readonly Message[] = []
  return (messages) => {
    if (commonStart(last, messages) < last.length) found.clear()
    last = messages
    return (handle) => {
      if (!found.has(handle) && isFound(handle, messages)) found.add(handle)
      return found.has(handle)
    }
  }
}

function isFound(handle: string, messages: readonly Message[]): boolean {
  const source = {
    messages: () => messages,
    whole: (part: ToolResultPart) => ({ part }),
    findLines: () => ({ found: [] }),
    folds: () => [],
  }
  return recall({ handle }, source).kind === 'found'
}
