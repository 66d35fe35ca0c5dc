/** A place in which whatever stands there is a secret, unless it is a variable or a placeholder. */
export interface PlaceRule {
  readonly kind: string
  /** One of these texts has to occur. */
  readonly hints: readonly string[]
  /** What stands before the secret. */
  readonly before: RegExp
  /** The secret itself, as a sticky pattern; a quote that began stays outside. */
  readonly value: RegExp
  /** Whether it must have a digit or a sign, because a word there is mostly not a secret. */
  readonly isUnguessable: boolean
}

function place(
  kind: string,
  hints: string,
  before: string,
  options: { value?: string; isUnguessable?: boolean } = {},
): PlaceRule {
  const { value = '[^\\s"\'`\\\\|;&<>]{4,200}', isUnguessable = false } = options
  return { kind, hints: hints.split(' '), before: new RegExp(before, 'g'), value: new RegExp(value, 'y'), isUnguessable }
}

/** Not within a word; the mark of a diff is none. */
const word = '(?<!\\w|[^\\n]-)'
/** The command that an option belongs to, on the same line. */
const of = (commands: string) => `(?<=${word}(?:${commands})(?![\\w-])[^\\n]{0,200})`
const quoted = '[^\\n"\'`\\\\]{4,200}(?=["\'`\\\\])'

