import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactSecrets } from './redact.ts'

// Assembled here, so that no secret scanner reports this file.
const mixed = 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fG1hJ3kL5mN7pQ9rS1tU3v'
const hex = '0123456789abcdef'.repeat(4)
const upper = 'A1B2C3D4E5F6G7H8'
const jwt = ['hbGciOiJIUzI1NiJ9', 'zdWIiOiIxMjM0NTY3ODkwIn0']
  .map((part) => `eyJ${part}`)
  .concat(mixed.slice(0, 43))
  .join('.')
const key = (name: string, body: string) => `-----BEGIN ${name}PRIVATE KEY-----\n${body}\n-----END ${name}PRIVATE KEY-----`
const body = Array.from({ length: 5 }, () => mixed).join('\n')
const armour = '-----BEGIN PRIVATE KEY-----'

describe('secrets of a known form', () => {
  it.each([
    ['openai', `sk-${mixed.slice(0, 48)}`],
    ['openai', `sk-proj-${mixed}_${mixed}`],
    ['anthropic', `sk-ant-api03-${mixed}-${mixed}AA`],
    ['openrouter', `sk-or-v1-${hex}`],
    ['google', `AIza${mixed.slice(0, 35)}`],
    ['google', `ya29.${mixed}`],
    ['aws', `AKIA${upper}`],
    ['aws', `ASIA${upper}`],
    ['github', `ghp_${mixed.slice(0, 36)}`],
    ['github', `ghs_${mixed.slice(0, 36)}`],
    ['github', `github_pat_${mixed.slice(0, 22)}_${mixed.slice(0, 59)}`],
    ['gitlab', `glpat-${mixed.slice(0, 20)}`],
    ['slack', `xoxb-123456789012-123456789012-${mixed.slice(0, 24)}`],
    ['stripe', `sk_live_${mixed.slice(0, 24)}`],
    ['stripe', `rk_test_${mixed.slice(0, 24)}`],
    ['npm', `npm_${mixed.slice(0, 36)}`],
    ['huggingface', `hf_${mixed.slice(0, 34)}`],
    ['pypi', `pypi-AgEIcHlwaS5vcmc${mixed}`],
    ['sendgrid', `SG.${mixed.slice(0, 22)}.${mixed.slice(0, 43)}`],
    ['twilio', `SK${hex.slice(0, 32)}`],
    ['digitalocean', `dop_v1_${hex}`],
    ['telegram', `123456789:AA${mixed.slice(0, 33)}`],
    ['groq', `gsk_${mixed.slice(0, 52)}`],
    ['replicate', `r8_${mixed.slice(0, 37)}`],
    ['vault', `hvs.${mixed.slice(0, 30)}`],
    // Of vendors that no rule names: words and what can hardly be anything but a key.
    ['prefixed', `acme_pat_v2_${mixed.slice(0, 14)}-${mixed.slice(20, 40)}`],
    ['prefixed', `acme_${hex}`],
    ['prefixed', `acme-live-9fceb02d0ae598e95dc970b74767f193`],
    ['prefixed', `ACKEY-${upper}${upper.slice(1)}-${upper}`],
    ['prefixed', `ACME_USR-4536271819203948-102030-${hex.slice(0, 32)}-123456789`],
    ['prefixed', `ACME${hex}`],
    ['jwt', jwt],
  ])('%s', (kind, secret) => {
    const around = (middle: string) => [
      middle,
      `export KEY ${middle} # note`,
      `{"value":"${middle}"}`,
      `(${middle})`,
      `https://host/x?k=${middle}&y=1`,
    ]
    expect(around(secret).map(redactSecrets)).toEqual(around(`[REDACTED:${kind}]`))
  })

  it.each([
    [`Authorization: Bearer ${mixed}`, 'Authorization: Bearer [REDACTED:bearer]'],
    [`curl -H "authorization: bearer ${hex}=="`, 'curl -H "authorization: bearer [REDACTED:bearer]"'],
    ['Authorization: Basic dXNlcjpwYXNzd29yZA==', 'Authorization: Basic [REDACTED:basic-auth]'],
    ['postgres://admin:s3cr3t!@db.local:5432/app', 'postgres://admin:[REDACTED:url-password]@db.local:5432/app'],
    ['git clone https://:tok3n@host/x.git', 'git clone https://:[REDACTED:url-password]@host/x.git'],
    [`https://hooks.slack.com/services/T00/B00/${mixed.slice(0, 24)}`, 'https://hooks.slack.com/services/[REDACTED:slack]'],
    [`AccountKey=${mixed}${mixed.slice(0, 22)}==;End`, 'AccountKey=[REDACTED:azure];End'],
    [`a\n${key('', body)}\nb`, 'a\n[REDACTED:private-key]\nb'],
    [key('RSA ', body), '[REDACTED:private-key]'],
    [JSON.stringify({ key: key('EC ', body) }), '{"key":"[REDACTED:private-key]"}'],
    [`-----BEGIN PRIVATE KEY-----\n${body}`, '[REDACTED:private-key]'],
    [`-----BEGIN PRIVATE KEY-----\n${body}\n\n--- next file ---`, '[REDACTED:private-key]--- next file ---'],
  ])('%s', (text, expected) => expect(redactSecrets(text)).toBe(expected))
})

