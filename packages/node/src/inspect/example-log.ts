import { fileURLToPath } from 'node:url'

/** The file of the conversation that ships with the package, for whoever has no log of their own. */
export function exampleLog(): string {
  return fileURLToPath(new URL('../../example/conversation.json', import.meta.url))
}
