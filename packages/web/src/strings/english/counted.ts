/** A count with its noun: `1 message`, `2 messages`. */
export const counted = (count: string, noun: string) => `${count} ${noun}${count === '1' ? '' : 's'}`
