import { execFile } from 'node:child_process';
import { root } from '../command.js';

/** Runs a command to its end. @returns its exit status and both outputs */
export function execute(
  command: string,
  args: string[],
  { cwd = root }: { cwd?: string } = {},
): Promise<{ code: number; output: string }> {
  return new Promise((done) => {
    execFile(command, args, { cwd, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : error ? 1 : 0;
      const reason = error && typeof error.code !== 'number' ? `${error.message}\n` : '';
      done({ code, output: `${stdout}${stderr}${reason}` });
    });
  });
}
