import type { ToolCallPart } from '@plimsoll/core'
import { callKind, callTexts } from './call-texts.ts'

/**
 * The names of code in a text: words of six and more characters that are written (`parse_line`, `parseLine`, `utf16`) or used
 * (`parser.`, `validate(`, `"validate"`) as only a name is. Prose could have been guessed, and a piece of a path belongs to the
 * path.
 */
export function symbolsIn(text: string): readonly string[] {
  const found = new Set<string>()
  for (const match of text.matchAll(names)) {
    const [name] = match
    const start = match.index
    const end = start + name.length
    if (name.length > maxName || found.has(name) || isGuessable(name) || isHash(name)) continue
    const before = text[start - 1] ?? '\n'
    const after = text[end] ?? '\n'
    if (pathLike.test(before) || pathLike.test(after)) {
      if (!(after === '-' && text[end + 1] === '>') && !(before === '>' && text[start - 2] === '-')) continue
    }
    if (isWrittenAsName(name) || isUsedAsName(text, start, end, before, after)) found.add(name)
  }
  return [...found]
}

const names = /(?<![0-9A-Za-z_\u00c0-\u024f])[A-Za-z_][0-9A-Za-z_]{5,}(?![\u00c0-\u024f])/g
const maxName = 120
const pathLike = /[/\\-]/
const introduced =
  /\b(?:def|class|function|fn|func|import|from|const|let|var|type|interface|struct|enum|trait|impl|new|extends) $/

/** Whether only a name is spelled like this. */
export function isWrittenAsName(name: string): boolean {
  return /[A-Za-z0-9]_+[A-Za-z0-9]|\d|[a-z][A-Z]|[A-Z]{2}[a-z]/.test(name)
}

function isUsedAsName(text: string, start: number, end: number, before: string, after: string): boolean {
  if (after === '(' || after === '[' || before === '@' || before === '$') return true
  if ((after === '.' || after === ':') && /[\w:]/.test(text[end + 1] ?? '')) return true
  if ((before === '.' || before === ':') && /[\w:)\]]/.test(text[start - 2] ?? '')) return true
  if (before === '>' && text[start - 2] === '-') return true
  if ((before === '"' || before === "'" || before === '`') && after === before) return true
  if (before === '\n' && after === '\n' && text.length === end - start) return true
  return introduced.test(text.slice(Math.max(0, start - 12), start))
}

function isHash(name: string): boolean {
  return name.length >= 7 && /^[0-9a-f]+$/.test(name) && /\d/.test(name)
}

/** Strings that could not be guessed: hashes, UUIDs, URLs, versions, ports, numbers of issues, numbers with their key. */
export function idsIn(text: string): readonly string[] {
  const found = new Set<string>()
  for (const { pattern, accepts, group } of forms) {
    for (const match of text.matchAll(pattern)) {
      const id = match[group] ?? ''
      if (accepts === undefined || accepts(id)) found.add(id)
    }
  }
  return [...found]
}

const edge = '(?<![0-9A-Za-z_.-])'

