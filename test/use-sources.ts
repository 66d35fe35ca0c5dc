import { registerHooks } from 'node:module'

const core = new URL('../packages/core/src/', import.meta.url).href
const name = '@plimsoll/core'

// Tests import the sources, not an older build.
registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== name && !specifier.startsWith(`${name}/`)) return next(specifier, context)
    return { url: `${core}${specifier === name ? 'index' : specifier.slice(name.length + 1)}.ts`, shortCircuit: true }
  },
})
