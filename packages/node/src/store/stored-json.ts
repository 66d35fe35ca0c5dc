import { StoreError } from './gateway-store.ts'

/** The text under which a value is stored. It holds no character that a database would refuse. */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    throw new StoreError('broken', 'Something in a request is nested too deeply to be written down. Nothing was written.')
  }
}

/** What was stored under a text. */
export function readJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    throw new StoreError('broken', 'The store holds something that is no JSON. It is damaged: give the gateway another one.')
  }
}
