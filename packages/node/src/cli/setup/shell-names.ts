/** The shells that completion is written for. */
export const shellNames = ['bash', 'zsh', 'fish'] as const

/** One of them. */
export type CompletionShell = (typeof shellNames)[number]
