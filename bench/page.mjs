import { missedSection } from './missed.mjs'
import { markdownTable } from './table.mjs'

const introduction = `# Measurements

Written by \`npm run bench -- --markdown docs/measurements.md\`; do not edit by hand. The times are from one machine and will differ on
yours. The ratios compare competitors in one process, in turns, so they depend less on the machine.

- The conversations are generated and always the same: a coding session with commands, file reads, searches, edits, failures, results
  over their limit, and a few images in base64. Our functions and those of the AI SDK and LangChain get the same one in their own
  format, converted beforehand.
- \`buildView\` runs all of \`specPolicies\` and reports every change. It counts a token per four characters, so that the time is the
  engine's; the estimator has a separate row. \`trimMessages\` includes reading, estimating and patching.
- *Cold*: every object is new. *Added*: the objects of the last call come again in a new list with more at its end. The peers keep no
  state and do the same work each time. \`pruneMessages\` drops messages by position, \`trimMessages\` of LangChain by length; neither
  reads results or reports what it did.
- Values are medians. The spread is half of the interquartile range. The code is warm: a full run precedes the timed one.
- A target against peers is compared with the fastest of them.
- The bills of complete sessions are those of \`plimsoll replay\`: a peer gets the messages of each request, and its output is priced
  as sent. No model calls the tool that DCP offers, so only its automatic trimming counts.
`

/** The page of results for the documentation. Topics that were not measured keep their part of the page before. */
export function createPage(tables, titles, before) {
  const parts = new Map(before.split(/^(?=## )/m).map((part) => [/^## (.*)/.exec(part)?.[1] ?? '', part]))
  for (const [title, table] of tables) parts.set(title, markdownTable(title, table))
  const sections = titles.flatMap((title) => parts.get(title)?.trim() ?? [])
  return `${[introduction.trim(), ...sections, ...missedSection(sections)].join('\n\n')}\n`
}
