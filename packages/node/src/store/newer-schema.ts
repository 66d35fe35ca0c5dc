import { StoreError } from './gateway-store.ts'

/** What is said of a store that a newer Plimsoll has changed. */
export function newerSchema(found: number, known: number): StoreError {
  return new StoreError(
    'newer',
    `The store was changed by a newer Plimsoll (its schema is ${found}, this one knows ${known}). Update Plimsoll here, or use another store.`,
  )
}
