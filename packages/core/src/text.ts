/**
 * Texts and tokens for hosts: counting, labels, escaping, and what models read.
 *
 * @packageDocumentation
 */
export { inputText, isRecord, mediaIn, messageText, withContent, withoutMedia } from './message.ts'
export { imageProgressStrings, type ModelStrings, modelStrings, overflowStrings } from './strings/specification.ts'
export { reasonsFor } from './strings/strings-for.ts'
export { jsonText, parseJson, withEscapedControls } from './text/json.ts'
export { escapedPieces, escapeUnprintable, labelText, unprintable } from './text/labels.ts'
export { detached, grouped } from './text/lines.ts'
export { pathKey } from './text/paths.ts'
export { terminalText } from './text/terminal-text.ts'
export { countMessage, countMessages, countPart, estimator, measurePart } from './tokens/count-tokens.ts'
export { estimateText } from './tokens/estimate-text.ts'
export { parseReact } from './wire/dialects/parse-react.ts'
export { reactText } from './wire/dialects/react.ts'
