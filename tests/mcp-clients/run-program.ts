import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The folder of the programs. */
export const folder = fileURLToPath(new URL('.', import.meta.url));

export interface ProgramResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface ProgramOptions {
  /** The Node.js that runs it; default: that of the tests. */
  node?: string;
  /** Folder for its settings. */
  home: string;
  /** Gets all output so far, whenever there is more. The program is killed when it fails. */
  onOutput?: (output: string) => Promise<void> | undefined;
}

const timeoutMs = 45_000;

/**
 * Runs a Node.js program of this folder to its end. It has no PATH, so it cannot start a browser. It and the programs
 * that it started are killed after 45 seconds; the result then has no code.
 * @param args the first is its path in this folder
 * @throws the error of `onOutput`
 */
export async function runProgram(
  args: readonly string[],
  { node = process.execPath, home, onOutput }: ProgramOptions,
): Promise<ProgramResult> {
  const child = spawn(node, args, {
    cwd: folder,
    env: { HOME: home, PATH: '', NO_COLOR: '1', MCP_REMOTE_CONFIG_DIR: home },
    stdio: ['ignore', 'pipe', 'pipe'],
    // a group of its own: a program that it started would keep the pipes open
    detached: true,
  });
  const killTimer = setTimeout(() => killGroup(child), timeoutMs);
  const received = { stdout: '', stderr: '' };
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      for (const name of ['stdout', 'stderr'] as const)
        child[name].setEncoding('utf8').on('data', (text: string) => {
          received[name] += text;
          onOutput?.(received.stdout + received.stderr)?.catch(reject);
        });
      child.once('error', reject);
      child.once('close', resolve);
    });
    return { code, ...received };
  } finally {
    clearTimeout(killTimer);
    killGroup(child);
  }
}

/** Kills a program and the programs that it started, if they run. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * Runs a program of `programs/`.
 * @param input its argument
 * @returns what it printed, as JSON
 * @throws Error with its output if it fails
 */
export async function runClient<Report>(
  program: string,
  input: object,
  options: ProgramOptions,
): Promise<Report> {
  const result = await runProgram([`programs/${program}.mjs`, JSON.stringify(input)], options);
  if (result.code !== 0) throw new Error(`${program} exited with ${result.code}: ${outputOf(result)}`);
  return JSON.parse(result.stdout) as Report;
}

/** The output for a message of a failed test. */
export const outputOf = ({ stdout, stderr }: ProgramResult): string => `${stdout}\n${stderr}`.slice(-8_000);
