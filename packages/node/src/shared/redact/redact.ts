import { findInViews } from './decoded-views.ts'
import { findAssignments } from './find-assignments.ts'
import { findEncoded } from './find-encoded.ts'
import { findPrivateKeys } from './find-private-keys.ts'
import { findRandomValues } from './find-random-values.ts'
import { findByRules } from './find-tokens.ts'
import { replaceSpans, type Span, type Window, windowsOf } from './spans.ts'

/**
 * Replaces keys, tokens and passwords with `[REDACTED:kind]`; returns the same text if there are none. Recognises a secret by its
 * form, by its place or by the name it is assigned to, also under two levels of escapes, in colours, and in base64; any other secret
 * stays. A second call changes nothing. Runs in linear time.
 */
export function redactSecrets(text: string): string {
  let current = text
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const next = replaceSpans(current, findInViews(current, find, { levels: maxLevels, only: pass === 0 ? '' : blanked }))
    if (next === current) return current
    current = next
  }
  return current
}

/** Blanking a secret may complete the form of another one around it; no real text is nested deeper. */
const maxPasses = 10
const blanked = '[REDACTED:'
/** How often something is decoded: arguments of a tool are JSON in JSON. */
const maxLevels = 2

function find(text: string, windows: readonly Window[]): readonly Span[] {
  return [...findPlain(text, windows), ...findEncoded(text, windows, findDecoded), ...findRandomValues(text, windows)]
}

function findPlain(text: string, windows: readonly Window[]): readonly Span[] {
  const { tokens, named } = findByRules(text, windows)
  return [...findPrivateKeys(text, windows), ...tokens, ...findAssignments(text, windows), ...named]
}

/** What was in base64 may be JSON, or base64 once more. */
function findDecoded(text: string): readonly Span[] {
  const spans = findInViews(text, findPlain, { levels: 1 })
  return spans.length > 0 ? spans : findEncoded(text, windowsOf(text), (decoded) => findPlain(decoded, windowsOf(decoded)))
}

/**
 * Replaces home folders with `~`, because they often contain the user's name: `/home/ada/src` becomes `~/src`; also those of
 * macOS and Windows. Returns the same text if there are none.
 */
export function redactHomeFolders(text: string): string {
  return text.replace(windowsHome, '~').replace(unixHome, '~')
}

/** A line in a JSON text may begin after a written `\n`. Folders that all users share stay. */
const unixHome = /(?<=\\[nrt]|^|[^\w.~-])\/(?:home|Users)\/(?!Shared\b|linuxbrew\b)[\p{L}\p{N}\p{M}_.@+-]{1,64}/gu

/** Backslashes are doubled in a JSON text. A name may contain blanks if the path continues after it. */
const windowsHome =
  /(?<=\\[nrt]|^|[^\w~])[A-Za-z]:(?:\\{1,4}|\/)Users(?:\\{1,4}|\/)(?!(?:Public|Default|All Users)\b)(?:[^\\/:*?"<>|\s]{1,64}(?: [^\\/:*?"<>|\s]{1,64}){1,2}(?=[\\/])|[^\\/:*?"<>|\s]{1,64})/g
