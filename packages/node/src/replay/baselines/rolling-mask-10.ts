import { maskOldResults } from './mask-old-results.ts'

/** All but the last ten results are masked, anew at every request. */
export const rollingMask10 = maskOldResults({ name: 'rolling-mask-10', keep: 10, batch: 1 })
