import { readdirSync, readFileSync } from 'node:fs'
import { root } from './source-files.ts'

/** A page for readers, by its path from the repository's folder. */
export interface Page {
  readonly path: string
  readonly text: string
}

/** A fenced block of code. */
export interface CodeBlock {
  /** The info string of the fence, such as `ts run`. */
  readonly info: string
  readonly text: string
}

/** The pages in the root, which begin with a capital letter, those of the packages, and everything in docs/ and below. */
export function readPages(): readonly Page[] {
  const front = readdirSync(root, { encoding: 'utf8' }).filter((name) => /^[A-Z].*\.md$/.test(name))
  const docs = readdirSync(`${root}/docs`, { encoding: 'utf8', recursive: true }).filter((name) => name.endsWith('.md'))
  return [...front, ...docs.map((name) => `docs/${name.replaceAll('\\', '/')}`), ...packagePages]
    .toSorted()
    .map((path) => ({ path, text: readFileSync(`${root}/${path}`, 'utf8') }))
}

/** The README of each package, as npm shows it. */
const packagePages = ['core', 'node', 'ai-sdk', 'langchain', 'mastra', 'openai-agents'].map(
  (name) => `packages/${name}/README.md`,
)

/** The fenced blocks of a page, in order. */
export function codeBlocks(text: string): readonly CodeBlock[] {
  return [...text.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    info: (match[1] as string).trim(),
    text: match[2] as string,
  }))
}
