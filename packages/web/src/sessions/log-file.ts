/** The most bytes of a file that can be handed over to the server. */
export const mostLogBytes = 256_000_000

/** Why a file is not handed over; null where it can be. */
export type LogFileTrouble = 'too-large' | 'empty' | 'several' | null

/** Looks at files that were chosen or dropped before any of their bytes are sent. */
export function logFileTrouble(files: readonly { readonly size: number }[]): LogFileTrouble {
  const [file] = files
  if (file === undefined || files.length > 1) return 'several'
  if (file.size > mostLogBytes) return 'too-large'
  return file.size === 0 ? 'empty' : null
}
