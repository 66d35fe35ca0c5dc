import { readFileSync, writeFileSync } from 'node:fs'
import { configurationPage } from '../../../scripts/configuration-page.ts'
import { notForProjects } from '../dist/config/check-layer.js'
import { configJsonSchema } from '../dist/config/config-schema.js'

// Run after a build, when a key, a default or a sentence of the configuration changed.
const schema = JSON.parse(JSON.stringify(configJsonSchema()))
writeFileSync(new URL('../schema/plimsoll.schema.json', import.meta.url), `${JSON.stringify(schema, null, 2)}\n`)
const page = new URL('../../../docs/configuration.md', import.meta.url)
writeFileSync(page, configurationPage(readFileSync(page, 'utf8'), schema, Object.keys(notForProjects)))
