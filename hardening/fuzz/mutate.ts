import { mutateJson } from './mutate-json.ts'
import { type MutationSource, mutateText } from './mutate-text.ts'
import type { FuzzInput, Target } from './target.ts'

/** An input with one or several mutations; pieces may come from `other`. */
export function mutate(input: FuzzInput, other: FuzzInput, target: Target, source: MutationSource): FuzzInput {
  const { random } = source
  let { text } = input
  const choices = [...input.choices]
  if (choices.length > 0 && random.oneIn(3)) changeChoice(choices, source)
  else
    for (let times = 1 + random.below(random.oneIn(3) ? 6 : 2); times > 0; times -= 1)
      text = mutateForm(text, other.text, target.form, source)
  return { text: text.slice(0, target.longest), choices }
}

function mutateForm(text: string, other: string, form: Target['form'], source: MutationSource): string {
  const { random } = source
  if (form === 'json') return (random.below(4) > 0 ? mutateJson(text, other, source) : null) ?? mutateText(text, other, source)
  if (form === 'text' || random.oneIn(4)) return mutateText(text, other, source)
  const lines = text.split('\n')
  const others = other.split('\n')
  const at = random.below(lines.length)
  switch (random.below(8)) {
    case 0:
      return lines.toSpliced(at, 1).join('\n')
    case 1:
      return lines.toSpliced(at, 0, random.pick(lines)).join('\n')
    case 2:
      return lines.toSpliced(at, 0, random.pick(others)).join('\n')
    case 3:
      return [...lines.slice(0, at), ...others.slice(random.below(others.length))].join('\n')
    default: {
      const changed = mutateJson(lines[at] as string, random.pick(others), source)
      return lines.with(at, changed ?? mutateText(lines[at] as string, random.pick(others), source)).join('\n')
    }
  }
}

const edgeChoices = [0, 1, 2, 3, 7, 16, 63, 64, 255, 256, 1000, 4095, 65535]

function changeChoice(choices: number[], { random }: MutationSource): void {
  const at = random.below(choices.length)
  const before = choices[at] as number
  const after = [random.below(65536), random.below(256), random.pick(edgeChoices), before + 1, before - 1, before >> 1]
  choices[at] = Math.max(0, Math.min(65535, random.pick(after)))
}
