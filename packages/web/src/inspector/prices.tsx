import { useId, useMemo, useState } from 'react'
import { Button, CopyButton, Form, Sentence } from '../parts/controls.tsx'
import { useLanguage } from '../parts/language.tsx'
import { visibleLine } from '../parts/safe-text.ts'
import { useInspector } from './source/inspector-source.ts'
import { type PricePart, priceLines, priceParts, shownRates, typedPrice } from './source/typed-prices.ts'

const maxModels = 12

/** Prices of the session's models, which the user can type. Open if one of them is unknown. */
export function Prices() {
  const { prices } = useLanguage()
  const { inspection, typed } = useInspector()
  const { cost } = inspection.session
  const unpriced = cost.unpriced - (cost.unreported ?? 0)
  const [isOpen, setOpen] = useState(unpriced > 0)
  if ((inspection.requestCount ?? inspection.requests.length) === 0) return null
  const title = Object.keys(typed).length > 0 ? prices.typed : unpriced > 0 ? prices.unknown : prices.title
  return (
    <details className="inspector-prices" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="small">{title}</summary>
      {isOpen ? <OpenPrices /> : null}
    </details>
  )
}

function OpenPrices() {
  const { prices } = useLanguage()
  const { inspection, typed, onTyped } = useInspector()
  const { requests } = inspection
  const models = useMemo(() => {
    const named = requests.flatMap(({ model, usage }) => (model === null || usage === null ? [] : [model]))
    return [...new Set(named)].slice(0, maxModels)
  }, [requests])
  const own = Object.fromEntries(Object.entries(typed).filter(([model]) => models.includes(model)))
  const others = Object.fromEntries(Object.entries(typed).filter(([model]) => !models.includes(model)))
  if (models.length === 0) return <p className="small muted">{prices.noUsage}</p>
  return (
    <>
      <p className="small muted">{prices.about}</p>
      {models.map((model) => (
        <PriceForm key={`${model} ${JSON.stringify(typed[model])}`} model={model} />
      ))}
      {Object.keys(own).length === 0 ? null : (
        <>
          <p className="small">
            <Sentence text={prices.toKeep} />
          </p>
          <div className="inspector-prices-lines">
            <pre>{priceLines(own)}</pre>
            <CopyButton text={priceLines(own)} />
          </div>
          <Button isSmall className="inspector-prices-reset" onClick={() => onTyped(others)} text={prices.reset} />
        </>
      )}
    </>
  )
}

function PriceForm({ model }: { readonly model: string }) {
  const { prices } = useLanguage()
  const { inspection, typed, onTyped } = useInspector()
  const id = useId()
  const known = typed[model]
  const shown = useMemo(() => shownRates(inspection, model), [inspection, model])
  const [fields, setFields] = useState<Readonly<Record<PricePart, string>>>(() => fieldsOf(known))
  const price = typedPrice(fields)
  const isChanged = priceParts.some((part) => fields[part] !== fieldsOf(known)[part])
  return (
    <Form
      className="inspector-prices-form"
      aria-label={prices.of(visibleLine(model, 60))}
      onSubmit={() => {
        if (price !== null) onTyped({ ...typed, [model]: price })
      }}
    >
      <strong>{visibleLine(model, 60)}</strong>
      {priceParts.map((part) => (
        <label key={part} htmlFor={`${id}-${part}`}>
          <span className="small muted">{prices.parts[part]}</span>
          <input
            id={`${id}-${part}`}
            className="field"
            inputMode="decimal"
            autoComplete="off"
            value={fields[part]}
            placeholder={shown[part] === null ? '' : `${shown[part]}`}
            onChange={(event) => setFields({ ...fields, [part]: event.target.value })}
          />
        </label>
      ))}
      <Button type="submit" isSmall look="primary" disabled={price === null || !isChanged} text={prices.apply} />
    </Form>
  )
}

function fieldsOf(price: Readonly<Partial<Record<PricePart, number>>> | undefined): Readonly<Record<PricePart, string>> {
  const text = (part: PricePart) => (price?.[part] === undefined ? '' : `${price[part]}`)
  return { input: text('input'), cache_read: text('cache_read'), cache_write: text('cache_write'), output: text('output') }
}
