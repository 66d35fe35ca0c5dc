import { labelText, type Message, type Part, resultText, type ToolCallPart } from '@plimsoll/core'
import { timeText } from '../files/time-and-size.ts'

/**
 * A conversation as a page to read: a heading for each message, calls and results as blocks of code, everything whole. A line of a text
 * that would read as one of the page's own headings or labels gets a backslash, which Markdown does not show.
 */
export function markdownText(messages: readonly Message[], title: string | null): string {
  const pieces = title === null ? [] : [`# ${title.replaceAll(/\s+/g, ' ').trim()}`]
  for (const [index, message] of messages.entries()) {
    const { role, at, summary } = message
    const time = at === undefined ? '' : ` · ${timeText(at)} UTC`
    pieces.push(`## ${index + 1}. ${summary === true ? 'summary' : role}${time}`)
    for (const part of message.parts) pieces.push(partText(part))
  }
  return `${pieces.join('\n\n')}\n`
}

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text.replaceAll(ownLine, '\\')
    case 'reasoning':
      return part.text.replaceAll(/^/gm, '> ')
    case 'media':
      return `*[${nameText(part.mediaType)}]*`
    case 'tool-call':
      return `**call** \`${nameText(part.tool)}\`\n\n${fenced(inputText(part), 'json')}`
    case 'tool-result': {
      const media =
        part.content.type === 'list' ? part.content.items.flatMap((item) => (item.type === 'media' ? [item.mediaType] : [])) : []
      const error = part.isError === true ? ' (error)' : ''
      return [`**result**${error}\n\n${fenced(resultText(part), '')}`, ...media.map((type) => `*[${nameText(type)}]*`)].join(
        '\n\n',
      )
    }
  }
}

const ownLine = /^(?=[ \t]{0,3}(?:#{1,6}[ \t]+\d+[.)][ \t]*(?:system|user|assistant|tool|summary)|\*\*(?:call|result)\*\*))/gim

function nameText(name: string): string {
  return labelText(name, 200).replaceAll('`', "'")
}

function inputText({ input }: ToolCallPart): string {
  return typeof input === 'string' ? input : (JSON.stringify(input, null, 2) ?? '')
}

/** A fence longer than any in the text, so that nothing in it can end the block. */
function fenced(text: string, language: string): string {
  let longest = 2
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}
