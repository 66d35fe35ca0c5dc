import { Fragment, type ReactNode } from 'react'

/** Longer code is shown without colours: nobody reads it, and thousands of elements are slow. */
const maxHighlighted = 20_000

/** Comments, strings, numbers and words of most languages. Each alternative is bounded by a line or its closing sign. */
const pieces =
  /(\/\/[^\n]{0,2000}|\/\*[\s\S]{0,4000}?\*\/|<!--[\s\S]{0,4000}?-->)|("(?:[^"\\\n]|\\.){0,2000}"|'(?:[^'\\\n]|\\.){0,2000}'|`(?:[^`\\]|\\.){0,4000}`)|\b(\d[\w.]{0,100})\b|([A-Za-z_$][\w$]{0,200})|(#[^\n]{0,2000})|(--[^\n]{0,2000})/g

/** In these languages such signs start a comment; elsewhere they mean something else. */
const hashComments = /^(?:py|python|sh|bash|zsh|shell|console|rb|ruby|ya?ml|toml|r|perl|pl|make|makefile|dockerfile|ini|conf)$/
const dashComments = /^(?:sql|lua|haskell|hs|ada)$/
const plain = /^(?:text|txt|plain|plaintext|log|output|diff|patch|markdown|md|)$/

const keywords = new Set(
  `abstract and as assert async await begin bool boolean break case catch char class const constexpr continue crate def default defer del delete do
  double elif else end enum except export extends extern false final finally float fn for foreach from func function global go goto if impl
  implements import in include instanceof int interface is lambda let long loop match mod module mut namespace new nil none None not null or package
  pass private protected pub public raise readonly ref return satisfies select self Self short static string struct super switch this throw trait true
  True False try type typedef typeof undefined union unsigned use using val var void where while with yield
  SELECT FROM WHERE INSERT UPDATE DELETE CREATE TABLE INTO VALUES JOIN ON GROUP BY ORDER LIMIT AND OR NOT NULL SET AS
  echo fi then done esac local`.split(/\s+/),
)

/** The kinds of the pieces of some code, in order: together they are the code. */
export function codePieces(code: string, language: string): readonly { readonly kind: CodeKind | null; readonly text: string }[] {
  const name =
    language
      .trim()
      .toLowerCase()
      .split(/[\s{,]/)[0] ?? ''
  if (code.length > maxHighlighted || plain.test(name)) return [{ kind: null, text: code }]
  const found: { kind: CodeKind | null; text: string }[] = []
  const add = (kind: CodeKind | null, text: string) => {
    const last = found.at(-1)
    if (last !== undefined && last.kind === kind) last.text += text
    else if (text !== '') found.push({ kind, text })
  }
  let end = 0
  for (const { 0: text, index, 1: comment, 2: string, 3: number, 4: word, 5: hash, 6: dash } of code.matchAll(pieces)) {
    add(null, code.slice(end, index))
    end = index + text.length
    const isComment =
      (comment !== undefined && !(hashComments.test(name) && text.startsWith('//'))) ||
      (hash !== undefined && hashComments.test(name)) ||
      (dash !== undefined && dashComments.test(name))
    if (isComment) add('comment', text)
    else if (string !== undefined) add('string', text)
    else if (number !== undefined) add('number', text)
    else add(word !== undefined && keywords.has(text) ? 'keyword' : null, text)
  }
  add(null, code.slice(end))
  return found
}

type CodeKind = 'comment' | 'string' | 'number' | 'keyword'

/** Code in colours, as text: nothing in it does anything. */
export function highlighted(code: string, language: string): ReactNode {
  return codePieces(code, language).map(({ kind, text }, index) =>
    kind === null ? (
      <Fragment key={index}>{text}</Fragment>
    ) : (
      <span key={index} className={`code-${kind}`}>
        {text}
      </span>
    ),
  )
}
