import type { InspectedRequest } from '../../shared/inspection/inspection.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { grouped } from '../terminal/format-number.ts'
import type { TextScreen } from '../terminal/screen.ts'

const heights = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const
const rows = 2

/**
 * The requests as bars from left to right, two lines high, as tall as the largest window of them allows; under them where messages
 * were folded and where the cache broke. Where there are more requests than columns, a bar is the largest of several.
 */
export function requestBars(
  requests: readonly InspectedRequest[],
  strings: Strings['inspect']['screen'],
  { columns, paint }: TextScreen,
): readonly string[] {
  const width = Math.min(requests.length, columns - 4)
  const each = Math.ceil(requests.length / width)
  const groups = Array.from({ length: Math.ceil(requests.length / each) }, (_, index) =>
    requests.slice(index * each, (index + 1) * each),
  )
  const top = requests.reduce((most, { fill }) => Math.max(most, fill.tokens), 1)
  const levels = groups.map((group) => {
    const tokens = group.reduce((most, { fill }) => Math.max(most, fill.tokens), 0)
    return Math.max(1, Math.round((tokens / top) * rows * 8))
  })
  const line = (row: number) => levels.map((level) => heights[Math.max(0, Math.min(8, level - row * 8))]).join('')
  const marks = groups.map((group) => {
    if (group.some(({ isCompacted }) => isCompacted)) return 'c'
    return group.some(({ broken }) => broken !== null) ? 'x' : ' '
  })
  const legend = [
    ...(marks.every((mark) => mark === ' ') ? [] : [strings.marks]),
    ...(each === 1 ? [] : [strings.oneBar(grouped(each))]),
  ]
  return [
    ...Array.from({ length: rows }, (_, index) => `  ${line(rows - 1 - index)}`.trimEnd()),
    ...(marks.every((mark) => mark === ' ') ? [] : [paint('warning', `  ${marks.join('')}`.trimEnd())]),
    ...(legend.length === 0 ? [] : [paint('dim', `  ${legend.join(' · ')}`)]),
  ]
}
