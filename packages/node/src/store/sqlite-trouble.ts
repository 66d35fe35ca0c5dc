import { StoreError } from './gateway-store.ts'

/** Trouble with an embedded store in the words of `StoreError`; what is no trouble of SQLite or of files is a bug and stays as it is. */
export function sqliteTrouble(error: unknown): unknown {
  if (error instanceof StoreError || !(error instanceof Error)) return error
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown }
  if (code === 'ERR_INVALID_STATE') return closedStore()
  if (typeof errcode === 'number') return fromNumber(errcode)
  if (typeof code === 'string' && /^(?:E[A-Z0-9]+|ERR_INVALID_ARG_VALUE)$/.test(code)) return fromFileSystem(code)
  return error
}

/** What a store says that was closed. */
function closedStore(): StoreError {
  return new StoreError('unreachable', 'The store is closed.')
}

/** What is said of a file that holds something else. */
export function brokenFile(): StoreError {
  return new StoreError(
    'broken',
    "The store's file is damaged or is no store of Plimsoll. It was left as it is: move it away, or name another file.",
  )
}

// https://www.sqlite.org/rescode.html: the low byte is the primary code.
function fromNumber(number: number): StoreError {
  if (roomless.has(number)) return full()
  switch (number & 0xff) {
    case 11:
    case 26:
      return brokenFile()
    case 13:
      return full()
    case 5:
    case 6:
      return new StoreError('unreachable', "The store's file stayed locked by another process. Try again when that has finished.")
    case 3:
    case 8:
    case 14:
      return notAllowed(`SQLite ${number}`)
    case 18:
      return new StoreError('full', 'Something is too large for the store. Nothing was written.')
    default:
      return new StoreError('unreachable', `The store's file cannot be used (SQLite ${number}). Check the disk that it is on.`)
  }
}

// A disk without room shows in these too: writing, growing a file, and growing the memory that processes share.
const roomless: ReadonlySet<number> = new Set([778, 1546, 4874])

function fromFileSystem(code: string): StoreError {
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') return full()
  return notAllowed(code)
}

function full(): StoreError {
  return new StoreError(
    'full',
    'The store is full. Nothing was written: make room on its disk, or keep things for a shorter time.',
  )
}

function notAllowed(code: string): StoreError {
  return new StoreError(
    'unreachable',
    `The store's file cannot be opened or written (${code}). Check that the folder exists and that you may write there.`,
  )
}
