/** What a line of a compiler, a linter or a test run is about. */
export interface Diagnostic {
  readonly file: string | null
  /** Of a compiler or linter, as `TS2322`, `no-unused-vars` or `lint/style/useConst`. */
  readonly code: string | null
  /** The name of a failing test. */
  readonly test: string | null
}

/** Reads one line, as a terminal shows it; null if it is no diagnostic. Tests that passed are none. */
export function diagnosticOf(line: string): Diagnostic | null {
  if (line.length > maxLength || !mayBeDiagnostic.test(line)) return null
  const found = marked(line)
  if (found !== null) return found
  for (const form of testForms) {
    const test = form.exec(line)?.[1]
    if (test !== undefined) return { file: null, code: null, test: test.trim() }
  }
  const place = placed.exec(line)
  const file = place?.[1] ?? null
  if (place === null && !indented.test(line) && !rustError.test(line)) return null
  for (const form of codeForms) {
    const code = form.exec(line)?.[1]
    if (code !== undefined) return { file, code, test: null }
  }
  return file !== null && severity.test(line) ? { file, code: null, test: null } : null
}

/** A code without a place in its line: below carets, or above the frame of a file. */
function marked(line: string): Diagnostic | null {
  const code = codeAtMark.exec(line)?.slice(1).find((one) => one !== undefined) // biome-ignore format: one line
  return code === undefined ? null : { file: null, code, test: null }
}

/** Whether a line is only the path of a file, as linters write above what they found in it. */
export function isFileHeading(line: string): boolean {
  return line.length <= 300 && /^(?:[A-Za-z]:)?[\w.@~+/\\()[\]-]+\.\w{1,6}$/.test(line) && /[/\\]/.test(line)
}

/** The file that a part of a diff changes; null for other lines. */
export function fileOfDiff(line: string): string | null {
  return /^diff --git a\/(\S{1,300}) b\//.exec(line)?.[1] ?? null
}

/** Whether a diagnostic ends with its code, so that what it means is a few lines below, as biome writes them. */
export function hasMessageBelow(line: string): boolean {
  return /\S (?:lint|parse|format|assist|organizeImports)[\w/]{0,120} ?━/.test(line)
}

/** What the lines of all messages of one code have in common. */
export function messageKind(code: string): string {
  return `message ${code}`
}

export function codeOfMessage(kind: string): string | null {
  return kind.startsWith('message ') ? kind.slice('message '.length) : null
}

const maxLength = 2000
const mayBeDiagnostic = /\d[:,)\]]|FAIL|ERROR|[✗✘✖×✕●]|not ok|error|__ |\^[-^~]{0,300} |\w\([\w/-]{1,60}\): | line \d/

const testForms: readonly RegExp[] = [
  /^FAILED ([^\s]{3,300}::\S{1,200})/,
  /^([^\s]{3,300}::\S{1,200}) FAILED\b/,
  /^\s{0,12}--- FAIL: (\S{1,300})/,
  /^test (\S{1,300}) \.\.\. FAILED$/,
  // unittest names a test in its list, and again above its reason.
  /^(\S{1,200} \(\S{1,200}\)) \.\.\. (?:FAIL|ERROR)$/,
  /^(?:FAIL|ERROR): (\S{1,200} \(\S{1,200}\))$/,
  // pytest's heading of a reason.
  /^_{3,90} (?:ERROR at \w{1,20} of )?(\S{1,200}) _{3,90}$/,
  /^\s{0,4}FAIL {1,4}(\S{1,300}(?: > .{1,300})?)$/,
  /^\s{0,12}(?:[✗✘✖●]|[×✕] )\s{0,3}(\S.{2,300}?)(?: \(?\d[\d.]{0,12} ?m?s\)?)?$/,
  /^not ok \d{1,6} -? ?(.{1,300})$/,
  // rspec, mocha and PHPUnit number the tests that failed.
  /^ {0,4}\d{1,4}\) (\S.{2,300})$/,
]

// src/a.ts(12,5): …, src/a.ts:12:5: …, src/a.ts:12:5 - …, src/a.ts:12:5 lint/… ━━━, --> src/a.rs:12:5, [ERROR] /a/B.java:[12,5] …, e: file:///a/b.kt:12:5 …
const placed =
  /^\s{0,6}(?:-->\s|[,╭][-─]{1,3}\[|In |::\w{1,10} [^:]{1,600}::|\[[A-Z]{4,7}\] |[ew]: )?(?:file:\/\/)?((?:[A-Za-z]:)?[\w.@~+/\\()[\]-]{1,280}\.\w{1,6})(?::?\[|[:(]| line )\d{1,7}(?:[:,]\d{1,7})?[)\]]?(?::|\s|$)/
// `^-- SC2086 (info): …`, `  × eslint(no-undef): …`
const codeAtMark = /^\s{0,300}\^[-^~]{0,300} ([A-Z]{1,5}\d{2,5})\b|^\s{1,4}[×x!⚠] ([\w@/-]{1,40}\([\w@/-]{1,60}\)): /
const indented = /^\s{1,8}\d{1,6}:\d{1,6}\s/
const rustError = /^(?:error|warning)\[/
const severity = /\b(?:error|warning|fatal)\b|^\s{0,6}(?:(?:-->|[ew]:) |[,╭][-─]|In )/i
const codeForms: readonly RegExp[] = [
  /\b(TS\d{3,5})\b/,
  /^(?:error|warning)\[([A-Z]\w{1,12})\]/,
  /[:)\s](lint\/\w{1,40}\/\w{1,60}|(?:parse|format|organizeImports|assist\/\S{1,60})(?=\s{1,40}━))/,
  /:\s{1,3}\[?([A-Z]{1,5}\d{2,5})\b/,
  /\s\((@?[a-z][\w-]{1,60}(?:\/[\w-]{1,60}){0,2})\)(?: \[\w{1,20}\])?$/,
  /\s\[(-W[\w=+-]{1,60}|[a-z][\w-]{2,60})\]$/,
  /\s\s(@?[a-z][\w-]{1,50}(?:\/[\w-]{1,60})?(?:\/[\w-]{1,60})?)$/,
]
