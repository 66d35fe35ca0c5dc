import type { ToolResultPart } from '../message.ts'

/** Notes which result a cut one was made from. */
export function rememberUncut(cut: ToolResultPart, whole: ToolResultPart): void {
  wholes.set(cut, uncut(whole))
}

/** The result as it was before its output limit cut it; one that nobody cut is that itself. */
export function uncut(part: ToolResultPart): ToolResultPart {
  return wholes.get(part) ?? part
}

const wholes = new WeakMap<ToolResultPart, ToolResultPart>()
