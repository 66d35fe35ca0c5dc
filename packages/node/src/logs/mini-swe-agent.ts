import { codecs } from '@plimsoll/core'
import { isMapping } from '../config/mapping.ts'
import { settleDrafts } from './draft.ts'
import { fieldsAt, listAt, textAt } from './entry-fields.ts'
import { lastModel, readMessageList, usagesOf, withTimes } from './message-list.ts'
import { readSessionOf } from './read-session-of.ts'
import { createRecordReader } from './record-reader.ts'
import { type TextCall, withTextCalls } from './text-calls.ts'

/**
 * Mini-swe-agent: one object for each run. An answer holds one command in a fenced block, and what follows it in the user's role is
 * its output; an answer with none or several was refused, and stays text. The provider's responses stand beside the answers.
 */
export const miniSweAgent = createRecordReader({
  name: 'mini-swe-agent',
  detect: (entry) => {
    if (!Array.isArray(entry['messages'])) return false
    const info = fieldsAt(entry, 'info')
    return textAt(entry, 'trajectory_format')?.startsWith('mini-swe-agent') === true || 'mini_version' in info
  },
  read(entry, notes, take) {
    // A newer version ends a run with a message in a role of its own, which no model sees.
    const sent = listAt(entry, 'messages').filter((message) => !isMapping(message) || message['role'] !== 'exit')
    const listed = withTimes(withTextCalls(readMessageList(sent, codecs['openai-chat'], notes), (_, text) => commandIn(text)))
    const config = fieldsAt(fieldsAt(entry, 'info'), 'config')
    const model = lastModel(listed) ?? textAt(fieldsAt(config, 'model'), 'model_name')
    // Nobody but the task speaks in the user's role; what is no output is a complaint about the form of an answer.
    const asked = listed.findIndex(({ message }) => message.role === 'user')
    const drafts = listed.map(({ message }, index) =>
      message.role === 'user' && index > asked ? ({ message, added: true } as const) : { message },
    )
    return readSessionOf({
      id: textAt(entry, 'instance_id'),
      model,
      root: textAt(fieldsAt(config, 'environment'), 'cwd'),
      messages: settleDrafts(drafts).map(take),
      usages: usagesOf(listed, model),
    })
  },
})

const fences = ['```bash', '```mswea_bash_command']

/** The one command in a text, by the rule of the agent itself: a fence with its name, a line end, and what comes before a closing one. */
export function commandIn(text: string): TextCall | null {
  const blocks = fences.flatMap((fence) => blocksIn(text, fence))
  const [only] = blocks
  if (blocks.length !== 1 || only === undefined) return null
  const words = `${text.slice(0, only.start)}${text.slice(only.end)}`
  return { words, tool: 'bash', input: { command: only.command.trim() } }
}

interface Block {
  readonly start: number
  readonly end: number
  readonly command: string
}

function blocksIn(text: string, fence: string): readonly Block[] {
  const blocks: Block[] = []
  let start = text.indexOf(fence)
  while (start >= 0 && blocks.length < 2) {
    const line = text.indexOf('\n', start)
    if (line < 0) break
    const isOpening = text.slice(start + fence.length, line).trim() === ''
    const closing = isOpening ? text.indexOf('\n```', line + 1) : line
    if (closing < 0) break
    const end = isOpening ? closing + 4 : line
    if (isOpening) blocks.push({ start, end, command: text.slice(line + 1, closing) })
    start = text.indexOf(fence, end)
  }
  return blocks
}
