import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { UserFacingError } from '../../../prepare/user-facing-error.mjs';
import { root } from '../../command.js';
import type { Site } from '../systems.js';

const program = join(root, 'libs/cli/dist/bin.js');

/**
 * Runs `cms` of libs/cli on a site.
 * @param folder of its settings
 * @throws UserFacingError when it fails
 */
export async function runCommandLine(
  { origin, host, headers }: Site,
  folder: string,
  args: readonly string[],
): Promise<void> {
  const address = Object.assign(new URL(origin), { hostname: host });
  const env = {
    XDG_CONFIG_HOME: folder,
    CMS_URL: address.origin,
    CMS_TOKEN: headers.authorization?.replace('Bearer ', ''),
  };
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close') as Promise<[number]>]);
  if (code !== 0)
    throw new UserFacingError(`cms ${args.join(' ')}: ${errors.trimEnd().split('\n').at(-1) ?? ''}`);
}
