import { addSiteCommands, createProgram } from './program.js';
import type { CommandIo } from './commands/command-io.js';
import { describeFailure } from './command-error.js';
import type { ProxyVariables } from './environment.js';

/** What a command has printed, and its exit code. */
export interface CommandResult {
  exitCode: number;
  stdout: string;
  /** With the line about a failure. */
  stderr: string;
  /** Delays that the command waited for, in milliseconds: a spec does not wait. */
  delays: number[];
}

/** What a spec changes of the process. */
export interface RunOptions {
  configFolder: string;
  siteUrl?: string;
  token?: string;
  proxies?: Partial<ProxyVariables>;
  signal?: AbortSignal;
  /** What the user answers on a terminal; without it there is none. */
  confirms?: boolean;
}

/** Runs a command of `cms` in this process. */
export async function runCommand(args: readonly string[], options: RunOptions): Promise<CommandResult> {
  const { configFolder, siteUrl, token, proxies, confirms, signal = new AbortController().signal } = options;
  const result: CommandResult = { exitCode: 0, stdout: '', stderr: '', delays: [] };
  const io: CommandIo = {
    environment: {
      configFolder,
      siteUrl,
      token,
      proxies: { httpsProxy: undefined, noProxy: undefined, ...proxies },
    },
    stdout: { write: (text) => (result.stdout += text) },
    stderr: { write: (text) => (result.stderr += text) },
    sleep: (ms) => Promise.resolve(void result.delays.push(ms)),
    confirm: confirms === undefined ? undefined : () => Promise.resolve(confirms),
    stopSignal: () => signal,
  };
  const program = createProgram('');
  addSiteCommands(program, io);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    const { line, exitCode } = describeFailure(error);
    result.exitCode = exitCode;
    result.stderr += `${line}\n`;
  }
  return result;
}
