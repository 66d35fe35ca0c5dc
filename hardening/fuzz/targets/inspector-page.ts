import { defaultConfig } from '../../../packages/core/src/config.ts'
import type { Message } from '../../../packages/core/src/message.ts'
import { embedInspection } from '../../../packages/node/src/inspect/embed-inspection.ts'
import { openInspectedLog } from '../../../packages/node/src/inspect/inspect-log.ts'
import { inspectionPage } from '../../../packages/node/src/inspect/inspection-page.ts'
import { readLogText } from '../../../packages/node/src/logs/read-log.ts'
import { agentRecordings } from '../../../packages/node/src/logs/testing/agent-recordings.ts'
import { recordings } from '../../../packages/node/src/logs/testing/recordings.ts'
import { markdownText } from '../../../packages/node/src/session/export-session.ts'
import { sharedStringsFor } from '../../../packages/node/src/shared/strings/strings-for.ts'
import { holds, type Target } from '../target.ts'

const strings = sharedStringsFor('en').page
const assets = { script: 'const page = "</script><!--"', style: 'a { color: red } /* </style> */' }
const settings = { config: defaultConfig, isWindowSet: false, day: '2026-01-05' }

/** The exported page and the Markdown of a session: no content is active in them. */
export const inspectorPageTarget: Target = {
  name: 'inspector-page',
  form: 'lines',
  choices: 1,
  longest: 6000,
  slowness: 4,
  covers: [
    'packages/node/src/inspect/',
    'packages/node/src/shared/inspection/',
    'packages/node/src/session/export-session.ts',
    'packages/node/src/session/shown-message.ts',
  ],
  seeds: () => [
    ...[...recordings, ...agentRecordings].slice(0, 8).map(({ text }) => text),
    '{"role":"user","content":"</script><script>alert(1)</script><!-- "}\n{"role":"assistant","content":"```\\n<img src=x onerror=alert(1)>"}',
  ],
  words: [
    '</script>',
    '<script>',
    '<!--',
    '-->',
    '<img src=x onerror=a()>',
    '\u2028',
    '```',
    '````',
    '~~~',
    ']]>',
    '&lt;',
    '</title>',
    'javascript:',
  ],
  async check({ text, choices: [way = 0] }) {
    const { value: log } = await readLogText(text)
    if (log === undefined || log.sessions.length === 0) return
    const { texts } = await openInspectedLog({ path: '/nowhere/log', number: 0, id: 'log', log }, settings)
    const data = await embedInspection(texts, {
      locale: way % 2 === 0 ? 'en' : 'zh',
      isRedacted: way % 4 < 2,
      home: '/home/sam',
      strings,
      whatIf: null,
    })
    const page = [...inspectionPage(data, assets, strings)].join('')
    holds(countOf(page, /<script/gi) === 2 && countOf(page, /<\/script/gi) === 2, 'a page has exactly two scripts')
    holds(countOf(page, /<!--/g) === 0 && countOf(page, /<img|<iframe|<svg/gi) === 0, 'no content becomes an element')
    holds(countOf(page, /<\/title/gi) === 1 && countOf(page, /<\/style/gi) === 1, 'no content closes an element')
    holds(!/[\u2028\u2029]/.test(page), 'no line ends inside a string')
    const json = /id="plimsoll-inspection">([\s\S]*?)<\/script>/.exec(page)?.[1] ?? ''
    holds(isRecordText(json), 'the data is JSON')
    for (const { messages } of log.sessions) checkMarkdown(messages)
  },
}

/** Only calls, results and media: outside of fences only their names appear, each on its own line. */
function checkMarkdown(messages: readonly Message[]): void {
  const unsaid = messages.map((message) => ({
    ...message,
    parts: message.parts.filter(({ type }) => type !== 'text' && type !== 'reasoning'),
  }))
  let fence = ''
  for (const line of markdownText(unsaid, null).split(/\r\n|\r|\n/)) {
    const marks = /^ {0,3}(`{3,})/.exec(line)?.[1] ?? ''
    if (fence !== '') fence = marks.length >= fence.length && line.trim() === marks ? '' : fence
    else if (marks !== '') fence = marks
    else holds(/^(?:|## .*|\*\*(?:call|result)\*\*.*|\*\[.*\]\*)$/.test(line), 'no tool output appears outside of its block')
  }
  holds(fence === '', 'every block ends')
}

function countOf(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length
}

function isRecordText(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}
