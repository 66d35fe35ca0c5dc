import { createTextCleaner } from '../../packages/node/src/inspect/clean-texts.ts'
import { redactSecrets } from '../../packages/node/src/shared/redact/redact.ts'
import { createRandom, type Random } from '../fuzz/random.ts'

export interface Sample {
  readonly text: string
  /** The parts of the text that must not stay. */
  readonly secrets: readonly string[]
}

/** A text of a kind by its template, the same for the same seed. */
export function sampleOf([name, template]: readonly [string, string], seed = 1): Sample {
  const filled = fill(template, createRandom(seed, name))
  const marked = [...filled.matchAll(/«([^»]*)»/g)].map(([, secret = '']) => secret)
  const text = filled.replaceAll(/[«»]/g, '')
  return { text, secrets: marked.length === 0 ? [text] : marked }
}

function fill(template: string, random: Random): string {
  const plain = template.replaceAll(/\{([waxXdlbm])(\d+)\}|\{([pk])\}/g, (_, letters: string, length: string, other: string) =>
    other === 'p' ? `hT7${run('w', 6, random)}9q` : other === 'k' ? keyLines(random) : run(letters, Number(length), random),
  )
  return encode(encode(plain))
}

/** The innermost first, and without padding, so that more may follow. */
function encode(text: string): string {
  return text.replaceAll(/\{B:([^{}]*)\}/g, (_, inner: string) =>
    Buffer.from(inner.padEnd(Math.ceil(inner.length / 3) * 3)).toString('base64'),
  )
}

function keyLines(random: Random): string {
  return [64, 64, 64, 44].map((length) => run('b', length, random)).join('\n')
}

function run(letters: string, length: number, random: Random): string {
  const from = alphabets[letters] ?? ''
  // Real ones of this length practically always have all kinds of characters.
  const sure = letters === 'w' || letters === 'b' || letters === 'm' ? ['k', '7', 'Q'] : []
  return Array.from({ length }, (_, index) => sure[index - 1] ?? random.pick([...from])).join('')
}

const [lower, digits] = ['abcdefghijklmnopqrstuvwxyz', '0123456789']
const upper = lower.toUpperCase()
const alphabets: Readonly<Record<string, string>> = {
  w: `${lower}${upper}${digits}`,
  x: `abcdef${digits}`,
  X: `${upper}${digits}`,
  d: '123456789',
  l: lower,
  a: `${lower}${digits}`,
  // Signs are rarer than letters in base64 too, and none stands at an end here.
  b: `${lower}${upper}${digits}`.repeat(2).concat('+/'),
  m: `${lower}${upper}${digits}`.repeat(2).concat('-_'),
}

/** The places in which a secret is met, as what is left of the sample there. */
export const contexts: Readonly<Record<string, (sample: Sample) => string>> = {
  plain: ({ text }) => redactSecrets(`$ run it\n${text}\ndone\n`),
  'JSON string': ({ text }) => redactSecrets(JSON.stringify({ output: `ok\n${text}\nend\t${text}` })),
  'escaped twice': ({ text }) =>
    redactSecrets(JSON.stringify({ arguments: JSON.stringify({ command: `cat x\n${text}\nend\t${text}` }) })),
  colour: ({ text, secrets }) => {
    const painted = secrets.reduce((all, secret) => all.replace(secret, `\u001b[1;31m${secret}\u001b[0m`), text)
    return redactSecrets(`ok\u001b[32m${text}\u001b[0m\n${painted}\n${JSON.stringify(`\u001b[32m${text}\u001b[0m`)}`)
  },
  URL: ({ text }) => redactSecrets(`GET https://host.test/log?line=${encodeURIComponent(text)}&page=2 200`),
  diff: ({ text }) =>
    redactSecrets(
      `--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n ok\n${text.replaceAll(/^/gm, '-')}\n${text.replaceAll(/^/gm, '+')}\n end\n`,
    ),
  YAML: ({ text }) => redactSecrets(`steps:\n  - name: x\n    run: |\n${text.replaceAll(/^/gm, '      ')}\n  - name: y\n`),
  'numbered lines': ({ text }) => redactSecrets(`     1\tok\n${text.replaceAll(/^/gm, '     2\t')}\n     3\tend\n`),
  search: ({ text }) => redactSecrets(`src/a.ts:1:ok\n${text.replaceAll(/^/gm, 'src/b.env:12:')}\n`),
  'container log': ({ text }) => redactSecrets(`web-1  | ok\n${text.replaceAll(/^/gm, 'web-1  | ')}\n`),
  'other blanks': ({ text }) => redactSecrets(`\ufeff${text.replaceAll(/(?<=\S) (?=\S)/g, '\u00a0')}`),
  'split by a cut': ({ text }) => {
    const { text: clean } = createTextCleaner({ isRedacted: true, home: null, strings: { cutText: () => '[cut]' } })
    const filler = 'a line of a long output\n'.repeat(100)
    const cuts = [0.25, 0.5, 0.75].map((share) => {
      const before = filler.slice(0, 1500 - Math.floor(text.length * share))
      // Both ends of a text of 2,000 are shown, three quarters and one quarter of it.
      return clean(`${before.replace(/[^\n]*$/, '')}${text}\n${filler}`, 2000)
    })
    return cuts.join('\n')
  },
}

/** Whether any run of six or more letters and digits of a secret is still there. Shorter secrets have to go as a whole. */
export function survives({ secrets }: Sample, output: string): boolean {
  const left = output.replaceAll(/\[REDACTED:[\w-]+\]/g, '')
  return secrets.some((secret) => {
    const runs = secret.match(/[A-Za-z0-9]{6,}/g) ?? [secret]
    return runs.some((part) => left.includes(part))
  })
}
