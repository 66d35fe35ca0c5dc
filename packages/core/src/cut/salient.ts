export type Rank = (typeof ranks)[keyof typeof ranks]

/** What a removed line is: a failure, its details, totals, words that may mean a failure, warnings; unlike all others; the first to name a file. */
export const ranks = { failure: 0, detail: 1, total: 2, mention: 3, warning: 4, odd: 5, name: 6 } as const

export interface Salience {
  readonly rank: Rank
  readonly at: number
  readonly length: number
}

/** Finds the next possible trigger of a salient line at or after `from`, which must not decrease; -1 if there is none. */
export function findTriggers(text: string): (from: number) => number {
  // Two patterns, because one for words (any case) and symbols is slower.
  const words = finder(text, new RegExp(triggerWords, 'gi'))
  const signs = finder(text, new RegExp(triggerSigns, 'g'))
  return (from) => {
    const word = words(from)
    const sign = signs(from)
    return word === -1 || (sign !== -1 && sign < word) ? sign : word
  }
}

/** Null if the line is not worth keeping. Expects the line as a terminal shows it. */
export function salienceOf(line: string): Salience | null {
  if (!anyWord.test(line) && !anySign.test(line)) return null
  if (frame.test(line)) return { rank: ranks.detail, at: 0, length: 0 }
  // "0 errors" and "failures: none" must not outrank real failures.
  const masked = nothingWrong.test(line) ? line.replace(nothingWrongAll, (phrase) => '_'.repeat(phrase.length)) : line
  for (const [rank, patterns] of judgements) {
    for (const pattern of patterns) {
      const found = pattern.exec(masked)
      if (found !== null) return { rank, at: found.index, length: found[0].length }
    }
  }
  const found = total.exec(line)
  return found === null ? null : { rank: ranks.total, at: found.index, length: found[0].length }
}

/** Whether a line right below a failure belongs to it: a stack frame, or expected and actual values. */
export function isDetail(line: string): boolean {
  return frame.test(line) || comparison.test(line) || unequal.test(line)
}

/** Whether a line says how many tests or checks failed or passed. */
export function isTotal(line: string): boolean {
  return total.test(line) || countOfFailures.test(line)
}

/** Whose file a stack frame is in: the program's own, or that of a library or a runtime, which says less; null if the line is no frame. */
export function frameOf(line: string): 'own' | 'library' | null {
  if (!frame.test(line)) return null
  return library.test(line) ? 'library' : 'own'
}

function finder(text: string, pattern: RegExp): (from: number) => number {
  let known = -2
  return (from) => {
    if (known === -1 || known >= from) return known
    pattern.lastIndex = from
    known = pattern.exec(text)?.index ?? -1
    return known
  }
}

// Grouped by first letter, which makes the search three times as fast. None matches across a newline.
const triggerWords = [
  ...['a(?:bort|ssert)', 'build success', 'c(?:annot |aused by|ore dumped|ould not |ritical)'],
  ...['de(?:adline exc|nied|precat)', 'e(?:rr!|rror|xception|xit(?:ed| ?code| status))'],
  ...['f(?:ail|atal|ound \\d)', 'killed', 'no(?: such file|t found|t ok)', 'out[ -]of[ -]memory'],
  ...['pa(?:nic|ss(?:ed|ing))', 'problem', 'r(?:an \\d|efused)', 's(?:egmentation|evere|ig(?:abrt|kill|segv)|ummary)'],
  ...['t(?:est(?:s| result|:)|ime(?:d out|out)|otal|raceback)', 'un(?:able to |caught|defined ref|handled|resolved)', 'warn'],
].join('|')
const errorName =
  'E(?:ACCES|ADDRINUSE|ADDRNOTAVAIL|AGAIN|AI_AGAIN|BADF|BUSY|CONNABORTED|CONNREFUSED|CONNRESET|EXIST|HOSTUNREACH|INVAL|ISDIR|LOOP|MFILE|NAMETOOLONG|NETUNREACH|NFILE|NODEV|NOENT|NOEXEC|NOMEM|NOSPC|NOSYS|NOTCONN|NOTDIR|NOTEMPTY|NOTFOUND|NOTSUP|PERM|PIPE|ROFS|SRCH|TIMEDOUT|TIMEOUT|XDEV)'
const triggerSigns = `[×✕✗✘✖❌]|_test\\.go:|错误|失败|异常|警告|OOM|oom[-_]|${errorName}`
const anyWord = new RegExp(triggerWords, 'i')
const anySign = new RegExp(triggerSigns)

// A word in prose or a report; not part of a name (`onError`, `error_code`), a path (`src/errors/`) or a file (`errors.ts`).
const before = '(?<![\\w./\\\\-])'
const after = '(?![\\w/\\\\(-]|\\.\\w)'
const word = (words: string, flags = 'i'): RegExp => new RegExp(`${before}(?:${words})${after}`, flags)

// As in `timeout: 5000`.
const setting = '["\']?\\s?[:=]\\s?["\']?(?:\\d|none|null|undefined|true|false)'

