import type { TimingName } from '@plimsoll/core/policies'

/** What decides where rules go. */
export interface RulesInput {
  /** `immediate` shows the rules as they are now; `economic` and `auto` spare the provider's cache. */
  readonly timing: TimingName
  /** The rules that stood in the last request, null where it had none; undefined where there was no request. */
  readonly shown: string | null | undefined
  /** The rules as the project has them now. */
  readonly current: string | null
  /** Whether nothing would be lost by changing the beginning of the request: a cold cache, or a compaction. */
  readonly cold: boolean
}

/** The text of the rules layer, and what the end of the request has to say about it. */
export interface RulesPlacement {
  readonly rules: string | null
  readonly announcement: string | null
}

/**
 * Decides between showing changed rules in their layer, which costs the cache everything behind it, and leaving the layer as it
 * is while the end of the request announces the change. Announced rules move into the layer at the next cold moment.
 */
export function placeRules({ timing, shown, current, cold }: RulesInput): RulesPlacement {
  if (timing === 'immediate' || cold || shown === undefined || shown === current) return { rules: current, announcement: null }
  return { rules: shown, announcement: announce(shown, current) }
}

function announce(shown: string | null, current: string | null): string {
  if (current === null) return 'The project rules above no longer apply: the project has none any more.'
  if (shown === null) return `The project has rules now:\n\n${current}`
  const { removed, added } = changedLines(shown, current)
  // Where most of it is new, the whole is easier to follow than its pieces.
  if (removed.length + added.length > current.length / 2) {
    return `The project rules above have changed. In place of them, these hold:\n\n${current}`
  }
  const pieces = ['The project rules above have changed.']
  if (removed !== '') pieces.push(`These lines no longer apply:\n\n${removed}`)
  if (added !== '') pieces.push(`These lines hold now:\n\n${added}`)
  return pieces.join('\n\n')
}

/** The lines between what two texts begin with and what they end with alike. */
function changedLines(before: string, after: string): { readonly removed: string; readonly added: string } {
  const old = before.split('\n')
  const now = after.split('\n')
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1
  let end = 0
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1
  return { removed: old.slice(start, old.length - end).join('\n'), added: now.slice(start, now.length - end).join('\n') }
}
