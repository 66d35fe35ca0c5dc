import { codecs } from '@plimsoll/core'
import { isMapping } from '../config/mapping.ts'
import { settleDrafts } from './draft.ts'
import { listAt, textAt } from './entry-fields.ts'
import { readMessageList } from './message-list.ts'
import { readSessionOf } from './read-session-of.ts'
import { createRecordReader } from './record-reader.ts'
import { type TextCall, withTextCalls } from './text-calls.ts'

/** SWE-smith's chats for training: `messages` in which an answer ends with `<function=name>` and its `<parameter=name>`s. */
export const sweSmith = createRecordReader({
  name: 'swe-smith',
  detect: (entry) => {
    const answers = listAt(entry, 'messages').filter((message) => isMapping(message) && message['role'] === 'assistant')
    // Somebody may quote a call; whoever writes this way does so in most answers.
    const written = answers.filter((answer) => isMapping(answer) && functionIn(textAt(answer, 'content') ?? '') !== null)
    return written.length > 0 && written.length * 2 >= answers.length
  },
  read(entry, notes, take) {
    const listed = readMessageList(listAt(entry, 'messages'), codecs['openai-chat'], notes)
    const paired = withTextCalls(listed, (_, text) => functionIn(text))
    return readSessionOf({
      id: textAt(entry, 'instance_id'),
      model: textAt(entry, 'model'),
      messages: settleDrafts(paired).map(take),
    })
  },
})

const opening = '<function='
const closing = '</function>'

/** The one call in a text. Searched by hand, since a text may be long and hold only half of one. */
export function functionIn(text: string): TextCall | null {
  const start = text.indexOf(opening)
  if (start < 0 || text.indexOf(opening, start + 1) >= 0) return null
  const named = text.indexOf('>', start)
  const end = text.indexOf(closing, start)
  const tool = named < 0 ? '' : text.slice(start + opening.length, named).trim()
  if (named < 0 || end < named || !/^[\w.:-]{1,100}$/.test(tool)) return null
  const words = `${text.slice(0, start)}${text.slice(end + closing.length)}`
  return { words, tool, input: parametersIn(text.slice(named + 1, end)) }
}

const parameterOpening = '<parameter='
const parameterClosing = '</parameter>'

function parametersIn(text: string): Readonly<Record<string, unknown>> {
  const input = new Map<string, unknown>()
  for (let start = text.indexOf(parameterOpening); start >= 0; ) {
    const named = text.indexOf('>', start)
    const end = named < 0 ? -1 : text.indexOf(parameterClosing, named)
    if (end < 0) break
    const name = text.slice(start + parameterOpening.length, named).trim()
    input.set(
      name.slice(0, 100),
      text
        .slice(named + 1, end)
        .replace(/^\n/, '')
        .replace(/\n$/, ''),
    )
    start = text.indexOf(parameterOpening, end)
  }
  return Object.fromEntries(input)
}
