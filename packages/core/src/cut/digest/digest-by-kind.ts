import type { DigestFields, DigestSource, ToolKind } from '../../facts.ts'
import { countLines } from '../../text/code-points.ts'
import { jsonText } from '../../text/json-text.ts'
import { firstLines } from '../../text/line-ends.ts'
import { digestEdit, digestWrite } from './digest-change.ts'
import { digestCommand, digestStreams } from './digest-command.ts'
import { digestGlob, digestList, subject } from './digest-entries.ts'
import { digestOther, digestOtherFields } from './digest-other.ts'
import { digestRead } from './digest-read.ts'
import { digestSearch } from './digest-search.ts'
import { digestTodo } from './digest-todo.ts'
import { shortFields } from './short-fields.ts'

/** What the digest of an old result shows, by what its tool is for. Digesting a digest again shows the same. */
export function digestByKind(kind: ToolKind, source: DigestSource): DigestFields | null {
  const todo = kind === 'todo' ? digestTodo(source) : null
  if (todo !== null) return todo
  // An error that is told in plain text is told already as shortly as it can be; only a command's output stands around it.
  if (source.isError && source.fields === null && kind !== 'terminal') return null
  // What was shown as plain text before is so again.
  const rule = ruleOf(typeof source.fields?.['omitted_chars'] === 'number' ? 'other' : kind)
  const data = source.fields === null ? rule.text(source.text, source) : digestFields(kind, rule, source.fields, source)
  const { length } = jsonText(data)
  if (length > 0 && (length <= mostCharacters || kind === 'file-read')) return data
  // What cannot be written, as nesting without end, is shown as the text it came in.
  return source.fields === null || length === 0 ? digestOther(source.text, source) : digestOtherFields(source.fields, source)
}

/** No digest but that of a file is longer, whatever a tool put into its answer. */
const mostCharacters = 7000

interface KindRule {
  /** The digest of an answer in plain text. */
  readonly text: (text: string, source: DigestSource) => DigestFields
  /** The name under which a digest says what the call was about. */
  readonly subject?: string
  /** How many items of a list it shows. */
  readonly items: (settings: DigestSource['settings']) => number
  /** What it shows of a text inside data. Default: as much as fits a line. */
  readonly longText?: (settings: DigestSource['settings']) => (text: string) => string
}

function ruleOf(kind: ToolKind): KindRule {
  switch (kind) {
    case 'list':
      return { text: digestList, subject: 'path', items: (settings) => settings.list_entries }
    case 'glob':
      return { text: digestGlob, subject: 'pattern', items: (settings) => settings.glob_entries }
    case 'search':
      return { text: digestSearch, subject: 'pattern', items: (settings) => settings.search_matches }
    case 'file-read':
      return {
        text: digestRead,
        subject: 'path',
        items: (settings) => settings.read_lines,
        longText: (settings) => (text) =>
          countLines(text) <= settings.read_lines ? text : firstLines(text, settings.read_lines),
      }
    case 'edit':
      return { text: digestEdit, subject: 'path', items: (settings) => settings.edit_lines }
    case 'write':
      return { text: digestWrite, subject: 'path', items: (settings) => settings.write_lines }
    case 'terminal':
      return { text: digestCommand, subject: 'command', items: (settings) => settings.stdout_tail_lines }
    case 'todo':
    case 'repo-map':
    case 'image':
    case 'recall':
    case 'other':
      return { text: digestOther, items: (settings) => settings.search_matches }
  }
}

function digestFields(kind: ToolKind, rule: KindRule, fields: DigestFields, source: DigestSource): DigestFields {
  if (kind === 'terminal' && streams.some((key) => typeof fields[key] === 'string')) return digestStreams(fields, source)
  const key = bodies.find((name) => typeof fields[name] === 'string')
  const { [key ?? '']: body, ...rest } = fields
  if (rule.subject === undefined) {
    if (typeof body !== 'string' || jsonText(rest).length > source.settings.other_chars) return digestOtherFields(fields, source)
    return { ...rest, ...digestOther(body, source) }
  }
  const about = typeof fields[rule.subject] === 'string' ? {} : subject(rule.subject, source.about)
  const { items, longText } = rule
  const short = shortFields(rest, { items: items(source.settings), ...(longText && { text: longText(source.settings) }) })
  return typeof body === 'string'
    ? { ...short, ...rule.text(body, source), ...said(short, rule.subject) }
    : { ...about, ...short }
}

/** What the answer itself says it is about goes before what the call asked for. */
function said(fields: DigestFields, name: string): DigestFields {
  return typeof fields[name] === 'string' ? { [name]: fields[name] } : {}
}

const streams = ['stdout', 'output', 'stderr', 'stdout_summary', 'stderr_tail']
/** Where tools that answer in JSON put their text, and where digests do. */
const bodies = ['content', 'fragment', 'diff', 'patch', 'diff_preview', 'output', 'result', 'text', 'preview']
