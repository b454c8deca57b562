import type { Site } from './open-site.js';

/** The result of a command of `cms`. */
export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs a command of `cms` beside the system under test.
 * @param options.isProcess whether it runs in a separate process, as for operators, which is slower
 * @param options.until a text in its output after which the process is stopped as by Ctrl-C
 */
export async function runCommand(
  { system }: Pick<Site, 'system'>,
  args: readonly string[],
  options: { isProcess?: boolean; until?: string } = {},
): Promise<CommandResult> {
  const body = JSON.stringify({ args, ...options });
  const response = await fetch(`${system.control}/cms`, { method: 'POST', body });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as CommandResult;
}
