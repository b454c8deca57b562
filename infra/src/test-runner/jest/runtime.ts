import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Config } from '@jest/types';
import type NodeEnvironment from './environment.js';
import { setFunctions } from './globals.js';

const require = createRequire(import.meta.url);
let testFiles = 0;

/** The part of the object `jest` that the specs use. */
function jestObject({ moduleMocker, fakeTimersModern: timers, global }: NodeEnvironment): object {
  const timeout = Symbol.for('TEST_TIMEOUT_SYMBOL');
  /** As Jest's own: the functions return the object. */
  const chained =
    <Arguments extends unknown[]>(work: (...args: Arguments) => unknown) =>
    (...args: Arguments) => {
      work(...args);
      return jest;
    };
  const jest = {
    fn: moduleMocker.fn.bind(moduleMocker),
    spyOn: moduleMocker.spyOn.bind(moduleMocker),
    restoreAllMocks: chained(() => moduleMocker.restoreAllMocks()),
    useFakeTimers: chained((config?: Config.FakeTimersConfig) => timers.useFakeTimers(config)),
    useRealTimers: chained(() => timers.useRealTimers()),
    setSystemTime: (now?: number | Date) => timers.setSystemTime(now),
    advanceTimersByTime: (ms: number) => timers.advanceTimersByTime(ms),
    advanceTimersByTimeAsync: (ms: number) => timers.advanceTimersByTimeAsync(ms),
    setTimeout: chained((ms: number) => Object.assign(global, { [timeout]: ms })),
  };
  return jest;
}

/**
 * Loads test files with the module system of Node.js (`runtime` of the configuration of Jest). A worker loads the
 * modules of the product once, and not again for each test file; `module-hooks.ts` decides what is loaded again.
 */
class NodeRuntime {
  readonly #environment: NodeEnvironment;

  constructor(_config: Config.ProjectConfig, environment: NodeEnvironment) {
    this.#environment = environment;
  }

  /** A module of the framework, whose state is that of one test file. */
  requireInternalModule(path: string): unknown {
    delete require.cache[path];
    return require(path);
  }

  requireModule(path: string): unknown {
    return require(path);
  }

  unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  unstable_importModule(path: string): Promise<unknown> {
    testFiles += 1;
    return import(`${pathToFileURL(path).href}?testFile=${testFiles}`);
  }

  setGlobalsForRuntime(functions: object): void {
    setFunctions({ ...functions, jest: jestObject(this.#environment) });
  }

  enterTestCode(): void {}

  leaveTestCode(): void {}

  getSourceMaps(): null {
    return null;
  }

  getAllCoverageInfoCopy(): undefined {}

  teardown(): void {
    Reflect.deleteProperty(this.#environment.global, Symbol.for('TEST_TIMEOUT_SYMBOL'));
  }
}

export { NodeRuntime as 'module.exports' };
