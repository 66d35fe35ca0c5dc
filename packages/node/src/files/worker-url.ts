/** The address of a worker's file next to a module, by its name without extension: TypeScript in the sources, JavaScript in the build. */
export function workerUrl(name: string, beside: string): URL {
  return new URL(`${name}${beside.endsWith('.ts') ? '.ts' : '.js'}`, beside)
}