const forms: readonly { pattern: RegExp; group: 0 | 1; accepts?: (id: string) => boolean }[] = [
  { pattern: /\bhttps?:\/\/[\w.-]{3,200}(?::\d{2,5})?(?:\/[\w./%+~#?=&@:-]{0,300}[\w/])?/g, group: 0 },
  { pattern: /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, group: 0 },
  { pattern: /(?<![\w-])[0-9a-f]{7,64}(?![\w-])/g, group: 0, accepts: (id) => /\d/.test(id) && /[a-f]/.test(id) },
  { pattern: new RegExp(`${edge}v?\\d{1,5}\\.\\d{1,5}\\.\\d{1,6}(?:[-+][0-9A-Za-z.]{1,30})?(?![\\w.]\\d)`, 'g'), group: 0 },
  { pattern: /\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0):(\d{2,5})\b/g, group: 1 },
  { pattern: /(?<![\w&])#\d{2,7}\b/g, group: 0 },
  { pattern: /(?<![\w.-])[A-Za-z_][\w-]{2,40}(?:=|: ?)\d{2,12}\b(?!\.\d|[\w-])/g, group: 0 },
]

/** The paths that a call names: in arguments for paths, in shell commands, and in the heads of patches. */
export function pathsIn(call: ToolCallPart): readonly string[] {
  const isShell = callKind(call) === 'terminal'
  const found = new Set<string>()
  for (const { key, text } of callTexts(call)) {
    if (pathKey.test(key)) add(found, text.trim())
    else if (isShell) for (const path of pathsInText(text)) found.add(path)
    if (text.includes('*** ')) for (const [, path] of text.matchAll(patchHead)) add(found, (path ?? '').trim())
  }
  return [...found]
}

/** The paths in a text: with a folder, or a file name with a known extension. */
export function pathsInText(text: string): readonly string[] {
  const found = new Set<string>()
  for (const [token] of text.matchAll(tokens)) {
    // The rest of a URL follows its colon; sed's substitutions look like paths.
    if (token.startsWith('//') || substitution.test(token)) continue
    if (token.includes('/') || fileName.test(token)) add(found, token)
  }
  return [...found]
}

const pathKey = /(?:path|file|filename|dir|directory|folder|cwd|workdir)s?$/i
const patchHead = /^\*\*\* (?:Update|Delete|Add) File: (.{1,400})$/gm
const tokens = /[\w./@+~\u00c0-\uffff-]{4,400}/g
const substitution = /^[sy]\/.*\/[gimpI0-9]*$/
const fileName =
  /^[\w@+\u00c0-\uffff][\w.@+\u00c0-\uffff-]{0,200}\.(?:c|cc|cfg|conf|cpp|cs|css|csv|go|h|hpp|html?|ini|java|jsx?|json|jsonl|kt|lock|lua|log|m?[jt]s|md|mdx|php|png|proto|py|rb|rs|rst|scss|sh|sql|svelte|swift|toml|tsx?|txt|vue|xml|ya?ml|zig)$/

function add(found: Set<string>, given: string): void {
  const path = trimmed(given)
  if (path.length < 4 || path.length > 400 || /[\n\r*?]/.test(path) || !/[A-Za-z\u00c0-\uffff]/.test(path)) return
  if (!/[/\\]|\.\w/.test(path) || path.includes('://') || isGuessable(path)) return
  found.add(path)
}

/** Without `./` before it, and without the end of a sentence or a slash after it. */
function trimmed(given: string): string {
  let start = 0
  while (given.startsWith('./', start)) start += 2
  let end = given.length
  while (end > start && (given[end - 1] === '/' || given[end - 1] === '.' || given[end - 1] === '-')) end -= 1
  return given.slice(start, end)
}

/** Whether a string needs no reading: a word of a programming language or its library, a path of every machine. */
function isGuessable(text: string): boolean {
  return known.has(text) || known.has(text.toLowerCase())
}

// Only words of six and more characters, and paths, are looked up.
const known: ReadonlySet<string> = new Set(
  `
  abstract assert async await boolean continue declare default delete double elseif except export extends extern finally foreach
  friend function global implements import include inline instanceof interface internal keyof lambda module mutable namespace native
  nonlocal object operator override package private protected public readonly register require restrict return sealed signed sizeof
  static strict string struct switch symbol template throws transient typedef typename typeof undefined unknown unless unsafe unsigned
  virtual volatile public_key ifndef endif define pragma

  append arange argparse arguments asyncio asdict assertequal assertin assertraises asserttrue assertfalse basename buffer bytearray
  classmethod collections compile concat console constructor contains contextlib contextmanager copyfile counter dataclass dataclasses
  datetime decode deepcopy defaultdict deque dirname document encode endswith entries enumerate environ exception exists extend
  filter finditer findall fixture float flatmap foreach format fprintf frombuffer fromkeys frozenset fullmatch functools getattr
  getenv getcwd hasattr hashlib hasown hasownproperty importlib includes indexof inspect instance isarray isdir isfile isinstance
  issubclass itertools iterator iterable itemgetter javascript joinpath lastindexof length listdir localhost logger logging lowercase
  lstrip makedirs matchall mkdtemp monkeypatch namedtuple namedtemporaryfile nodejs notimplementederror number operator optional
  orderdict ordereddict parametrize parsefloat parseint partial pathlib pickle popitem pprint printf println process promise property
  prototype python python3 pytest random readfile readfilesync readline readlines reduce regexp replace replaceall requests resolve
  result reverse reversed rfind rsplit rstrip search sequence session setattr setdefault shutil signature slice snprintf sorted sprintf
  splice splitlines staticmethod startswith stderr stdin stdout strerror stringify strings strip strlen subprocess substring swapcase
  sys system tempfile testing textwrap timedelta timestamp toequal tobe tohavelength tostring tolowercase touppercase traceback
  tuple typescript typing unicode unittest unlink update upper uppercase urllib urlparse valueerror typeerror keyerror indexerror
  attributeerror importerror runtimeerror filenotfounderror assertionerror modulenotfounderror syntaxerror nameerror rangeerror
  referenceerror values warning warnings writefile writefilesync writelines yield settimeout setinterval cleartimeout queryselector
  addeventlistener getelementbyid beforeeach aftereach beforeall afterall describe expect mapping matcher method context errorf sprint
  fatalf mustcompile readall background withcancel withtimeout waitgroup rwmutex newreader newwriter println unmarshal marshal
  vec<string> hashmap btreemap unwrap unwrap_or to_string into_iter collect as_str is_some is_none
  __init__ __main__ __name__ __file__ __repr__ __str__ __call__ __eq__ __hash__ __iter__ __len__ __getitem__ __setitem__ __contains__
  __enter__ __exit__ __class__ __dict__ __doc__ __all__ __new__ __version__ __future__ __getattr__ __setattr__

  command content message messages filename filepath options option params parameter parameters value values status string integer
  number default response request server client project folder directory version example examples source target output input

  /dev/null /tmp /usr /usr/bin /usr/local /usr/local/bin /bin/bash /bin/sh /usr/bin/env /etc /home /root /var /opt
  package.json readme.md tsconfig.json setup.py pyproject.toml go.mod go.sum cargo.toml makefile .gitignore index.ts index.js main.py
  main.go __init__.py requirements.txt node_modules package-lock.json dockerfile claude.md agents.md setup.cfg src/index.ts
  `
    .split(/\s+/)
    .filter((word) => word !== ''),
)
