import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../../libs/cli/dist/bin.js', import.meta.url));

/** What a command has printed, and its exit code. */
export interface CmsResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface CmsOptions {
  env: Record<string, string | undefined>;
  /** Gets what the command has printed so far on stderr. */
  onOutput?: (stderr: string) => void;
  onStart?: (child: ChildProcess) => void;
}

/** Runs `cms` of libs/cli as a process of its own, without a terminal. */
export function runCms(args: readonly string[], { env, onOutput, onStart }: CmsOptions): Promise<CmsResult> {
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (text: Buffer) => (output.stdout += text.toString()));
  child.stderr.on('data', (text: Buffer) => {
    output.stderr += text.toString();
    onOutput?.(output.stderr);
  });
  onStart?.(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...output }));
  });
}
