import { estimateTokens, type Message } from '@plimsoll/core'
import { Fragment, useMemo, useState } from 'react'
import type { SentRequest } from '../../../../node/src/shared/inspection/inspection.ts'
import { Button } from '../../parts/button.tsx'
import { useLanguage } from '../../parts/language.tsx'
import type { InspectorPartProps } from '../source/inspector-source.ts'
import { alignMessages, foldSteps, type MessageStep, onlyGoesOn, sameFromStart } from './align-messages.ts'
import { DiffMessage } from './diff-message.tsx'

interface DiffResultProps extends InspectorPartProps {
  readonly before: SentRequest
  readonly after: SentRequest
  /** Whether the second was sent after the first. */
  readonly isForward: boolean
}

/** Messages that are shown at once, and how many more each time. */
const firstMessages = 200

/** What became of each message, what is the same folded, and where the cache stops to hold. */
export function DiffResult(props: DiffResultProps) {
  const { before, after, isForward, inspection } = props
  const { diff, number } = useLanguage()
  const steps = useMemo(() => alignMessages(before.messages, after.messages), [before, after])
  const folded = useMemo(() => foldSteps(steps), [steps])
  const numbers = useMemo(() => new Map(inspection.messages.ids.map((id, place) => [id, place])), [inspection])
  const held = sameFromStart(steps)
  const tokens = useMemo(() => estimateTokens(after.messages.slice(0, held)), [after, held])
  const goesOn = onlyGoesOn(steps)
  const isCached = isForward && before.model === after.model
  const firstBroken = isCached && !goesOn && held > 0 ? steps[held] : undefined
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const [most, setMost] = useState(firstMessages)

  const shown = folded.flatMap((part, place) =>
    part.isFolded && open.has(place)
      ? part.steps.map((step) => ({ isFolded: false as const, step, place }))
      : [{ ...part, place }],
  )
  const left = shown.slice(most).reduce((sum, part) => sum + (part.isFolded ? part.steps.length : 1), 0)
  return (
    <>
      <Summary {...props} steps={steps} held={held} tokens={tokens} goesOn={goesOn} />
      <ol className="diff-steps">
        {shown.slice(0, most).map((part) => {
          const first = part.isFolded ? part.steps[0] : part.step
          if (first === undefined) return null
          return (
            <Fragment key={keyOf(first)}>
              {first === firstBroken ? (
                <li className="diff-cache-end">
                  <strong>{diff.endOfCache(number(tokens))}</strong>
                </li>
              ) : null}
              {part.isFolded ? (
                <li className="diff-fold">
                  <Button look="quiet" isSmall onClick={() => setOpen(new Set([...open, part.place]))}>
                    {diff.folded[part.kind](number(part.steps.length))} · {diff.show}
                  </Button>
                </li>
              ) : (
                <Step {...props} step={part.step} numbers={numbers} />
              )}
            </Fragment>
          )
        })}
      </ol>
      {left > 0 ? <Button onClick={() => setMost(most * 4)} text={diff.moreMessages(number(left))} /> : null}
    </>
  )
}

interface SummaryProps extends DiffResultProps {
  readonly steps: readonly MessageStep[]
  readonly held: number
  readonly tokens: number
  readonly goesOn: boolean
}

function Summary({ before, after, isForward, steps, held, tokens, goesOn }: SummaryProps) {
  const { diff, timeline, number } = useLanguage()
  const { notKnown } = timeline.detail
  const counts = { same: 0, changed: 0, removed: 0, added: 0 }
  for (const { kind } of steps) counts[kind] += 1
  const about = () => {
    if (before.model !== after.model) return diff.otherModel(before.model ?? notKnown, after.model ?? notKnown)
    if (counts.same === steps.length) return diff.identical
    if (!isForward) return diff.backwards
    if (goesOn) return diff.cacheGoesOn(number(held), number(tokens), number(counts.added))
    return held === 0 ? diff.cacheNone : diff.cacheHolds(number(held), number(tokens))
  }
  return (
    <div className="diff-summary notice">
      <p>{diff.sum(number(counts.same), number(counts.changed), number(counts.removed), number(counts.added))}</p>
      <p>{about()}</p>
    </div>
  )
}

interface StepProps extends DiffResultProps {
  readonly step: MessageStep
  readonly numbers: ReadonlyMap<string, number>
}

function Step({ step, before, after, numbers, onOpenMessage }: StepProps) {
  const one: Message | undefined = step.kind === 'added' ? undefined : before.messages[step.before]
  const other: Message | undefined = step.kind === 'removed' ? undefined : after.messages[step.after]
  return (
    <DiffMessage
      kind={step.kind}
      before={one ?? null}
      after={other ?? null}
      places={[step.kind === 'added' ? null : step.before, step.kind === 'removed' ? null : step.after]}
      number={numbers.get((other ?? one)?.id ?? '') ?? -1}
      onOpenMessage={onOpenMessage}
    />
  )
}

function keyOf(step: MessageStep): string {
  return step.kind === 'added' ? `+${step.after}` : `${step.before}`
}
