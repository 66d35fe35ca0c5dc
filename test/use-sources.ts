import { registerHooks } from 'node:module'

const core = (file: string) => new URL(`../packages/core/src/${file}`, import.meta.url).href
const sources = new Map([
  ['@plimsoll/core', core('index.ts')],
  ['@plimsoll/core/hosts', core('hosts.ts')],
  ['@plimsoll/core/spec', core('spec.ts')],
])

// What is tested is what was written, not what was built of it before.
registerHooks({
  resolve(specifier, context, next) {
    const url = sources.get(specifier)
    return url === undefined ? next(specifier, context) : { url, shortCircuit: true }
  },
})