describe('secrets that are written in another way', () => {
  const escapedTwice = (text: string) => JSON.stringify(JSON.stringify(text))
  const encoded = (text: string) => Buffer.from(text).toString('base64')
  const token = `ghp_${mixed.slice(0, 36)}`

  it.each([
    ['behind an escape that ends in a letter', `a\\n${token}\\tAKIA${upper}`, 'a\\n[REDACTED:github]\\t[REDACTED:aws]'],
    ['behind a colour', `\u001b[32msk_live_${mixed.slice(0, 24)}\u001b[0m`, '\u001b[32m[REDACTED:stripe]\u001b[0m'],
    ['behind a colour in JSON', `"\\u001b[32m${token}\\u001b[0m"`, '"\\u001b[32m[REDACTED:github]\\u001b[0m"'],
    ['with a colour inside', `ghp_\u001b[1m${mixed.slice(0, 36)}\u001b[0m`, '[REDACTED:github]\u001b[0m'],
    ['in an address', `x%3Dsk-ant-${mixed}%26y`, 'x%3D[REDACTED:anthropic]%26y'],
    ['escaped twice', escapedTwice(`a\n${token}\nb`), escapedTwice('a\n[REDACTED:github]\nb')],
    ['escaped twice, by its name', escapedTwice('a\npassword="hunter2"'), escapedTwice('a\npassword="[REDACTED:password]"')],
    ['in base64', `x ${encoded(`{"value":"${token}"}`)} y`, 'x [REDACTED:github] y'],
    ['in base64 twice', `x ${encoded(encoded(`token ${token}`))} y`, 'x [REDACTED:github] y'],
    [
      'in lines of base64',
      `${encoded(`${'text '.repeat(20)}${token}`).replaceAll(/.{76}/g, '$&\n')}\nend`,
      '[REDACTED:github]\nend',
    ],
    ['in base64 of UTF-16', `x ${Buffer.from(`token ${token}`, 'utf16le').toString('base64')} y`, 'x [REDACTED:github] y'],
    ['in base64 of Chinese', `x ${encoded('数据库的密码：hunter2')} y`, 'x [REDACTED:password] y'],
    ['between other blanks', 'redis-cli\u00a0-a\u00a0hunter2', 'redis-cli\u00a0-a\u00a0[REDACTED:password]'],
    ['in a form', 'q=mysql+--password+hunter2%26', 'q=mysql+--password+[REDACTED:secret]%26'],
    ['behind the number of a line', '   12\tDB_PASSWORD=correcthorse\n', '   12\tDB_PASSWORD=[REDACTED:password]\n'],
    ['in lines with numbers', '  1→password: |\n  2→  hunter2\n', '  1→password: |\n  2→  [REDACTED:password]\n'],
    ['in a removed line of a diff', `-AIza${mixed.slice(0, 35)}\n`, '-[REDACTED:google]\n'],
  ])('are found %s', (_, text, expected) => expect(redactSecrets(text)).toBe(expected))

  it.each([
    [
      'C:\\new\\token\\ghp_1',
      '%20%3D',
      '\\u12 %zz &nope; \\',
      '\u001b[31mred\u001b[0m \u001b',
      encoded('an ordinary text of some length'),
    ],
  ])('leave %s alone', (...texts) => expect(texts.map(redactSecrets)).toEqual(texts))
})

