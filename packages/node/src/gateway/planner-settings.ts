import type { Config } from '@plimsoll/core/policies'

/** What a planner goes by. Plain data, so that it can be handed to another thread. */
export interface PlannerSettings {
  /** Complete. */
  readonly config: Config
  /** Whether somebody set `context_window`; else it is the model's, where that is known. */
  readonly isWindowSet: boolean
  /** Whether the texts of messages are kept, and not only what is hidden from view. */
  readonly keepText: boolean
  /** The share of conversations that are left untouched, from 0 to 1, so that there is something to compare with. */
  readonly holdout: number
  /** How a model gets back what it does not see: by a handle, or from a file in this folder, which the replaced text names. */
  readonly recall: 'handle' | { readonly file: string }
  /** After how many days what nobody used is forgotten; null keeps everything. A planner's thread sees to it. Default: null. */
  readonly keepDays?: number | null
}
