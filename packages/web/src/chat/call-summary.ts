import { visibleLine } from '../parts/safe-text.ts'
import type { Strings } from '../strings/strings-for.ts'
import { resultFacts } from './result-text.ts'
import type { ShownCall } from './shown-call.ts'

/** What came of a call in a few words; empty while nothing has. Numbers are written by `number`. */
export function callSummary({ result, status }: ShownCall, words: Strings['turn'], number: (value: number) => string): string {
  if (result === null) return ''
  const facts = resultFacts(result)
  const { exitCode, added, removed, matches, files, saved, lines, isFile, first } = facts
  if (status !== 'done' && exitCode === null) return visibleLine(first)
  const told = [
    ...(exitCode === null ? [] : [words.exitCode(exitCode)]),
    ...(added + removed === 0 ? [] : [`+${number(added)} −${number(removed)}`]),
    ...(matches === null ? [] : [words.matches(number(matches))]),
    ...(files === null ? [] : [words.files(number(files))]),
    ...(saved === null ? [] : [words.savedTo(visibleLine(saved))]),
  ]
  if (told.length > 0 && exitCode === null) return told.join(' · ')
  if (lines === 0) return [...told, words.nothingPrinted].join(' · ')
  if (lines === 1 && !isFile) return [...told, visibleLine(first)].join(' · ')
  return [...told, words.lines(number(lines))].join(' · ')
}
