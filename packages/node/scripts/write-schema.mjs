import { writeFileSync } from 'node:fs'
import { configJsonSchema } from '../dist/config/json-schema.js'

// Run after a build, when a key, a default or a sentence of the configuration changed.
writeFileSync(new URL('../schema/plimsoll.schema.json', import.meta.url), `${JSON.stringify(configJsonSchema(), null, 2)}\n`)
