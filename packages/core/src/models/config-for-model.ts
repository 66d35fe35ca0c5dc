import { type Config, outputReserve } from '../config.ts'
import type { ModelFacts } from './catalogue.ts'

/**
 * The configuration for a model: its window, where that is known, in place of the one that is set, and no more kept free for the
 * answer than `withOutputLimit` leaves. What is usable never exceeds the model's input limit.
 */
export function withModelWindow(config: Config, facts: ModelFacts): Config {
  const { window, inputLimit } = facts
  if (window === null) return withOutputLimit(config, facts)
  const whole = withOutputLimit({ ...config, context_window: window }, facts)
  if (inputLimit === null) return whole
  // A reserve is a quarter of the window at most, so a window of four thirds of the input never leaves more than that usable.
  const most = Math.min(inputLimit + outputReserve(whole), Math.floor((inputLimit * 4) / 3))
  return most < window ? { ...whole, context_window: most } : whole
}

/** The configuration with no more kept free for the answer than the model can answer, unless it says itself how much. */
export function withOutputLimit(config: Config, { outputLimit }: ModelFacts): Config {
  if (config.output_reserve !== null || outputLimit === null || outputLimit >= outputReserve(config)) return config
  return { ...config, output_reserve: outputLimit }
}
