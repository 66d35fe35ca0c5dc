/** The Monday of a time's week, or the first day of its month. */
export function firstDayOf(period: 'week' | 'month', at: number): string {
  const date = new Date(at)
  if (period === 'month') return `${localDay(at).slice(0, 7)}-01`
  return localDay(new Date(date.getFullYear(), date.getMonth(), date.getDate() - ((date.getDay() + 6) % 7), 12).getTime())
}

/** The day as the user's calendar has it. */
export function localDay(at: number): string {
  const date = new Date(at)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
