/** The name that an answer gives its file; the other one where it gives none that is only a name. */
export function fileNameIn(disposition: string | null, otherwise: string): string {
  const named = /filename="([\w.-]{1,200})"/.exec(disposition ?? '')?.[1]
  return named === undefined || named.startsWith('.') ? otherwise : named
}
