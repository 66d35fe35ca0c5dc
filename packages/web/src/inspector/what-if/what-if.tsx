import type { WhatIf as WhatIfAnswer, WhatIfQuestion } from '@plimsoll/core'
import { useState } from 'react'
import { useLanguage } from '../../parts/language.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { InspectorPartProps } from '../source/inspector-part.ts'
import { WhatIfForm } from './what-if-form.tsx'
import { usualChoices, usualQuestion } from './what-if-question.ts'
import { WhatIfResult } from './what-if-result.tsx'
import { WhatIfWork } from './what-if-work.tsx'
import './what-if.css'

/** How far a comparison is. */
type Comparison =
  | { readonly state: 'none' | 'cancelled' }
  | { readonly state: 'asked'; readonly question: WhatIfQuestion }
  | { readonly state: 'there'; readonly answer: WhatIfAnswer }
  | { readonly state: 'failed'; readonly error: unknown }

/** Longer sessions are replayed only when asked for. */
const askedAtOnce = 300

/** The same session under other policies and prices, side by side. */
export function WhatIf({ inspection, source }: InspectorPartProps) {
  const { strings } = useLanguage()
  const words = strings.whatIf
  const [choices] = useLoaded((signal) => source.whatIfChoices?.(signal) ?? Promise.resolve(usualChoices), [source])
  if (inspection.requests.length === 0) return <p className="notice">{strings.requests.timeline.empty}</p>
  if (choices.state === 'loading')
    return (
      <p className="muted" role="status">
        {words.loading}
      </p>
    )
  const known = choices.state === 'there' ? choices.value : usualChoices
  return <Compare key={inspection.session.id} inspection={inspection} source={source} choices={known} />
}

type CompareProps = Pick<InspectorPartProps, 'inspection' | 'source'> & { readonly choices: WhatIfQuestion }

function Compare({ inspection, source, choices }: CompareProps) {
  const { strings, number } = useLanguage()
  const words = strings.whatIf
  const count = inspection.requests.length
  const [question, setQuestion] = useState(() => usualQuestion(choices))
  const [comparison, setComparison] = useState<Comparison>(() =>
    count <= askedAtOnce && choices.prices.length > 0 ? { state: 'asked', question } : { state: 'none' },
  )
  return (
    <div className="what-if">
      <h2>{words.title}</h2>
      <p className="muted">{words.about}</p>
      <WhatIfForm
        choices={choices}
        question={question}
        onQuestion={setQuestion}
        isBusy={comparison.state === 'asked'}
        onCompare={() => setComparison({ state: 'asked', question })}
      />
      {comparison.state === 'none' && count > askedAtOnce ? <p className="muted">{words.long(number(count))}</p> : null}
      {comparison.state === 'asked' ? (
        <WhatIfWork
          source={source}
          question={comparison.question}
          onAnswer={(answer) => setComparison({ state: 'there', answer })}
          onError={(error) => setComparison({ state: 'failed', error })}
          onCancel={() => setComparison({ state: 'cancelled' })}
        />
      ) : null}
      {comparison.state === 'cancelled' ? (
        <p className="notice" role="status">
          {words.cancelled}
        </p>
      ) : null}
      {comparison.state === 'failed' ? (
        <Trouble error={comparison.error} onRetry={() => setComparison({ state: 'asked', question })} />
      ) : null}
      {comparison.state === 'there' ? <WhatIfResult answer={comparison.answer} /> : null}
    </div>
  )
}
