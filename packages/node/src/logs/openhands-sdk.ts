import type { Message, Part } from '@plimsoll/core'
import { isMapping } from '../config/mapping.ts'
import { type Draft, settleDrafts } from './draft.ts'
import { fieldsAt, listAt, textAt, timeAt } from './entry-fields.ts'
import type { Fields, LogNotes, LogReader, ReadSession, ReportedUsage, Take } from './log-reader.ts'
import { branchTo, keptBeside, mergeAnswers, type OpenHandsStep } from './openhands-branch.ts'
import { countedUsage, type OpenHandsRun } from './openhands-events.ts'
import { callOf, observationOf, saidIn, thoughtsIn } from './openhands-sdk-parts.ts'
import { readSessionOf } from './read-session-of.ts'

/**
 * The events of OpenHands since its first version as a library, each with its `kind`: as a list, in lines, or in the lines of an
 * evaluation under `history`. Calls of one response are events of their own. In newer ones events are a tree by `parent_id`.
 */
export const openHandsSdk: LogReader = {
  name: 'openhands-sdk',
  detect: (entry) => isSdkEvent(entry) || listAt(entry, 'history').slice(0, 20).some(isSdkEvent),
  start(notes, take) {
    const sessions: ReadSession[] = []
    let loose: OpenHandsSdkEvents | null = null
    return {
      add(entry, line) {
        if (!Array.isArray(entry['history'])) {
          loose ??= createOpenHandsSdkEvents(notes, take)
          loose.add(entry, line)
          return
        }
        const events = createOpenHandsSdkEvents(notes, take)
        for (const [index, event] of listAt(entry, 'history').entries()) {
          if (isMapping(event)) events.add(event, index + 1)
          else notes.skip(line, 'not-an-object')
        }
        const session = events.finish({
          id: textAt(entry, 'instance_id'),
          model: textAt(fieldsAt(fieldsAt(entry, 'metadata'), 'llm'), 'model'),
          usages: listAt(fieldsAt(entry, 'metrics'), 'token_usages').filter(isMapping),
        })
        if (session === null) notes.skip(line, 'no-message')
        else sessions.push(session)
      },
      finish() {
        const last = loose?.finish({ id: null, model: null, usages: [] }) ?? null
        return last === null ? sessions : [...sessions, last]
      },
    }
  },
}

/** The events of one conversation on their way to messages. */
export interface OpenHandsSdkEvents {
  readonly add: (event: Fields, line: number) => void
  /** Null where nobody said anything. `leaf` names the event the conversation stands at; default: the last one. */
  readonly finish: (run: OpenHandsRun & { readonly root?: string | null; readonly leaf?: string | null }) => ReadSession | null
}

function isSdkEvent(entry: unknown): boolean {
  return (
    isMapping(entry) &&
    typeof entry['source'] === 'string' &&
    /^[A-Z]\w{0,60}(?:Event|Observation)$|^Condensation/.test(textAt(entry, 'kind') ?? '')
  )
}

/** Starts to read the events of one conversation. */
export function createOpenHandsSdkEvents(notes: LogNotes, take: Take): OpenHandsSdkEvents {
  const steps = new Map<string, OpenHandsStep>()
  const answered = new Set<string>()
  return { add, finish }

  function add(event: Fields, line: number): void {
    const id = textAt(event, 'id') ?? `line-${line}`
    const kind = textAt(event, 'kind')
    if (kind === null) return notes.skip(line, 'no-message')
    if (steps.has(id)) return notes.skip(line, 'repeated')
    const read = readEvent(event, kind)
    if (read === null) notes.pass(kind)
    const message = read === null ? null : take({ ...read.message, id, ...timeAt(event, 'timestamp') })
    steps.set(id, {
      id,
      parent: 'parent_id' in event ? textAt(event, 'parent_id') : undefined,
      message,
      response: message?.role === 'assistant' ? textAt(event, 'llm_response_id') : null,
      ...(read?.forgotten === undefined ? {} : { forgotten: read.forgotten }),
      ...(read?.isAdded === true ? { isAdded: true } : {}),
    })
  }

  function readEvent(event: Fields, kind: string): ReadEvent | null {
    switch (kind) {
      case 'SystemPromptEvent':
        return said('system', saidIn([event['system_prompt'], event['dynamic_context']]))
      case 'MessageEvent':
        return readMessage(event)
      case 'ActionEvent':
        return readAction(event)
      case 'ObservationEvent':
      case 'UserRejectObservation':
      case 'AgentErrorEvent':
        return readObservation(event)
      case 'Condensation': {
        const text = textAt(event, 'summary')
        const forgotten = listAt(event, 'forgotten_event_ids')
        return text === null ? null : { message: { role: 'system', parts: [{ type: 'text', text }], summary: true }, forgotten }
      }
      default:
        return null
    }
  }

  function readMessage(event: Fields): ReadEvent | null {
    const message = fieldsAt(event, 'llm_message')
    const isSpoken = event['source'] === 'agent' || message['role'] === 'assistant'
    const words = [...saidIn(message['content']), ...saidIn(event['extended_content'])]
    if (isSpoken) return said('assistant', [...thoughtsIn(message), ...words])
    const read = said('user', words)
    return read !== null && event['source'] !== 'user' ? { ...read, isAdded: true } : read
  }

  function readAction(event: Fields): ReadEvent | null {
    const call = callOf(event)
    const words = [...thoughtsIn(event), ...saidIn(event['thought'])]
    // What the agent says with the call that ends its turn is a message, whether or not the call is answered.
    if (call?.tool === 'finish') {
      answered.add(call.callId)
      return said('assistant', [...words, ...saidIn(fieldsAt(event, 'action')['message'])])
    }
    return said('assistant', call === null ? words : [...words, call])
  }

  function readObservation(event: Fields): ReadEvent | null {
    const result = observationOf(event)
    if (result?.callId == null || answered.has(result.callId)) return null
    answered.add(result.callId)
    return { message: { role: 'tool', parts: [result] } }
  }

  function finish({ id, model, usages, root, leaf }: Parameters<OpenHandsSdkEvents['finish']>[0]): ReadSession | null {
    const branch = new Set(branchTo(steps, leaf ?? null))
    const merged = mergeAnswers([...branch])
    const counted = new Map(usages.flatMap((one) => (typeof one['response_id'] === 'string' ? [[one['response_id'], one]] : [])))
    const named = usages.map((one) => textAt(one, 'model')).findLast((name) => name !== null) ?? model
    const drafts = merged.map(({ message, isAdded }): Draft => (isAdded === true ? { message, added: true } : { message }))
    if (drafts.length === 0) return null
    return readSessionOf({
      id,
      model: named,
      root: root ?? null,
      messages: settleDrafts(drafts),
      usages: merged.flatMap(({ message, response }): readonly ReportedUsage[] => {
        const usage = response === null ? null : countedUsage(counted.get(response))
        return usage === null ? [] : [{ after: message.id, usage, model: named }]
      }),
      abandoned: [...steps.values()].filter((step) => step.message !== null && !branch.has(step)).length,
      keptFrom: keptBeside(merged),
    })
  }
}

interface ReadEvent {
  readonly message: Omit<Message, 'id'>
  readonly isAdded?: true
  readonly forgotten?: readonly unknown[]
}

function said(role: 'system' | 'user' | 'assistant', parts: readonly Part[]): ReadEvent | null {
  return parts.length === 0 ? null : { message: { role, parts } }
}