// 3 failed, 2 errors, 10 tests failed; failures: 2
const countOfFailures = /(?<![\w.])[1-9]\d{0,8}\s{1,3}(?:[a-z]{1,20}\s)?(?:errors?|failed|failures?|failing|problems?|crashed)\b/i

const failureForms: readonly RegExp[] = [
  // TypeError: …, java.lang.IllegalStateException: …, error[E0308]: …, error TS2322: …, fatal: …, [ERROR] …, npm ERR! …
  /(?:^|[\s[(|>:'"])[\w.$]{0,120}(?:Error|Exception|Panic)(?:\s?\([^)]{0,80}\))?(?::|\s{0,40}$)/,
  /(?<![\w./\\-])(?:errors?|fatal|panic|failure|critical|severe)(?:\[[^\]\s]{1,24}\]| [A-Z]{1,8}-?\d{1,6})?\s?[:!\]]/i,
  /\bERR!|\bError \d{1,5}\b/,
  word('ERROR|ERRORS|FATAL|CRITICAL|SEVERE|PANIC|FAIL|FAILED|FAILURE|FAILURES|ABORTED', ''),
  countOfFailures,
  /\b(?:errors?|failures?|failed)["']?\s?[:=]\s?[1-9]/i,
  /\bexit(?:ed with)?[ _-]?(?:code|status)?[ "':=(]{1,4}(?:code |status )?-?[1-9]\d{0,9}\b/i,
  /^\s*(?:[✗✘✖❌]|[×✕]\s|not ok\b|--- FAIL\b)/,
  /panicked at|^panic\b|Traceback \(most recent|core dumped|Segmentation fault|undefined reference|unresolved (?:import|external|symbol)/i,
  word(
    'uncaught|unhandled|command not found|no such file or directory|permission denied|connection refused|out[ -]of[ -]memory|caused by',
  ),
  // ENOENT: no such file, connect ECONNREFUSED 127.0.0.1:80; not `case ENOENT:` or `code === 'ENOENT'`
  new RegExp(`(?<![\\w./\\\\'"-]|\\bcase )${errorName}(?=[:,)\\]]|\\s{1,20}(?:[a-z/'"(:]|\\d{1,9}\\.)|\\s{0,40}$)`),
  word(
    'timed out|deadline exceeded|timeout (?:after|error|exceeded|expired|reached|waiting)|timeout of \\d[^:]{0,30} exceeded|exceeded (?:[a-z]{1,12} )?timeout',
  ),
  new RegExp(`${before}TIMEOUT${after}(?!${setting})`),
  /(?<![\w./\\-])(?:OOM(?:-?Killed)?|oom-kill(?:ed|er)?|oom_reaper)(?!\w)/,
  /^\s{0,40}Killed\b|\d Killed\b|\] Killed\s{0,40}$|(?<![\w./\\-])(?:killed (?:after|because|by|due to|process)|(?:been|got|process|signal:|was) killed)\b/i,
  word('SIGABRT|SIGKILL|SIGSEGV', ''),
  /错误[:：]|失败|异常[:：]/,
]

// Go's tests print why they fail behind the file and line of the test.
const assertions: readonly RegExp[] = [/\bassert/i, /^\s+\S{1,200}_test\.go:\d{1,7}: /]

const mentions: readonly RegExp[] = [
  word('errors?|fail|fails|failed|failing|failures?|fatal|exceptions?|panic|panicked|abort|aborted|denied|refused|killed'),
  word(`timeouts?(?!${setting})`),
  word(errorName, ''),
  /(?<!\w)(?:cannot|could not|unable to) \w|(?<![\w./-])not found\b|错误|异常/i,
]

const warnings: readonly RegExp[] = [word('warn|warning|warnings|deprecated|deprecation'), /\b\w{1,60}Warning:/, /警告/]

const judgements: readonly (readonly [Rank, readonly RegExp[]])[] = [
  [ranks.failure, failureForms],
  [ranks.detail, assertions],
  [ranks.mention, mentions],
  [ranks.warning, warnings],
]

const total =
  /\b\d{1,9} (?:\w{1,20} )?(?:passed|passing|tests|problems?)\b|^\W{0,20}(?:tests?|test suites|test files|totals?|summary|test result)\b[^a-z]{0,20}(?:\d|ok|:)|\b(?:found|ran) \d|exit(?:ed with)? (?:code|status)|BUILD SUCCESS/i

const nothing =
  '(?<![\\w.])(?:0|no|zero|without|without any) (?:[a-z]{1,20} )?(?:errors?|failures?|failed|failing|warnings?|exceptions?|problems?|issues?|killed|timeouts?|timed out)(?!\\w)|(?<!\\w)(?:errors?|failures?|failed|warnings?|exceptions?|killed|timeouts?|timed out)["\']?\\s?[:=]\\s?(?:0|none|null|nil|false|\\[\\]|""|\'\')(?![\\w.])'
const nothingWrong = new RegExp(nothing, 'i')
const nothingWrongAll = new RegExp(nothing, 'gi')

// at f (file.js:1:2), 12: shop::cart::total, #3 /app/cart.php(9): total(), at pkg.Class.method(File.java:3), File "x.py", line 4, from x.rb:5:in, --> src/main.rs:6:7, ❯ x.test.ts:8:9
const frame =
  /^\s*(?:==\d{1,9}==\s{1,20})?(?:at [\w<[(./~$*@]|by 0x[\dA-Fa-f]{1,16}: |\d{1,4}: [\w<]\S{0,200}::\w|#\d{1,4} \S{1,300}\(\d{1,7}\): |File "[^"]{1,300}", line \d|from \S{1,300}:\d+:in |\.\.\. \d+ more$|(?:-->|❯|›|→) ?\S{1,300}:\d|[^\s:]{1,300}\.\w{1,5}:\d+(?::\d+)?(?:$| \+0x|:in |: in ))/

const library =
  /[\\/](?:node_modules|site-packages|dist-packages|vendor|gems|pkg[\\/]mod|\.cargo|\.rustup|rustc|lib[\\/]python[\d.]{1,5}|go[\\/]src)[\\/]|node:|[(<](?:internal|frozen |anonymous>|native|in \/usr\/lib)|at (?:java|javax|jdk|sun|kotlin|scala|org\.(?:junit|springframework|apache|gradle|hibernate)|System|Microsoft)\.|\b(?:alloc|core|std|tokio)::/

const comparison = /^\s*(?:[-+>|E]\s{0,8})?(?:expected|received|actual|got|want|left|right)\b[^:=]{0,30}[:=]/i

// 443 !== 1434, 'a' != 'b'
const unequal =
  /^\s{0,12}(?:-?\d[\d.]{0,30}|'[^']{0,80}'|"[^"]{0,80}"|\w{1,30}) !==? (?:-?\d[\d.]{0,30}|'[^']{0,80}'|"[^"]{0,80}"|\w{1,30})\s{0,9}$/

export interface Candidate {
  readonly rank: Rank
  readonly start: number
  readonly end: number
  readonly line: number
  readonly text: string
  readonly count: number
  /** Number of further lines that differ only in numbers and are not kept. */
  readonly alike: number
  /** What it has in common with others, if that is not its text without numbers: the way a record differs, or the file that a line names. */
  readonly kind?: string
}

export type CandidatePool = ReturnType<typeof createCandidatePool>

/** Collects candidates in bounded memory, for cuts that keep at most `reach` units at either end. */
export function createCandidatePool(reach: number, capacity: number) {
  const early: Candidate[] = []
  const removed = Object.values(ranks).map(() => createRemovedLines(capacity))
  const failures = new Set<string>()
  let recent: Candidate[] = []
  let settled = 0

  /** Called when no candidate before `place` can follow. */
  function settle(place: number): void {
    for (let next = recent[settled]; next !== undefined && next.start < place - reach; next = recent[settled]) {
      if (next.start < reach) early.push(next)
      else removed[next.rank]?.add(next)
      settled += 1
    }
    if (settled < recent.length / 2) return
    recent = recent.slice(settled)
    settled = 0
  }

  return {
    /** Returns true for a failure not seen before, so that the lines below it are worth reading. */
    add(candidate: Candidate): boolean {
      // Frames below a failure are read ahead of the lines between them.
      let index = recent.length
      while (index > settled && (recent[index - 1] as Candidate).start > candidate.start) index -= 1
      if (index === recent.length) recent.push(candidate)
      else recent.splice(index, 0, candidate)
      if (candidate.rank !== ranks.failure) return false
      if (candidate.start < reach) return true
      if (failures.size >= capacity || failures.has(candidate.text)) return false
      failures.add(candidate.text)
      return true
    },
    settle,
    all(length: number): readonly Candidate[] {
      settle(length)
      return [...early, ...removed.flatMap((lines) => lines.all()), ...recent.slice(settled)]
    },
  }
}

export function kindOf({ rank, text, kind }: Pick<Candidate, 'rank' | 'text' | 'kind'>): string {
  return kind ?? `${rank}${text.replace(/\d+/g, '0')}`
}

type Counted = { -readonly [Key in keyof Candidate]: Candidate[Key] }

/** Keeps the first and last line of each of the first `capacity` kinds, others while there is room, and counts the rest. */
function createRemovedLines(capacity: number) {
  const lines = new Map<string, Counted>()
  const kinds = new Map<string, { readonly first: Counted; last: Counted | null }>()
  return {
    add(candidate: Candidate): void {
      const same = lines.get(candidate.text)
      if (same !== undefined) return void (same.count += candidate.count)
      const key = kindOf(candidate)
      const kind = kinds.get(key)
      if (kind === undefined && kinds.size >= capacity) return
      const line = { ...candidate }
      lines.set(line.text, line)
      if (kind === undefined) return void kinds.set(key, { first: line, last: null })
      if (kind.last !== null && lines.size > capacity * 2) {
        lines.delete(kind.last.text)
        kind.first.alike += kind.last.count
      }
      kind.last = line
    },
    all: (): readonly Candidate[] => [...lines.values()],
  }
}
