import { describe, expect, it } from 'vitest'
import { mentionsIn } from '../shared/mentions.ts'
import { mentionText } from './workspace-files.ts'

describe('files behind @', () => {
  it.each(['src/a.ts', 'my file.ts', '说明.md', 'a+b.ts'])('%s is written so that it is found again', (path) =>
    expect(mentionsIn(`see ${mentionText(path)}please`)).toEqual([path]),
  )
})
