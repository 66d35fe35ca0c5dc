// Preloaded into a process: its clock jumps forward and back by hours, about every second.

const RealDate = globalThis.Date
const started = RealDate.now()
const hour = 3_600_000
const jumps = [0, 3, -2, 0, 26, -1, 0, -30, 5, 1].map((hours) => hours * hour)

function now(): number {
  const real = RealDate.now()
  return real + (jumps[Math.floor((real - started) / 1300) % jumps.length] ?? 0)
}

globalThis.Date = new Proxy(RealDate, {
  construct: (target, words: readonly unknown[], made) =>
    Reflect.construct(target, words.length === 0 ? [now()] : words, made) as Date,
  get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
})
