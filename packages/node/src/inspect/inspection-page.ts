import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { escapeUnprintable } from '@plimsoll/core/text'
import { escapeHtml } from '../replay/page/escape-html.ts'
import type { EmbeddedInspection, WrittenInspection } from '../shared/inspection/embedded-inspection.ts'
import { packInspection } from '../shared/inspection/pack-inspection.ts'
import type { Strings } from '../strings/strings-for.ts'

/**
 * The pieces of a page with the inspector and everything it shows inside. It loads nothing and sends nothing: what may run in it is
 * named by its hash, and what was said in the session is data that nothing in it can get out of.
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
  const name = title === null ? strings.title : `${escapeUnprintable(title).slice(0, longestTitle)} – ${strings.title}`
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

const longestTitle = 200

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`
}

/** In a text of JSON, `<` stands in strings alone, where it may be written like this; so nothing begins a tag or a comment. */
function insideData(json: string): string {
  return json.replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}

/** What would end the element, or make a comment of the rest, stands in strings and patterns alone, where `<` may be written so. */
function insideScript(code: string): string {
  return code.replaceAll(/<(?=\/script|!--)/gi, '\\x3c')
}

function insideStyle(rules: string): string {
  return rules.replaceAll(/<(?=\/style)/gi, '\\3c ')
}

/** A value as JSON in pieces: the lists that may be long, item by item. */
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

/** What a page with the inspector is made of besides its data. */
interface PageAssets {
  readonly script: string
  readonly style: string
}

/** Reads what was built for pages; null where nothing was built. */
export async function readPageAssets(folder: URL = builtFolder): Promise<PageAssets | null> {
  try {
    const [script, style] = await Promise.all(
      ['inspect.js', 'inspect.css'].map((name) => readFile(new URL(name, folder), 'utf8')),
    )
    return script === undefined || style === undefined ? null : { script, style }
  } catch {
    return null
  }
}

/** From the sources and as built, two folders up is the package. */
const builtFolder = new URL('../../dist/web-inspect/', import.meta.url)
