import type { ToolCallPart } from '../message.ts'

/** Notes which call a shortened one was made from. */
export function rememberWholeCall(shortened: ToolCallPart, whole: ToolCallPart): void {
  wholes.set(shortened, wholeCall(whole))
}

/** The call as it was before its arguments were shortened; one that nobody shortened is that itself. */
export function wholeCall(call: ToolCallPart): ToolCallPart {
  return wholes.get(call) ?? call
}

const wholes = new WeakMap<ToolCallPart, ToolCallPart>()
