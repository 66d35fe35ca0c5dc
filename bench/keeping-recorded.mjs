// Small output of usual commands, as record-outputs.mjs has recorded it. Nothing of it may be lost: every word must be kept.
import { readFileSync } from 'node:fs'

const recorded = JSON.parse(readFileSync(new URL('./recorded-outputs.json', import.meta.url), 'utf8'))

export function recordedFamilies() {
  const cases = recorded.map(({ command, text }) => ({ command, text, mustKeep: wordsIn(text) }))
  const isColoured = ({ text }) => text.includes('\x1b')
  return [
    { name: 'small output', cases: cases.filter((one) => !isColoured(one)) },
    { name: 'small output in colour', cases: cases.filter(isColoured) },
  ]
}

/** Words as a terminal shows them: of a line that was drawn over, the last state. A path counts by its parts, because its folder may be written once for several. */
function wordsIn(text) {
  return text
    .split('\n')
    .map((line) => line.replace(/\r+$/, '').split('\r').at(-1))
    .flatMap((line) => line.replaceAll(/\x1b\[[0-9;]*[A-Za-z]/g, '').split(/[\s/:]+|-(?=\d+-)/))
    .filter((word) => word !== '')
}
