import type { ParseArgsConfig } from 'node:util';
import type { AdminService } from '../admin-service.js';
import type { AppContainer } from '../app-container.js';

export type Values = Record<string, string | boolean | (string | boolean)[] | undefined>;

export interface Command {
  name: string;
  usage: string;
  summary: string;
  options: NonNullable<ParseArgsConfig['options']>;
  /** Does it and says what it did in one line, unless it has printed all there is to say. */
  run: (deps: CommandDeps, values: Values, positionals: readonly string[]) => Promise<string | void>;
}

export interface CommandDeps {
  adminService: AdminService;
  installation: AppContainer;
  /** Prints a line, and waits for a reader who is slower. */
  print: (line: string) => Promise<void>;
  /** Aborted by Ctrl-C or SIGTERM, which from then on end the command by this alone. */
  stopSignal: () => AbortSignal;
}
