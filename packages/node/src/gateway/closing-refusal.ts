import type { Refusal } from './dialect-error.ts'

/** What is said to whoever still asks while the gateway shuts down. */
export const closingRefusal: Refusal = {
  status: 503,
  code: 'closing',
  message: 'the gateway is shutting down and takes no more requests; ask again when it runs.',
}
