import type { Message } from '@plimsoll/core'
import type { WindowCategory } from '@plimsoll/core/bill'
import type { Role } from '@plimsoll/core/wire'
import type { InspectedMessage, Inspection } from '../../../node/src/shared/inspection/inspection.ts'

/** The messages of a made session by number, with texts in all their forms. */
export function madeMessages(inspection: Inspection): (number: number) => InspectedMessage {
  const { messages, edits, session } = inspection
  const pins = new Set(session.pins)
  const replaced = new Map(
    edits.filter(({ state, kind }) => state === 'in-force' && kind === 'replace').map((edit) => [edit.number, edit.id]),
  )
  const folds = edits.filter(({ state, kind }) => state === 'in-force' && kind === 'fold')
  return (number) => {
    const id = messages.ids[number] as string
    const at = messages.times[number] as number
    const edit = replaced.get(number)
    return {
      number,
      message: { id, role: messages.roles[number] as Role, at, parts: partsOf(inspection, number) },
      tokens: messages.tokens[number] as number,
      isPinned: pins.has(id),
      edits: [
        ...folds.filter((fold) => fold.number <= number && number <= fold.lastNumber).map((fold) => fold.id),
        ...(edit === undefined ? [] : [edit]),
      ],
    }
  }
}

function partsOf({ messages }: Inspection, number: number): Message['parts'] {
  const tool = messages.toolNames[messages.tools[number] as number] ?? ''
  const size = messages.tokens[number] as number
  switch (messages.categories[number] as WindowCategory) {
    case 'user':
      return [{ type: 'text', text: `Step ${number}: look at the importer again.\nIt must not read the whole file at once.` }]
    case 'reasoning':
      return [
        { type: 'reasoning', text: 'The file is read at once, then split. A stream would do. '.repeat(8) },
        { type: 'tool-call', callId: `call-${number}`, tool: tool || 'todo', input: { items: ['measure', 'stream', 'compare'] } },
      ]
    case 'calls':
      return [
        { type: 'text', text: 'Let me look.' },
        {
          type: 'tool-call',
          callId: `call-${number}`,
          tool,
          input: { command: `grep -rn "readFile" src | head -${number}`, timeout: 30 },
        },
      ]
    case 'images':
      return [
        {
          type: 'tool-result',
          callId: `call-${number - 1}`,
          tool,
          content: {
            type: 'list',
            items: [
              { type: 'text', text: 'A chart of the times.' },
              { type: 'media', mediaType: 'image/png', data: { url: picture } },
            ],
          },
        },
      ]
    case 'results':
      return [
        {
          type: 'tool-result',
          callId: `call-${number - 1}`,
          tool,
          content: {
            type: 'text',
            text: `src/import.ts:${number}: const text = await readFile(path)\n`.repeat(Math.ceil(size / 16)),
          },
          ...(number % 14 === 6 ? { isError: true } : {}),
        },
      ]
    case 'assistant':
    case 'system':
    case 'rules':
    case 'tools':
    case 'summaries':
      return [{ type: 'text', text: `Done with step ${number}. The import streams now and takes a tenth of the time.` }]
  }
}

const picture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mNgyH9AGhrVMKph+GoAAJ8z1xDKwTUSAAAAAElFTkSuQmCC'
