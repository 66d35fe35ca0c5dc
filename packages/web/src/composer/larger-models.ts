/** A model that could be asked in the place of another one. */
export interface ModelChoice {
  readonly name: string
  /** Null where nobody knows it. */
  readonly window: number | null
}

/** The name of the model that is built in. */
const offline = 'offline'

/**
 * The models with more room than a window, the largest first, then those of which nobody knows how much they have. One whose window is
 * known to be no larger is left out: it would fail in the same way. So is the offline one, which could not go on with the work of another.
 */
export function largerModels(
  models: readonly string[],
  windows: Readonly<Record<string, number>>,
  current: { readonly name: string; readonly window: number },
): readonly ModelChoice[] {
  const others = models.filter((name, index) => name !== current.name && name !== offline && models.indexOf(name) === index)
  const choices = others.map(
    (name): ModelChoice => ({ name, window: Object.hasOwn(windows, name) ? (windows[name] ?? null) : null }),
  )
  return choices
    .filter(({ window }) => window === null || window > current.window)
    .toSorted((one, other) => (other.window ?? 0) - (one.window ?? 0))
}
