import { knownPrices, type Price } from '@plimsoll/core/bill'
import { knownPriceOf } from '../../model/model-knowledge.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { CommandError, type CommandIo } from '../command-io.ts'
import { readSettings, type SettingsOptions } from '../settings.ts'
import { type ColourOptions, paintFor } from '../terminal/screen.ts'
import { cleanLine, displayWidth, quotedText } from '../terminal/text.ts'
import { writeJson } from '../terminal/write-out.ts'

export interface PricesCommandOptions extends SettingsOptions, ColourOptions {
  readonly day?: string
}

/** Prints what models cost on a day: the named ones, else those of the configuration and of our own table. */
export async function pricesCommand(models: readonly string[], options: PricesCommandOptions, io: CommandIo): Promise<void> {
  const { config, strings } = await readSettings(options, io)
  const today = new Date(io.now()).toISOString().slice(0, 10)
  const day = options.day ?? today
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(Date.parse(day)))
    throw new CommandError(strings.prices.badDay(quotedText(day), today), 2)
  const own = knownPrices.models.map(({ model }) => model)
  const names = models.length > 0 ? models : [...new Set([...Object.keys(config.prices), ...Object.keys(config.models), ...own])]
  const found = names.map((model) => ({ model, ...knownPriceOf(model, config, day) }))
  const priced = found.flatMap(({ price, from, ...row }) => (price === null || from === null ? [] : [{ ...row, price, from }]))
  const unknown = found.flatMap(({ model, price }) => (price === null && models.length > 0 ? [model] : []))
  if (options.json === true) {
    const rows = priced.map(({ model, price: { cache: _rules, source, ...price }, from, key }) => {
      return { ...price, model, from, ...(key === null ? {} : { key }), source }
    })
    writeJson({ day, pricesFrom: knownPrices.date, prices: rows, unknown }, 'prices', strings, io.stdout)
  } else if (priced.length > 0) {
    const paint = paintFor(io.stdout, options, io)
    const [head, ...rows] = priceLines(priced, models.length > 0, strings)
    io.stdout.write(`${paint('dim', strings.prices.title(day, knownPrices.date))}\n\n${paint('bold', head ?? '')}\n`)
    for (const row of rows) io.stdout.write(`${row}\n`)
    if (models.length === 0) io.stdout.write(`\n${paint('dim', strings.prices.more)}\n`)
  }
  const [first] = unknown
  if (first !== undefined)
    throw new CommandError(strings.prices.unknown(unknown.map(quotedText).join(', '), quotedText(first)), 1)
}

type Priced = {
  readonly model: string
  readonly price: Price
  readonly from: NonNullable<ReturnType<typeof knownPriceOf>['from']>
  readonly key: string | null
}

function priceLines(priced: readonly Priced[], isNamed: boolean, { prices: strings }: Strings): readonly string[] {
  const table = [
    [strings.model, strings.input, strings.cacheRead, strings.cacheWrite, strings.hour, strings.output, strings.from],
    ...priced.map(({ model, price, from, key }) => [
      cleanLine(model),
      ...[price.input, price.cacheRead, price.cacheWrite, price.cacheWriteHour, price.output].map(amountText),
      [
        key === null || key === model ? strings.origins[from] : strings.ownPattern(cleanLine(key)),
        ...conditions(price, strings),
        ...(isNamed && price.webSearch !== undefined ? [strings.webSearch(amountText(price.webSearch))] : []),
      ].join('; '),
    ]),
  ]
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => displayWidth(row[column] ?? ''))))
  return table.map((row) =>
    row
      .map((cell, column) => {
        const space = ' '.repeat((widths[column] ?? 0) - displayWidth(cell))
        return column === 0 ? cell + space : column === row.length - 1 ? cell : space + cell
      })
      .join('  ')
      .trimEnd(),
  )
}

function amountText(dollars: number | null): string {
  if (dollars === null) return '-'
  const exact = String(Number(dollars.toPrecision(6)))
  return `$${/\.\d$/.test(exact) ? `${exact}0` : exact}`
}

function conditions({ longPrompt, busy, until }: Price, strings: Strings['prices']): readonly string[] {
  return [
    ...(longPrompt === null
      ? []
      : [strings.longPrompt(`${Math.round(longPrompt.above / 1000)}k`, longPrompt.input, longPrompt.output)]),
    ...(busy === null ? [] : [strings.busy(busy)]),
    ...(until === null ? [] : [strings.until(until)]),
  ]
}
