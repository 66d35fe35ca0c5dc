/** What can be answered to the question whether a call may run. */
export type PermissionChoice = 'once' | 'session' | 'no' | 'words' | 'stop'

/** The letter that answers it, shown on its button. */
export const permissionLetters: Readonly<Record<PermissionChoice, string>> = {
  once: 'Y',
  session: 'A',
  no: 'N',
  words: 'T',
  stop: 'S',
}

/** A key as the browser tells it. */
export interface PressedKey {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly repeat: boolean
  readonly isComposing: boolean
}

/** What a key answers; null where it answers nothing. One that is held down, or pressed with another, never does. */
export function permissionKey({ key, ctrlKey, metaKey, altKey, repeat, isComposing }: PressedKey): PermissionChoice | null {
  if (ctrlKey || metaKey || altKey || repeat || isComposing) return null
  const found = Object.entries(permissionLetters).find(([, letter]) => letter === key.toUpperCase())
  return found === undefined ? null : (found[0] as PermissionChoice)
}