describe('secrets by the name they are assigned to', () => {
  it.each([
    ['password=hunter2', 'password=[REDACTED:password]'],
    ['password: hunter2', 'password: [REDACTED:password]'],
    ["const password = 'hunter2'", "const password = '[REDACTED:password]'"],
    ['{"db_password": "hunter2", "x": 1}', '{"db_password": "[REDACTED:password]", "x": 1}'],
    ['{\\"password\\": \\"hunter2\\"}', '{\\"password\\": \\"[REDACTED:password]\\"}'],
    ['DB_PASSWORD=correcthorse\nNEXT=1', 'DB_PASSWORD=[REDACTED:password]\nNEXT=1'],
    ['docker run -e SECRET=correcthorse image', 'docker run -e SECRET=[REDACTED:secret] image'],
    ['export API_KEY=abcdefgh', 'export API_KEY=[REDACTED:key]'],
    [`aws_secret_access_key = ${mixed.slice(0, 40)}`, 'aws_secret_access_key = [REDACTED:secret]'],
    [`client_secret: "${mixed.slice(0, 32)}"`, 'client_secret: "[REDACTED:secret]"'],
    [`x-api-key: ${mixed.slice(0, 32)}`, 'x-api-key: [REDACTED:key]'],
    ['https://host/cb?access_token=abc123def456&state=9', 'https://host/cb?access_token=[REDACTED:token]&state=9'],
    ['auth_token => "abc123def456"', 'auth_token => "[REDACTED:token]"'],
    ['- name: DB_PASSWORD\n  value: hunter2', '- name: DB_PASSWORD\n  value: [REDACTED:secret]'],
    ['{"name":"API_TOKEN","value":"abc123def456"}', '{"name":"API_TOKEN","value":"[REDACTED:secret]"}'],
    ['<apiToken>abc123def456</apiToken>', '<apiToken>[REDACTED:secret]</apiToken>'],
    ["os.getenv('API_KEY', 'aB3dE5fG7h')", "os.getenv('API_KEY', '[REDACTED:secret]')"],
    ['process.env.API_KEY || "abc123def456"', 'process.env.API_KEY || "[REDACTED:secret]"'],
    ['apiKey := "abc123def456"', 'apiKey := "[REDACTED:secret]"'],
    ['| DB_PASSWORD | hunter2 |', '| DB_PASSWORD | [REDACTED:secret] |'],
    ['ENV API_TOKEN abc123def456', 'ENV API_TOKEN [REDACTED:secret]'],
    [`Weather-Key: ${mixed.slice(0, 24)}`, 'Weather-Key: [REDACTED:key]'],
    ['$password = "hunter2"', '$password = "[REDACTED:password]"'],
  ])('%s', (text, expected) => expect(redactSecrets(text)).toBe(expected))
})

describe('text without secrets', () => {
  it.each([
    'commit 9fceb02d0ae598e95dc970b74767f19372d61af8',
    'id 550e8400-e29b-41d4-a716-446655440000',
    `sha256:${hex}`,
    `data:image/png;base64,iVBORw0KGgo${mixed.repeat(20)}==`,
    'const password = getPassword()',
    'const token = process.env.TOKEN',
    'password: string',
    'secret: config.jwtSecret2',
    'if (password === other) return token',
    'password = os.environ["DB_PASSWORD"]',
    'PASSWORD=$DB_PASSWORD',
    'password: ${{ secrets.DB_PASSWORD }}',
    'postgres://user:${PASSWORD}@host/db',
    'https://<user>:<password>@host',
    'https://host:8080/path@2',
    'tokens: 4000, max_tokens=128000',
    'the token: a word of text',
    'class="sk-loading-spinner-container-wide"',
    'Bearer authentication is required here',
    'Basic information about the project',
    'PWD=/projects/main1 OLDPWD=/projects/v2',
    'password: ********',
    'api_key: your-api-key-goes-here-1',
    `toolu_01${mixed.slice(0, 22)}`,
    `agent_msg_${mixed.slice(0, 30)}`,
    `cache_key: ${hex}`,
    `session_${hex.slice(0, 32)}`,
    `sha256_${hex}`,
    `chunk-${hex}.js`,
    `ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01`,
    `some-name-of-a-long-thing-with-2-numbers-10`,
    `snake_case_name_of_a_test_that_reads_2_files_and_10_lines`,
    `https://host.test/ada/hooks/commit/${hex.slice(0, 40)}`,
    'apiKey: this.apiKey ?? this.other2',
    "['token', 'oauth2']",
    'test_HTTP_200_OK_GET_WITH_MIXED_PARAMS',
    "text.includes('-----BEGIN PRIVATE KEY-----')",
    `const begin = '-----BEGIN PRIVATE KEY-----'\nconst sample = createSampleOfKey(options)\nconst end = '-----END PRIVATE KEY-----'`,
    '-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQ2x\n-----END CERTIFICATE-----',
    `-----BEGIN PUBLIC KEY-----\n${mixed}\n-----END PUBLIC KEY-----`,
    'token := tokens[i2]',
    'tokenizer: "cl100k_base"',
    'AKIA is how such keys begin; sk- and ghp_ too',
    '密码: 请输入',
    'convertUint8ArrayToBase64(convertV4ToolResultOutputToV3(part))',
    `commit ${hex.slice(0, 40)}, sha256:${hex}`,
    `data:image/png;base64,${mixed}`,
    `MIIB${mixed}\nQx7${mixed}\nLk2p9Rw4Zt8Vn3Bq6Yc5Jd==\n`,
    'Zq7Lx2Vb9Tn4Wc6Rk8Ym3Hd5Gf1Js',
    '',
  ])('stays unchanged: %s', (text) => expect(redactSecrets(text)).toBe(text))
})

