import { type PlaceRule, place } from './place-rule.ts'

/** What a name of a secret ends with, in any case. */
const plainWord =
  '(?:passw(?:or)?d|passphrase|secret|token|api[_.-]?key|access[_-]?key|secret[_-]?key|private[_-]?key|auth[_-]?key)'
/** Also the last part of a longer one. */
const word = `(?:${plainWord}|(?<=_)(?:key|pass|pat|pw))`
/** All of such a name. Only for patterns that begin with something else: it is tried at each letter. */
const name = `[\\w.-]{0,40}${word}`
/** A name of a secret as an environment has it. */
const variable = '[A-Z][A-Z0-9_]{0,60}(?:TOKEN|KEY|SECRET|PASSWORD|PASSWD|PASSPHRASE|PASS|PWD|PAT|CREDENTIALS)'
const quote = '\\\\{0,3}["\'`]'
const gap = '[ \\t]{0,8}'
const quotedValue = '[^\\s"\'`\\\\<>(){}]{6,400}(?=["\'`\\\\])'
const bareValue = '[^\\s"\'`\\\\|;&<>(){}\\[\\],]{6,400}'

/** Whose keys are no secrets. */
export const otherKeys =
  'public|primary|foreign|cache|partition|sort|index|lookup|idempotency|dedupe|item|query|storage|session|row|node|object|file|hash|map|group|routing|publishable|anon|conversation|message'

/** What may stand between the end of a name and a quoted value in code, other than a colon or an equals sign. */
const codeForms = [
  // Values by default, and Go.
  `${gap}(?:\\|\\||\\?\\?|:=)${gap}`,
  `["']\\]${gap}=${gap}`,
  // With a type.
  `${gap}:?${gap}&?(?:'static )?(?:str|string|char ?\\*|[a-z]{0,10}String)${gap}=${gap}`,
  '\\([ \\t]{0,4}(?=["\'])(?<=set\\w{0,30}\\([ \\t]{0,4})',
]
/** The same for values without quotes: anchors and tags of YAML, bold words, long quotes. */
const bareForms = [
  ':[ \\t]{1,4}(?:&\\w{1,30}|!!?\\w{1,30})[ \\t]{1,4}',
  `${gap}:\\*{1,2}[ \\t]{0,4}`,
  `${gap}=${gap}(?:""|''|\\[\\[)`,
]

