/** A place in which whatever stands there is a secret, unless it is a variable or a placeholder. */
export interface PlaceRule {
  readonly kind: string
  /** One of these texts has to occur. */
  readonly hints: readonly string[]
  /** What stands before the secret. */
  readonly before: RegExp
  /** The secret itself, as a sticky pattern; a quote that began stays outside. */
  readonly value: RegExp
  /** Whether such a value may be one: a word in that place is mostly not a secret. */
  readonly isSecret: (value: string) => boolean
}

/** How much a value has to look like a secret; default: not at all. */
const tests = {
  /** It has a digit or a sign. */
  unguessable: (value: string) => /[\d!@#%^*+?~]/.test(value),
  /** It has letters and digits and is more than a numbered name. */
  mixed: (value: string) => isMixed(value),
  /** It has all kinds of letters in no order, as a good password or a key. */
  jumbled: (value: string) => isJumbledValue(value),
  /** It was not made up by a person. */
  random: (value: string) => isRandomValue(value),
} as const

export function place(
  kind: string,
  hints: string,
  before: string,
  options: { readonly value?: string; readonly is?: keyof typeof tests; readonly flags?: 'g' | 'gi' } = {},
): PlaceRule {
  const { value = '[^\\s"\'`\\\\|;&<>]{4,200}', is, flags = 'g' } = options
  const isSecret = is === undefined ? () => true : tests[is]
  return { kind, hints: hints.split(' '), before: new RegExp(before, flags), value: new RegExp(value, 'y'), isSecret }
}

function isMixed(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value) && !/^[A-Za-z_.-]{1,200}\d{0,3}$/.test(value)
}

/** Names in camel case have few digits, and few changes between kinds of letters. */
function isJumbledValue(value: string): boolean {
  const changes = value.match(/(?<=[a-z])[A-Z\d]|(?<=[A-Z])\d|(?<=\d)[A-Za-z]/g)?.length ?? 0
  return (changes >= 4 && isRandomRun(value)) || isRandomValue(value)
}

function isRandomRun(value: string): boolean {
  return /\d.*\d/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value) && !/[/\\]|^\d+-/.test(value)
}

/** A run of 16 or more that has digits and both cases, or is hexadecimal, or a UUID. */
export function isRandomValue(value: string): boolean {
  if (/^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/.test(value)) return true
  if (/^[0-9a-f]{24,}$|^[0-9A-F]{24,}$/.test(value)) return /\d/.test(value) && /[A-Fa-f]/.test(value)
  const digits = value.match(/\d/g)?.length ?? 0
  return value.length >= 16 && digits >= 2 && /[a-z]/.test(value) && /[A-Z]/.test(value) && !value.includes('://')
}
