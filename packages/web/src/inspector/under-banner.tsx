import type { InspectedUnder } from '@plimsoll/core'
import { FlaskConical } from 'lucide-react'
import { useLanguage } from '../parts/language.tsx'
import { visibleLine } from '../parts/safe-text.ts'
import './under.css'

/** What the banner is told. */
export interface UnderBannerProps {
  readonly under: InspectedUnder
  /** Shows the session as it was recorded again. Without it there is no button that does. */
  readonly onUnder?: (policies: null) => void
}

/** Says as long as a policy set is assumed that nothing of what is shown was sent, and what else is assumed. */
export function UnderBanner({ under, onUnder }: UnderBannerProps) {
  const { strings } = useLanguage()
  const words = strings.inspector.under
  const { aboutPolicies, aboutPrices, modelPrice } = strings.whatIf
  const [policies, price] = [visibleLine(under.policies, 60), visibleLine(under.price, 60)]
  const about = [`${policies}: ${aboutPolicies[under.policies] ?? ''}`, `${price}: ${aboutPrices[under.price] ?? modelPrice}`]
  return (
    <div className="notice notice-warn under-banner" role="note">
      <FlaskConical size={16} aria-hidden />
      <div>
        <p>
          <strong>{words.simulated(policies, price)}</strong> {words.assumed}
        </p>
        <p className="small">{about.join(' · ')}</p>
      </div>
      {onUnder === undefined ? null : (
        <button type="button" className="button small" onClick={() => onUnder(null)}>
          {words.back}
        </button>
      )}
    </div>
  )
}
