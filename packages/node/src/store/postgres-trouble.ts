import { StoreError } from './gateway-store.ts'

/**
 * Trouble with PostgreSQL in the words of `StoreError`. Only the code of what came is told: messages and details of drivers and servers
 * name addresses, users and values.
 */
export function postgresTrouble(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const code = codeOf(error)
  const told = code === '' ? '' : ` (${code})`
  if (fullCodes.has(code)) {
    return new StoreError(
      'full',
      `The PostgreSQL store has no room${told}. Nothing was written: make room, or keep things for a shorter time.`,
    )
  }
  if (code === '25006' || code === '42501') {
    return new StoreError(
      'unreachable',
      `The PostgreSQL store does not let this user write${told}. Give it the rights to the schema plimsoll, on a server that is no replica.`,
    )
  }
  if (/^28|^3D/.test(code)) {
    return new StoreError(
      'unreachable',
      `PostgreSQL refused the connection${told}. Check user, password and database in the store's URL.`,
    )
  }
  if (/^(?:42|3F|22|23|XX00[12])/.test(code)) {
    return new StoreError(
      'broken',
      `The schema plimsoll in PostgreSQL is damaged or is not Plimsoll's${told}. It was left as it is.`,
    )
  }
  return new StoreError(
    'unreachable',
    `The PostgreSQL store does not answer${told}. Check that it runs and that the store's URL is right.`,
  )
}

/** Whether a call may be made again at once: its connection was gone, or two calls stood in each other's way. */
export function isTransient(error: unknown): boolean {
  if (transientCodes.has(codeOf(error))) return true
  const message = error instanceof Error ? error.message : ''
  return lostMessages.has(message)
}

// No room on the disk, a limit that was configured, a value larger than the server takes.
const fullCodes: ReadonlySet<string> = new Set(['53100', '53400', '54000'])
const transientCodes: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  // The server shuts down, or ended this connection; a deadlock, a failed serialisation.
  '57P01',
  '57P02',
  '08003',
  '08006',
  '40P01',
  '40001',
])
const lostMessages: ReadonlySet<string> = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
])

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null
  return typeof code === 'string' && /^[A-Z0-9_]{2,40}$/.test(code) ? code : ''
}
