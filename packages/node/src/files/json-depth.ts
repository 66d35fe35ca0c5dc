interface Step {
  readonly value: object
  readonly depth: number
  readonly key: string
  readonly parent: Step | null
}

/** The way to the first value that lies deeper than a limit, such as `[3].content[0]…`; null when nothing does. */
export function findDeepPlace(root: readonly unknown[], limit: number): string | null {
  const steps: Step[] = [{ value: root, depth: 0, key: '', parent: null }]
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    if (step.depth > limit) return placeOf(step)
    const { value, depth } = step
    const list = Array.isArray(value)
    for (const key of Object.keys(value)) {
      const child = (value as Readonly<Record<string, unknown>>)[key]
      if (typeof child === 'object' && child !== null) {
        steps.push({ value: child, depth: depth + 1, key: list ? `[${key}]` : `.${key}`, parent: step })
      }
    }
  }
  return null
}

/** Only the beginning of the way tells a reader anything. */
function placeOf(step: Step): string {
  const keys: string[] = []
  for (let at: Step | null = step; at !== null; at = at.parent) keys.push(at.key.slice(0, 40))
  return `${keys.reverse().slice(0, 5).join('')}…`
}
