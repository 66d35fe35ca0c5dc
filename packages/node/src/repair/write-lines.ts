import { patchText } from '@plimsoll/core/wire'
import { UnpackError } from '../files/unpack.ts'
import { rawLines } from '../logs/log-lines.ts'
import type { Fields } from '../logs/log-reader.ts'
import { type TakenImage, takeLargeImages, withImagePatches } from './lift-images.ts'
import { newEntry } from './mend-value.ts'
import { type Addition, type LinePlan, lineTexts, type SurveyOptions } from './survey-lines.ts'

/** Where the lines of a copy go. */
export interface LineSink {
  /** Takes a line without its end. `origin` is the line of the file it comes from, or stands behind. */
  readonly write: (line: Buffer | string, origin: number) => Promise<void>
  readonly picture: (image: TakenImage) => Promise<void>
}

/** Writes a file of lines once more, as a plan for it says. Lines that the plan leaves alone keep their bytes. */
export async function writeLines(plan: LinePlan, options: SurveyOptions, sink: LineSink): Promise<void> {
  const moved = await movedTexts(plan, options)
  const answers = new Map<number, string[]>()
  let row = 0
  let line = 1
  for (const addition of plan.behind.get(-1) ?? []) await put(addition)
  try {
    for await (const raw of rawLines(options.bytes())) {
      line = raw.line
      const { texts } = plan.touched.has(line) || raw.bytes === null ? lineTexts(raw, plan.isEntry) : { texts: null }
      if (texts !== null) for (const text of texts) await putRow(text, text)
      else if (raw.bytes !== null) await putWhole(raw.bytes)
    }
  } catch (error) {
    if (!(error instanceof UnpackError) || error.kind !== 'damaged') throw error
  }

  async function putWhole(bytes: Buffer): Promise<void> {
    const text = bytes.toString('utf8')
    if (/\S/.test(text)) await putRow(text, bytes)
    else await sink.write(bytes, line)
  }

  async function putRow(text: string, asItIs: Buffer | string): Promise<void> {
    const here = row
    row += 1
    // What is answered stands before what answers it.
    for (const answer of wantedAnswers(plan, here)) {
      const entry = plan.rowFormat === null ? null : newEntry(plan.rowFormat, answer, JSON.parse(text) as Fields)
      const made = answers.get(here) ?? []
      made.push(entry === null ? '' : settled(JSON.stringify(entry)))
      answers.set(here, made)
    }
    if (!plan.drop.has(here) && !moved.has(here)) await sink.write(await changed(here, text, asItIs, plan, options, sink), line)
    for (const addition of plan.behind.get(here) ?? []) await put(addition)
  }

  async function put(addition: Addition): Promise<void> {
    if ('text' in addition) return sink.write(addition.text, line)
    if ('moved' in addition) {
      const held = moved.get(addition.moved)
      return held === undefined ? undefined : sink.write(held.text, held.line)
    }
    const text = answers.get(addition.answer.row)?.shift() ?? ''
    return text === '' ? undefined : sink.write(text, line)
  }

  function settled(text: string): string {
    return plan.rowFormat?.settle?.(text) ?? text
  }
}

/** The answers to the calls of an entry, in the order they are written. */
function wantedAnswers({ behind, rowFormat }: LinePlan, row: number) {
  if (rowFormat === null) return []
  return (answersByRow(behind).get(row) ?? []).map(({ answer }) => answer)
}

const known = new WeakMap<LinePlan['behind'], ReadonlyMap<number, readonly Extract<Addition, { answer: unknown }>[]>>()

function answersByRow(behind: LinePlan['behind']) {
  const held = known.get(behind)
  if (held !== undefined) return held
  const answers = [...behind.values()].flatMap((list) => list.filter((one) => 'answer' in one))
  const made = Map.groupBy(answers, ({ answer }) => answer.row)
  known.set(behind, made)
  return made
}

async function changed(
  row: number,
  text: string,
  asItIs: Buffer | string,
  plan: LinePlan,
  { imageFolder }: SurveyOptions,
  sink: LineSink,
): Promise<Buffer | string> {
  const isPictured = plan.pictured.has(row) && imageFolder !== null
  if (!plan.changed.has(row) && !isPictured) return asItIs
  const entry = JSON.parse(text) as Fields
  const images = isPictured ? takeLargeImages(entry, imageFolder) : []
  for (const image of images) await sink.picture(image)
  const patches = withImagePatches(plan.patches(row, entry), images)
  if (patches.length === 0) return asItIs
  const ending = /[\r\n\t ]*$/.exec(text.slice(-4))?.[0] ?? ''
  const patched = patchText(text, patches)
  return plan.rowFormat?.settle === undefined ? patched : `${plan.rowFormat.settle(patched)}${ending}`
}

/** Entries that are to stand before the place where they are read, so that they have to be known by then. */
async function movedTexts(
  plan: LinePlan,
  options: SurveyOptions,
): Promise<ReadonlyMap<number, { readonly text: string; readonly line: number }>> {
  const wanted = new Set([...plan.behind.values()].flatMap((list) => list.flatMap((one) => ('moved' in one ? [one.moved] : []))))
  const held = new Map<number, { readonly text: string; readonly line: number }>()
  if (wanted.size === 0) return held
  let row = 0
  for await (const raw of rawLines(options.bytes())) {
    for (const text of lineTexts(raw, plan.isEntry).texts) {
      if (wanted.has(row)) {
        const entry = JSON.parse(text) as Fields
        const patches = plan.patches(row, entry)
        const patched = patches.length === 0 ? text : patchText(text, patches)
        held.set(row, { text: patches.length === 0 ? text : (plan.rowFormat?.settle?.(patched) ?? patched), line: raw.line })
      }
      row += 1
    }
  }
  return held
}
