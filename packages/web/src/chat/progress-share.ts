/** How far something is, from 0 to 100; null where nobody can know. What is no such number is taken for the nearest. */
export function progressShare(progress: number | null): number | null {
  if (progress === null || Number.isNaN(progress)) return null
  return Math.min(100, Math.max(0, progress))
}
