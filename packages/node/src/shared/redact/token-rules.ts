import { isRandomValue } from './place-rule.ts'

/** How a secret with a form of its own is recognised. */
export interface TokenRule {
  readonly kind: string
  /** One of these texts has to occur, so that most texts are never searched by pattern. */
  readonly hints: readonly string[]
  /** The shortest beginning of such a token. A first group is the part by which it is known, and stays. */
  readonly pattern: RegExp
  /** The characters that it may continue with, as a sticky pattern. */
  readonly rest: RegExp
  readonly isSecret: (found: string) => boolean
}

function rule(kind: string, hints: string, source: string, isSecret: TokenRule['isSecret'] = () => true, rest = '[\\w-]') {
  return { kind, hints: hints.split(' '), pattern: new RegExp(source, 'g'), rest: new RegExp(`${rest}{0,4096}`, 'y'), isSecret }
}

/** A key is random; words joined by dashes are not. */
function isRandom(found: string): boolean {
  return /\d/.test(found) && /[A-Z]/.test(found) && /[a-z]/.test(found)
}

function hasDigit(found: string): boolean {
  return /\d/.test(found)
}

// A token starts only if nothing before it could belong to a longer word, which the mark of a diff does not; one of a fixed length ends.
const first = '(?<![A-Za-z0-9_]|[^\\n]-)'
const here = '(?<![A-Za-z0-9])'
const end = '(?![A-Za-z0-9])'
const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const nothing = '[]'
// Letters and digits alone are found in base64 too.
const alone = '(?<!\\w|[^\\n][+/-])'
const ends = '(?![\\w+/])'

/** Prefixes of ids, which are as random as keys. */
const idPrefixes = new Set(
  'toolu tooluse srvtoolu msg call chatcmpl cmpl req run resp fc rs thread asst file step container batch msgbatch vs item sess_id conv gen evt event cus pi ch sub price prod in il pm seti acct org proj user usr team ws wf tx txn order ord prt ses sha1 sha256 sha384 sha512 md5 blob tree commit img image layer build deploy dpl node pod rev hash uuid id key ref'.split(
    ' ',
  ),
)

/** A short prefix, as most vendors have one, and then nothing but a key: `acme_live_` and 28 random letters and digits. */
function isPrefixedKey(found: string): boolean {
  const parts = found.split(/[_-]/)
  const key = parts.pop() ?? ''
  // Ids have prefixes too, but are shorter, or begin with a version.
  return key.length >= 28 && isJumbled(key) && !/^0[01]/.test(key) && !parts.some((prefix) => idPrefixes.has(prefix))
}

/** Letters and digits by chance: names in camel case have few digits, and few changes between kinds of letters. */
function isJumbled(key: string): boolean {
  const changes = key.match(/(?<=[a-z])[A-Z\d]|(?<=[A-Z])\d|(?<=\d)[A-Za-z]/g)?.length ?? 0
  return isRandom(key) && (key.match(/\d/g)?.length ?? 0) >= 3 && changes >= 6
}

