import type { Message } from '@plimsoll/core'

/** An event of a conversation, as far as it matters for its place. */
export interface OpenHandsStep {
  readonly id: string
  /** The event it hangs on; undefined where the log has no tree. */
  readonly parent: string | null | undefined
  /** None for what is no part of the conversation and only holds the tree together. */
  readonly message: Message | null
  /** Set where the client speaks in the person's name. */
  readonly isAdded?: true
  /** The response it belongs to. */
  readonly response: string | null
  /** For a summary, the events that it took the place of. */
  readonly forgotten?: readonly unknown[]
}

/** A step in which something is said, with all events of its response. */
export type SpokenStep = OpenHandsStep & { readonly message: Message; readonly events: readonly string[] }

/** The steps on the way to a leaf, or to the last one: what hangs elsewhere was left. Without a tree these are all. */
export function branchTo(steps: ReadonlyMap<string, OpenHandsStep>, leaf: string | null): readonly OpenHandsStep[] {
  const all = [...steps.values()]
  const last = (leaf === null ? undefined : steps.get(leaf)) ?? all.at(-1)
  if (last?.parent === undefined || all.some(({ parent }) => parent === undefined)) return all
  const kept = new Set<OpenHandsStep>()
  for (let step: OpenHandsStep | undefined = last; step !== undefined && !kept.has(step); ) {
    kept.add(step)
    step = step.parent == null ? undefined : steps.get(step.parent)
  }
  return all.filter((step) => kept.has(step))
}

/** What was said, with the calls of one response in one message. */
export function mergeAnswers(steps: readonly OpenHandsStep[]): readonly SpokenStep[] {
  const merged: (SpokenStep & {
    readonly events: string[]
    readonly message: Message & { parts: Message['parts'][number][] }
  })[] = []
  for (const step of steps) {
    if (step.message === null) continue
    const last = merged.at(-1)
    if (last !== undefined && step.response !== null && last.response === step.response) {
      for (const part of step.message.parts) last.message.parts.push(part)
      last.events.push(step.id)
    } else merged.push({ ...step, message: { ...step.message, parts: [...step.message.parts] }, events: [step.id] })
  }
  return merged
}

/** For each summary, the first message behind everything it took the place of. */
export function keptBeside(steps: readonly SpokenStep[]): ReadonlyMap<string, string> {
  const kept = new Map<string, string>()
  const places = new Map<unknown, number>()
  steps.forEach((step, index) => {
    for (const event of step.events) places.set(event, index)
    if (step.forgotten === undefined) return
    const last = step.forgotten.reduce<number>((most, event) => Math.max(most, places.get(event) ?? -1), -1)
    const first = steps[last + 1]
    if (last >= 0 && first !== undefined && first !== step) kept.set(step.message.id, first.message.id)
  })
  return kept
}
