import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { escapeUnprintable } from '@plimsoll/core/text'
import { escapeHtml } from '../replay/page/escape-html.ts'
import type { EmbeddedInspection, WrittenInspection } from '../shared/inspection/embedded-inspection.ts'
import { packInspection } from '../shared/inspection/pack-inspection.ts'
import type { Strings } from '../strings/strings-for.ts'

/**
 * The pieces of a page with the inspector and all its data. Only its own script and style may run, by hash; it loads and
 * sends nothing, and the text of the session cannot break out of its data.
 */
export function* inspectionPage(
  data: EmbeddedInspection,
  { script, style }: PageAssets,
  strings: Strings['page'],
): Generator<string, void> {
  const code = insideScript(script)
  const rules = insideStyle(style)
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(code)}`,
    `style-src ${hashOf(rules)}`,
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  const { title } = data.inspection.session
  const name = title === null ? strings.title : `${escapeUnprintable(title).slice(0, maxTitle)} – ${strings.title}`
  yield `<!doctype html>
<html lang="${data.locale?.toLowerCase().startsWith('zh') === true ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(name)}</title>
<style>${rules}</style>
</head>
<body>
<div id="app"></div>
<noscript>${escapeHtml(strings.needsScript)}</noscript>
<script type="application/json" id="plimsoll-inspection">`
  for (const piece of jsonPieces({ ...data, inspection: packInspection(data.inspection) })) yield insideData(piece)
  yield '</script>\n<script>'
  yield code
  yield '</script>\n</body>\n</html>\n'
}

const maxTitle = 200

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`
}

/** In JSON, `<` appears only in strings, where it can be escaped; so the data cannot start a tag or a comment. */
function insideData(json: string): string {
  return json.replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}

/** In scripts, these appear only in strings and patterns, where `<` can be escaped. */
function insideScript(code: string): string {
  return code.replaceAll(/<(?=\/script|!--)/gi, '\\x3c')
}

function insideStyle(rules: string): string {
  return rules.replaceAll(/<(?=\/style)/gi, '\\3c ')
}

function* jsonPieces(data: WrittenInspection): Generator<string, void> {
  let separator = '{'
  for (const [key, value] of Object.entries(data)) {
    yield `${separator}${JSON.stringify(key)}:`
    separator = ','
    if (Array.isArray(value)) yield* listPieces(value)
    else yield JSON.stringify(value)
  }
  yield '}'
}

function* listPieces(items: readonly unknown[]): Generator<string, void> {
  yield '['
  for (let from = 0; from < items.length; from += itemsInPiece) {
    const piece = JSON.stringify(items.slice(from, from + itemsInPiece)).slice(1, -1)
    yield from === 0 ? piece : `,${piece}`
  }
  yield ']'
}

const itemsInPiece = 200

interface PageAssets {
  readonly script: string
  readonly style: string
}

/** Reads the built assets; null if they were not built. */
export async function readPageAssets(folder: URL = builtFolder): Promise<PageAssets | null> {
  try {
    const read = (name: string) => readFile(new URL(name, folder), 'utf8')
    const [script, style] = await Promise.all([read('inspect.js'), read('inspect.css')])
    return { script, style }
  } catch {
    return null
  }
}

/** Two folders up is the package, both in the sources and in the build. */
const builtFolder = new URL('../../dist/web-inspect/', import.meta.url)
