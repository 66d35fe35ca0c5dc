import { maskOldResults } from './mask-old-results.ts'

/** All but the last ten results are masked, but only when twenty-five more have become old. */
export const maskBatches25 = maskOldResults({ name: 'mask-batches-25', keep: 10, batch: 25 })
