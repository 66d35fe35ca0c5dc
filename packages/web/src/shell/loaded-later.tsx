import { type ComponentType, lazy, useState } from 'react'

/** A component whose code comes when it is wanted, or before. */
export type LoadedLater<Props> = ComponentType<Props> & {
  /** Gets its code now, so that nobody waits for it later. Never rejects: who shows it is told. */
  readonly preload: () => void
}

/** Makes one. Where its code is there already it is shown at once: React would show that it waits, and then for a third of a second. */
export function loadedLater<Props extends object>(load: () => Promise<ComponentType<Props>>): LoadedLater<Props> {
  let there: ComponentType<Props> | null = null
  const ask = async () => {
    there ??= await load()
    return there
  }
  const Waiting = lazy(async () => ({ default: await ask() })) as ComponentType<Props>
  function Later(props: Props) {
    // One that is in sight stays the same one, whenever the code came.
    const [Component] = useState(() => there ?? Waiting)
    return <Component {...props} />
  }
  return Object.assign(Later, {
    preload: () => {
      ask().catch(() => undefined)
    },
  })
}
