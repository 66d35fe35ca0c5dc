import { markdownTable } from './table.mjs'

const introduction = `# Measurements

Written by \`npm run bench -- --markdown docs/measurements.md\`; do not edit by hand. The times are one machine's and will be others on
yours. The ratios were taken in one process, turn by turn, and travel better.

- The conversations are generated, always the same: a coding session with commands, file reads, searches, edits, failures, results
  over their limit, and a few pictures in base64. Ours, the AI SDK's and LangChain's functions get the same one in their own form,
  converted beforehand.
- \`buildView\` runs all of \`specPolicies\` and reports every change. Tokens are counted as a quarter of the characters there, so that
  the time is the engine's; what the estimator takes stands in a row of its own. \`trimMessages\` includes reading, estimating and
  patching.
- *Cold*: every object is new. *Added*: the objects of the last call come back in a new list with something more at its end. The
  peers have no memory and do the same work each time. \`pruneMessages\` drops messages by their place, \`trimMessages\` of LangChain by
  their length; neither reads a result, and neither says what it did.
- Values are medians. The spread is half of the distance between the quartiles. Code is warm: a whole run passes before the timed one.
- A target against peers is held against the cheapest of them.
- The bills of whole sessions are those of \`plimsoll replay\`: a peer gets the messages of each request and what it returns is priced
  as sent. Nobody calls the tool that DCP offers to models, so it only does what it does by itself.
`

/** The page of results for the documentation. */
export function createPage(tables) {
  return [introduction, ...tables.map(([title, table]) => markdownTable(title, table))].join('\n')
}
