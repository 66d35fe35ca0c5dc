import { withModelWindow } from '@plimsoll/core/bill'
import { factsByName } from '../model/model-knowledge.ts'
import type { ServerOptions } from './server-options.ts'

/** The windows of the models that can be had, by their names; those of which nobody knows theirs are left out. */
export function modelWindows({
  models,
  config,
  isWindowSet,
}: Pick<ServerOptions, 'models' | 'config' | 'isWindowSet'>): Readonly<Record<string, number>> {
  const known = models.flatMap((name): readonly (readonly [string, number])[] => {
    // Who sets the window sets it for every model.
    if (isWindowSet) return [[name, config.context_window]]
    const facts = factsByName(name, config)
    return facts.window === null ? [] : [[name, withModelWindow(config, facts).context_window]]
  })
  return Object.fromEntries(known)
}
