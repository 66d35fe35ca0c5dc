/** Removes compiled files without a source from the packages' dist folders, so that they are not published. Run by every build. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The paths below `src` that are compiled, without extension. */
export function builtSources(folder: string): readonly string[] {
  return readdirSync(`${folder}/src`, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !/\.test(?:-d)?\.tsx?$/.test(path) && !/(?:^|\/)testing\//.test(path))
    .map((path) => path.replace(/(?:\.d)?\.tsx?$/, ''))
}

/** The compiled files below `dist` without a source. */
export function staleBuilds(folder: string): readonly string[] {
  if (!existsSync(`${folder}/dist`)) return []
  const sources = new Set(builtSources(folder))
  return readdirSync(`${folder}/dist`, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter(
      (path) => /(?:\.js|\.d\.ts)$/.test(path) && !otherBuilds.test(path) && !sources.has(path.replace(/(?:\.js|\.d\.ts)$/, '')),
    )
}

/** Other builds empty these folders themselves. */
const otherBuilds = /^(?:web|web-inspect|bundled)\//

if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  // In builds before the program was one bundle, compiled files import what is no longer there.
  if (existsSync(`${root}packages/node/dist/bundled/ink.js`)) rmSync(`${root}packages/node/dist`, { recursive: true })
  for (const folder of [
    'packages/core',
    'packages/node',
    'packages/ai-sdk',
    'packages/langchain',
    'packages/mastra',
    'packages/openai-agents',
  ].map((path) => `${root}${path}`)) {
    for (const path of staleBuilds(folder)) rmSync(`${folder}/dist/${path}`)
  }
}
