import { ModernFakeTimers } from '@jest/fake-timers';
import type { Config } from '@jest/types';
import { ModuleMocker } from 'jest-mock';
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';

/** The globals of Node.js itself, instead of those of a new context. */
export default class NodeEnvironment {
  readonly global = globalThis;
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimersModern: ModernFakeTimers;
  readonly #console = console;
  readonly #exit = process.exit;

  constructor({ projectConfig }: { projectConfig: Config.ProjectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    Object.assign(globalThis, projectConfig.globals);
  }

  /** Jest requires it, and only its own runtime uses it. */
  getVmContext(): null {
    return null;
  }

  async setup(): Promise<void> {
    // Node.js knows the source maps (`--enable-source-maps`); Jest has replaced its function.
    Reflect.deleteProperty(Error, 'prepareStackTrace');
  }

  /** The next test file finds what this one has found. */
  async teardown(): Promise<void> {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    globalThis.console = this.#console;
    process.exit = this.#exit;
    renewConnections();
  }
}

/**
 * A connection that a test file leaves idle would be closed by its server while a later file sends a request on it.
 * `fetch` has the same connections.
 */
function renewConnections(): void {
  const used = getGlobalDispatcher();
  setGlobalDispatcher(new Agent());
  // Connections in use are closed after their requests.
  void used.close();
}
