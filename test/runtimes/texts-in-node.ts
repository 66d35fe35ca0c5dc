import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { root } from '../source-files.ts'

/** Core's output for a conversation: texts by name. */
export type Texts = Readonly<Record<string, string>>

/** The entry point of the built core. */
export const coreEntry = `${root}/packages/core/dist/index.js`

/** The conversation for every runtime. */
export const exampleConversation = `${root}/packages/node/example/conversation.json`

/** Core's output for the conversation in this process. */
export async function textsInNode(): Promise<Texts> {
  const { loadCore, useCore } = (await import(`${root}/test/runtimes/use-core.mjs`)) as {
    readonly loadCore: (load: (name: string) => Promise<unknown>) => Promise<unknown>
    readonly useCore: (core: unknown, conversation: unknown) => Texts
  }
  const core = await loadCore((name) => import(new URL(`${name}.js`, pathToFileURL(coreEntry)).href))
  return useCore(core, JSON.parse(readFileSync(exampleConversation, 'utf8')))
}

/** Each text's length and hash, short enough to compare at a glance. */
export function fingerprints(texts: Texts): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, `${text.length} ${createHash('sha256').update(text).digest('hex')}`]),
  )
}
