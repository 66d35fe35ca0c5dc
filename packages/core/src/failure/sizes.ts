export interface Sizes {
  readonly limit: number | null
  readonly requested: number | null
  readonly input: number | null
  readonly output: number | null
}

/** A number as servers write it: plain, or in groups of three. With k or M after it, it is rounded and ignored. */
export const numberPattern = "\\d{1,3}(?:[,_.'’\\u00a0\\u202f\\u2009]\\d{3}){1,3}(?!\\d)|\\d{1,10}(?![\\dkm])"
export const noSizes: Sizes = { limit: null, requested: null, input: null, output: null }

/** The sizes in the groups of a match; if they lack the request, those in the text around it. */
export function sizesAround(match: RegExpExecArray): Sizes {
  const named = (group: string) => numberOf(match.groups?.[group])
  const found = { limit: named('limit'), requested: named('requested'), input: named('input'), output: named('output') }
  const sizes = complete({ ...found, ...partsIn(match.input) })
  if (sizes.requested !== null) return sizes
  const words = sizesInWords(match.input)
  // A single number may be anything: two have to agree with the known limit.
  return words.requested !== null && (sizes.limit === null || sizes.limit === words.limit) ? words : sizes
}

export function complete({ limit, requested, input, output }: Sizes): Sizes {
  const whole = requested ?? (input === null ? null : input + (output ?? 0))
  const rest = input === null && output !== null && whole !== null && whole >= output ? whole - output : input
  return { limit: limit === 0 ? null : limit, requested: whole, input: rest, output }
}

/** Sizes in an unknown sentence: the larger of two numbers was sent, the smaller is allowed; a single one may be the limit. */
export function sizesInWords(text: string): Sizes {
  if (/\bstring\b|\bcharacters?\b|maxlength|字符/i.test(text)) return noSizes
  const numbers = [...text.slice(0, 1_000).matchAll(loneNumber)]
    .map((match) => ({ value: numberOf(match[1]) ?? 0, before: text.slice(Math.max(0, match.index - 40), match.index) }))
    .filter(({ value }) => value >= smallestSize)
  const values = [...new Set(numbers.map(({ value }) => value))]
  const [first, second] = values
  if (values.length === 2 && first !== undefined && second !== undefined)
    return { ...noSizes, limit: Math.min(first, second), requested: Math.max(first, second) }
  const only = values.length === 1 ? numbers[0] : undefined
  return only !== undefined && limitBefore.test(only.before) ? { ...noSizes, limit: only.value } : noSizes
}

/** A smaller number is a status, a line or an index. */
const smallestSize = 600

const limitBefore =
  /(?:limit|maximum|max|window|only|at most|up to|allow\w{0,12}|support\w{0,12}|length|size)\W{0,3}(?:\w{1,12} )?(?:\w{1,12} )?\W{0,2}$/i

const loneNumber = new RegExp(
  `(?<![\\w.,:/-]|by |status |code |error )(${numberPattern})(?![\\w-]|\\.\\d|\\s?(?:%|ms|s|sec\\w{0,12}|min\\w{0,12}|bytes?|[kmg]i?b|char\\w{0,12}|images?|pixels?|times|字符|秒)(?!\\w))`,
  'gi',
)

/** `(1200 in the messages, 300 in the functions, 64 in the completion)`: there may be several input parts. */
function partsIn(text: string): Partial<Sizes> {
  let input: number | null = null
  let output: number | null = null
  for (const [, digits, name = ''] of text.slice(0, 10_000).matchAll(countedPart)) {
    const value = numberOf(digits)
    if (value === null) continue
    if (/completion|output/i.test(name)) output = (output ?? 0) + value
    else input = (input ?? 0) + value
  }
  return input === null || output === null ? {} : { input, output }
}

const countedPart = new RegExp(
  `(?<=[(,;] ?)(${numberPattern})(?: tokens)? (?:in|of|for|from) (?:the |your )?(messages|prompt|functions|tools|(?:text|tool|image|audio|file) input|input|completion|output)\\b`,
  'gi',
)

function numberOf(digits: string | undefined): number | null {
  if (digits === undefined) return null
  const value = Number(digits.replace(/\D/g, ''))
  return Number.isSafeInteger(value) && value < 1e10 ? value : null
}

/** Whether a sentence says that the input, and nothing else, is too long. */
export function saysTooLong(text: string): boolean {
  return text.split(/(?<=[.!?;])\s|\n/, 40).some((sentence) => {
    const part = sentence.slice(0, 600)
    return subject.test(part) && excess.test(part) && !another.test(part)
  })
}

const subject =
  /\bn_ctx\b|\bcontext[ _-]?(?:length|window|size|limit)\b|\b(?:prompt|input|conversation|chat history|message history)\b[^.]{0,40}\b(?:tokens?|context|too long|longer|length)\b|\brequest\b[^.]{0,40}\b(?:tokens|context|length)\b|\b(?:number of|total|too many) (?:\w{1,40} )?tokens\b|\btokens? (?:count|limit|length)\b|\bmax(?:imum)?[ _](?:input|prompt|sequence|seq|model)[ _](?:tokens?|length|len)\b|\btokens in (?:the |your )?(?:request|prompt|input)/i

const excess =
  /\bexceed(?:s|ed|ing)?\b|\btoo (?:long|large|big|many)\b|\b(?:longer|larger|greater|bigger|more) than\b|\boverflow(?:s|ed)?\b|\bsurpass(?:es|ed)?\b|\bbeyond\b|\b(?:does not|doesn't|cannot|can't|won't) (?:fit|hold)\b|\bgoes over\b|\bis over\b|\babove the\b|\breached\b[^.]{0,20}\bcontext\b|\bbut\b[^.]{0,40}\b(?:at most|only|up to)\b|\boutgrows?\b|\btoo small\b/i

const another =
  /\bmax_(?:completion_|new_|output_)?tokens\b|\bmaxoutputtokens\b|\bbudget_tokens\b|\b(?:output|completion) (?:tokens?|length)\b|\bmaximum tokens (?:you|value)\b|\b(?:deadline|time-?out|timed out|took|seconds|minutes?|daily|monthly|hourly)\b|\b(?:file|files|image|images|pixels?|bytes?|megabytes?|[kmg]i?b|headers?|cookies?|urls?|uris?|uploads?|attachments?)\b|\b(?:names?|descriptions?|ids?|identifiers?|keys?|passwords?|titles?|parameters?|arrays?|tools|functions)\b|\b(?:access|auth|bearer|refresh|api|session|security|jwt|csrf) tokens?\b|\b(?:retries|attempts|iterations|recursion|redirects|stack)\b/i
