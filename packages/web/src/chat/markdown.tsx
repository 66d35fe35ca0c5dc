import type { MarkedToken, Token, Tokens } from 'marked'
import { Fragment, memo, type ReactNode, useMemo, useState } from 'react'
import { CopyButton } from '../parts/controls.tsx'
import { useLanguage } from '../parts/language.tsx'
import { LongText } from '../parts/long-text.tsx'
import { beginningOf, visibleLine, visibleText } from '../parts/safe-text.ts'
import { createMarkdownReader, longestMarkdown } from './lex-markdown.ts'

/** A text of a model as a document: only elements that do nothing by themselves, and nothing is ever loaded for it. */
export function Markdown({ text }: { readonly text: string }) {
  const [read] = useState(createMarkdownReader)
  const isLong = text.length > longestMarkdown
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
  return tokens.map((token, index) => <Fragment key={index}>{block(token as MarkedToken)}</Fragment>)
})

function block(token: MarkedToken): ReactNode {
  switch (token.type) {
    case 'heading':
      return <Heading depth={token.depth} tokens={token.tokens} />
    case 'paragraph':
      return <p>{inline(token.tokens)}</p>
    case 'code':
      return <Code text={token.text} language={token.lang ?? ''} />
    case 'blockquote':
      return (
        <blockquote>
          <Blocks tokens={token.tokens} />
        </blockquote>
      )
    case 'list':
      return <List list={token} />
    case 'table':
      return <Table table={token} />
    case 'hr':
      return <hr />
    case 'space':
      return null
    case 'html':
      return <p className="markdown-raw">{visibleText(token.text)}</p>
    case 'def':
      return <p>{visibleText(token.raw)}</p>
    case 'text':
      return token.tokens === undefined ? <p>{documentText(token.text)}</p> : inline(token.tokens)
    case 'list_item':
    case 'strong':
    case 'em':
    case 'del':
    case 'codespan':
    case 'br':
    case 'escape':
    case 'link':
    case 'image':
    case 'checkbox':
      return piece(token)
  }
}

function inline(tokens: readonly Token[]): ReactNode {
  return tokens.map((token, index) => <Fragment key={index}>{piece(token as MarkedToken)}</Fragment>)
}

function piece(token: MarkedToken): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inline(token.tokens)}</strong>
    case 'em':
      return <em>{inline(token.tokens)}</em>
    case 'del':
      return <del>{inline(token.tokens)}</del>
    case 'codespan':
      return <code>{visibleText(token.text)}</code>
    case 'br':
      return <br />
    case 'escape':
      return visibleText(token.text)
    case 'link':
      return <Link link={token} />
    case 'image':
      return <Image image={token} />
    case 'checkbox':
      return <input type="checkbox" className="markdown-task" checked={token.checked} readOnly disabled aria-hidden />
    case 'text':
      return token.tokens === undefined ? documentText(token.text) : inline(token.tokens)
    // What is no piece of a line is shown as it was written.
    case 'html':
    case 'blockquote':
    case 'code':
    case 'def':
    case 'heading':
    case 'hr':
    case 'list':
    case 'list_item':
    case 'paragraph':
    case 'space':
    case 'table':
      return visibleText(token.raw)
  }
}

/** All of one level: which ones stand before it in the page depends on what is in sight, and a level must not be left out. */
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
  const shown = useMemo(() => beginningOf(text, longestMarkdown).text, [text])
  return (
    <div className="markdown-code">
      <div className="markdown-code-head">
        <span className="muted small">{visibleLine(language, 40)}</span>
        <CopyButton text={text} />
      </div>
      <pre className="scroll-x" tabIndex={0}>
        <code>{shown}</code>
      </pre>
    </div>
  )
}

/** A link opens where it is clicked and never by itself; one that is no page or letter is only told. */
function Link({ link }: { readonly link: Tokens.Link }) {
  const address = safeAddress(link.href)
  if (address === null) return visibleText(link.raw)
  return (
    <a href={address} title={visibleLine(address, 500)} target="_blank" rel="noopener noreferrer">
      {inline(link.tokens)}
    </a>
  )
}

/** Loading a picture from elsewhere would tell somebody that the conversation is read. */
function Image({ image }: { readonly image: Tokens.Image }) {
  const { conversation } = useLanguage()
  const about = conversation.remoteImage(visibleLine(image.text, 200))
  return (
    <span className="markdown-image">
      [{about}]({visibleLine(image.href, 300)})
    </span>
  )
}

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
