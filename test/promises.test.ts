import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { testNames } from '../scripts/specification-map.ts'
import { root } from './source-files.ts'

const rows = readRows(readFileSync(`${root}/docs/hardening/promises.md`, 'utf8'))
const sentences = sentencesOf(readFileSync(`${root}/SECURITY.md`, 'utf8'))

describe('docs/hardening/promises.md', () => {
  it('has every sentence of SECURITY.md, in order', () => {
    expect(sentences.length).toBeGreaterThan(60)
    expect(rows.map(({ sentence }) => sentence)).toEqual(sentences)
  })

  it('names for each a test that exists, or why it promises nothing', () => {
    const reason = /^(?:heading|advice|a limit|explains): .{10,}\.$/
    const wrong = rows.flatMap(({ sentence, proof }) => {
      const tests = [...proof.matchAll(/\[[^\]]+\]\(([^)]+)\): `([^`]+)`/g)]
      if (tests.length === 0) return reason.test(proof) ? [] : [`no test and no reason: ${sentence}`]
      return tests.flatMap(([, link = '', name = '']) =>
        namesIn(posix.join('docs/hardening', link)).includes(name) ? [] : [`${link} has no test named ${name}`],
      )
    })
    expect(wrong).toEqual([])
  })
})

describe('the check itself', () => {
  it('reads sentences of tables, lists and text, without links and tests', () => {
    const page =
      '# A\nIntro.\n## What is protected\n\n| | Against | Test |\n|---|---|---|\n| **Yours.** It stays; all of it | us | [t](t.ts) |\n\n## What is not\n\n- **This**\n  is [not](x.md) ([t](t.ts)). Look.\n  Tests: [t](t.ts).\n'
    expect(sentencesOf(page)).toEqual(['Yours.', 'It stays;', 'all of it', 'This is not.', 'Look.'])
  })
})

/** All sentences after the first heading about protection; the part before says how to report a weakness. */
function sentencesOf(page: string): readonly string[] {
  const blocks = page
    .slice(page.indexOf('## What is protected'))
    .replaceAll(/^(?:#.*|\|[-|: ]+\|)$/gm, '\n')
    .replaceAll(/^(?:- |\d\. |\| )/gm, '\n')
    .split(/\n{2,}/)
  return blocks.flatMap((block) => {
    const text = block
      .replaceAll(/\s+/g, ' ')
      .replace(/\s*\|[^|]*\|[^|]*\|\s*$/, '')
      .replace(/\s*Tests?: .*$/, '')
      .replaceAll(/\s*\((?:\[[^\]]*\]\([^)]*\)(?:, )?)+\)/g, '')
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll('**', '')
      .trim()
    return text === '' || text.startsWith('|') ? [] : text.split(/(?<=[.;])\s+/)
  })
}

function readRows(page: string) {
  return page.split('\n').flatMap((line) => {
    const [, sentence, proof] = /^\| (.+?) \| (.+) \|$/.exec(line) ?? []
    return sentence === undefined || proof === undefined || proof === 'Held by' ? [] : [{ sentence, proof }]
  })
}

function namesIn(file: string): readonly string[] {
  return testNames(readFileSync(`${root}/${file}`, 'utf8'))
}
