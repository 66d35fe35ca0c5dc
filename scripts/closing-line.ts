import type { Reporter, TestModule } from 'vitest/node'

/** A test reporter that ends the run with one plain line: how many tests passed, and how many failed. */
export function closingLine(): Reporter {
  return {
    onTestRunEnd(modules, errors, reason) {
      const passed = modules.reduce((sum, module) => sum + count(module, 'passed'), 0)
      const failed = modules.reduce((sum, module) => sum + failures(module), errors.length)
      // A failed run must never print 0 failures, regardless of what failed.
      writeAtExit(`${passed} passed, ${reason === 'passed' ? failed : Math.max(1, failed)} failed`)
    },
  }
}

type CountedModule = Pick<TestModule, 'state' | 'children'>

function count(module: CountedModule, state: 'passed' | 'failed'): number {
  return [...module.children.allTests(state)].length
}

/** A file that could not be loaded has no tests, but counts as a failure. */
function failures(module: CountedModule): number {
  return module.state() === 'failed' ? Math.max(1, count(module, 'failed')) : count(module, 'failed')
}

// Other reporters print their summaries at the end of the run, some of them after this one is called.
function writeAtExit(line: string): void {
  process.once('exit', () => process.stdout.write(`${line}\n`))
}
