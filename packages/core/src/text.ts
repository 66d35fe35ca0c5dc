/**
 * Texts and tokens for hosts: counting, labels, escaping, and what models read.
 *
 * @packageDocumentation
 */
export { inputText, isRecord, messageText, withoutMedia } from './message.ts'
export { imageProgressStrings, type ModelStrings, modelStrings, overflowStrings } from './strings/specification.ts'
export { reasonsFor } from './strings/strings-for.ts'
export { detached } from './text/detached.ts'
export { withEscapedControls } from './text/escaped-controls.ts'
export { grouped } from './text/grouped.ts'
export { jsonText } from './text/json-text.ts'
export { labelText } from './text/label-text.ts'
export { parseJson } from './text/parse-json.ts'
export { pathKey } from './text/paths.ts'
export { terminalText } from './text/terminal-text.ts'
export { escapedPieces, escapeUnprintable, unprintable } from './text/unprintable.ts'
export { countMessage, countMessages, countPart, estimator, measurePart } from './tokens/count-tokens.ts'
export { estimateText } from './tokens/estimate-text.ts'
export { parseReact } from './wire/dialects/parse-react.ts'
export { reactText } from './wire/dialects/react.ts'
