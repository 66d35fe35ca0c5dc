/** Redacts tokens with a known form, such as those of the usual vendors. */
export function redactTokens(text: string): string {
  let result = text
  for (const { kind, hints, pattern, rest, isSecret } of forms) {
    if (!hints.some((hint) => result.includes(hint))) continue
    const current = result
    result = replaceSpans(current, pattern, (found) => {
      // A first group is the part by which a token is known, and stays.
      const start = found.index + (found[1]?.length ?? 0)
      const end = endOfRun(current, rest, found.index + found[0].length)
      return { start, end, with: isSecret(current.slice(start, end)) ? `[REDACTED:${kind}]` : null }
    })
  }
  return result.includes('://') ? redactAddresses(result) : result
}

/** Whether a value is only a place for a secret: a variable, a template, a path, a mask. */
export function isPlaceholder(value: string): boolean {
  return placeholder.test(value)
}

const placeholder =
  /^(?:[$<{]|%[A-Z({]|#\{|\*{3}|\.{1,3}\/|\.{3}|~?\/|x{4}|X{4}|\[?REDACTED|your[-_]|YOUR[-_]|example|changeme|placeholder|process\.|os\.|env[.:])/

interface Form {
  readonly kind: string
  /** One of these texts has to occur, so that most texts are never searched by pattern. */
  readonly hints: readonly string[]
  /** The shortest beginning of such a token. */
  readonly pattern: RegExp
  /** The characters that it may continue with, as a sticky pattern. */
  readonly rest: RegExp
  readonly isSecret: (found: string) => boolean
}

function form(kind: string, hints: readonly string[], source: string, isSecret: Form['isSecret'] = () => true, rest = '[\\w-]') {
  return { kind, hints, pattern: new RegExp(source, 'g'), rest: new RegExp(`${rest}{0,4096}`, 'y'), isSecret }
}

/** A key is random; words joined by dashes are not. */
function isRandom(found: string): boolean {
  return /\d/.test(found) && /[A-Z]/.test(found) && /[a-z]/.test(found)
}

function hasDigit(found: string): boolean {
  return /\d/.test(found)
}

// A token starts only if nothing before it could belong to a longer word.
const first = '(?<![A-Za-z0-9_-])'
const here = '(?<![A-Za-z0-9])'

const forms: readonly Form[] = [
  form('jwt', ['eyJ'], `${first}eyJ[\\w-]{8,4096}\\.eyJ[\\w-]{8}`, undefined, '[\\w.-]'),
  form('anthropic', ['sk-ant-'], `${here}sk-ant-[\\w-]{20}`, hasDigit),
  form('openrouter', ['sk-or-'], `${here}sk-or-[\\w-]{20}`, hasDigit),
  form('openai', ['sk-'], `${here}sk-[\\w-]{20}`, isRandom),
  form('google', ['AIza'], `${first}AIza[\\w-]{35}(?![\\w-])`),
  form('google', ['ya29.', 'GOCSPX-'], `${first}(?:ya29\\.|GOCSPX-)[\\w-]{20}`),
  form('aws', ['AKIA', 'ASIA'], `${here}A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])`),
  form('github', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], `${here}gh[pousr]_[A-Za-z0-9]{36}`),
  form('github', ['github_pat_'], `${here}github_pat_\\w{22}`),
  form('gitlab', ['gl'], `${here}gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|oas|agent)-[\\w-]{20}`, hasDigit),
  form('slack', ['xox', 'xapp-'], `${here}(?:xox[abceoprs]|xapp)-[A-Za-z0-9-]{10}`, hasDigit),
  form('slack', ['hooks.slack'], '(hooks\\.slack\\.com/(?:services|workflows)/)[A-Za-z0-9/]{20}', undefined, '[\\w/-]'),
  form('stripe', ['k_live_', 'k_test_'], `${here}[sr]k_(?:live|test)_[A-Za-z0-9]{10}`),
  form('stripe', ['whsec_'], `${here}whsec_[A-Za-z0-9]{20}`),
  form('npm', ['npm_'], `${here}npm_[A-Za-z0-9]{36}`),
  form('huggingface', ['hf_'], `${here}hf_[A-Za-z0-9]{30}`),
  form('pypi', ['pypi-'], `${here}pypi-[\\w-]{50}`, isRandom),
  form('sendgrid', ['SG.'], `${first}SG\\.[\\w-]{16,32}\\.[\\w-]{32}`),
  form('twilio', ['SK'], `${here}SK[0-9a-f]{32}(?![A-Za-z0-9])`),
  form('mailgun', ['key-'], `${first}key-[0-9a-f]{32}(?![A-Za-z0-9])`),
  form('digitalocean', ['_v1_'], `${here}do[opr]_v1_[0-9a-f]{64}`),
  form('shopify', ['shp'], `${here}shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}`),
  form('telegram', [':AA'], `(?<![A-Za-z0-9:])\\d{8,10}:AA[\\w-]{33}(?![\\w-])`),
  form('groq', ['gsk_'], `${here}gsk_[A-Za-z0-9]{40}`),
  form('xai', ['xai-'], `${here}xai-[A-Za-z0-9]{40}`),
  form('perplexity', ['pplx-'], `${here}pplx-[A-Za-z0-9]{40}`),
  form('replicate', ['r8_'], `${here}r8_[A-Za-z0-9]{37}`),
  form('databricks', ['dapi'], `${here}dapi[0-9a-f]{32}(?![A-Za-z0-9])`),
  form('linear', ['lin_api_'], `${here}lin_api_[A-Za-z0-9]{32}`),
  form('notion', ['ntn_', 'secret_'], `${here}(?:ntn_|secret_)[A-Za-z0-9]{40}`, isRandom),
  form('vault', ['hvs.', 'hvb.'], `${here}hv[sb]\\.[\\w-]{24}`),
  form('age', ['AGE-SECRET-KEY-1'], `${here}AGE-SECRET-KEY-1[A-Z0-9]{40}`),
  form('azure', ['AccountKey='], '(AccountKey=)[A-Za-z0-9+/]{60}', undefined, '[A-Za-z0-9+/=]'),
  form(
    'bearer',
    ['earer', 'EARER'],
    '((?<![A-Za-z])(?:[Bb]earer|BEARER)[ \\t]{1,4})[A-Za-z0-9._~+/-]{16}',
    hasDigit,
    '[A-Za-z0-9._~+/=-]',
  ),
  form(
    'basic-auth',
    ['asic ', 'ASIC '],
    '([Aa]uthorization["\']?[ \\t]{0,4}[:=][ \\t]{0,4}["\']?(?:[Bb]asic|BASIC)[ \\t]{1,4})[A-Za-z0-9+/]{8}',
    undefined,
    '[A-Za-z0-9+/=]',
  ),
]

/** The password in an address, as in `postgres://name:password@host`. */
function redactAddresses(text: string): string {
  return replaceSpans(text, addressPassword, (found) => {
    const end = found.index + found[0].length - 1
    const password = found[2] ?? ''
    return { start: end - password.length, end, with: isPlaceholder(password) ? null : '[REDACTED:url-password]' }
  })
}

const addressPassword = /(:\/\/[^\s:@/"'<>`\\[\]]{0,200}:)([^\s@/"'<>`\\[\]]{1,200})@/g

/** A null replacement leaves the text unchanged. The search continues after it either way. */
type Replacement = { readonly start: number; readonly end: number; readonly with: string | null }

/** Replaces the matches of a global pattern as the judge decides. Returns the same text if nothing is replaced. */
export function replaceSpans(text: string, pattern: RegExp, judge: (found: RegExpExecArray) => Replacement): string {
  const pieces: string[] = []
  let position = 0
  pattern.lastIndex = 0
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const { start, end, with: replacement } = judge(found)
    pattern.lastIndex = Math.max(end, found.index + 1)
    if (replacement === null) continue
    pieces.push(text.slice(position, start), replacement)
    position = end
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(position)
}

/** Matches a run of characters in steps, because a pattern that takes megabytes at once overflows the engine's stack. */
function endOfRun(text: string, steps: RegExp, from: number): number {
  let end = from
  for (;;) {
    steps.lastIndex = end
    if (!steps.test(text) || steps.lastIndex === end) return end
    end = steps.lastIndex
  }
}
