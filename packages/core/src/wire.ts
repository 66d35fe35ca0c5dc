/**
 * Requests as vendors write them: reading, viewing, patching and writing them, and the failures providers answer with.
 *
 * @packageDocumentation
 */
export { type RequestView, viewRequest } from './engine/view-request.ts'
export type { Failure, FailureKind } from './failure/classify-failure.ts'
export { failureWords } from './failure/failure-words.ts'
export { silentOverflow } from './failure/silent-overflow.ts'
export type { BlobReference, MediaPart, ProviderOptions, ResultContent, Role, TextPart } from './message.ts'
export { openContainer, skipSpace, skipValue } from './text/json-spans.ts'
export { type Patch, type Path, patchText, patchValue } from './text/patch.ts'
export { isPlainPath } from './text/plain-path.ts'
export { canonicalPart, canonicalValue } from './wire/canonical-text.ts'
export { ReadError, type Reading } from './wire/codec.ts'
export { historyElsewhere } from './wire/history-elsewhere.ts'
export { chainOfMessages, type HashText, identifyMessages } from './wire/identify-messages.ts'
export { type DialectName, type WriteRequestOptions, writeRequest } from './wire/write-request.ts'
