import type { AnswerHeaders } from './answer-headers.ts'
import type { AppliedEdit } from './planner.ts'

/** Bytes of an answer that become others on their way. */
export interface AnswerRewrite {
  readonly write: (chunk: Uint8Array) => Uint8Array
  readonly end: () => Uint8Array
}

/** The rewrite that an answer needs; null for nearly all: only who asked for `context_management` is told what was done for it. */
export function rewriteAnswer(edits: readonly AppliedEdit[] | null, status: number, headers: AnswerHeaders): AnswerRewrite | null {
  if (edits === null || status !== 200 || headers.contentEncoding !== '') return null
  return null
}
