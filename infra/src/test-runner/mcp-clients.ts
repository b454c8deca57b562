import { join } from 'node:path';
import { install, isInstalled } from '../../prepare/install.mjs';
import { withLock } from '../../prepare/lock.mjs';

/**
 * Installs the programs of `tests/mcp-clients`, which check the MCP server from outside. They are not dependencies of
 * Quire, so they have a lock file of their own.
 * @param root the folder of the repository
 * @throws UserFacingError when npm fails
 */
export async function installMcpClients(root: string): Promise<void> {
  const folder = join(root, 'tests/mcp-clients');
  if (isInstalled(folder)) return;
  const logFile = join(root, '.nx', 'quire-mcp-clients.log');
  await withLock(join(root, '.nx', 'quire-mcp-clients.lock'), async (hold) => {
    if (isInstalled(folder)) return;
    await install({ root: folder, log: console.log, hold, logFile, ignoresScripts: true });
  });
}
