import type { PermissionRequest } from '@plimsoll/core'

/** The question about a call that waits; answers it by itself. Give it the call's id as its key. */
export interface PermissionDialogProps {
  readonly session: string
  readonly request: PermissionRequest
}

/** Asks whether a call may run. */
export function PermissionDialog(_props: PermissionDialogProps) {
  return null
}
