import { estimateTokens } from '@plimsoll/core'
import { Fragment, useMemo, useState } from 'react'
import type { SentRequest } from '../../../../node/src/shared/inspection/inspection.ts'
import { Button } from '../../parts/controls.tsx'
import { useLanguage } from '../../parts/language.tsx'
import { useInspector } from '../source/inspector-source.ts'
import { alignMessages, foldSteps, type MessageStep, onlyGoesOn, sameFromStart } from './align-messages.ts'
import { DiffMessage } from './diff-message.tsx'

interface DiffResultProps {
  readonly before: SentRequest
  readonly after: SentRequest
  readonly isForward: boolean
}

const firstMessages = 200

/** Lists what happened to each message, with unchanged ones collapsed, and where the cache ends. */
export function DiffResult(props: DiffResultProps) {
  const { before, after, isForward } = props
  const { inspection } = useInspector()
  const { diff, number } = useLanguage()
  const steps = useMemo(() => alignMessages(before.messages, after.messages), [before, after])
  const folded = useMemo(() => foldSteps(steps), [steps])
  const numbers = useMemo(() => new Map(inspection.messages.ids.map((id, place) => [id, place])), [inspection])
  const held = sameFromStart(steps)
  const tokens = useMemo(() => estimateTokens(after.messages.slice(0, held)), [after, held])
  const isCached = isForward && before.model === after.model
  const firstBroken = isCached && !onlyGoesOn(steps) && held > 0 ? steps[held] : undefined
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const [max, setMax] = useState(firstMessages)

  const shown = folded.flatMap((part, place) =>
    part.isFolded && open.has(place)
      ? part.steps.map((step) => ({ isFolded: false as const, step, place }))
      : [{ ...part, place }],
  )
  const left = shown.slice(max).reduce((sum, part) => sum + (part.isFolded ? part.steps.length : 1), 0)
  const message = (step: MessageStep) => {
    const places = [step.kind === 'added' ? null : step.before, step.kind === 'removed' ? null : step.after] as const
    const one = before.messages[places[0] ?? -1] ?? null
    const other = after.messages[places[1] ?? -1] ?? null
    const stored = numbers.get((other ?? one)?.id ?? '') ?? -1
    return <DiffMessage kind={step.kind} before={one} after={other} places={places} number={stored} />
  }
  return (
    <>
      <Summary {...props} steps={steps} held={held} tokens={tokens} />
      <ol className="diff-steps">
        {shown.slice(0, max).map((part) => {
          const first = part.isFolded ? part.steps[0] : part.step
          if (first === undefined) return null
          return (
            <Fragment key={first.kind === 'added' ? `+${first.after}` : `${first.before}`}>
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
                message(part.step)
              )}
            </Fragment>
          )
        })}
      </ol>
      {left > 0 ? <Button onClick={() => setMax(max * 4)} text={diff.moreMessages(number(left))} /> : null}
    </>
  )
}

interface SummaryProps extends DiffResultProps {
  readonly steps: readonly MessageStep[]
  /** How many messages the cache holds, and their tokens. */
  readonly held: number
  readonly tokens: number
}

function Summary({ before, after, isForward, steps, held, tokens }: SummaryProps) {
  const { diff, timeline, number } = useLanguage()
  const { notKnown } = timeline.detail
  const counts = { same: 0, changed: 0, removed: 0, added: 0 }
  for (const { kind } of steps) counts[kind] += 1
  const about = () => {
    if (before.model !== after.model) return diff.otherModel(before.model ?? notKnown, after.model ?? notKnown)
    if (counts.same === steps.length) return diff.identical
    if (!isForward) return diff.backwards
    if (onlyGoesOn(steps)) return diff.cacheGoesOn(number(held), number(tokens), number(counts.added))
    return held === 0 ? diff.cacheNone : diff.cacheHolds(number(held), number(tokens))
  }
  return (
    <div className="diff-summary notice">
      <p>{diff.sum(number(counts.same), number(counts.changed), number(counts.removed), number(counts.added))}</p>
      <p>{about()}</p>
    </div>
  )
}
