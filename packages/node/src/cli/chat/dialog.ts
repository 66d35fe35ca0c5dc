import type { PermissionAnswer, PermissionRequest } from '../../shared/event.ts'

/** A question that waits for a person. */
export type Dialog = PermissionDialog | ChoicesDialog | ListDialog

/** May this call run? */
export interface PermissionDialog {
  readonly kind: 'permission'
  readonly request: PermissionRequest
}

/** A few answers, each with its key. */
export interface ChoicesDialog {
  readonly kind: 'choices'
  /** What it is about; the first line is the title. */
  readonly lines: readonly string[]
  readonly choices: readonly { readonly key: string; readonly label: string }[]
  /** What Esc stands for. */
  readonly dismiss: number
}

/** Many answers, of which one is picked with the arrow keys. */
export interface ListDialog {
  readonly kind: 'list'
  readonly title: string
  readonly rows: readonly string[]
}

/** What the person answered: to a question of permission, or which one they picked, null for none. */
export type DialogAnswer =
  | { readonly kind: 'permission'; readonly answer: PermissionAnswer; readonly stop: boolean }
  | { readonly kind: 'picked'; readonly index: number | null }
