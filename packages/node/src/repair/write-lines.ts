import { patchText } from '@plimsoll/core/wire'
import type { Fields } from '../logs/fields.ts'
import { type TakenImage, takeLargeImages, withImagePatches } from './lift-images.ts'
import { newEntry } from './repair-value.ts'
import { type Addition, type LinePlan, linesBeforeDamage, lineTexts, type SurveyOptions } from './survey-lines.ts'

interface LineSink {
  /** Writes a line, without its newline. `origin` is the original line that it comes from or follows. */
  readonly write: (line: Buffer | string, origin: number) => Promise<void>
  readonly image: (image: TakenImage) => Promise<void>
}

/** Writes a file of lines as a plan for it says. Lines that the plan leaves alone keep their bytes. */
export async function writeLines(plan: LinePlan, { bytes, imageFolder }: SurveyOptions, sink: LineSink): Promise<void> {
  const { added, rowFormat } = plan
  const moved = await movedTexts(plan, bytes())
  const wanted = Map.groupBy(
    [...added.values()].flat().flatMap((one) => ('answer' in one ? [one.answer] : [])),
    ({ row }) => row,
  )
  const answers = new Map<number, (string | null)[]>()
  let row = 0
  let line = 1
  for (const addition of added.get(-1) ?? []) await put(addition)
  for await (const raw of linesBeforeDamage(bytes())) {
    line = raw.line
    if (raw.bytes === null || plan.touched.has(line)) {
      for (const text of lineTexts(raw, plan.isEntry).texts) await putRow(text, text)
      continue
    }
    const text = raw.bytes.toString('utf8')
    if (/\S/.test(text)) await putRow(text, raw.bytes)
    else await sink.write(raw.bytes, line)
  }

  async function putRow(text: string, unchanged: Buffer | string): Promise<void> {
    const here = row
    row += 1
    const asked = wanted.get(here)
    // The call always comes before its answer, so the answer can be made here.
    if (asked !== undefined && rowFormat !== null) {
      const entry = JSON.parse(text) as Fields
      const made = asked.map((answer) => newEntry(rowFormat, answer, entry))
      answers.set(
        here,
        made.map((one) => one && settled(plan, JSON.stringify(one))),
      )
    }
    if (!plan.drop.has(here) && !moved.has(here)) await sink.write(await changed(here, text, unchanged), line)
    for (const addition of added.get(here) ?? []) await put(addition)
  }

  async function put(addition: Addition): Promise<void> {
    if ('text' in addition) return sink.write(addition.text, line)
    if ('moved' in addition) {
      const entry = moved.get(addition.moved)
      return entry === undefined ? undefined : sink.write(entry.text, entry.line)
    }
    const text = answers.get(addition.answer.row)?.shift() ?? null
    return text === null ? undefined : sink.write(text, line)
  }

  async function changed(here: number, text: string, unchanged: Buffer | string): Promise<Buffer | string> {
    const hasImages = plan.withImages.has(here) && imageFolder !== null
    if (!plan.changed.has(here) && !hasImages) return unchanged
    const entry = JSON.parse(text) as Fields
    const images = hasImages ? takeLargeImages(entry, imageFolder) : []
    for (const image of images) await sink.image(image)
    const patches = withImagePatches(plan.patches(here, entry), images)
    if (patches.length === 0) return unchanged
    const patched = patchText(text, patches)
    const ending = /[\r\n\t ]{0,4}$/.exec(text.slice(-4))?.[0] ?? ''
    return rowFormat?.settle === undefined ? patched : `${rowFormat.settle(patched)}${ending}`
  }
}

/** Entries that move to an earlier place are written before they are reached, so they are read first. */
async function movedTexts(plan: LinePlan, bytes: AsyncIterable<Uint8Array>) {
  const wanted = new Set([...plan.added.values()].flat().flatMap((one) => ('moved' in one ? [one.moved] : [])))
  const texts = new Map<number, { readonly text: string; readonly line: number }>()
  if (wanted.size === 0) return texts
  let row = 0
  for await (const raw of linesBeforeDamage(bytes)) {
    for (const text of lineTexts(raw, plan.isEntry).texts) {
      if (wanted.has(row)) {
        const patches = plan.patches(row, JSON.parse(text) as Fields)
        texts.set(row, { text: patches.length === 0 ? text : settled(plan, patchText(text, patches)), line: raw.line })
      }
      row += 1
    }
  }
  return texts
}

function settled({ rowFormat }: LinePlan, text: string): string {
  return rowFormat?.settle?.(text) ?? text
}
