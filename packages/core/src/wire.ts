/**
 * Requests as vendors write them: reading, viewing, patching and writing them, and the failures providers answer with.
 *
 * @packageDocumentation
 */
export { type RequestView, viewRequest } from './engine/view-request.ts'
export type { Failure, FailureKind } from './failure/classify-failure.ts'
export { failureWords } from './failure/failure-body.ts'
export { silentOverflow } from './failure/silent-overflow.ts'
export type { BlobReference, MediaPart, ProviderOptions, ResultContent, Role, TextPart } from './message.ts'
export { isPlainPath, type Patch, type Path, patchText, patchValue } from './text/patch.ts'
export { skipSpace, skipValue, walkMembers } from './text/patch-text.ts'
export { ReadError, type Reading } from './wire/dialect.ts'
export { historyElsewhere } from './wire/history-elsewhere.ts'
export { canonicalPart, canonicalValue, chainOfMessages, type HashText, identifyMessages } from './wire/identity.ts'
export { type DialectName, type WriteRequestOptions, writeRequest } from './wire/write-request.ts'
