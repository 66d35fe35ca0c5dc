/** Prints core's output for a conversation. For Node, Bun and Deno: `print-texts.mjs CORE CONVERSATION`. */
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { loadCore, useCore } from './use-core.mjs'

const [, , corePath, conversationPath] = process.argv
const core = await loadCore((name) => import(new URL(`${name}.js`, pathToFileURL(corePath)).href))
process.stdout.write(JSON.stringify(useCore(core, JSON.parse(readFileSync(conversationPath, 'utf8')))))
