import { visibleText } from '../parts/safe-text.ts'

/** A text of a document as it may be shown: its character references are what they stand for. */
export function documentText(text: string): string {
  return visibleText(text.includes('&') ? text.replaceAll(reference, decoded) : text)
}

/** An address that a link may lead to; null for all that could do something else than open a page or a letter. */
export function safeAddress(href: string): string | null {
  const address = href.trim()
  if (!/^(?:https?:\/\/|mailto:)/i.test(address) || address.length > longestAddress) return null
  try {
    return new URL(address).href
  } catch {
    return null
  }
}

const longestAddress = 4000

const reference = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/g

/** Those that models write; any other stays as it is. */
const names: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  copy: '©',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  larr: '←',
  rarr: '→',
  times: '×',
}

function decoded(whole: string, decimal?: string, hexadecimal?: string, name?: string): string {
  if (name !== undefined) return Object.hasOwn(names, name) ? (names[name] ?? whole) : whole
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal)
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : whole
}
