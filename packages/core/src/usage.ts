/** What a provider reported for one request, in one shape whatever the provider. The four add up to all that was processed. */
export interface Usage {
  /** Input that was neither read from nor written to a cache. */
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  /** Reasoning included. */
  readonly output: number
}
