/** Remembers which of the handles that go by is most like one, so that a slip can be named. */
export function createNearest(wanted: string): { readonly see: (handle: string) => void; readonly found: () => string | null } {
  let best: string | null = null
  let least = mostSlips + 1
  return {
    see(handle) {
      const slips = slipsBetween(wanted, handle.slice(0, wanted.length))
      if (slips >= least) return
      least = slips
      best = handle
    },
    found: () => best,
  }
}

/** More are another handle. */
const mostSlips = 3

/** Digits that differ, or one digit lost or doubled with all behind it moved by one. */
function slipsBetween(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  let start = 0
  while (start < length && a.charCodeAt(start) === b.charCodeAt(start)) start += 1
  const moved = Math.min(differences(a, b, start + 1, start, length), differences(a, b, start, start + 1, length)) + 1
  return Math.min(differences(a, b, start, start, length), moved)
}

function differences(a: string, b: string, i: number, j: number, length: number): number {
  let count = 0
  for (let step = 0; Math.max(i, j) + step < length && count <= mostSlips; step += 1) {
    if (a.charCodeAt(i + step) !== b.charCodeAt(j + step)) count += 1
  }
  return count
}