it.each([
  ['a key inside the armour of another', `${armour}${key('', body)}${hex}\n-----END PRIVATE KEY-----`],
  ['a token that runs into armour', `${armour}${jwt}password=xoxb-1-${mixed}${armour}\n-----END PRIVATE KEY-----`],
])('blanks %s in one run', (_, text) => {
  const once = redactSecrets(text)
  expect(once).toContain('[REDACTED:')
  expect(redactSecrets(once)).toBe(once)
})

it('the end of a key behind a line of other words did not make a text grow without bounds', () => {
  const text = 'first line\nmany words that are no key stand here before -----END PRIVATE KEY-----\n'
  expect(redactSecrets(text.repeat(20))).toBe(text.repeat(20))
})

it('blanking twice changes nothing more, and blanks what it met', () => {
  const pieces = fc.constantFrom(
    ...[
      'password=',
      'secret: "',
      '"',
      "'",
      '\\',
      '\n',
      ' ',
      '=',
      ':',
      '://',
      '@',
      'user',
      'Bearer ',
      '-',
      '_',
      '.',
      'x1',
      ']',
      '[',
    ],
    ...[
      `sk-${mixed}`,
      `AKIA${upper}`,
      `ghp_${mixed}`,
      jwt,
      key('', body),
      'hunter2',
      '-----BEGIN PRIVATE KEY-----',
      '\n-----END PRIVATE KEY-----',
    ],
    ...[
      '\\n',
      '\\\\',
      '\\"',
      '%3D',
      '\u001b[32m',
      '[0m',
      ' -p ',
      'curl -u a:',
      Buffer.from(`TOKEN=ghp_${mixed}`).toString('base64'),
    ],
    ...['TOKEN=', '[REDACTED:token]', mixed, hex, 'eyJ', 'sk-', `glpat-${mixed}`, `xoxb-1-${mixed}`],
  )
  let blanked = 0
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 14 }), (list) => {
      const once = redactSecrets(list.join(''))
      if (once.includes('[REDACTED:')) blanked += 1
      expect(redactSecrets(once)).toBe(once)
    }),
    { numRuns: 3000 },
  )
  expect(blanked).toBeGreaterThan(500)
})

describe('random values of no known form', () => {
  const value = 'Zq7Lx2Vb9Tn4Wc6Rk8Ym3Hd5Gf1Js'
  it.each([
    `zenbox sync ${value} --all`,
    `zenbox login ${hex.slice(0, 32)}`,
    'https://host.test/password/reset/712d1381bcda5838352bb27bbba1045533485534?x=1',
    'Access key ID,Secret access key\nX,7Lx2Vb9Tn4Wc6Rk8Y',
    '[auth]\nbearer = "7Lx2Vb9Tn4Wc6Rk8Y"',
  ])('are found by length or by a name that stands near: %j', (text) => expect(redactSecrets(text)).toMatch(/\[REDACTED:/))
})

it('finds a secret at any place of a long text, also where one window ends and the next begins', () => {
  const secret = `ghp_${mixed.slice(0, 36)}`
  const line = 'a line of a long output\n'
  for (let before = 8192 - 60; before <= 8192 + 10; before += 1) {
    const text = `${line.repeat(341).slice(0, before)} token ${secret} ${line.repeat(500)}`
    expect(redactSecrets(text)).toBe(text.replace(secret, '[REDACTED:github]'))
  }
  const key = `password = "${'x1'.repeat(180)}" # ${'%41'.repeat(3)}`
  const escaped = `${line.repeat(340)}${encodeURIComponent(key)}\n${line.repeat(400)}`
  expect(redactSecrets(escaped)).not.toContain('x1x1')
})

it('reads ten megabytes of near-secrets to the end', () => {
  const pieces = [
    'sk-',
    'eyJ',
    'eyJaaaaaaaaaa.',
    '://a:',
    '-----BEGIN PRIVATE KEY-----\nAAAA',
    'password=',
    'password="',
    '\nTOKEN=',
    'Bearer ',
    'secret ',
    '\\n',
    '%3Dsk-',
    '\u001b[32m',
    ' -p login ',
    'MIIEpAIBA',
    '\n-----END PRIVATE KEY-----',
    'login a password ',
  ]
  for (const piece of pieces) {
    const text = piece.repeat(Math.ceil(10_000_000 / pieces.length / piece.length))
    expect(redactSecrets(text).length).toBeLessThanOrEqual(text.length)
  }
})