/** One line for each place. */
export const placeRules: readonly PlaceRule[] = [
  place(
    'password',
    '-u --user',
    `[ \\t](?:-u|--user|--proxy-user)[ \\t=]{0,2}["']?[^\\s:"'$<]{1,64}:${of('curl|http|https|xh|wget')}`,
  ),
  place('password', 'sshpass', `${word}sshpass[ \\t]{1,4}-p[ \\t]{0,4}["']?`),
  place(
    'password',
    '-p',
    `[ \\t]-p["']?(?=[^\\s"'-])${of('mysql|mysqldump|mysqladmin|mariadb|mariadb-dump|mysqlimport|7z|7za')}`,
  ),
  place(
    'password',
    '-p',
    `[ \\t](?:-p|--password)[ \\t]{1,4}["']?${of('(?:docker|podman|helm|oc|az|cf|nerdctl)[ \\t][^\\n]{0,60}?login|mongo|mongosh|mongodump|vncpasswd')}`,
  ),
  place('password', '-a --pass', `[ \\t](?:-a|--pass)[ \\t]{1,4}["']?${of('redis-cli|valkey-cli')}`),
  place('password', 'pass:', `[ \\t]-(?:pass|passin|passout)[ \\t]{1,4}["']?pass:`),
  place('password', '-w', `[ \\t]-w[ \\t]{1,4}["']?${of('ldap(?:search|modify|add|delete|whoami|passwd)')}`),
  place('password', 'pass', `[ \\t]-(?:store|key|srcstore|deststore|srckey|destkey)pass(?:word)?[ \\t]{1,4}["']?`),
  place('password', '-P', `[ \\t]-P[ \\t]{1,4}["']?${of('unzip|zip|sqlcmd|bcp')}`),
  place('password', '%', `[ \\t]-U[ \\t]{1,4}["']?[\\w.\\\\/-]{1,64}%${of('smbclient|rpcclient|smbmap|net')}`),
  place(
    'password',
    'htpasswd',
    `${word}htpasswd[ \\t]{1,4}-[a-zA-Z]{0,6}b[a-zA-Z]{0,6}[ \\t]{1,4}[^\\s]{1,200}[ \\t]{1,4}[^\\s]{1,64}[ \\t]{1,4}["']?`,
  ),
  place('password', 'sudo -stdin', `${word}(?:echo|printf)[ \\t]{1,4}["']?`, {
    value: '[^\\s"\'`|$]{4,200}(?=["\']?[ \\t]{0,4}\\|[ \\t]{0,4}(?:sudo[ \\t][^\\n|]{0,40}?-S|[^\\n|]{0,120}?--password-stdin))',
  }),
  place('secret', '--', `${word}--(?:[a-z]{1,20}-){0,3}(?:password|passwd|passphrase|passwort)[ \\t]{1,4}["']?(?!-)`, {
    isUnguessable: true,
  }),
  place(
    'secret',
    '--',
    `${word}--(?:[a-z]{1,20}-){0,3}(?:token|secret|api-?key|access-key|secret-key|auth-?key)[ \\t]{1,4}["']?(?!-)`,
    {
      value: '[^\\s"\'`\\\\|;&<>/]{12,400}',
      isUnguessable: true,
    },
  ),
  place(
    'password',
    'login',
    `${word}(?:login|account)[ \\t]{1,4}[^\\s"']{1,100}\\s{1,20}[+-]?\\s{0,20}password[ \\t]{1,4}["']?(?<=machine\\s[^"]{0,300}|default\\s[^"]{0,300})`,
  ),
  place(
    'password',
    ':54 :6432 :*:',
    `:(?:\\*|54\\d\\d|6432):[\\w*-]{1,64}:[\\w.*-]{1,64}:(?<=(?:^|[\\s+"'=-])[\\w.*][\\w.*-]{0,80}:[^\\s:]{1,4}:[^\\s:]{1,64}:[^\\s:]{1,64}:)`,
  ),
  place(
    'password',
    'BY by',
    `(?<!\\w)(?:IDENTIFIED|identified)(?:[ \\t](?:WITH|with)[ \\t]{1,4}[\\w"'\`]{1,40})?[ \\t]{1,4}(?:BY|by|AS|as)[ \\t]{1,4}["']`,
    { value: quoted },
  ),
  place(
    'password',
    'PASSWORD password',
    `(?<!\\w)(?:(?:ENCRYPTED|encrypted)[ \\t]{1,4})?(?:PASSWORD|password)[ \\t]{1,4}(?:\\([ \\t]{0,2})?'(?<=(?:ROLE|USER|LOGIN|role|user|login)(?!\\w)[^\\n;]{0,200})`,
    { value: quoted },
  ),
  place(
    'password',
    'assw assphrase ecret>',
    `<(?:[A-Za-z][\\w.-]{0,40}:)?(?:[\\w.-]{0,30}[Pp]assw(?:or)?d|[Pp]assphrase|[\\w.-]{0,30}[Ss]ecret)(?:[ \\t][^<>\\n]{0,100})?>[ \\t]{0,8}`,
    {
      value: '[^\\s<>]{4,200}(?=[ \\t]{0,8}</)',
    },
  ),
  place(
    'password',
    'alue=',
    `(?<!\\w)(?:key|name)=["'][\\w.:-]{0,60}(?:[Pp]assw(?:or)?d|[Ss]ecret|[Aa]pi[Kk]ey)["'][ \\t]{1,4}value=["']`,
    { value: quoted },
  ),
  place(
    'password',
    '密 口令 令牌',
    `(?:密码|密碼|口令|密钥|密鑰|令牌|秘钥)["'”]?[ \\t]{0,4}(?:[:：=＝]|是|为|為)[ \\t]{0,4}["'“‘]?`,
    {
      value: '[!-&(-\\[\\]-~]{4,200}',
      isUnguessable: true,
    },
  ),
  place('password', 'assword assphrase', `(?<!\\w)(?:[Pp]assword|[Pp]assphrase)(?: (?:for|of) [\\w.@ -]{1,40}?)? is:? ["'\`]?`, {
    value: '[^\\s"\'`\\\\,]{6,100}',
    isUnguessable: true,
  }),
  place(
    'password',
    'asswort arola asse: asse : aseña enha パスワード пароль Пароль 비밀번호',
    `(?<![A-Za-z])(?:[Pp]asswort|[Mm]ot de passe|[Cc]ontraseña|[Ss]enha|[Pp]arola|パスワード|[Пп]ароль|비밀번호)["'”]?[ \\t]{0,4}[:：=][ \\t]{0,4}["'“‘]?`,
    { value: '[!-&(-\\[\\]-~]{4,200}', isUnguessable: true },
  ),
  place(
    'secret',
    '-Team -team astly-',
    `${word}(?:[Xx]-[A-Za-z]{1,40}-[Tt]eam|[Ff]astly-[Kk]ey)["']?[ \\t]{0,4}:[ \\t]{0,4}["']?`,
    { value: '[\\w.~+/=-]{16,400}', isUnguessable: true },
  ),
  place('secret', '_PAT _KEY', `(?<![\\w$])[A-Z][A-Z0-9_]{0,60}_(?:PAT|WRITE_KEY)=["']?`, {
    value: '[\\w-]{20,200}',
    isUnguessable: true,
  }),
  place('secret', 'CONVEX', `(?<![\\w$])CONVEX_[A-Z_]{0,30}KEY=["']?`, { value: '[\\w:|+/=-]{20,400}', isUnguessable: true }),
  place(
    'secret',
    'set ',
    `${word}set[ \\t]{1,4}-[a-zA-Z]{1,4}[ \\t]{1,4}[A-Z0-9_]{0,60}(?:TOKEN|KEY|SECRET|PASSWORD|PASS)[ \\t]{1,4}["']?`,
    { isUnguessable: true },
  ),
  place(
    'secret',
    'define',
    `${word}define[ \\t]{0,4}\\([ \\t]{0,4}["'][A-Z_]{0,40}(?:KEY|SALT|PASSWORD|SECRET)["'][ \\t]{0,4},[ \\t]{0,4}["']`,
    {
      value: '[^\\n"\'\\\\]{6,200}(?=["\'\\\\])',
      isUnguessable: true,
    },
  ),
  place(
    'secret',
    'configure set',
    `${word}configure[ \\t]{1,4}set[ \\t]{1,4}aws_(?:secret_access_key|session_token)[ \\t]{1,4}["']?`,
  ),
  place('secret', '--body -b', `[ \\t](?:--body|-b)[ \\t=]{1,4}["']?${of('gh[ \\t]{1,4}secret[ \\t]{1,4}set')}`),
  place('token', 'authtoken', `${word}(?:add-authtoken|ngrok[ \\t]{1,4}authtoken)[ \\t]{1,4}["']?`),
  place('key', 'PrivateKey PresharedKey', `(?<!\\w)(?:Private|Preshared)Key[ \\t]{0,4}=[ \\t]{0,4}`, {
    value: '[A-Za-z0-9+/]{42,43}=',
  }),
  place('password', 'wpa_passphrase', `${word}wpa_passphrase[ \\t]{1,4}[^\\s]{1,64}[ \\t]{1,4}["']?`),
  place('password', 'psk', `(?<!\\w)psk[ \\t]{0,2}=[ \\t]{0,2}["']?`, { isUnguessable: true }),
  place('password', 'SecureString', `${word}ConvertTo-SecureString[ \\t]{1,4}(?:-String[ \\t]{1,4})?["']`, { value: quoted }),
  place('password', 'net user', `${word}net[ \\t]{1,4}user[ \\t]{1,4}[\\w.-]{1,64}[ \\t]{1,4}["']?(?![/*])`, {
    isUnguessable: true,
  }),
  place('password', 'chpasswd', `${word}echo[ \\t]{1,4}["']?[\\w.-]{1,64}:`, {
    value: '[^\\s"\'`|$]{4,200}(?=["\']?[ \\t]{0,4}\\|[ \\t]{0,4}(?:sudo[ \\t]{1,4})?chpasswd)',
  }),
  place('token', '-u --user', `[ \\t](?:-u|--user)[ \\t=]{0,2}["']?${of('curl')}`, {
    value: '[A-Za-z0-9_]{16,200}(?=:[xX]?["\']?(?:\\s|$))',
    isUnguessable: true,
  }),
  place('password-hash', '$apr1$', `(?<![\\w$])(?=\\$apr1\\$)`, {
    value: '\\$apr1\\$[\\w./]{1,8}\\$[\\w./]{22}',
    isUnguessable: true,
  }),
  place('password-hash', '$2 $6$ $5$ $y$ $argon2', `(?<![\\w$])(?=\\$(?:2[aby]\\$\\d\\d\\$|[56y]\\$|argon2))`, {
    value: '\\$[\\w$./,=+-]{40,200}',
    isUnguessable: true,
  }),
]
