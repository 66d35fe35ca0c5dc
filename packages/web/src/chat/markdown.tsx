import type { MarkedToken, Token, Tokens } from 'marked'
import { Fragment, memo, type ReactNode, useMemo, useState } from 'react'
import { CopyButton } from '../parts/controls.tsx'
import { useLanguage } from '../parts/language.tsx'
import { LongText } from '../parts/long-text.tsx'
import { beginningOf, visibleLine, visibleText } from '../parts/safe-text.ts'
import { highlighted } from './highlight.tsx'
import { createMarkdownReader, maxMarkdown } from './lex-markdown.ts'

/** A text of a model as a document: only elements that do nothing on their own, and nothing is ever loaded for it. */
export function Markdown({ text }: { readonly text: string }) {
  const [read] = useState(createMarkdownReader)
  const isLong = text.length > maxMarkdown
  const pieces = useMemo(() => (isLong ? [] : read(text)), [read, text, isLong])
  if (isLong) return <LongText text={text} />
  return (
    <div className="markdown">
      {pieces.map(({ start, tokens }) => (
        <Blocks key={start} tokens={tokens} />
      ))}
    </div>
  )
}

const Blocks = memo(function Blocks({ tokens }: { readonly tokens: readonly Token[] }) {
  return tokens.map((token, index) => <Fragment key={index}>{rendered(token, blocks)}</Fragment>)
})

type Renderers = { readonly [Type in MarkedToken['type']]?: (token: Extract<MarkedToken, { type: Type }>) => ReactNode }

const blocks: Renderers = {
  heading: ({ depth, tokens }) => <Heading depth={depth} tokens={tokens} />,
  paragraph: ({ tokens }) => <p>{inline(tokens)}</p>,
  code: ({ text, lang }) => <Code text={text} language={lang ?? ''} />,
  blockquote: ({ tokens }) => (
    <blockquote>
      <Blocks tokens={tokens} />
    </blockquote>
  ),
  list: (list) => <List list={list} />,
  table: (table) => <Table table={table} />,
  hr: () => <hr />,
  space: () => null,
  html: ({ text }) => <p className="markdown-raw">{visibleText(text)}</p>,
  def: ({ raw }) => <p>{visibleText(raw)}</p>,
  text: ({ text, tokens }) => (tokens === undefined ? <p>{documentText(text)}</p> : inline(tokens)),
}

const pieces: Renderers = {
  strong: ({ tokens }) => <strong>{inline(tokens)}</strong>,
  em: ({ tokens }) => <em>{inline(tokens)}</em>,
  del: ({ tokens }) => <del>{inline(tokens)}</del>,
  codespan: ({ text }) => <code>{visibleText(text)}</code>,
  br: () => <br />,
  escape: ({ text }) => visibleText(text),
  link: (link) => <Link link={link} />,
  image: (image) => <Image image={image} />,
  checkbox: ({ checked }) => <input type="checkbox" className="markdown-task" checked={checked} readOnly disabled aria-hidden />,
  text: ({ text, tokens }) => (tokens === undefined ? documentText(text) : inline(tokens)),
}

function rendered(token: Token, by: Renderers): ReactNode {
  const render = (by[token.type as MarkedToken['type']] ?? pieces[token.type as MarkedToken['type']]) as
    | ((token: Token) => ReactNode)
    | undefined
  // Shows a block inside a line as its source text.
  return render === undefined ? visibleText(token.raw) : render(token)
}

function inline(tokens: readonly Token[]): ReactNode {
  return tokens.map((token, index) => <Fragment key={index}>{rendered(token, pieces)}</Fragment>)
}

/** All of one level: which ones come before it in the page depends on what is in sight, and a level must not be skipped. */
function Heading({ depth, tokens }: { readonly depth: number; readonly tokens: readonly Token[] }) {
  return <h2 className={depth <= 1 ? 'markdown-head markdown-head-first' : 'markdown-head'}>{inline(tokens)}</h2>
}

function List({ list }: { readonly list: Tokens.List }) {
  const items = list.items.map((item, index) => (
    <li key={index} className={item.task ? 'markdown-item-task' : undefined}>
      <Blocks tokens={item.tokens} />
    </li>
  ))
  if (!list.ordered) return <ul>{items}</ul>
  return <ol start={list.start === '' ? 1 : list.start}>{items}</ol>
}

function Table({ table }: { readonly table: Tokens.Table }) {
  const cell = ({ tokens, align, header }: Tokens.TableCell, index: number) => {
    const Tag = header ? 'th' : 'td'
    return (
      <Tag key={index} className={align === null ? undefined : `markdown-${align}`}>
        {inline(tokens)}
      </Tag>
    )
  }
  return (
    <div className="scroll-x markdown-table" tabIndex={0} role="group">
      <table className="table">
        <thead>
          <tr>{table.header.map(cell)}</tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>{row.map(cell)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Code({ text, language }: { readonly text: string; readonly language: string }) {
  const colours = useMemo(() => highlighted(beginningOf(text, maxMarkdown).text, language), [text, language])
  return (
    <div className="markdown-code">
      <div className="markdown-code-head">
        <span className="muted small">{visibleLine(language, 40)}</span>
        <CopyButton text={text} />
      </div>
      <pre className="scroll-x" tabIndex={0}>
        <code>{colours}</code>
      </pre>
    </div>
  )
}

/** A link that is not a page or an email address is only shown as text. */
function Link({ link }: { readonly link: Tokens.Link }) {
  const address = safeAddress(link.href)
  if (address === null) return visibleText(link.raw)
  return (
    <a href={address} title={visibleLine(address, 500)} target="_blank" rel="noopener noreferrer">
      {inline(link.tokens)}
    </a>
  )
}

/** Loading an image from elsewhere would reveal that the conversation is read. */
function Image({ image }: { readonly image: Tokens.Image }) {
  const { conversation } = useLanguage()
  const about = conversation.remoteImage(visibleLine(image.text, 200))
  return (
    <span className="markdown-image">
      [{about}]({visibleLine(image.href, 300)})
    </span>
  )
}

/** A text of a document as it may be shown, with its character references decoded. */
export function documentText(text: string): string {
  return visibleText(text.includes('&') ? text.replaceAll(reference, decoded) : text)
}

/** An address that a link may lead to; null for all that could do something else than open a page or write an email. */
export function safeAddress(href: string): string | null {
  const address = href.trim()
  if (!/^(?:https?:\/\/|mailto:)/i.test(address) || address.length > 4000) return null
  try {
    return new URL(address).href
  } catch {
    return null
  }
}

const reference = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/g

/** Those that models write; any other stays unchanged. */
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