/** One line for each form. The order decides the name of a secret that has several. */
export const tokenRules: readonly TokenRule[] = [
  rule('jwt', 'eyJ', `(?:${first}|(?<=(?:sntrys|glc|ops)_))eyJ[\\w-]{8,4096}\\.eyJ[\\w-]{8}`, undefined, '[\\w.-]'),
  rule('anthropic', 'sk-ant-', `${here}sk-ant-[\\w-]{20}`, hasDigit),
  rule('openrouter', 'sk-or-', `${here}sk-or-[\\w-]{20}`, hasDigit),
  rule('langfuse', 'sk-lf-', `${here}[sp]k-lf-${uuid}`),
  rule('openai', 'sk-', `${here}sk-[\\w-]{20}`, (found) => isRandom(found) || /^sk-[0-9a-f]{32,64}$/.test(found)),
  rule('google', 'AIza', `${first}AIza[\\w-]{35}(?![\\w-])`),
  rule('google', 'ya29. GOCSPX-', `${first}(?:ya29\\.|GOCSPX-)[\\w-]{20}`),
  rule('google', '1//0', `(?<![\\w/]|[^\\n]-)1//0[\\w-]{40}`, isRandom),
  rule('aws', 'AKIA ASIA ABIA ACCA', `${here}(?:A[KS]IA|ABIA|ACCA)[A-Z0-9]{16}${end}`),
  rule('aws', 'ABSK', `${first}ABSK[A-Za-z0-9+/]{80}`, isRandom, '[A-Za-z0-9+/=]'),
  rule('aws', 'da2-', `${first}da2-[a-z0-9]{26}${end}`),
  rule('github', 'ghp_ gho_ ghu_ ghs_ ghr_', `${here}gh[pousr]_[A-Za-z0-9]{36}`),
  rule('github', 'github_pat_', `${here}github_pat_\\w{22}`),
  rule('gitlab', 'gl', `${here}gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|oas|agent|ffct)-[\\w-]{20}`, hasDigit, '[\\w.-]'),
  rule('bitbucket', 'ATBB', `${here}ATBB[A-Za-z0-9]{28}`, isRandom),
  rule('atlassian', 'ATATT3 ATCTT3', `${here}AT[AC]TT3[\\w=-]{60}`, undefined, '[\\w=-]'),
  rule('slack', 'xox xapp-', `${here}(?:xox[abceoprs]|xapp)-[A-Za-z0-9-]{10}`, hasDigit),
  rule('slack', 'hooks.slack', '(hooks\\.slack\\.com/(?:services|workflows|triggers)/)[A-Za-z0-9/]{20}', undefined, '[\\w/-]'),
  rule('discord', '/webhooks/', '(/api/(?:v\\d{1,2}/)?webhooks/\\d{15,20}/)[\\w-]{40}'),
  rule('discord', '.', `${first}[MNO][A-Za-z0-9_-]{22,27}\\.[\\w-]{6}\\.[\\w-]{27}`, isRandom),
  rule('teams', '.webhook.office.com', '(\\.webhook\\.office\\.com/webhookb2/)[\\w@-]{40}', undefined, '[\\w@/-]'),
  rule('telegram', ':AA', `(?:(?<![A-Za-z0-9:])|(?<=/bot))\\d{8,10}:AA[\\w-]{33}(?![\\w-])`),
  rule('stripe', 'k_live_ k_test_', `${here}[sr]k_(?:live|test)_[A-Za-z0-9]{10}`),
  rule('stripe', 'whsec_', `${here}whsec_[A-Za-z0-9+/]{20}`, undefined, '[A-Za-z0-9+/=]'),
  rule('square', 'EAAA', `${first}EAAA[\\w-]{60}(?![\\w+/=-])`, isRandom, nothing),
  rule('square', 'sq0', `${here}sq0(?:csp|atp|idp)-[\\w-]{22}`),
  rule('braintree', 'access_token$', 'access_token\\$(?:production|sandbox)\\$[0-9a-z]{16}\\$[0-9a-f]{32}'),
  rule('facebook', 'EAA', `${first}EAA[A-Z][A-Za-z0-9]{90}`, isRandom, '[A-Za-z0-9]'),
  rule('x', 'AAAAAAAAAAAAAAAAAAAAA', '(?<!\\w|[^\\n][+/-])A{21,22}[A-Za-z0-9%]{60,120}(?![\\w+/=-])', isRandom, nothing),
  rule('npm', 'npm_', `${here}npm_[A-Za-z0-9]{36}`),
  rule('pypi', 'pypi-', `${here}pypi-[\\w-]{50}`, isRandom),
  rule('rubygems', 'rubygems_', `${here}rubygems_[0-9a-f]{48}`),
  rule('anyscale', 'esecret_', `${here}esecret_[A-Za-z0-9]{22}`, isRandom),
  rule('unkey', 'unkey_', `${here}unkey_[A-Za-z0-9]{20}`, isRandom),
  rule('valtown', 'vtwn_', `${here}vtwn_[A-Za-z0-9]{20}`, isRandom),
  rule('crates', 'cio', `${first}cio[A-Za-z0-9]{32}${end}`, isRandom),
  rule('nuget', 'oy2', `${first}oy2[a-z0-9]{43}${end}`),
  rule('docker', 'dckr_', `${here}dckr_[po]at_[\\w-]{20}`),
  rule('huggingface', 'hf_ api_org_', `${here}(?:hf|api_org)_[A-Za-z0-9]{30}`),
  rule('sendgrid', 'SG.', `${first}SG\\.[\\w-]{16,32}\\.[\\w-]{32}`),
  rule('twilio', 'SK AC', `${here}(?:SK|AC)[0-9a-f]{32}${end}`),
  rule('mailgun', 'key-', `${first}key-[0-9a-f]{32}${end}`),
  rule('mailchimp', '-us', `${here}[0-9a-f]{32}-us\\d{1,2}${end}`),
  rule('brevo', 'xkeysib- xsmtpsib-', `${here}x(?:key|smtp)sib-[0-9a-f]{64}`),
  rule('resend', 're_', `${first}re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}${end}`, isRandom),
  rule('digitalocean', '_v1_', `${here}do[opr]_v1_[0-9a-f]{64}`),
  rule('heroku', 'HRKU-', `${here}HRKU-[\\w-]{36}`),
  rule('fly', 'fo1_ fm1_ fm2_ fm1a_ fm1r_', `${here}(?:fo1|fm2|fm1[ar]?)_[\\w+/-]{40}`, isRandom, '[\\w+/=,-]'),
  rule('netlify', 'nfp_', `${here}nfp_[A-Za-z0-9]{36}`),
  rule('cloudflare', 'v1.0-', `${first}v1\\.0-[0-9a-f]{24}-[0-9a-f]{100}`),
  rule('supabase', 'sbp_ sb_secret_', `${here}(?:sbp_[0-9a-f]{40}|sb_secret_[\\w-]{22})`),
  rule('planetscale', 'pscale_', `${here}pscale_(?:tkn|pw|oauth)_[\\w.-]{30}`),
  rule('neon', 'napi_', `${here}napi_[A-Za-z0-9]{40}`),
  rule('shopify', 'shp', `${here}shp(?:at|ca|pa|ss|ua)_[0-9a-fA-F]{32}`),
  rule('groq', 'gsk_', `${here}gsk_[A-Za-z0-9]{40}`),
  rule('xai', 'xai-', `${here}xai-[A-Za-z0-9]{40}`),
  rule('perplexity', 'pplx-', `${here}pplx-[A-Za-z0-9]{40}`),
  rule('replicate', 'r8_', `${here}r8_[A-Za-z0-9]{37}`),
  rule('fireworks', 'fw_', `${first}fw_[A-Za-z0-9]{22,24}${end}`, isRandom),
  rule('cerebras', 'csk-', `${first}csk-[a-zA-Z0-9]{40}`, hasDigit),
  rule('nvidia', 'nvapi-', `${here}nvapi-[\\w-]{40}`),
  rule('tavily', 'tvly-', `${here}tvly-[\\w-]{24}`, hasDigit),
  rule('langsmith', 'lsv2_', `${here}lsv2_[ps][tk]_[0-9a-f]{32}`),
  rule('pinecone', 'pcsk_', `${here}pcsk_\\w{40}`),
  rule('jina', 'jina_', `${here}jina_[A-Za-z0-9]{40}`),
  rule('databricks', 'dapi', `${here}dapi[0-9a-f]{32}${end}`),
  rule('terraform', '.atlasv1.', `${here}[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{40}`),
  rule('vault', 'hvs. hvb. hvr.', `${here}hv[sbr]\\.[\\w-]{24}`),
  rule('pulumi', 'pul-', `${here}pul-[0-9a-f]{40}`),
  rule('doppler', 'dp.', `${here}dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[\\w-]{1,40}\\.)?[A-Za-z0-9]{40}`),
  rule('1password', 'ops_eyJ', `${here}ops_eyJ[\\w-]{100}`, undefined, '[\\w=-]'),
  rule('nats', 'SU SA SO SC SN', `${alone}S[UAOCN][A-Z2-7]{56}${ends}`),
  rule('age', 'AGE-SECRET-KEY-1', `${here}AGE-SECRET-KEY-1[A-Z0-9]{40}`),
  rule('sentry', 'sntry', `${here}sntry(?:u_[0-9a-f]{64}|s_eyJ[\\w=+/-]{20})`, undefined, '[\\w=+/-]'),
  rule('sentry', '@o', '(://)[0-9a-f]{32}(?::[0-9a-f]{32})?(?=@o?\\d)', undefined, nothing),
  rule('grafana', 'glsa_ glc_', `${here}(?:glsa_[A-Za-z0-9]{32}|glc_[A-Za-z0-9+/]{32})`, undefined, '[\\w+/=]'),
  rule('newrelic', 'NRAK- NRII- NRJS-', `${here}NR(?:AK-|II-|JS-)[\\w-]{19}`, hasDigit),
  rule('honeycomb', 'hcaik_ hcxik_ hcamk_', `${here}hc(?:aik|xik|amk|xmk)_[a-z0-9]{40}`),
  rule('dynatrace', 'dt0', `${here}dt0[a-z]\\d{2}\\.[A-Z0-9]{24}\\.[A-Z0-9]{40}`),
  rule('posthog', 'phx_', `${here}phx_[A-Za-z0-9]{40}`),
  rule('linear', 'lin_', `${here}lin_(?:api|oauth)_[A-Za-z0-9]{32}`),
  rule('notion', 'ntn_ secret_', `${here}(?:ntn_|secret_)[A-Za-z0-9]{40}`, isRandom),
  rule('figma', 'fig', `${here}fig[dou][rh]?_[\\w-]{36}`, hasDigit),
  rule('airtable', 'pat', `${here}pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}`),
  rule('asana', '1/ 2/', `(?<![\\w/.])[12]/\\d{15,17}(?:/\\d{15,17})?:[0-9a-f]{32}${end}`),
  rule('postman', 'PMAK-', `${here}PMAK-[0-9a-f]{24}-[0-9a-f]{34}`),
  rule('typeform', 'tfp_', `${here}tfp_[\\w-]{40}`, hasDigit),
  rule('contentful', 'CFPAT-', `${here}CFPAT-[\\w-]{40}`),
  rule('hubspot', 'pat-', `${here}pat-(?:na|eu|ap)\\d-${uuid}`),
  rule('mapbox', 'sk.eyJ', `${here}sk\\.eyJ[\\w-]{40}`, undefined, '[\\w.-]'),
  rule('jfrog', 'AKCp', `${here}AKCp[A-Za-z0-9]{60}`),
  rule('sonar', 'sqp_ squ_ sqa_', `${here}sq[pua]_[0-9a-f]{40}`),
  rule('circleci', 'CCIPAT_ CCIPRJ_', `${here}CCIP(?:AT|RJ)_\\w{40}`),
  rule('buildkite', 'bk', `${here}bk(?:ua|pat|ct|at)_[0-9a-f]{40}`),
  rule('launchdarkly', 'api- sdk- mob-', `${first}(?:api|sdk|mob)-${uuid}${end}`),
  rule('tailscale', 'tskey-', `${here}tskey-[a-z]{2,12}-[A-Za-z0-9-]{20}`),
  rule('prefect', 'pnu_ pnb_', `${here}pn[ub]_[A-Za-z0-9]{36}`),
  rule('elevenlabs', 'sk_', `${here}sk_[0-9a-f]{48}${end}`),
  rule('e2b', 'e2b_', `${here}e2b_[0-9a-f]{40}${end}`),
  rule('firecrawl', 'fc-', `${first}fc-[0-9a-f]{32}${end}`),
  rule('voyage', 'pa-', `${first}pa-[\\w-]{43}(?![\\w-])`, isRandom),
  rule('cursor', 'key_', `${here}key_[0-9a-f]{64}${end}`),
  rule('runpod', 'rpa_', `${here}rpa_[A-Z0-9]{40}`),
  rule('lambda', 'secret_', `${here}secret_[a-z0-9-]{10,40}_[0-9a-f]{32}\\.\\w{20}`),
  rule('clickup', 'pk_', `${here}pk_\\d{5,10}_[A-Z0-9]{32}${end}`),
  rule('aws', 'amzn.mws.', `${here}amzn\\.mws\\.${uuid}`),
  rule('vercel', 'vercel_blob_', `${here}vercel_blob_rw_\\w{30}`),
  rule('render', 'rnd_', `${here}rnd_[A-Za-z0-9]{32}`, isRandom),
  rule('adyen', 'AQE', `${alone}AQE[A-Za-z0-9]{30,60}[.-][A-Za-z0-9+/]{20,60}-[A-Za-z0-9+/]{20}`, isRandom, '[\\w+/=-]'),
  rule('jfrog', 'cmVmdGtuOj', `${alone}cmVmdGtuOj[A-Za-z0-9]{54}${ends}`),
  rule('1password', 'A3-', `${first}A3-[A-Z0-9]{6}-[A-Z0-9]{6,11}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}`, hasDigit, '[A-Z0-9-]'),
  rule('infisical', 'st.', `${first}st\\.[0-9a-f]{24}\\.[0-9a-f]{32}\\.[0-9a-f]{32}`),
  rule('alibaba', 'LTAI', `${alone}LTAI[A-Za-z0-9]{20}${ends}`, isRandom),
  rule('tencent', 'AKID', `${alone}AKID[A-Za-z0-9]{32}${ends}`, isRandom),
  rule('yandex', 't1.9 YCAJE YCM', `${alone}(?:t1\\.9[\\w-]{40}|YCAJE[\\w-]{20}|YCM[\\w-]{36})`, isRandom, '[\\w.=-]'),
  rule('dbt', 'dbtc_ dbtu_', `${here}dbt[cu]_[\\w-]{40}`, isRandom),
  rule('readme', 'rdme_', `${here}rdme_[a-z0-9]{60}`, hasDigit),
  rule('shippo', 'shippo_', `${here}shippo_(?:live|test)_[0-9a-f]{40}`),
  rule('easypost', 'EZAK EZTK', `${alone}EZ[AT]K[A-Za-z0-9]{54}${ends}`),
  rule('duffel', 'duffel_', `${here}duffel_(?:live|test)_[\\w=-]{43}`),
  rule('lob', 'live_ test_', `${here}(?:live|test)_[0-9a-f]{35}${end}`),
  rule('frameio', 'fio-u-', `${here}fio-u-[\\w=-]{64}`),
  rule('adobe', 'p8e-', `${here}p8e-[A-Za-z0-9]{32}${end}`, isRandom),
  rule('sourcegraph', 'sgp_', `${here}sgp_(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}`),
  rule('bitcoin', 'xprv zprv yprv', `${alone}[xyz]prv[A-Za-z0-9]{100,112}${ends}`, isRandom),
  rule('ethereum', '.infura.io .alchemy.com', '(\\.(?:infura\\.io/v3|(?:g\\.)?alchemy\\.com/v2)/)[\\w-]{32}'),
  rule('salesforce', '00D', `${here}00D[A-Za-z0-9]{12,15}![\\w.]{60}`, isRandom, '[\\w.]'),
  rule('plaid', 'access-', `${here}access-(?:sandbox|development|production)-${uuid}`),
  rule('paddle', 'pdl_', `${here}pdl_(?:live|sdbx)_apikey_\\w{40}`),
  rule('flutterwave', 'FLWSECK', `${here}FLWSECK(?:_TEST)?-[0-9A-Za-z]{32}-X`),
  rule('razorpay', 'rzp_', `${here}rzp_(?:live|test)_[A-Za-z0-9]{14}`),
  rule('mollie', 'live_ test_', `${here}(?:live|test)_[\\w-]{30,64}${end}`, isJumbled, nothing),
  rule('pubnub', 'sec-c-', `${here}sec-c-[A-Za-z0-9+/=-]{36}`, undefined, '[A-Za-z0-9+/=-]'),
  rule('webhook', 'hooks.zapier.com', '(hooks\\.zapier\\.com/hooks/catch/)[0-9]{4,12}/\\w{5}', undefined, '\\w'),
  rule('webhook', '/bot/v2/hook/', '(/open-apis/bot/v2/hook/)[\\w-]{20}'),
  rule('google', ':APA91b', `(?<!\\w)AAAA[\\w-]{7}:APA91b[\\w-]{100}`),
  rule('recaptcha', '6L', `${alone}6L[\\w-]{6}AAAAA[\\w-]{27}(?![\\w-])`, isRandom),
  rule('turnstile', '0x4AAAAAAA', `${first}0x4AAAAAAA[\\w-]{14}`),
  rule('brave', 'BSA', `${alone}BSA[\\w-]{27,28}(?![\\w-])`, isRandom),
  rule('mandrill', 'md-', `${first}md-[\\w-]{22}(?![\\w-])`, isRandom),
  rule('modal', 'ak- as-', `${first}a[ks]-[A-Za-z0-9]{22}${end}`, isRandom),
  rule('tinybird', 'p.eyJ', `${first}p\\.eyJ[\\w-]{20,400}\\.[\\w-]{20}`),
  rule('wix', 'IST.eyJ', `${first}IST\\.eyJ[\\w-]{40}`, undefined, '[\\w.-]'),
  rule('zhipu', '.', `(?<=(?<![\\w+/])[0-9a-f]{32})\\.[A-Za-z0-9]{16}${ends}`, isRandom),
  rule('shopify', 'shppa_', `${here}shppa_[0-9a-f]{32}`),
  rule('cursor', 'crsr_', `${here}crsr_[0-9a-f]{64}`),
  rule(
    'prefixed',
    '_ -',
    `(?<![\\w.$/\\\\]|[^\\n]-)[a-z][a-z0-9]{1,11}(?:_[a-z]{2,10})?[_-][A-Za-z0-9]{28}`,
    isPrefixedKey,
    '[A-Za-z0-9]',
  ),
  rule(
    'prefixed',
    '_live_ _test_ _prod_ _api_ _secret_ _key_ _pat_ _token_',
    `(?<![\\w.$/\\\\]|[^\\n]-)[a-z][a-z0-9]{1,11}_(?:live|test|prod|api|secret|key|pat|token)_[\\w-]{20,255}(?![\\w+/=.-])`,
    isJumbled,
    nothing,
  ),
  rule('bitcoin', '5 K L', `${alone}(?:5[1-9A-HJ-NP-Za-km-z]{50}|[KL][1-9A-HJ-NP-Za-km-z]{51})${ends}`, isJumbled, nothing),
  rule('openvpn', 'OpenVPN Static', '(BEGIN OpenVPN Static key V1-----\\s{1,8})[0-9a-f]{32}', undefined, '[0-9a-f\\s]'),
  rule(
    'digest',
    'Digest Hawk OAuth AWS4',
    '((?:response|mac|oauth_signature|oauth_token|Signature)="?(?<=uthorization[^\\n]{0,600}))[\\w+/%=-]{20}',
    undefined,
    '[\\w+/%=-]',
  ),
  rule('dropbox', 'sl.', `${first}sl\\.(?:u\\.)?[\\w-]{120}`, isRandom),
  rule('twitch', 'oauth:', `${here}oauth:[a-z0-9]{30}${end}`),
  rule('azure', 'AccountKey= AccessKey=', '((?:Account|Access)Key=)[A-Za-z0-9+/]{40}', undefined, '[A-Za-z0-9+/=]'),
  rule('azure', '8Q~ 7Q~', `${first}[\\w.~-]{3}[78]Q~[\\w.~-]{31,34}(?![\\w~-])`),
  rule(
    'signature',
    'ig= ignature=',
    '([?&;](?:sig|[Ss]ignature|X-(?:Amz|Goog)-Signature)=)[A-Za-z0-9%+/_-]{20}',
    hasDigit,
    '[\\w%+/=-]',
  ),
  rule(
    'address-key',
    'key= code= auth= appid=',
    '([?&](?:key|api[_-]?key|code|auth|appid)=)[\\w-]{20}',
    (found) => isRandom(found) || isRandomValue(found),
    '[\\w=-]',
  ),
  rule(
    'address-token',
    '://',
    '((?<=[a-z])://)(?:[0-9a-f]{40}|[A-Za-z0-9_]{20,255})(?=@[\\w.-]{1,100}[/:\\s"\'])',
    isRandomValue,
    nothing,
  ),
  rule(
    'bearer',
    'earer EARER',
    '((?<![A-Za-z])(?:[Bb]earer|BEARER)[ \\t]{1,4})[A-Za-z0-9._~+/-]{16}',
    hasDigit,
    '[A-Za-z0-9._~+/=-]',
  ),
  rule(
    'basic-auth',
    'asic ASIC',
    '([Aa]uthorization["\']?[ \\t]{0,4}[:=][ \\t]{0,4}["\']?(?:[Bb]asic|BASIC)[ \\t]{1,4})[A-Za-z0-9+/]{8}',
    undefined,
    '[A-Za-z0-9+/=]',
  ),
  rule(
    'authorization',
    'uthorization UTHORIZATION',
    '((?:[Aa]uthorization|AUTHORIZATION)["\']?[ \\t]{0,4}[:=][ \\t]{0,4}["\']?(?:(?:[Tt]oken|[A-Z][\\w-]{1,30})[ \\t=]{1,4}(?:token=)?)?)[\\w.~+/-]{16}',
    hasDigit,
    '[\\w.~+/=-]',
  ),
  rule(
    'cookie',
    'et-cookie et-Cookie',
    '([Ss]et-[Cc]ookie["\']?[ \\t]{0,4}[:=][ \\t]{0,4}["\']?[\\w.-]{1,64}=)[^;\\s"\'`\\\\,]{12}',
    hasDigit,
    '[^;\\s"\'`\\\\,]',
  ),
  rule(
    'cookie',
    'ookie:',
    '((?<!\\w|[^\\n]-)[Cc]ookie:[ \\t]{0,4})[\\w.-]{1,64}=[^\\n\\r"\'`\\\\]{12}',
    hasDigit,
    '[^\\n\\r"\'`\\\\]',
  ),
  rule(
    'cookie',
    'sess SESS sid= csrf',
    '((?<![A-Za-z])(?:session_?id|sessionid|session|connect\\.sid|sid|PHPSESSID|JSESSIONID|jsessionid|ASP\\.NET_SessionId|csrftoken)=)[\\w%.:-]{20}',
    (found) => isRandom(found) || /^(?:[0-9a-f]{24,}|[0-9A-Z]{24,})$/.test(found),
    '[\\w%.:+/-]',
  ),
]
