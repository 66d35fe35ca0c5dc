import { isDeepStrictEqual } from 'node:util'
import { type Message, resultText } from '../../../packages/core/src/message.ts'
import { patchText, patchValue } from '../../../packages/core/src/text/patch.ts'
import { codecs, detectCodec } from '../../../packages/core/src/wire/codecs.ts'
import { ReadError } from '../../../packages/core/src/wire/dialect.ts'
import { exampleRequests } from '../seeds.ts'
import { holds, type Target } from '../target.ts'
import { requests } from './sample-requests.ts'

const all = Object.values(codecs)

/** Every codec as a lens over a hostile request. */
export const codecsTarget: Target = {
  name: 'codecs',
  form: 'json',
  choices: 2,
  longest: 8000,
  covers: ['packages/core/src/wire/'],
  seeds: () => [...requests, ...exampleRequests()],
  check({ text, choices: [which = 0, where = 0] }) {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return
    }
    const codec = (which % 8 < all.length ? all[which % 8] : detectCodec(value)) ?? codecs['openai-chat']
    codec.detect(value)
    let reading: ReturnType<typeof codec.read>
    try {
      reading = codec.read(value)
    } catch (error) {
      if (error instanceof ReadError) return
      throw error
    }
    const { messages } = reading
    holds(new Set(messages.map(({ id }) => id)).size === messages.length, 'message ids are unique')
    holds(reading.patches([...messages]).length === 0, 'nothing changed, nothing patched')
    const view = changedView(messages, where)
    if (view === null) return
    const patches = reading.patches(view)
    const patched = patchValue(value, patches)
    // A duplicate field is one field of the value and two of the text; the last one counts for both.
    holds(
      isDeepStrictEqual(throughJson(JSON.parse(patchText(text, patches))), throughJson(patched)),
      'the patched text equals the edited value',
    )
    const after = codec.read(patched).messages
    holds(isDeepStrictEqual(after.map(textOf), view.map(textOf)), 'the written request reads back as the view')
    holds(
      after.some((message) => textOf(message).includes(mark)),
      'an edit is applied',
    )
  },
}

const mark = 'shortened by a policy'

/** The messages with one result replaced; null if there are no results. */
function changedView(messages: readonly Message[], where: number): readonly Message[] | null {
  const results = messages.flatMap((message, index) => (message.parts[0]?.type === 'tool-result' ? [index] : []))
  const at = results[where % Math.max(1, results.length)]
  if (at === undefined) return null
  const message = messages[at] as Message
  const parts = message.parts.map((part) =>
    part.type === 'tool-result' ? { ...part, content: { type: 'text' as const, text: mark } } : part,
  )
  return messages.with(at, { ...message, parts })
}

function textOf(message: Message): string {
  return message.parts
    .map((part) => (part.type === 'text' ? part.text : part.type === 'tool-result' ? resultText(part) : part.type))
    .join('|')
}

function throughJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown
}
