import { type PlaceRule, place } from './place-rule.ts'

/** Not within a word; the mark of a diff is none. */
const word = '(?<!\\w|[^\\n]-)'
/** The command that an option belongs to, on the same line. */
const of = (commands: string) => `(?<=${word}(?:${commands})(?![\\w-])[^\\n]{0,200})`
const argument = `[ \\t]{0,4}["'][^"'\\n]{1,80}["'][ \\t]{0,4},`
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
    `[ \\t]-p["']?(?=[^\\s"'-])${of('mysql|mysqldump|mysqladmin|mariadb|mariadb-dump|mysqlimport|singlestore|memsql|7z|7za')}`,
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
    is: 'unguessable',
  }),
  place(
    'secret',
    '--',
    `${word}--(?:[a-z]{1,20}-){0,3}(?:token|secret|api-?key|access-key|secret-key|auth-?key)[ \\t]{1,4}["']?(?!-)`,
    {
      value: '[^\\s"\'`\\\\|;&<>/]{12,400}',
      is: 'unguessable',
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
    '密 口令 令牌 私钥 凭证 凭据 授权码 接口',
    `(?:密码|密碼|口令|密钥|密鑰|令牌|秘钥|私钥|私鑰|凭证|凭据|授权码|接口 ?Key)(?:（[A-Za-z ]{1,20}）)?["'”]?[ \\t]{0,4}(?:[:：=＝]|是|为|為|(?<=[码碼令])[ \\t](?=\\S{0,40}\\d))[ \\t]{0,4}["'“‘「『]?`,
    {
      value: '[!-&(-\\[\\]-~]{4,200}',
      is: 'unguessable',
    },
  ),
  place('password', 'assword assphrase', `(?<!\\w)(?:[Pp]assword|[Pp]assphrase)(?: (?:for|of) [\\w.@ -]{1,40}?)? is:? ["'\`]?`, {
    value: '[^\\s"\'`\\\\,]{6,100}',
    is: 'unguessable',
  }),
  place(
    'password',
    'asswort arola asse: asse : aseña enha achtwoord asło ifre ösenord alasana dgangskode eslo elszó khẩu sandi كلمة ωδικός 토큰 パスワード トークン пароль Пароль парола Парола 비밀번호 암호 暗証番号 पासवर्ड รหัสผ่าน סיסמה ozinka eslo assord laptažodis lave laluan ennwort',
    `(?<![A-Za-z])(?:[Pp]asswort|[Kk]ennwort|[Mm]ot de passe|[Cc]ontraseña|[Ss]enha|[Pp]arola(?: d['’]ordine)?|[Ww]achtwoord|[Hh]asło|[Şş]ifre|[Ll]ösenord|[Ss]alasana|[Aa]dgangskode|[Hh]eslo|[Jj]elszó|[Mm]ật khẩu|[Kk]ata sandi|كلمة المرور|[Κκ]ωδικός|토큰|パスワード|トークン|[Пп]ароль|[Пп]арола|비밀번호|암호|暗証番号|पासवर्ड|รหัสผ่าน|סיסמה|[Ll]ozinka|[Gg]eslo|[Pp]assord|[Ss]laptažodis|[Cc]lave(?: secreta)?|[Kk]ata laluan)["'”]?[ \\t]{0,4}(?:[:：=]|は|—|–|-| (?:lautet|est|es|é|è|jest|это) )[ \\t]{0,4}["'“‘「『]?`,
    { value: '[!-&(-\\[\\]-~]{4,200}', is: 'unguessable' },
  ),
  place(
    'secret',
    '-Team -team astly-',
    `${word}(?:[Xx]-[A-Za-z]{1,40}-[Tt]eam|[Ff]astly-[Kk]ey)["']?[ \\t]{0,4}:[ \\t]{0,4}["']?`,
    { value: '[\\w.~+/=-]{16,400}', is: 'unguessable' },
  ),
  place('secret', '_PAT _KEY', `(?<![\\w$])[A-Z][A-Z0-9_]{0,60}_(?:PAT|WRITE_KEY)=["']?`, {
    value: '[\\w-]{20,200}',
    is: 'unguessable',
  }),
  place('secret', 'CONVEX', `(?<![\\w$])CONVEX_[A-Z_]{0,30}KEY=["']?`, { value: '[\\w:|+/=-]{20,400}', is: 'unguessable' }),
  place(
    'secret',
    'set ',
    `${word}set[ \\t]{1,4}-[a-zA-Z]{1,4}[ \\t]{1,4}[A-Z0-9_]{0,60}(?:TOKEN|KEY|SECRET|PASSWORD|PASS)[ \\t]{1,4}["']?`,
    { is: 'unguessable' },
  ),
  place(
    'secret',
    'define',
    `${word}define[ \\t]{0,4}\\([ \\t]{0,4}["'][A-Z_]{0,40}(?:KEY|SALT|PASSWORD|SECRET)["'][ \\t]{0,4},[ \\t]{0,4}["']`,
    {
      value: '[^\\n"\'\\\\]{6,200}(?=["\'\\\\])',
      is: 'unguessable',
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
  place('password', 'psk', `(?<!\\w)psk[ \\t]{0,2}=[ \\t]{0,2}["']?`, { is: 'unguessable' }),
  place('password', 'SecureString', `${word}ConvertTo-SecureString[ \\t]{1,4}(?:-String[ \\t]{1,4})?["']`, { value: quoted }),
  place('password', 'net user', `${word}net[ \\t]{1,4}user[ \\t]{1,4}[\\w.-]{1,64}[ \\t]{1,4}["']?(?![/*])`, {
    is: 'unguessable',
  }),
  place('password', 'chpasswd', `${word}echo[ \\t]{1,4}["']?[\\w.-]{1,64}:`, {
    value: '[^\\s"\'`|$]{4,200}(?=["\']?[ \\t]{0,4}\\|[ \\t]{0,4}(?:sudo[ \\t]{1,4})?chpasswd)',
  }),
  place('token', '-u --user', `[ \\t](?:-u|--user)[ \\t=]{0,2}["']?${of('curl')}`, {
    value: '[A-Za-z0-9_]{16,200}(?=:[xX]?["\']?(?:\\s|$))',
    is: 'unguessable',
  }),
  place('password-hash', '$apr1$', `(?<![\\w$])(?=\\$apr1\\$)`, {
    value: '\\$apr1\\$[\\w./]{1,8}\\$[\\w./]{22}',
    is: 'unguessable',
  }),
  place('password-hash', '$2 $6$ $5$ $y$ $argon2', `(?<![\\w$])(?=\\$(?:2[aby]\\$\\d\\d\\$|[56y]\\$|argon2))`, {
    value: '\\$[\\w$./,=+-]{40,200}',
    is: 'unguessable',
  }),
  place(
    'password',
    '-a --auth',
    `[ \\t](?:-a|--auth)[ \\t=]{1,2}["']?[^\\s:"'$<]{1,64}:${of('http|https|xh|jenkins-cli\\.jar')}`,
  ),
  place('secret', '-auth', `[ \\t]-auth[ \\t]{1,4}["']?[^\\s:"'$<]{1,64}:`, { is: 'unguessable' }),
  // PowerShell and Windows.
  place(
    'secret',
    '-',
    `(?<=[A-Za-z]{2,20}-[A-Za-z]{2,40}[ \\t][^\\n]{0,200}|[ \\t])-[A-Za-z]{0,20}(?:Password|Token|Secret|ApiKey|AccessKey)[ \\t:]{1,4}["']?(?![-$(])`,
    {
      is: 'unguessable',
    },
  ),
  place('secret', '-token -password -secret', `[ \\t]-(?:token|password|secret|api-?key)[ \\t=]{1,4}["']?(?!-)`, {
    value: '[^\\s"\'`\\\\|;&<>/]{8,400}',
    is: 'unguessable',
  }),
  place('password', 'SecureString', `${word}ConvertTo-SecureString[ \\t]{1,4}(?:-String[ \\t]{1,4})?(?![-"'$(])`, {
    is: 'unguessable',
  }),
  place('password', '/p: /rp /P:', `[ \\t]/(?:p:|rp[ \\t]{1,4}|P:)["']?${of('xfreerdp3?|wfreerdp|mstsc|schtasks|rdesktop')}`),
  place(
    'password',
    'net use',
    `${word}net[ \\t]{1,4}use[ \\t]{1,4}(?:[A-Za-z]:[ \\t]{1,4})?\\\\{2,4}[^\\s]{1,200}[ \\t]{1,4}["']?(?![/*])`,
  ),
  place(
    'password',
    '-p ',
    `[ \\t]-p[ \\t]{1,4}["']?${of('psexec(?:64)?(?:\\.exe)?|rdesktop|twine|useradd|usermod|wmiexec|evil-winrm|crackmapexec|netexec|proxychains')}`,
  ),
  place('password', '-p', `[ \\t]-p(?=[^\\s"'-])${of('unrar|rar')}`),
  place('password', '-P ', `[ \\t]-P[ \\t]{1,4}["']?${of('mosquitto_pub|mosquitto_sub|knife|ipmitool|iscsiadm')}`),
  place('password', '-A -X', `[ \\t]-[AX][ \\t]{1,4}["']?${of('snmp(?:get|walk|set|bulkwalk|bulkget)')}`),
  place('password', '-k -K', `[ \\t]-[kK][ \\t]{1,4}["']?${of('openssl[ \\t]{1,4}(?:enc|aes-?\\d{3}-[a-z]{3}|des3?|dgst)')}`, {
    is: 'unguessable',
  }),
  place('password', '-iv', `[ \\t]-iv[ \\t]{1,4}["']?${of('openssl')}`, { value: '[0-9a-fA-F]{16,64}' }),
  place('secret', 'nuget', `[ \\t](?:-k|--api-key)[ \\t]{1,4}["']?${of('nuget[ \\t]{1,4}push')}`),
  place('password', '-N ', `[ \\t]-N[ \\t]{1,4}["']?(?!["'])${of('ssh-keygen')}`),
  place('password', 'lftp', `[ \\t]-u[ \\t]{1,4}["']?[^\\s,"']{1,64},${of('lftp|ncftp')}`),
  place(
    'password',
    'add_user change_password',
    `(?:add_user|change_password)[ \\t]{1,4}["']?[\\w.@-]{1,64}["']?[ \\t]{1,4}["']?${of('rabbitmqctl')}`,
  ),
  place(
    'password',
    'requirepass masterauth bindpw ootPW rootpw',
    `(?<!\\w)(?:requirepass|masterauth|bindpw|olcRootPW:|rootpw)[ \\t]{1,4}["']?`,
  ),
  place('password', 'AUTH ', `(?<=^|[\\n>"'] {0,4})AUTH[ \\t]{1,4}(?:[\\w.-]{1,40}[ \\t]{1,4})?`, { is: 'mixed' }),
  place('password', ' on >', `(?<!\\w)user[ \\t]{1,4}[\\w.-]{1,64}[ \\t]{1,4}on[ \\t]{1,4}>`, {}),
  place('password', 'sqlplus thin:', `(?<!\\w)(?:sqlplus(?:[ \\t]{1,4}-[A-Za-z])?[ \\t]{1,4}|oracle:thin:)["']?[\\w.$#]{1,64}/`, {
    value: '[^\\s"\'`\\\\|;&<>@/]{4,200}',
  }),
  place(
    'password',
    'BY by',
    `(?<!\\w)(?:IDENTIFIED|identified)[ \\t]{1,4}(?:BY|by)[ \\t]{1,4}(?!["']|PASSWORD|RANDOM|password|random)`,
    { is: 'unguessable' },
  ),
  place('password-hash', 'PASSWORD', `IDENTIFIED[ \\t]{1,4}(?:BY[ \\t]{1,4}PASSWORD|AS)[ \\t]{1,4}'`, {
    value: '\\*[0-9A-F]{40}',
  }),
  place('password', 'PASSWORD(', `(?<!\\w)PASSWORD\\([ \\t]{0,2}'`, { value: quoted }),
  place(
    'password',
    '| cryptsetup --stdin passwd smbpasswd with-token secret',
    `${word}(?:echo|printf)[ \\t]{1,4}(?:-[ne]{1,2}[ \\t]{1,4})?["']?`,
    {
      value:
        '[^\\s"\'`|$;)]{6,200}(?=["\']?[ \\t;)]{0,4}[^\\n]{0,60}\\|[ \\t]{0,4}(?:sudo[ \\t]{1,4})?(?:cryptsetup|passwd|smbpasswd|wrangler[ \\t]secret|gh[ \\t]auth|gcloud[ \\t]secrets|docker[ \\t]secret|vault[ \\t]login))',
    },
  ),
  place('password', '\\\\n', `(?<=${word}printf[ \\t]{1,4}["'][^\\n"']{4,100}\\\\n)`, {
    value: '[^\\s"\'`|$\\\\]{6,200}(?=\\\\n["\'][ \\t]{0,4}\\|[ \\t]{0,4}(?:sudo[ \\t]{1,4})?(?:passwd|smbpasswd|chpasswd))',
  }),
  place('password', 'send', `(?<=^|[\\n;][ \\t]{0,20})send[ \\t]{1,4}(?:--[ \\t]{1,4})?"`, {
    value: '[^\\s"\\\\$]{6,100}(?=\\\\r")',
    is: 'mixed',
  }),
  place('password', 'nmcli', `[ \\t]password[ \\t]{1,4}["']?${of('nmcli')}`),
  place('secret', 'login', `${word}(?:vault|cargo)[ \\t]{1,4}login[ \\t]{1,4}["']?(?!-)`, {
    value: '[\\w.-]{20,200}',
    is: 'unguessable',
  }),
  place('secret', 'nseal oot', `(?<!\\w)(?:Unseal Key \\d|(?:Initial )?Root Token|Recovery Key \\d)[ \\t]{0,4}:[ \\t]{0,4}`, {
    value: '[\\w.+/=-]{20,200}',
  }),
  place('token', '-token ', `[ \\t]--token[ \\t=]{1,4}${of('kubeadm')}`, { value: '[a-z0-9]{6}\\.[a-z0-9]{16}' }),
  place(
    'secret',
    '--',
    `${word}--(?:[a-z]{1,20}-){0,3}(?:account-key|connection-string|client-secret|sas-token|shared-key)[ \\t=]{1,4}["']?`,
    { value: '[^\\s"\'`]{16,400}' },
  ),
  place('secret', '-D', `[ \\t]-D[\\w.]{1,60}\\.(?:login|password|token|passphrase|secret|apikey)=`, { is: 'unguessable' }),
  place('password', 'http-basic', `${word}http-basic\\.[\\w-]{1,60}[ \\t]{1,4}[^\\s]{1,64}[ \\t]{1,4}["']?`, {}),
  place('password', 'PSK', `[ \\t]:[ \\t]{1,4}(?:PSK|EAP|XAUTH)[ \\t]{1,4}"`, { value: quoted }),
  place('password', 'auth-user-pass', `<auth-user-pass>\\s{1,8}[^\\s<]{1,64}\\s{1,8}`, { value: '[^\\s<]{4,200}' }),
  place('password-hash', 'secret password', `(?<!\\w)(?:secret|password)[ \\t]{1,4}(?:5|7|8|9)[ \\t]{1,4}`, {
    value: '\\$\\d\\$[\\w./$]{10,200}|[0-9A-F]{8,200}',
  }),
  place('password-hash', ':aad3b435b51404ee', `:aad3b435b51404eeaad3b435b51404ee:`, { value: '[0-9a-fA-F]{32}' }),
  place('password-hash', 'pbkdf2 scrypt', `(?<!\\w)(?=\\$?(?:pbkdf2|scrypt)[\\w-]{0,20}\\$)`, {
    value: '\\$?(?:pbkdf2|scrypt)[\\w$./,=+:-]{40,300}',
  }),
  place('key', 'auth api', `(?<!\\w)(?:auth|api|credentials?)["']?:\\s{1,40}["']?key["']?:[ \\t]{0,4}["']?`, {
    value: '[\\w+/=.-]{16,400}',
    is: 'random',
  }),
  place('secret', 'secure:', `(?<!\\w)secure:[ \\t]{0,4}["']?`, { value: '[A-Za-z0-9+/]{80,1000}={0,2}' }),
  place('password', 'password', `(?<=#[ \\t]{0,4})password[ \\t]{1,4}`, { is: 'mixed' }),
  place('password', 'password: passwort:', `(?:[Aa]pp(?:-specific)?) password[ \\t]{0,2}[:=][ \\t]{0,4}`, {
    value: '[a-z]{4}[ -][a-z]{4}[ -][a-z]{4}[ -][a-z]{4}(?![a-z])',
  }),
  place('password', 'ecovery ackup', `(?:[Rr]ecovery|[Bb]ackup)[ _-][Cc]odes?[ \\t]{0,2}[:=][\\s*-]{0,8}`, {
    value: '[A-Za-z0-9]{4,8}(?:-[A-Za-z0-9]{4,8}){1,7}',
  }),
  place(
    'password',
    'in with redentials',
    `(?:[Ll]og ?in|[Ll]ogging in|[Cc]redentials)(?: (?:with|as|are|is))?:? {1,2}[\\w.@-]{1,64} ?/ ?`,
    {
      is: 'mixed',
    },
  ),
  place('password', 'password for', `(?<!\\w)password (?:for|of|di|de|von) [\\w.@-]{1,40}:[ \\t]{1,4}["']?`, {
    is: 'unguessable',
  }),
  place(
    'password',
    'PASS LOGIN IDENTIFY',
    `(?<=^|[\\n>"':][ \\t]{0,4}|[ \\t])(?:PASS|IDENTIFY|LOGIN[ \\t]{1,4}[\\w.@-]{1,64})[ \\t]{1,4}["']?`,
    { is: 'mixed' },
  ),
  place(
    'password',
    'auth= BasicAuth redentials(',
    `(?:auth=|BasicAuth)\\([ \\t]{0,4}["'][^"'\\n]{1,80}["'][ \\t]{0,4},[ \\t]{0,4}["']`,
    { value: quoted },
  ),
  place('password', 'connect( redentials(', `(?:connect|Credentials)\\(${argument}${argument}(?:${argument})?[ \\t]{0,4}["']`, {
    value: quoted,
    is: 'unguessable',
  }),
  // Names, addresses, and at last a password, as drivers of databases and clients take them.
  place(
    'password',
    'onnect PDO( uth( ogin( Client( onnection(',
    `(?:[Cc]onnect(?:ion|or)?|PDO|[Aa]uth|[Ll]ogin|Client)\\([^()\\n]{3,200}?,[ \\t]{0,2}["'](?=[^"'\\n]{4,200}["'][ \\t]{0,2}\\))`,
    { value: quoted, is: 'mixed' },
  ),
  // As drivers for Go take it.
  place('password', '@tcp( @unix(', `["'\`= ][\\w.-]{1,64}:`, { value: '[^\\s"\'`@/]{4,200}(?=@(?:tcp|unix)\\()' }),
  place(
    'code',
    'code passcode',
    `(?:verification|security|one-time|login|access|confirmation|sign-?in|2FA|MFA)[ -](?:pass)?code(?: is)?:? {1,3}\\*{0,2}`,
    {
      value: '\\d{4,8}(?![\\w.])|\\d{3}[ -]\\d{3}(?![\\w.])',
      flags: 'gi',
    },
  ),
  place(
    'password',
    '-p -passwd',
    `[ \\t](?:-p|-passwd)[ \\t]{1,4}["']?${of('crane|oras|skopeo|regctl|hydra|medusa|vncviewer|sshpass|x11vnc')}`,
  ),
  place(
    'password',
    '@',
    `${word}(?:psexec|wmiexec|smbexec|secretsdump|smbclient|mssqlclient|evil-winrm)(?:\\.py)?[ \\t]{1,4}["']?(?:[\\w.-]{1,60}/)?[\\w.-]{1,60}:`,
    { value: '[^\\s"\'`@]{4,200}(?=@)' },
  ),
  place('password-hash', '-hashes', `[ \\t]-hashes[ \\t]{1,4}[0-9a-f]{0,32}:`, { value: '[0-9a-fA-F]{32}' }),
  place(
    'secret',
    'alias',
    `${word}mc[ \\t]{1,4}alias[ \\t]{1,4}set[ \\t]{1,4}[^\\s]{1,60}[ \\t]{1,4}[^\\s]{1,200}[ \\t]{1,4}[^\\s]{1,100}[ \\t]{1,4}["']?`,
  ),
  place('password', 'WIFI:', `WIFI:[^\\n]{0,100};P:`, { value: '[^;\\n]{4,100}' }),
  place('secret', '--value', `[ \\t]--value[ \\t=]{1,4}["']?${of('eas[ \\t]{1,4}secret:create|eas[ \\t]{1,4}env:create')}`),
  place('token', '/t/', `://[\\w.-]{1,100}/t/`, { value: '[\\w-]{20,100}', is: 'random' }),
  place('secret', 'ANSIBLE_VAULT', `\\$ANSIBLE_VAULT;[\\w.;]{1,40}\\s{1,8}`, { value: '[0-9a-f\\s]{40,4000}' }),
  place(
    'cookie',
    '"value"',
    `"name"[ \\t]{0,4}:[ \\t]{0,4}"[\\w.-]{0,40}(?:session|sid|auth|jwt|csrf)[\\w.-]{0,20}",[ \\t]{0,4}"value"[ \\t]{0,4}:[ \\t]{0,4}"`,
    { value: '[^"\\\\\\s]{16,400}', is: 'unguessable' },
  ),
  place('password', '<Value', `<Key>Password</Key>\\s{0,40}<Value[^<>\\n]{0,60}>`, { value: '[^<>\\n]{4,200}' }),
]
