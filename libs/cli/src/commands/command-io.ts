import { createInterface } from 'node:readline/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { readEnvironment, type CliEnvironment } from '../environment.js';
import type { Sleep } from '../http/retries.js';
import type { Terminal } from '../terminal/progress-bar.js';

/** What commands use of the process. */
export interface CommandIo {
  environment: CliEnvironment;
  stdout: Terminal;
  stderr: Terminal;
  sleep: Sleep;
  /** Asks the user for a yes; undefined where the input is not a terminal. */
  confirm: ((question: string, signal: AbortSignal) => Promise<boolean>) | undefined;
  /** A signal that SIGINT and SIGTERM abort. From the call on, the first of them does not end the process. */
  stopSignal: () => AbortSignal;
}

/** The process that runs the command. */
export function processIo(): CommandIo {
  return {
    environment: readEnvironment(),
    stdout: process.stdout,
    stderr: process.stderr,
    sleep: async (ms, signal) => void (await delay(ms, undefined, { signal })),
    confirm: process.stdin.isTTY ? confirmOnTerminal : undefined,
    stopSignal() {
      const stopping = new AbortController();
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());
      return stopping.signal;
    },
  };
}

async function confirmOnTerminal(question: string, signal: AbortSignal): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question(`${question} Type yes to go on: `, { signal })) === 'yes';
  } finally {
    terminal.close();
  }
}
