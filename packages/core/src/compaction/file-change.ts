/** A file that was changed, and how, in one or two words. */
export interface FileChange {
  readonly path: string
  readonly change: string
}