/** Secrets whose name stands near them, but not before a colon or an equals sign. */
export const nameRules: readonly PlaceRule[] = [
  place('secret', '|| ?? ] := = & ! :* (', `${word}(?:(?:${codeForms.join('|')})["'\`]|(?:${bareForms.join('|')})["'\`]?)`, {
    value: '[^\\s"\'`\\\\<>(){}|;,&\\]]{6,400}',
    is: 'unguessable',
    flags: 'gi',
  }),
  // Anything else between a name and what can hardly be anything but a secret: a macro, a type, a word of another language.
  place(
    'secret',
    'ass ASS ecret ECRET oken OKEN ey EY wd pw PW',
    `(?:${plainWord}|(?<![A-Za-z])pw|pwd)(?: is| as string|["'])?[^A-Za-z0-9\\n$<{/+]{1,8}(?:[brfu]["'])?`,
    { value: '[^\\s"\'`\\\\|;&<>(){}\\[\\],]{8,400}', is: 'jumbled', flags: 'gi' },
  ),
  // Columns and lists.
  place('secret', '-', `${word}(?:[ \\t]{2,40}|s:[ \\t]{0,4}\\r?\\n[ \\t]{0,40}-[ \\t]{1,4})["']?`, {
    value: bareValue,
    is: 'random',
    flags: 'gi',
  }),
  // name: DB_PASSWORD, value: x; on one line or two, in YAML, JSON, XML, HTML and CloudFormation.
  place(
    'secret',
    'alue onten',
    `(?<=name|key)(?:${quote})?${gap}[:=]${gap}(?:${quote})?${name}(?:${quote})?[,;]?(?:\\s|\\\\n|- ){0,40}(?:${quote})?(?:parameter)?(?:value|content)(?:${quote})?${gap}[:=]${gap}(?:${quote})?`,
    { value: bareValue, is: 'unguessable', flags: 'gi' },
  ),
  // Elements of XML and of property lists.
  place('secret', '</', `<(?:[a-z][\\w.-]{0,40}:)?${name}(?:[ \\t][^<>\\n]{0,100})?>[ \\t]{0,8}`, {
    value: '[^\\s<>]{8,400}(?=[ \\t]{0,8}</)',
    is: 'unguessable',
    flags: 'gi',
  }),
  place('secret', '</', `<key>${name}</key>\\s{0,40}<string>`, { value: '[^\\s<>]{6,400}', is: 'unguessable', flags: 'gi' }),
  place('secret', '</', `<[a-z][\\w-]{0,20}[ \\t]name=["']${name}["']>`, {
    value: '[^\\s<>]{8,400}',
    is: 'unguessable',
    flags: 'gi',
  }),
  place('password', 'password', `type=["']password["'][^<>\\n]{0,100}?[ \\t]value=["']`, { value: quotedValue }),
  // Arguments of calls.
  place('secret', ',', `["']${name}["']${gap},${gap}["']`, {
    value: '[^\\s"\'`\\\\<>(){}]{8,400}(?=["\'\\\\])',
    is: 'mixed',
    flags: 'gi',
  }),
  place('password', 'Credential(', `Credential\\(${gap}["'][^"'\\n]{1,80}["']${gap},${gap}["']`, { value: quotedValue }),
  place('secret', 'variable', `variable[ \\t]{1,4}"${name}"[ \\t]{0,4}\\{[^{}]{0,300}?default[ \\t]{0,20}=[ \\t]{0,4}"`, {
    value: quotedValue,
    flags: 'gi',
  }),
  // Tables of Markdown.
  place('secret', '|', `\\|[ \\t]{0,40}(?:\\*\\*|\`)?${name}(?:\\*\\*|\`)?[ \\t]{0,40}\\|[ \\t]{0,40}\`?`, {
    value: bareValue,
    is: 'unguessable',
    flags: 'gi',
  }),
  // Keys of anything, in headers and settings.
  place('key', 'ey EY', `[_-]key(?<!(?:${otherKeys})[_-]key)(?:${quote})?${gap}(?::=|[:=])${gap}(?:${quote})?(?:base64:)?`, {
    value: '[A-Za-z0-9+/_=-]{16,400}',
    is: 'random',
    flags: 'gi',
  }),
  place('key', '"key"', `"username"[ \\t]{0,4}:[ \\t]{0,4}"[^"\\n]{1,80}",[ \\t]{0,4}"key"[ \\t]{0,4}:[ \\t]{0,4}"`, {
    value: '[0-9a-f]{32,64}',
  }),
  place('key', '"kty"', `"(?:d|k|p|q|dp|dq|qi)"[ \\t]{0,4}:[ \\t]{0,4}"(?<="kty"[^{}]{0,4000})`, { value: '[\\w-]{16,1024}' }),
  place('secret', '_SALT _PEPPER _SEED', `_(?:SALT|PEPPER|SEED)=["']?`, { value: bareValue, is: 'unguessable' }),
  place('password', 'pw PW', `(?<![A-Za-z0-9])pw${gap}[:=]${gap}["']?`, { value: bareValue, is: 'mixed', flags: 'gi' }),
  place(
    'password',
    'VALUES values',
    `passw(?:or)?d[\`"]?\\)[ \\t]{0,4}values[ \\t]{0,4}\\([^()\\n]{0,200}?['"](?=[^'"\\n]{1,200}['"]\\))`,
    { value: quotedValue, flags: 'gi' },
  ),
  // The data of a secret of Kubernetes, before or after its kind.
  place(
    'secret',
    'kind: Secret',
    `\\n[ \\t]{1,24}[\\w.-]{1,80}:[ \\t]{1,4}["']?(?<=kind: Secret(?:(?!\\n---)[^]){0,900}\\n[ \\t]{0,20}(?:stringData|data):(?:(?!\\n---)[^]){0,500})`,
    { value: bareValue, is: 'unguessable' },
  ),
  place(
    'secret',
    'kind: Secret',
    `\\n[ \\t]{1,8}[\\w.-]{1,80}:[ \\t]{1,4}["']?(?<=\\n(?:stringData|data):[^]{0,900})(?=[^]{0,900}\\nkind: Secret)`,
    { value: bareValue, is: 'unguessable' },
  ),
  // Commands that set a variable or store a secret under a name.
  place('secret', 'ENV setx setenv add set', `(?<!\\w)(?:ENV|setx|setenv|add|set)[ \\t]{1,4}${variable}[ \\t=]{1,4}["']?`, {
    value: bareValue,
    is: 'unguessable',
  }),
  place('secret', '_authToken', `_authToken[ \\t]{1,4}["']?`, { value: bareValue, is: 'unguessable' }),
  place(
    'secret',
    'put-parameter',
    `--value[ \\t=]{1,4}["']?(?<=put-parameter[ \\t][^\\n]{0,200}(?:passw|secret|token|key)[^\\n]{0,200})`,
    { value: bareValue },
  ),
  place('secret', '--secret-string', `--secret-string[ \\t=]{1,4}["']?`, { value: bareValue, is: 'unguessable' }),
  place(
    'password',
    'nemonic phrase hrase words',
    `(?:mnemonic|(?:seed|recovery)[ _-]?(?:phrase|words))(?: is)?[ \\t]{0,4}[:=]?[ \\t]{0,4}["']?`,
    {
      value: '[a-z]{3,8}(?: [a-z]{3,8}){11,23}(?![a-z])',
      flags: 'gi',
    },
  ),
  // In sentences.
  place('secret', 'key tok ecret KEY TOK', `(?<![\\w-])(?:api|access|secret|auth)[ -](?:key|token)(?: is)?:?[ \\t]{1,4}["'\`]?`, {
    value: bareValue,
    is: 'random',
    flags: 'gi',
  }),
]
