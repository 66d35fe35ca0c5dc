import type { WhatIf, WhatIfQuestion } from '@plimsoll/core'
import { LoaderCircle } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLanguage } from '../../parts/language.tsx'
import type { InspectorSource } from '../source/inspector-source.ts'

/** What the work is told. */
export interface WhatIfWorkProps {
  readonly source: InspectorSource
  readonly question: WhatIfQuestion
  readonly onAnswer: (answer: WhatIf) => void
  readonly onError: (error: unknown) => void
  readonly onCancel: () => void
}

/** Asks, says how long that has taken, and can be stopped: going away stops it too. */
export function WhatIfWork({ source, question, onAnswer, onError, onCancel }: WhatIfWorkProps) {
  const { strings, duration } = useLanguage()
  const words = strings.whatIf
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const controller = new AbortController()
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000)
    source.whatIf(question, controller.signal).then(
      (answer) => {
        if (!controller.signal.aborted) onAnswer(answer)
      },
      (error: unknown) => {
        if (!controller.signal.aborted) onError(error)
      },
    )
    return () => {
      clearInterval(timer)
      controller.abort()
    }
    // What is told when it is done may be another function at each drawing; the question is asked once.
  }, [source, question])
  return (
    <div className="what-if-work notice">
      <LoaderCircle size={16} aria-hidden className="what-if-turning" />
      <span role="status">{words.working}</span>
      <span className="muted small" aria-hidden="true">
        {duration(seconds * 1000)}
      </span>
      <button type="button" className="button small" onClick={onCancel}>
        {words.cancel}
      </button>
    </div>
  )
}
